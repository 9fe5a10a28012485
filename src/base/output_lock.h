#pragma once

#include <string>

namespace t2v {

/// The right to write a file, which one process of this machine has at a time: a second one learns who holds
/// it before it works for hours. It ends with the process, however that ends, and leaves nothing behind: it
/// is a name in the kernel (an abstract socket), not a file. Where there are no such names nothing is held.
class OutputLock {
 public:
  /// Throws t2v::Error if another process holds it, and names that.
  explicit OutputLock(const std::string& path);
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

 private:
  int socket_ = -1;
};

}  // namespace t2v
