#include "allocations.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace t2v::testing {

TEST(Allocations, AreCounted) {
  const int64_t before = allocations();
  const auto number = std::make_unique<int64_t>(before);
  EXPECT_EQ(allocations(), *number + 1);
}

TEST(Allocations, HaveAPeakThatStays) {
  const MemoryPeak peak;
  EXPECT_EQ(peak.bytes(), 0);
  for (int i = 0; i < 3; ++i) const std::vector<char> some(100'000);
  EXPECT_GE(peak.bytes(), 100'000);
  EXPECT_LT(peak.bytes(), 200'000);
}

}  // namespace t2v::testing
