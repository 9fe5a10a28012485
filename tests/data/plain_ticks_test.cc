#include "data/plain_ticks.h"

#include <gtest/gtest.h>

namespace t2v::data {
namespace {

using Ticks = std::vector<int64_t>;

TEST(PlainTicks, TakeTheMostDecimalsThatOccur) {
  PlainTicks times;
  times.add(Ticks{5, 12}, std::vector<int8_t>{0, 1});  // 5, 1.2
  EXPECT_EQ(times.decimals(), 1);
  EXPECT_EQ(times.ticks(), (Ticks{50, 12}));
  times.add(Ticks{-1234}, std::vector<int8_t>{3});  // -1.234
  EXPECT_EQ(times.decimals(), 3);
  EXPECT_EQ(times.ticks(), (Ticks{5000, 1200, -1234}));
  times.add(Ticks{7}, std::vector<int8_t>{0});
  EXPECT_EQ(times.ticks().back(), 7000);
  EXPECT_EQ(times.rounded(), 0);
}

TEST(PlainTicks, KeepWholeNumbersWhole) {
  PlainTicks times;
  times.add(Ticks{0, 783, -4}, std::vector<int8_t>{0, 0, 0});
  EXPECT_EQ(times.decimals(), 0);
  EXPECT_EQ(times.ticks(), (Ticks{0, 783, -4}));
}

TEST(PlainTicks, RoundToEvenWhatIsTooFineBesideALargeNumber) {
  PlainTicks times;
  times.add(Ticks{1'000'000'000'000'000'000}, std::vector<int8_t>{0});  // 10^18 leaves room for no decimal
  times.add(Ticks{25, 35, 26, -25, 5}, std::vector<int8_t>{1, 1, 1, 1, 19});
  EXPECT_EQ(times.decimals(), 0);
  EXPECT_EQ(times.ticks(), (Ticks{1'000'000'000'000'000'000, 2, 4, 3, -2, 0}));
  EXPECT_EQ(times.rounded(), 5);
}

TEST(PlainTicks, GiveUpDecimalsForALargeNumberThatComesLater) {
  PlainTicks times;
  times.add(Ticks{123456789012345678}, std::vector<int8_t>{17});  // 1.23456789012345678
  times.add(Ticks{900000}, std::vector<int8_t>{0});
  EXPECT_EQ(times.decimals(), 13);
  EXPECT_EQ(times.ticks(), (Ticks{12345678901235, 9'000'000'000'000'000'000}));
  EXPECT_EQ(times.rounded(), 1);
}

TEST(PlainTicks, ReachTheLimitsOf64Bits) {
  PlainTicks times;
  times.add(Ticks{INT64_MAX, INT64_MIN, 15}, std::vector<int8_t>{0, 0, 1});
  EXPECT_EQ(times.decimals(), 0);
  EXPECT_EQ(times.ticks(), (Ticks{INT64_MAX, INT64_MIN, 2}));
  EXPECT_EQ(times.rounded(), 1);
  PlainTicks least;
  least.add(Ticks{INT64_MIN, 5}, std::vector<int8_t>{1, 0});  // -922337203685477580.8, 5
  EXPECT_EQ(least.decimals(), 1);
  EXPECT_EQ(least.ticks(), (Ticks{INT64_MIN, 50}));
  PlainTicks fine;
  fine.add(Ticks{1, 25}, std::vector<int8_t>{30, 19});  // 1e-30, 2.5e-18
  EXPECT_EQ(fine.decimals(), 18);
  EXPECT_EQ(fine.ticks(), (Ticks{0, 2}));
  EXPECT_EQ(fine.rounded(), 2);
  PlainTicks zero;
  zero.add(Ticks{0, 1}, std::vector<int8_t>{0, 18});
  EXPECT_EQ(zero.decimals(), 18);
  EXPECT_EQ(zero.ticks(), (Ticks{0, 1}));
}

}  // namespace
}  // namespace t2v::data
