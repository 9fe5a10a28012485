#pragma once

#include <cstdint>

namespace t2v::testing {

/// How often this program has asked for memory by operator new (which allocations_test.cc replaces).
int64_t allocations();

}  // namespace t2v::testing
