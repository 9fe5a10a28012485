#include "data/doctor_periods.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>
#include <vector>

#include "base/random.h"
#include "made_events.h"

namespace t2v::data {
namespace {

using std::numbers::pi;
constexpr double kDay = 86400;
constexpr int64_t kStart = 1'600'000'000'123'456'789;

/// Instants given in seconds from kStart, dealt to sequences at random.
Events dealt(std::vector<double> seconds, int64_t sequences, Random& random) {
  std::vector<std::vector<int64_t>> ticks(static_cast<std::size_t>(sequences));
  std::ranges::sort(seconds);
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const uint64_t s = i < ticks.size() ? i : random.below(ticks.size());
    ticks[s].push_back(kStart + static_cast<int64_t>(seconds[i] * 1e9));
  }
  return MadeEvents(ticks).instants().events();
}

/// `count` times of `days` days whose rate is proportional to a function of time with values up to 1.
template <class Rate>
Events drawn(int64_t count, double days, uint64_t seed, Rate rate) {
  Random random(seed);
  std::vector<double> seconds;
  while (static_cast<int64_t>(seconds.size()) < count) {
    const double t = random.uniform(0, days * kDay);
    if (random.uniform() < rate(t)) seconds.push_back(t);
  }
  return dealt(seconds, 5, random);
}

double wave(double t, double period) { return std::cos(2 * pi * t / period); }

TEST(Cycles, OfADayAreFound) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const Cycles cycles =
        cycles_of_events(drawn(1000, 60, seed, [](double t) { return 0.5 + 0.4 * wave(t, kDay); }));
    ASSERT_EQ(cycles.found.size(), 1U) << seed;
    EXPECT_NEAR(cycles.found[0].period, kDay, 0.005 * kDay);
    EXPECT_NEAR(cycles.found[0].strength, 0.8, 0.15);
    EXPECT_EQ(cycles.found[0].part_of, -1);
    EXPECT_GE(cycles.longest, 14 * kDay);
    EXPECT_LE(cycles.shortest, 1000);
  }
}

TEST(Cycles, AreListedStrongestFirstWithTheirFractions) {
  const Cycles cycles = cycles_of_events(drawn(20000, 200, 1, [](double t) {
    return (1 + 0.3 * wave(t, 7 * kDay) + 0.5 * wave(t, kDay) + 0.2 * wave(t, kDay / 2)) / 2;
  }));
  ASSERT_EQ(cycles.found.size(), 3U);
  EXPECT_NEAR(cycles.found[0].period, kDay, 0.001 * kDay);
  EXPECT_NEAR(cycles.found[1].period, 7 * kDay, 0.05 * kDay);
  EXPECT_NEAR(cycles.found[2].period, kDay / 2, 0.001 * kDay);
  EXPECT_EQ(cycles.found[0].part_of, 1);  // a seventh of the week
  EXPECT_NE(cycles.found[2].part_of, -1);
  EXPECT_NEAR(cycles.found[2].strength, 0.2, 0.05);
}

TEST(Cycles, ThatAreStrongHideTheirFlanks) {
  Random random(4);
  std::vector<int64_t> hours;
  while (hours.size() < 200000) {
    const auto hour = static_cast<int64_t>(random.below(400 * 24));
    if (random.uniform() < 0.5 + 0.5 * wave(static_cast<double>(hour), 25)) hours.push_back(hour);
  }
  std::ranges::sort(hours);
  const Cycles cycles = cycles_of_events(MadeEvents({hours}).events());
  ASSERT_EQ(cycles.found.size(), 1U);
  EXPECT_NEAR(cycles.found[0].period, 25, 0.01);
  EXPECT_NEAR(cycles.found[0].strength, 1, 0.02);
}

TEST(Cycles, AreRarelyFoundWhereThereAreNone) {
  int alarms = 0;
  for (uint64_t seed = 0; seed < 25; ++seed) {
    const Events events = drawn(300, 60, seed, [](double) { return 1.0; });
    alarms += cycles_of_events(events).found.empty() ? 0 : 1;
    alarms += cycles_of_gaps(events).found.empty() ? 0 : 1;
  }
  EXPECT_LE(alarms, 1);  // of 50; at most 1 % are promised
}

TEST(Cycles, AreNotSeenInATrend) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const Events events = drawn(2000, 60, seed, [](double t) { return std::exp(-t / (10 * kDay)); });
    EXPECT_TRUE(cycles_of_events(events).found.empty()) << seed;
  }
}

TEST(Cycles, AreNotSeenInBursts) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    Random random(seed);
    std::vector<double> seconds;
    for (int burst = 0; burst < 60; ++burst) {
      double t = random.uniform(0, 60 * kDay);
      for (int i = 0; i < 20; ++i) seconds.push_back(t += random.uniform(0, 600));
    }
    EXPECT_TRUE(cycles_of_events(dealt(seconds, 5, random)).found.empty()) << seed;
  }
}

