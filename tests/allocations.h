#pragma once

#include <cstdint>

namespace t2v::testing {

/// How often this program has asked for memory by operator new (which allocations.cc replaces).
int64_t allocations();

/// The most memory from operator new that was in use at once since this was made, beyond what was in use
/// then. One at a time.
class MemoryPeak {
 public:
  MemoryPeak();
  int64_t bytes() const;

 private:
  int64_t before_;
};

}  // namespace t2v::testing
