#include "data/shuffled_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "data/made_events.h"

namespace t2v::data {
namespace {

std::vector<int64_t> gaps_of(const Events& events, int64_t s) {
  std::vector<int64_t> gaps;
  for (int64_t e = events.begin(s) + 1; e < events.end(s); ++e)
    gaps.push_back(events.tick(e) - events.tick(e - 1));
  return gaps;
}

std::vector<int64_t> sorted(std::vector<int64_t> values) {
  std::ranges::sort(values);
  return values;
}

/// Gaps 1, 2, ..., 20 from 100 on; one event; gaps 3 and 30.
Events uneven() {
  std::vector<int64_t> first = {100};
  for (int64_t gap = 1; gap <= 20; ++gap) first.push_back(first.back() + gap);
  std::vector<std::string> types;
  for (std::size_t i = 0; i < first.size() + 4; ++i) types.emplace_back(1, static_cast<char>('a' + i));
  return MadeEvents({first, {7}, {-5, -2, 28}}).types(types).label({"x", "y", "x"}).events();
}

TEST(ShuffledTimes, KeepTheGapsOfEachSequenceInAnotherOrder) {
  const Events events = uneven();
  const Events shuffled = shuffle_times(events, 1);
  for (int64_t s = 0; s < events.sequences(); ++s) {
    EXPECT_EQ(shuffled.tick(shuffled.begin(s)), events.tick(events.begin(s)));
    EXPECT_EQ(shuffled.tick(shuffled.end(s) - 1), events.tick(events.end(s) - 1));
    EXPECT_EQ(sorted(gaps_of(shuffled, s)), sorted(gaps_of(events, s)));
  }
  EXPECT_NE(gaps_of(shuffled, 0), gaps_of(events, 0));
  EXPECT_GT(moved_times(events, shuffled), 10);
  EXPECT_EQ(shuffled.grid, grid_of(shuffled.offsets, shuffled.ticks));
}

TEST(ShuffledTimes, LeaveTheOriginalAndAllElseAsItIs) {
  const Events events = uneven();
  const std::vector<int64_t> before(events.ticks.begin(), events.ticks.end());
  const Events shuffled = shuffle_times(events, 1);
  EXPECT_TRUE(std::ranges::equal(events.ticks, before));
  EXPECT_TRUE(std::ranges::equal(shuffled.offsets, events.offsets));
  EXPECT_TRUE(std::ranges::equal(shuffled.event->codes, events.event->codes));
  EXPECT_TRUE(std::ranges::equal(shuffled.label->codes, events.label->codes));
  EXPECT_EQ(shuffled.view.ticks_per_unit, events.view.ticks_per_unit);
}

TEST(ShuffledTimes, AreAFunctionOfTheSeed) {
  const Events events = uneven();
  EXPECT_EQ(moved_times(shuffle_times(events, 3), shuffle_times(events, 3)), 0);
  EXPECT_GT(moved_times(shuffle_times(events, 3), shuffle_times(events, 4)), 0);
}

TEST(ShuffledTimes, PutEveryGapEverywhereAsOften) {
  const Events events = MadeEvents({{0, 1, 3, 6}}).events();  // gaps 1, 2, 3
  int64_t first_is_1 = 0;
  int64_t last_is_1 = 0;
  constexpr int64_t kSeeds = 3000;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const std::vector<int64_t> gaps = gaps_of(shuffle_times(events, seed), 0);
    first_is_1 += gaps[0] == 1 ? 1 : 0;
    last_is_1 += gaps[2] == 1 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(first_is_1) / kSeeds, 1.0 / 3, 0.04);
  EXPECT_NEAR(static_cast<double>(last_is_1) / kSeeds, 1.0 / 3, 0.04);
}

TEST(ShuffledTimes, OfEqualGapsAreTheSame) {
  const Events events = MadeEvents({{0, 5, 10, 15, 20}, {1, 2, 3}}).events();
  EXPECT_EQ(moved_times(events, shuffle_times(events, 1)), 0);
}

TEST(ShuffledTimes, TakeGivenGapsAlong) {
  const Events events = MadeEvents({{0, 1, 3, 6, 10, 15}}).interval({9, 10, 20, 30, 40, 50}).events();
  const Events shuffled = shuffle_times(events, 2);
  EXPECT_GT(moved_times(events, shuffled), 0);
  const std::vector<int64_t> gaps = gaps_of(shuffled, 0);
  EXPECT_EQ(shuffled.interval->values[0], 9);
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    EXPECT_EQ(shuffled.interval->values[i + 1], 10 * static_cast<double>(gaps[i]));
  }
  EXPECT_EQ(events.interval->values[1], 10);
}

TEST(ShuffledTimes, KeepTheMemoryOfTheOriginal) {
  Events shuffled;
  {
    const Events events = uneven();
    shuffled = shuffle_times(events, 1);
  }
  EXPECT_EQ(shuffled.event->names[0], "a");
  EXPECT_EQ(shuffled.tick(0), 100);
  EXPECT_EQ(shuffled.ids[2], "s2");
}

TEST(ShuffledTimes, HoldGapsThatNo64BitNumberWithASignDoes) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  MadeEvents made({{0, 1, 2}});
  Events events = made.events();
  const std::vector<int64_t> ticks = {kLeast, kMost - 4, kMost};
  events.ticks = ticks;
  for (uint64_t seed = 1; seed < 9; ++seed) {
    const Events shuffled = shuffle_times(events, seed);
    EXPECT_EQ(shuffled.tick(0), kLeast);
    EXPECT_EQ(shuffled.tick(2), kMost);
    EXPECT_TRUE(shuffled.tick(1) == kMost - 4 || shuffled.tick(1) == kLeast + 4) << shuffled.tick(1);
  }
}

/// Remembers what was checked.
class Watching : public EventGuard {
 public:
  void check(int64_t begin, int64_t end) const override { checked = end - begin; }
  void check_intact() const override { ++asked; }
  mutable int64_t checked = 0;
  mutable int asked = 0;
};

TEST(ShuffledTimes, AreCheckedBeforeTheyAreReadAndTheRestLater) {
  Events events = uneven();
  const auto guard = std::make_shared<Watching>();
  events.guard = guard;
  const Events shuffled = shuffle_times(events, 1);
  EXPECT_EQ(guard->checked, events.size());
  shuffled.check_intact();
  EXPECT_EQ(guard->asked, 1);
}

}  // namespace
}  // namespace t2v::data
