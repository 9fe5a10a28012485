#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/file_system.h"
#include "base/mapping_watch.h"

namespace t2v {

/// A file as read-only memory. Safe for any number of threads.
///
/// Where a mapped file becomes shorter, or the disk cannot read it, an access gets SIGBUS. A handler,
/// installed with the first mapping, puts zeros in place of such a page and notes the loss; check_intact()
/// reports it. Whoever needs to be sure calls that after reading. A SIGBUS of another cause goes to the
/// handler that was there before. (A handler that is installed later and does not pass the signal on takes
/// this away.)
class MappedFile {
 public:
  /// Throws t2v::Error for a file that is missing, empty or not a regular one.
  MappedFile(FileSystem& files, const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::string& path() const { return file_.path(); }
  std::span<const std::byte> bytes() const { return bytes_; }

  /// Throws t2v::Error if a page was lost, or if the file was written to or is shorter now than it was.
  void check_intact() const;

 private:
  OpenFile file_;
  std::span<const std::byte> bytes_;
  int64_t modified_;
  std::optional<MappingWatch> watch_;
};

}  // namespace t2v
