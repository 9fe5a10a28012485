#include "base/periodogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/random.h"

namespace t2v {
namespace {

using std::numbers::pi;

struct Signal {
  std::vector<double> tau;
  std::vector<double> values;

  void add(double t, double value) {
    tau.push_back(t);
    values.push_back(value);
  }
};

/// The circular distance of two phases.
double apart(double a, double b) { return std::abs(std::remainder(a - b, 2 * pi)); }

TEST(Periodogram, FindsASineAtIrregularTimesWithItsPhase) {
  Random random(1);
  Signal signal;
  for (int i = 0; i < 500; ++i) {
    const double t = 1000 + random.uniform(0, 100);
    signal.add(t, 5 + 2 * std::sin(1.7 * t + 0.6) + 0.5 * random.normal());
  }
  const auto periods = strongest_periods(signal.tau, signal.values, 1, {0.1, 5});
  ASSERT_FALSE(periods.empty());
  EXPECT_NEAR(periods[0].omega, 1.7, 2e-3);
  // The phase is referred to time 0, a thousand units away, so what counts is the phase at the data.
  EXPECT_LT(apart(periods[0].omega * 1050 + periods[0].phi, 1.7 * 1050 + 0.6), 0.05);
  EXPECT_GT(periods[0].power, 0.8);
}

TEST(Periodogram, SortsByPowerAndTellsTwoPeriodsApart) {
  Random random(2);
  Signal signal;
  for (int i = 0; i < 800; ++i) {
    const double t = random.uniform(0, 200);
    signal.add(t, 3 * std::sin(0.9 * t) + std::cos(2.5 * t));
  }
  const auto periods = strongest_periods(signal.tau, signal.values, 1, {0.1, 4});
  ASSERT_GE(periods.size(), 2U);
  EXPECT_NEAR(periods[0].omega, 0.9, 1e-3);
  for (std::size_t i = 1; i < periods.size(); ++i) EXPECT_GE(periods[i - 1].power, periods[i].power);
  double second = 0;
  for (const Period& period : periods) {
    if (std::abs(period.omega - 2.5) < 1e-2) second = std::max(second, period.power);
  }
  EXPECT_NEAR(second, 0.1, 0.03);
}

TEST(Periodogram, FindsTheSeventhDayInAYearOfDaysByItsThreeHarmonics) {
  Signal signal;
  for (int day = 1; day <= 273; ++day) signal.add(day, day % 7 == 0 ? 1 : 0);
  const auto periods = strongest_periods(signal.tau, signal.values, 1, {2 * pi / 272, pi});
  ASSERT_GE(periods.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const double harmonic = std::round(periods[i].omega / (2 * pi / 7));
    EXPECT_NEAR(periods[i].omega, harmonic * 2 * pi / 7, 1e-3);
    EXPECT_LT(apart(periods[i].phi, pi / 2), 0.05);  // the seventh day is on the top
    EXPECT_NEAR(periods[i].power, 1.0 / 3, 0.02);
  }
}

TEST(Periodogram, AddsUpThePowerOfSeveralColumns) {
  Random random(3);
  std::vector<double> tau;
  std::vector<double> values;
  for (int i = 0; i < 400; ++i) {
    const double t = random.uniform(0, 100);
    tau.push_back(t);
    values.insert(values.end(), {random.normal() * 0.01, std::sin(1.3 * t + 2)});
  }
  const auto periods = strongest_periods(tau, values, 2, {0.1, 4});
  ASSERT_FALSE(periods.empty());
  EXPECT_NEAR(periods[0].omega, 1.3, 1e-3);
  EXPECT_LT(apart(periods[0].phi, 2), 0.05);
  EXPECT_GT(periods[0].power, 0.99);
}

TEST(Periodogram, DrawsASampleOfMoreTimesThanItLooksAt) {
  Random random(4);
  Signal signal;
  for (int64_t i = 0; i < 3 * kMostTimes; ++i) {
    const double t = random.uniform(0, 100);
    signal.add(t, std::sin(2 * t));
  }
  const auto periods = strongest_periods(signal.tau, signal.values, 1, {0.1, 4});
  ASSERT_FALSE(periods.empty());
  EXPECT_NEAR(periods[0].omega, 2, 1e-3);
}

TEST(Periodogram, FindsNothingWhereThereIsNothingToFind) {
  const std::vector<double> tau = {1, 2, 3, 4, 5, 6};
  const std::vector<double> constant(6, 2.5);
  EXPECT_TRUE(strongest_periods(tau, constant, 1, {0.1, 3}).empty());
  const std::vector<double> same(6, 1.0);
  const std::vector<double> values = {1, 0, 1, 0, 1, 0};
  EXPECT_TRUE(strongest_periods(same, values, 1, {0.1, 3}).empty());
  EXPECT_TRUE(strongest_periods(tau, values, 1, {3, 3}).empty());
  EXPECT_TRUE(strongest_periods({}, {}, 1, {0.1, 3}).empty());
}

}  // namespace
}  // namespace t2v
