#include "data/time_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "made_events.h"

namespace t2v::data {
namespace {

/// Times in seconds as a program writes them in another unit: rounded to 53 bits, then to decimals.
Events written(const std::vector<int64_t>& seconds, double per_unit, int decimals) {
  std::vector<int64_t> ticks;
  for (const int64_t second : seconds) {
    ticks.push_back(std::llround(static_cast<double>(second) / per_unit * std::pow(10, decimals)));
  }
  Events events = MadeEvents({ticks}).events();
  events.scale.decimals = decimals;
  return events;
}

std::vector<int64_t> drawn_seconds(int64_t count, uint64_t most) {
  Random random(3);
  std::vector<int64_t> seconds = {0};
  for (int64_t i = 1; i < count; ++i) {
    seconds.push_back(seconds.back() + 1 + static_cast<int64_t>(random.below(most)));
  }
  return seconds;
}

TEST(TimeGrid, IsFoundThroughTheRoundingOfHoursAndDays) {
  for (const double unit : {60.0, 3600.0, 86400.0}) {
    for (const int64_t count : {20, 500, 20000}) {
      const Events events = written(drawn_seconds(count, 7200), unit, 12);
      EXPECT_LE(events.grid, 10) << "exact to the last digit, which tells nothing";
      EXPECT_NEAR(time_grid(events) * 1e-12 * unit, 1, 1e-6) << unit << " " << count;
    }
  }
}

TEST(TimeGrid, IsThatOfCoarserTimes) {
  std::vector<int64_t> seconds = drawn_seconds(300, 100);
  for (int64_t& second : seconds) second *= 60;
  EXPECT_NEAR(time_grid(written(seconds, 86400, 15)) * 1e-15 * 86400, 60, 1e-4);
}

TEST(TimeGrid, OfTimesWithoutAGridIsTheirLastDigit) {
  Random random(5);
  std::vector<int64_t> ticks;
  for (int i = 0; i < 3000; ++i) ticks.push_back(static_cast<int64_t>(random.uniform() * 1e16));
  std::ranges::sort(ticks);
  Events events = MadeEvents({ticks}).events();
  events.scale.decimals = 16;
  EXPECT_EQ(time_grid(events), static_cast<double>(events.grid));
}

TEST(TimeGrid, OfDatesIsExact) {
  const Events events = MadeEvents({{0, 60'000'000'000, 120'000'000'001}}).instants().events();
  EXPECT_EQ(time_grid(events), 1);
  EXPECT_EQ(time_grid(MadeEvents({{0, 60'000'000'000, 180'000'000'000}}).instants().events()), 60e9);
}

TEST(TimeGrid, IsNoneWhereTimesNeverDiffer) {
  EXPECT_EQ(time_grid(MadeEvents({{7, 7, 7}}).events()), 0);
  EXPECT_EQ(clock_grid(std::vector<int64_t>{7, 7}, {}), 0);
}

TEST(TimeGrid, OfOneClockIsFoundAcrossSequences) {
  EXPECT_EQ(clock_grid(std::vector<int64_t>{90, 30, 180}, {}), 30);
  EXPECT_EQ(clock_grid(std::vector<int64_t>{INT64_MIN, INT64_MAX}, {}), 0x1p64);
}

TEST(RegularStep, IsTheGapThatMostGapsAreAsLongAs) {
  EXPECT_EQ(regular_step(MadeEvents({{0, 5, 10, 15, 99}, {3, 8}}).events(), 0.001), 5);
  EXPECT_EQ(regular_step(MadeEvents({{0, 31, 59, 90, 120, 151}}).events(), kAsMonths), 31);
  EXPECT_EQ(regular_step(MadeEvents({{0, 1, 5, 18, 57}}).events(), kAsMonths), 0);
  EXPECT_EQ(regular_step(MadeEvents({{4}, {9}}).events(), kAsMonths), 0);
}

}  // namespace
}  // namespace t2v::data
