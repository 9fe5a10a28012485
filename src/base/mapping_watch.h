#pragma once

#include <cstddef>
#include <span>

namespace t2v {

struct WatchSlot;

/// While it lives, a SIGBUS within `bytes` is caught: the page is replaced by zeros and the loss is noted.
/// The first one installs the handler. A SIGBUS elsewhere goes to the handler that was there before.
class MappingWatch {
 public:
  explicit MappingWatch(std::span<const std::byte> bytes);
  ~MappingWatch();
  MappingWatch(const MappingWatch&) = delete;
  MappingWatch& operator=(const MappingWatch&) = delete;

  /// Whether a page was replaced.
  bool lost() const;

 private:
  WatchSlot* slot_;
};

}  // namespace t2v