TEST(Cycles, AreNotMadeByBins) {
  // Times on whole minutes but for a few, over so long that bins are not: no alias of the minute.
  Random random(3);
  std::vector<double> seconds;
  for (int i = 0; i < 3000; ++i) {
    const double t = random.uniform(0, 40 * kDay);
    seconds.push_back(i % 100 == 0 ? t : 60 * std::round(t / 60));
  }
  EXPECT_TRUE(cycles_of_events(dealt(seconds, 5, random)).found.empty());
}

TEST(Cycles, OfGapsAreFound) {
  Random random(8);
  std::vector<int64_t> ticks = {0};
  // Gaps of about an hour, longer at night, in minutes.
  while (ticks.back() < 60 * 1440) {
    const double mean = 60 * std::exp(wave(static_cast<double>(ticks.back()), 1440));
    ticks.push_back(ticks.back() + 1 + std::llround(mean * random.uniform(0.5, 1.5)));
  }
  const Cycles cycles = cycles_of_gaps(MadeEvents({ticks}).events());
  ASSERT_FALSE(cycles.found.empty());
  EXPECT_NEAR(cycles.found[0].period, 1440, 5);
  EXPECT_GT(cycles.found[0].strength, 0.5);
}

TEST(Cycles, AreFoundBesideTimesThatAreFarFromAllOthers) {
  const auto seconds_of = [](int64_t year) { return static_cast<double>(year - 2020) * 365.25 * kDay; };
  for (const std::vector<double>& far :
       {std::vector<double>{seconds_of(2099)}, {seconds_of(1970), seconds_of(1970) + 5, seconds_of(2099)}}) {
    Random random(7);
    std::vector<double> seconds = far;
    while (seconds.size() < 1000) {
      const double t = random.uniform(0, 60 * kDay);
      if (random.uniform() < 0.5 + 0.4 * wave(t, kDay)) seconds.push_back(t);
    }
    const Cycles cycles = cycles_of_events(dealt(seconds, 5, random));
    EXPECT_EQ(cycles.left_out, static_cast<int64_t>(far.size()));
    ASSERT_EQ(cycles.found.size(), 1U);
    EXPECT_NEAR(cycles.found[0].period, kDay, 0.005 * kDay);
    EXPECT_LE(cycles.longest, 15 * kDay);
  }
}

TEST(Cycles, OfGapsAreTheSameBesideTimesThatAreFarFromAllOthers) {
  Random random(8);
  std::vector<int64_t> ticks = {0};
  while (ticks.back() < 60 * 1440) {
    const double mean = 60 * std::exp(wave(static_cast<double>(ticks.back()), 1440));
    ticks.push_back(ticks.back() + 1 + std::llround(mean * random.uniform(0.5, 1.5)));
  }
  const Cycles without = cycles_of_gaps(MadeEvents({ticks}).events());
  ticks.insert(ticks.begin(), -500'000'000);
  ticks.push_back(500'000'000);
  const Cycles cycles = cycles_of_gaps(MadeEvents({ticks}).events());
  EXPECT_EQ(without.left_out, 0);
  EXPECT_EQ(cycles.left_out, 2);
  ASSERT_FALSE(cycles.found.empty());
  EXPECT_EQ(cycles.found[0].period, without.found[0].period);
  EXPECT_EQ(cycles.found[0].strength, without.found[0].strength);
}

