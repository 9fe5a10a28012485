#include "data/value_series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "made_events.h"

namespace t2v::data {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// One series of so many values, a tick after each other.
Events every_tick(std::size_t count) {
  std::vector<int64_t> ticks;
  for (std::size_t i = 0; i < count; ++i) ticks.push_back(static_cast<int64_t>(i));
  return MadeEvents({ticks}).events();
}

std::vector<double> noise(std::size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(random.uniform(-1, 1));
  return values;
}

TEST(Trend, IsSharedBySeriesOfOtherLevels) {
  const Events events = MadeEvents({{0, 1, 2}, {10, 11, 12}}).events();
  const Trend trend = trend_of(events, std::vector<double>{0, 2, 4, 100, 102, 104});
  EXPECT_DOUBLE_EQ(trend.slope, 2);
  EXPECT_DOUBLE_EQ(trend.share, 1);
}

TEST(Trend, LooksAtValuesThatAreThereAlone) {
  const Trend trend = trend_of(every_tick(5), std::vector<double>{0, kNone, 2, kNone, 4});
  EXPECT_DOUBLE_EQ(trend.slope, 1);
  EXPECT_EQ(trend_of(every_tick(3), std::vector<double>{kNone, kNone, kNone}).share, 0);
  EXPECT_EQ(trend_of(every_tick(3), std::vector<double>{5, 5, 5}).share, 0);
}

TEST(WithoutTrend, SeriesOfAllScalesCountAlike) {
  const Events events = MadeEvents({{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}}).events();
  const std::vector<double> values = {1, -1, 1, -1, 1000, -1000, 1000, -1000, 0.1, 0.1, 0.1, 0.1};
  const std::vector<double> rest = without_trend(events, values, {});
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_DOUBLE_EQ(rest[i], rest[i + 4]);
    EXPECT_EQ(rest[i + 8], 0) << "a constant series is not rounding blown up";
  }
}

TEST(Outliers, AreFarFromThoseAround) {
  std::vector<double> values = noise(1000, 1);
  EXPECT_EQ(outliers_of(every_tick(1000), values).count, 0);
  values[0] = 40;
  values[500] = -70;
  values[501] = kNone;
  const Outliers outliers = outliers_of(every_tick(1000), values);
  EXPECT_EQ(outliers.count, 2);
  EXPECT_EQ(outliers.farthest, 500);
}

TEST(Outliers, AreNotTheTopsOfACycle) {
  std::vector<double> values = noise(2000, 2);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += 50 * std::sin(static_cast<double>(i) / 40);
  EXPECT_EQ(outliers_of(every_tick(2000), values).count, 0);
}

TEST(LevelChanges, AreJumpsThatStay) {
  std::vector<double> values = noise(2000, 3);
  for (std::size_t i = 1200; i < values.size(); ++i) values[i] += 5;
  for (std::size_t i = 300; i < 304; ++i) values[i] += 50;  // this does not
  const std::vector<LevelChange> changes = level_changes(every_tick(2000), values);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_NEAR(static_cast<double>(changes[0].event), 1200, 10);
  EXPECT_NEAR(changes[0].before, 0, 0.2);
  EXPECT_NEAR(changes[0].after, 5, 0.2);
}

TEST(LevelChanges, AreListedInTheOrderOfTime) {
  std::vector<double> values = noise(3000, 4);
  for (std::size_t i = 1000; i < 2000; ++i) values[i] += 20;
  const std::vector<LevelChange> changes = level_changes(every_tick(3000), values);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_LT(changes[0].event, changes[1].event);
}

TEST(LevelChanges, AreNotSeenInTrendsCyclesAndWalks) {
  std::vector<double> trend = noise(2000, 5);
  std::vector<double> cycle = noise(2000, 6);
  for (std::size_t i = 0; i < trend.size(); ++i) {
    trend[i] += 0.05 * static_cast<double>(i);
    cycle[i] += 10 * std::sin(static_cast<double>(i) / 250);
  }
  EXPECT_TRUE(level_changes(every_tick(2000), trend).empty());
  EXPECT_TRUE(level_changes(every_tick(2000), cycle).empty());
  int alarms = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    std::vector<double> walk = noise(2000, 100 + seed);
    for (std::size_t i = 1; i < walk.size(); ++i) walk[i] += walk[i - 1];
    alarms += level_changes(every_tick(2000), walk).empty() ? 0 : 1;
  }
  EXPECT_LE(alarms, 1);
}

TEST(LevelChanges, AreNotLookedForInAFewValues) {
  std::vector<double> values(100, 0.0);
  for (std::size_t i = 50; i < values.size(); ++i) values[i] = 9;
  EXPECT_TRUE(level_changes(every_tick(100), values).empty());
}

}  // namespace
}  // namespace t2v::data
