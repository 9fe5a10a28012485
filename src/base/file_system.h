#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace t2v {

/// The one seam between this library and files: every operation on a file goes through it, so that a test can
/// stand in for the disk and fail any one of them. The methods are the system calls: they return what those
/// return, -1 with errno set on failure. Use the functions below, which retry, check and explain.
class FileSystem {
 public:
  /// kCreate: for writing, must not exist yet. kMap: for mapping; does not wait for the writer of a pipe.
  enum class Mode { kRead, kCreate, kMap };

  virtual ~FileSystem() = default;
  virtual int open(const std::string& path, Mode mode) = 0;
  /// Opens a new file for writing, with the owner, mode and access list of the one that it will take the
  /// place of, if that is there.
  virtual int create(const std::string& path, const std::string& in_place_of) = 0;
  virtual int64_t read(int file, std::span<std::byte> bytes) = 0;
  virtual int64_t write(int file, std::span<const std::byte> bytes) = 0;
  /// Bytes of a regular file; otherwise fails with EISDIR or ESPIPE.
  virtual int64_t size(int file) = 0;
  /// When the contents were last written to, in nanoseconds since 1970.
  virtual int64_t modified(int file) = 0;
  /// Maps the first `size` bytes, read-only; nullptr on failure.
  virtual const std::byte* map(int file, std::size_t size) = 0;
  virtual int unmap(const std::byte* bytes, std::size_t size) = 0;
  virtual int sync(int file) = 0;
  virtual int close(int file) = 0;
  virtual int rename(const std::string& from, const std::string& to) = 0;
  virtual int remove(const std::string& path) = 0;
  virtual int create_folder(const std::string& path) = 0;
  virtual bool is_folder(const std::string& path) = 0;
  /// Whether there is something that is neither a file nor a folder: a device, a pipe or a socket.
  virtual bool is_special(const std::string& path) = 0;
  /// Makes renames and removals within a folder last.
  virtual int sync_folder(const std::string& path) = 0;
  /// Where a symbolic link leads, as bytes of a path; returns how many. EINVAL for what is no link.
  virtual int64_t read_link(const std::string& path, std::span<char> target) = 0;

  /// The disk.
  static FileSystem& real();
};

/// An open file, closed on the way out. Every method throws t2v::Error that names the path and the reason.
class OpenFile {
 public:
  OpenFile(FileSystem& files, std::string path, FileSystem::Mode mode);
  /// A new one that takes the place of another; see FileSystem::create.
  OpenFile(FileSystem& files, std::string path, const std::string& in_place_of);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  const std::string& path() const { return path_; }
  /// Fills as much of `bytes` as the file has; returns how many.
  std::size_t read(std::span<std::byte> bytes);
  void write_all(std::span<const std::byte> bytes);
  /// Bytes now. Throws for what is not a regular file.
  std::size_t size() const;
  /// Another value after the contents were written to; always the same where that cannot be told.
  int64_t modified() const { return files_.modified(file_); }
  /// The first `size` bytes, read-only; to be given back by unmap().
  std::span<const std::byte> map(std::size_t size) const;
  void unmap(std::span<const std::byte> bytes) const { files_.unmap(bytes.data(), bytes.size()); }
  void sync_and_close();

 private:
  FileSystem& files_;
  std::string path_;
  int file_;
};

/// The whole contents of a file, or of what is in its place, such as a pipe. Throws t2v::Error if they are
/// more than `most` bytes, before it has them all.
std::vector<std::byte> read_file(FileSystem& files, const std::string& path, std::size_t most);
/// The same for what must be a file: a pipe or a device is refused, and not waited for.
std::vector<std::byte> read_regular_file(FileSystem& files, const std::string& path, std::size_t most);

/// Whether there is something at a path. Throws t2v::Error if that cannot be told.
bool exists(FileSystem& files, const std::string& path);

/// The path with a suffix, for a file beside it. Where the name would be longer than file systems take, it is
/// ".<checksum of the name><suffix>".
std::string path_beside(const std::string& path, const std::string& suffix);

/// A file that is written piece by piece and takes its name when it is whole: at any instant, also after a
/// crash or a full disk, `path` holds either the old contents or the new ones. Temporary file
/// "<path>.t2v-unfinished" (see path_beside), a name that nobody else gives, fsync, rename, fsync of the
/// folder. One writer of a path at a time: a second one would take the first one's temporary file for the
/// rest of a crash (see OutputLock). Of a symbolic link the file that it leads to is replaced, not the link.
/// Owner, mode and access list of a file that is replaced stay. Only files are: a device, a pipe or a socket
/// is refused. Without finish() nothing has happened.
class AtomicFile {
 public:
  /// Clears away what a crash left of an earlier write. Throws t2v::Error, as all methods do.
  AtomicFile(FileSystem& files, std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes) { file_->write_all(bytes); }
  /// When it returns, the new contents are on the disk.
  void finish();

 private:
  FileSystem& files_;
  std::string path_;
  std::string target_;  // where links lead
  std::unique_ptr<OpenFile> file_;
  bool renamed_ = false;
};

/// Replaces or makes `path` at once, as AtomicFile does.
void write_file_atomically(FileSystem& files, const std::string& path, std::span<const std::byte> bytes);
void write_file_atomically(FileSystem& files, const std::string& path, const std::string& text);
/// The same for contents that lie in pieces, one after another; nothing is copied.
void write_file_atomically(FileSystem& files, const std::string& path,
                           std::span<const std::span<const std::byte>> pieces);

/// Throws t2v::Error if write_file_atomically could not write there, as far as that can be told: for a
/// folder, a device, a pipe or a socket, within a folder that does not exist, or where no file may be made.
/// To be called before long work. Clears away what a crash left of an earlier write.
void check_writable(FileSystem& files, const std::string& path);

/// Clears away what a crash left of an earlier write of this path. To be called at the start of a program
/// that will write it.
void clear_unfinished(FileSystem& files, const std::string& path);

/// Removes a file, and what a crash left of a write of it; when it returns, no crash brings it back. One that
/// is not there is fine.
void remove_file(FileSystem& files, const std::string& path);

/// Makes a folder and those above it, to stay after a crash; one that exists is fine.
void create_folders(FileSystem& files, const std::string& path);

}  // namespace t2v
