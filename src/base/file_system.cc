#include "base/file_system.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "base/checksum.h"
#include "base/fail.h"

namespace t2v {
namespace {

constexpr const char* kAccessList = "system.posix_acl_access";

/// Gives a new file the access list of another, or takes an inherited one off. Where the file system has none
/// there is nothing to do.
bool copy_access_list(const std::string& from, int file) {
  std::array<char, 64 << 10> list;
  const ssize_t size = ::getxattr(from.c_str(), kAccessList, list.data(), list.size());
  if (size >= 0) return ::fsetxattr(file, kAccessList, list.data(), static_cast<std::size_t>(size), 0) == 0;
  ::fremovexattr(file, kAccessList);
  return true;
}

/// Owner, access list and mode, in the order in which none undoes another. An owner that only root may give
/// is an error: a file of somebody else is not to change hands.
bool copy_access(const std::string& from, const struct stat& info, int file) {
  struct stat own {};
  if (::fstat(file, &own) != 0) return false;
  const bool other = own.st_uid != info.st_uid || own.st_gid != info.st_gid;
  if (other && ::fchown(file, info.st_uid, info.st_gid) != 0) return false;
  return copy_access_list(from, file) && ::fchmod(file, info.st_mode & 07777) == 0;
}

class Disk : public FileSystem {
 public:
  int open(const std::string& path, Mode mode) override {
    const int writing = mode == Mode::kCreate ? O_WRONLY | O_CREAT | O_EXCL : O_RDONLY;
    const int waiting = mode == Mode::kMap ? O_NONBLOCK : 0;
    return ::open(path.c_str(), writing | waiting | O_CLOEXEC, 0666);
  }
  int create(const std::string& path, const std::string& in_place_of) override {
    struct stat info {};
    if (::stat(in_place_of.c_str(), &info) != 0) {
      return errno == ENOENT ? open(path, Mode::kCreate) : -1;  // such as a name that is too long
    }
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 || copy_access(in_place_of, info, file)) return file;
    const int reason = errno;
    ::close(file);
    ::unlink(path.c_str());
    errno = reason;
    return -1;
  }
  int64_t read(int file, std::span<std::byte> bytes) override {
    return ::read(file, bytes.data(), bytes.size());
  }
  int64_t write(int file, std::span<const std::byte> bytes) override {
    return ::write(file, bytes.data(), bytes.size());
  }
  int64_t size(int file) override {
    struct stat info {};
    if (::fstat(file, &info) < 0) return -1;
    if (S_ISREG(info.st_mode)) return info.st_size;
    errno = S_ISDIR(info.st_mode) ? EISDIR : ESPIPE;
    return -1;
  }
  int64_t modified(int file) override {
    struct stat info {};
    if (::fstat(file, &info) < 0) return -1;
    return int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
  }
  const std::byte* map(int file, std::size_t size) override {
    void* bytes = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
    return bytes == MAP_FAILED ? nullptr : static_cast<const std::byte*>(bytes);
  }
  int unmap(const std::byte* bytes, std::size_t size) override {
    return ::munmap(const_cast<std::byte*>(bytes), size);
  }
  int sync(int file) override { return ::fsync(file); }
  int close(int file) override { return ::close(file); }
  int rename(const std::string& from, const std::string& to) override {
    return std::rename(from.c_str(), to.c_str());
  }
  int remove(const std::string& path) override { return ::unlink(path.c_str()); }
  int create_folder(const std::string& path) override { return ::mkdir(path.c_str(), 0777); }
  bool is_folder(const std::string& path) override {
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
  }
  bool is_special(const std::string& path) override {
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
  }
  int64_t read_link(const std::string& path, std::span<char> target) override {
    return ::readlink(path.c_str(), target.data(), target.size());
  }
  int sync_folder(const std::string& path) override {
    const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return -1;
    const int result = ::fsync(folder);
    const int reason = errno;
    ::close(folder);
    errno = reason;
    return result;
  }
};

template <class Call>
auto retry(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

[[noreturn]] void fail_errno(const std::string& path, const char* what) {
  const int reason = errno;
  fail("{}: cannot {}: {}", path, what, std::generic_category().message(reason));
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// The path that symbolic links lead to; what is no link leads to itself.
std::string followed(FileSystem& files, const std::string& path) {
  constexpr int kMostLinks = 40;
  std::array<char, 4096> target;
  std::string at = path;
  for (int i = 0; i < kMostLinks; ++i) {
    const int64_t size = retry([&] { return files.read_link(at, target); });
    if (size < 0 && errno == EIO) fail_errno(at, "look for a link");
    if (size < 0) return at;
    const std::string link(target.data(), static_cast<std::size_t>(size));
    at = link.starts_with('/') ? link : folder_of(at) + "/" + link;
  }
  errno = ELOOP;
  fail_errno(path, "follow the link");
}

std::string temporary_of(const std::string& path) { return path_beside(path, ".t2v-unfinished"); }

void refuse_special(FileSystem& files, const std::string& target, const std::string& path) {
  if (files.is_special(target)) fail("{}: is not a file that can be replaced; name another output", path);
}

void remove_temporary(FileSystem& files, const std::string& path) {
  const std::string temporary = temporary_of(path);
  if (retry([&] { return files.remove(temporary); }) < 0 && errno != ENOENT) {
    fail_errno(temporary, "remove what a crash left behind");
  }
}

void sync_folder_of(FileSystem& files, const std::string& path) {
  if (retry([&] { return files.sync_folder(folder_of(path)); }) < 0) fail_errno(folder_of(path), "sync");
}

void create_folder(FileSystem& files, const std::string& path) {
  if (retry([&] { return files.create_folder(path); }) == 0) {
    sync_folder_of(files, path);
    return;
  }
  const int reason = errno;
  if (reason == EEXIST && files.is_folder(path)) return;
  errno = reason == EEXIST ? ENOTDIR : reason;  // what is there is a file
  fail_errno(path, "create the folder");
}

/// The rest of an open file.
std::vector<std::byte> rest_of(OpenFile& file, std::size_t most) {
  std::vector<std::byte> bytes;
  constexpr std::size_t kFirst = 64 << 10;
  std::size_t size = 0;
  do {
    bytes.resize(std::min(bytes.empty() ? kFirst : bytes.size() * 2, most + 1));
    size += file.read(std::span(bytes).subspan(size));
    if (size > most) fail("{}: has more than the {} bytes that such a file may have", file.path(), most);
  } while (size == bytes.size());
  bytes.resize(size);
  return bytes;
}

}  // namespace

std::string path_beside(const std::string& path, const std::string& suffix) {
  constexpr std::size_t kLongestName = 255;
  const std::size_t begin = path.rfind('/') + 1;  // 0 without a folder
  if (path.size() - begin + suffix.size() <= kLongestName) return path + suffix;
  const std::span<const std::byte> name = std::as_bytes(std::span(path).subspan(begin));
  return path.substr(0, begin) + "." + checksum_text(checksum(name)) + suffix;
}

FileSystem& FileSystem::real() {
  static Disk disk;
  return disk;
}

OpenFile::OpenFile(FileSystem& files, std::string path, FileSystem::Mode mode)
    : files_(files), path_(std::move(path)), file_(retry([&] { return files.open(path_, mode); })) {
  if (file_ >= 0) return;
  if (mode == FileSystem::Mode::kCreate) fail_errno(path_, "create");
  if (errno == ENOENT) fail("{}: cannot open: No such file or directory; check the path", path_);
  fail_errno(path_, "open");
}

OpenFile::OpenFile(FileSystem& files, std::string path, const std::string& in_place_of)
    : files_(files), path_(std::move(path)), file_(retry([&] { return files.create(path_, in_place_of); })) {
  if (file_ >= 0) return;
  if (errno == EPERM) {
    fail("{}: cannot be replaced with its owner kept; remove it first, or name another output", in_place_of);
  }
  fail_errno(path_, "create");
}

OpenFile::~OpenFile() {
  if (file_ >= 0) files_.close(file_);
}

std::size_t OpenFile::read(std::span<std::byte> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const int64_t n = retry([&] { return files_.read(file_, bytes.subspan(done)); });
    if (n < 0) fail_errno(path_, "read");
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

void OpenFile::write_all(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const int64_t n = retry([&] { return files_.write(file_, bytes); });
    if (n == 0) errno = EIO;  // no progress and no reason given
    if (n <= 0) fail_errno(path_, "write");
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

std::size_t OpenFile::size() const {
  const int64_t size = retry([&] { return files_.size(file_); });
  if (size >= 0) return static_cast<std::size_t>(size);
  if (errno == EISDIR) fail("{}: is a folder; give a file", path_);
  if (errno == ESPIPE) fail("{}: is a pipe or a device; write it to a file and give that", path_);
  fail_errno(path_, "take the size");
}

std::span<const std::byte> OpenFile::map(std::size_t size) const {
  const std::byte* bytes = files_.map(file_, size);
  if (bytes == nullptr) fail_errno(path_, "map into memory");
  return {bytes, size};
}

void OpenFile::sync_and_close() {
  if (retry([&] { return files_.sync(file_); }) < 0) fail_errno(path_, "sync");
  const int file = std::exchange(file_, -1);
  // Not retried: on Linux the descriptor is gone even when close is interrupted.
  if (files_.close(file) < 0 && errno != EINTR) fail_errno(path_, "close");
}

std::vector<std::byte> read_file(FileSystem& files, const std::string& path, std::size_t most) {
  OpenFile file(files, path, FileSystem::Mode::kRead);
  return rest_of(file, most);
}

std::vector<std::byte> read_regular_file(FileSystem& files, const std::string& path, std::size_t most) {
  OpenFile file(files, path, FileSystem::Mode::kMap);
  file.size();  // throws for what is none
  return rest_of(file, most);
}

bool exists(FileSystem& files, const std::string& path) {
  const int file = retry([&] { return files.open(path, FileSystem::Mode::kMap); });
  if (file >= 0) {
    files.close(file);
    return true;
  }
  if (errno != ENOENT && errno != ENOTDIR) fail_errno(path, "open");
  return false;
}

AtomicFile::AtomicFile(FileSystem& files, std::string path)
    : files_(files), path_(std::move(path)), target_(followed(files, path_)) {
  refuse_special(files_, target_, path_);
  remove_temporary(files_, target_);
  file_ = std::make_unique<OpenFile>(files_, temporary_of(target_), target_);
}

AtomicFile::~AtomicFile() {
  if (renamed_) return;
  file_.reset();
  retry([&] { return files_.remove(temporary_of(target_)); });
}

void AtomicFile::finish() {
  file_->sync_and_close();
  if (retry([&] { return files_.rename(temporary_of(target_), target_); }) < 0) fail_errno(path_, "replace");
  renamed_ = true;
  sync_folder_of(files_, target_);
}

void write_file_atomically(FileSystem& files, const std::string& path,
                           std::span<const std::span<const std::byte>> pieces) {
  AtomicFile file(files, path);
  for (const auto piece : pieces) file.write(piece);
  file.finish();
}

void write_file_atomically(FileSystem& files, const std::string& path, std::span<const std::byte> bytes) {
  write_file_atomically(files, path, std::span(&bytes, 1));
}

void write_file_atomically(FileSystem& files, const std::string& path, const std::string& text) {
  write_file_atomically(files, path, std::as_bytes(std::span(text)));
}

void check_writable(FileSystem& files, const std::string& path) {
  if (path.empty()) fail("the path of a file to write is empty; name a file");
  const std::string target = followed(files, path);
  if (files.is_folder(target)) fail("{}: is a folder; name a file", path);
  refuse_special(files, target, path);
  if (!files.is_folder(folder_of(target))) fail("{}: there is no such folder", folder_of(target));
  remove_temporary(files, target);
  const std::string temporary = temporary_of(target);
  const int file = retry([&] { return files.create(temporary, target); });
  if (file < 0 && errno == EPERM) {
    fail("{}: cannot be replaced with its owner kept; remove it first, or name another output", path);
  }
  if (file < 0) fail_errno(path, "write");
  files.close(file);
  retry([&] { return files.remove(temporary); });
}

void clear_unfinished(FileSystem& files, const std::string& path) {
  remove_temporary(files, followed(files, path));
}

void remove_file(FileSystem& files, const std::string& path) {
  clear_unfinished(files, path);
  if (retry([&] { return files.remove(path); }) == 0) {
    sync_folder_of(files, path);
  } else if (errno != ENOENT) {
    fail_errno(path, "remove");
  }
}

void create_folders(FileSystem& files, const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    create_folder(files, path.substr(0, end));
    if (end == std::string::npos) return;
  }
}

}  // namespace t2v