TEST(Cycles, AreLookedForInAllTimesWhereManyAreFar) {
  std::vector<int64_t> ticks;
  for (int64_t i = 0; i < 960; ++i) ticks.push_back(i * 7 % 1000);
  for (int64_t i = 0; i < 40; ++i) ticks.push_back(100'000 + 31 * i);
  std::ranges::sort(ticks);
  EXPECT_EQ(cycles_of_events(MadeEvents({ticks}).events()).left_out, 0);
}

TEST(Cycles, AreNotTheStepAtWhichEventsAreMeasured) {
  // Every 5 minutes, but for one that is late by a millisecond.
  std::vector<int64_t> ticks;
  for (int64_t i = 0; i < 5000; ++i) ticks.push_back(i * 300'000);
  ticks[700] += 1;
  EXPECT_TRUE(cycles_of_events(MadeEvents({ticks}).events()).found.empty());
  EXPECT_TRUE(cycles_of_gaps(MadeEvents({ticks}).events()).found.empty());
}

TEST(Cycles, AreNotWhatMostTimesAreRoundedTo) {
  // Gaps of about 10 minutes, most of them whole minutes, in seconds.
  Random random(2);
  std::vector<int64_t> ticks = {0};
  while (ticks.size() < 3000) {
    const int64_t next = ticks.back() + 60 + static_cast<int64_t>(random.below(1200));
    ticks.push_back(random.uniform() < 0.8 ? (next + 59) / 60 * 60 : next);
  }
  EXPECT_TRUE(cycles_of_events(MadeEvents({ticks}).events()).found.empty());
}

/// Values at whole ticks.
Cycles of_values(const std::vector<double>& values) {
  std::vector<int64_t> ticks;
  for (std::size_t i = 0; i < values.size(); ++i) ticks.push_back(static_cast<int64_t>(i));
  return cycles_of_values(MadeEvents({ticks}).events(), values);
}

TEST(Cycles, OfValuesAreFoundWithTheShareThatTheyExplain) {
  Random random(6);
  std::vector<double> values;
  for (int i = 0; i < 3000; ++i) {
    values.push_back(wave(i, 24) + 0.5 * wave(i, 168) + random.uniform(-1, 1));
    if (i % 7 == 3) values.back() = std::nan("");
  }
  const Cycles cycles = of_values(values);
  ASSERT_EQ(cycles.found.size(), 2U);
  EXPECT_NEAR(cycles.found[0].period, 24, 0.02);
  EXPECT_NEAR(cycles.found[0].strength, 0.5 / (0.5 + 0.125 + 1.0 / 3), 0.05);
  EXPECT_NEAR(cycles.found[1].period, 168, 1);
  EXPECT_EQ(cycles.found[0].part_of, 1);
  EXPECT_GE(cycles.shortest, 1.9) << "nothing can be told of shorter ones";
}

TEST(Cycles, OfValuesAreRarelyFoundWhereThereAreNone) {
  int alarms = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    std::vector<double> noise;
    std::vector<double> walk = {0};
    for (int i = 0; i < 2000; ++i) {
      noise.push_back(random.uniform(-1, 1));
      walk.push_back(0.95 * walk.back() + random.uniform(-1, 1));
    }
    alarms += of_values(noise).found.empty() ? 0 : 1;
    alarms += of_values(walk).found.empty() ? 0 : 1;
  }
  EXPECT_LE(alarms, 1);  // of 40
}

TEST(Cycles, ThatCannotBeToldFromADayAreADay) {
  Random random(11);
  std::vector<int64_t> ticks;
  std::vector<double> values;
  for (int64_t i = 0; i < 60 * 24; ++i) {
    ticks.push_back(kStart + i * 3'600'000'000'000);
    values.push_back(wave(static_cast<double>(i), 23.99) + random.uniform(-2, 2));
  }
  const Cycles cycles = cycles_of_values(MadeEvents({ticks}).instants().events(), values);
  ASSERT_EQ(cycles.found.size(), 1U);
  EXPECT_EQ(cycles.found[0].period, kDay);
}

TEST(Cycles, OfValuesThatAreNotThereAreNone) {
  EXPECT_EQ(of_values(std::vector<double>(100, std::nan(""))).shortest, 0);
}

/// CPU seconds of a search in single events a second apart, but for the last, which is a nanosecond late if
/// `odd`: then the grid is a nanosecond, and what bins make of the second are many peaks.
double seconds_of_search(int64_t count, bool odd) {
  std::vector<std::vector<int64_t>> ticks;
  for (int64_t i = 0; i < count; ++i) ticks.push_back({kStart + i * 1'000'000'000});
  ticks.back()[0] += odd ? 1 : 0;
  const Events events = MadeEvents(ticks).instants().events();
  const std::clock_t start = std::clock();
  cycles_of_events(events);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST(Cycles, TakeATimeThatGrowsAsTheEvents) {
  for (const bool odd : {false, true}) {
    const double once = std::max(0.02, seconds_of_search(25'000, odd));
    EXPECT_LT(seconds_of_search(50'000, odd), 5 * once);
    EXPECT_LT(seconds_of_search(100'000, odd), 10 * once);
  }
}

TEST(Cycles, AreNotLookedForInAFewEvents) {
  const Cycles cycles = cycles_of_events(MadeEvents({{0, 1, 2, 3, 4, 5}}).events());
  EXPECT_TRUE(cycles.found.empty());
  EXPECT_EQ(cycles.shortest, 0);
  const Cycles same = cycles_of_events(MadeEvents({std::vector<int64_t>(100, 7)}).events());
  EXPECT_EQ(same.shortest, 0);
  EXPECT_EQ(cycles_of_gaps(MadeEvents({std::vector<int64_t>(100, 7)}).events()).shortest, 0);
}

}  // namespace
}  // namespace t2v::data
