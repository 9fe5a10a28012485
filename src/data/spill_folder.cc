#include "data/spill_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/fail.h"

namespace t2v::data {
namespace {

constexpr const char* kSpillName = "t2v-spill-";
constexpr const char* kSpillLock = "lock";

/// Removes a folder of ours that nobody holds. One without a lock is just being made.
void remove_if_left(const std::filesystem::path& folder) {
  struct stat about {};
  const std::filesystem::path lock = folder / kSpillLock;
  if (::lstat(folder.c_str(), &about) != 0 || !S_ISDIR(about.st_mode) || about.st_uid != ::geteuid()) return;
  const int file = ::open(lock.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return;
  std::error_code ignored;
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) std::filesystem::remove_all(folder, ignored);
  ::close(file);
}

void remove_left_folders(const std::filesystem::path& place) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(place, ignored)) {
    if (entry.path().filename().string().starts_with(kSpillName)) remove_if_left(entry.path());
  }
}

}  // namespace

SpillFolder::SpillFolder() {
  std::error_code error;
  const std::filesystem::path place = std::filesystem::temp_directory_path(error);
  if (error) fail("there is no folder for temporary files ({}); name one with TMPDIR", error.message());
  remove_left_folders(place);
  while (!make(place.string())) {
  }
}

/// False where another process took the new folder for one that was left, before it was locked.
bool SpillFolder::make(const std::string& place) {
  path_ = place + "/" + kSpillName + "XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr) {
    fail("{}: no temporary folder can be made there ({}); name another place with TMPDIR", place,
         std::generic_category().message(errno));
  }
  lock_ = ::open(file(kSpillLock).c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (lock_ < 0) return std::filesystem::exists(path_);  // a full disk, which is said when it is written to
  const bool taken = ::flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!taken && std::filesystem::exists(file(kSpillLock))) return true;
  ::close(lock_);
  return false;
}

SpillFolder::~SpillFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace t2v::data
