#include "nn/distinct.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"

namespace t2v::nn {
namespace {

TEST(Distinct, NumbersValuesInOrderOfFirstAppearance) {
  const std::vector<double> list = {3, 1, 3, 2, 1, 1};
  Distinct<double> distinct;
  distinct.find(list);
  EXPECT_EQ(std::vector<double>(distinct.values().begin(), distinct.values().end()),
            (std::vector<double>{3, 1, 2}));
  EXPECT_EQ(std::vector<int32_t>(distinct.index().begin(), distinct.index().end()),
            (std::vector<int32_t>{0, 1, 0, 2, 1, 1}));
}

TEST(Distinct, GivesEveryEntryBackFromItsNumberHoweverTheValuesCollide) {
  Random random(1);
  Distinct<double> distinct;  // reused, as in a shard
  for (const std::size_t size : {1, 2, 100, 5000, 7, 0}) {
    std::vector<double> list(size);
    // Multiples of a power of two share their low bits, which a poor hash would trip over.
    for (double& x : list) x = static_cast<double>(random.below(500)) * 4096;
    distinct.find(list);
    ASSERT_EQ(distinct.index().size(), size);
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT_EQ(distinct.values()[static_cast<std::size_t>(distinct.index()[i])], list[i]);
    }
    EXPECT_EQ(distinct.values().size(), std::set<double>(list.begin(), list.end()).size());
  }
}

TEST(Distinct, TakesIntegersToo) {
  const std::vector<int32_t> list = {5, 0, 5, 70000};
  Distinct<int32_t> distinct;
  distinct.find(list);
  EXPECT_EQ(distinct.values().size(), 3U);
  EXPECT_EQ(distinct.index()[2], 0);
}

}  // namespace
}  // namespace t2v::nn
