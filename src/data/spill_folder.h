#pragma once

#include <string>

namespace t2v::data {

/// A temporary folder of one's own, readable by nobody else, for what does not fit into memory; it is removed
/// at the end. It lies where TMPDIR says, else in /tmp. What processes that were killed left there is removed
/// by the next one.
class SpillFolder {
 public:
  /// Throws t2v::Error if it cannot be made.
  SpillFolder();
  ~SpillFolder();
  SpillFolder(const SpillFolder&) = delete;
  SpillFolder& operator=(const SpillFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  bool make(const std::string& place);

  std::string path_;
  int lock_ = -1;  // a file that is locked as long as the folder is in use
};

}  // namespace t2v::data
