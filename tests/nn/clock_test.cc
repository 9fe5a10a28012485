#include "nn/clock.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "compare.h"
#include "t2v/error.h"

namespace t2v::nn {
namespace {

/// A clock with its periods and shifts.
template <class T>
struct Made {
  Layout layout;
  Clock clock;
  Parameters<T> parameters;

  Made(const std::vector<double>& periods, const std::vector<double>& shifts)
      : clock(layout, "clock", static_cast<int64_t>(periods.size())) {
    parameters.assign_zeros(layout);
    for (std::size_t j = 0; j < periods.size(); ++j) {
      parameters.set(layout[clock.period()], static_cast<int64_t>(j), periods[j]);
      parameters.set(layout[clock.shift()], static_cast<int64_t>(j), shifts[j]);
    }
  }

  std::vector<T> kappa(const std::vector<double>& tau) const {
    const int64_t hidden = layout[clock.period()].size();
    std::vector<T> values(tau.size() * static_cast<std::size_t>(hidden));
    clock.forward<T>(values.data(), hidden, tau, layout, parameters);
    return values;
  }

  /// Of Σ weight * κ.
  Parameters<T> gradient(const std::vector<T>& weights, const std::vector<double>& tau) const {
    Parameters<T> gradient;
    gradient.assign_zeros(layout);
    clock.backward<T>(gradient, weights.data(), layout[clock.period()].size(), tau, layout, parameters);
    return gradient;
  }
};

double kappa_of(double period, double shift, double tau) {
  return Made<double>({period}, {shift}).kappa({tau})[0];
}

TEST(Clock, OpensInAPeakAtTheStartOfThePeriodAndLeaksBeyond) {
  // Of a period of 100, 5 are open.
  const std::vector<double> tau = {0, 1, 2, 2.5, 3, 3.75, 4.5, 5, 5.5, 50, 99};
  const std::vector<double> expected = {0, 0.4, 0.8, 1, 0.8, 0.5, 0.2, 0, 5.5e-5, 5e-4, 9.9e-4};
  const std::vector<double> kappa = Made<double>({100}, {0}).kappa(tau);
  testing::expect_close(kappa, expected, 1e-14, "kappa");
  for (std::size_t i = 8; i < tau.size(); ++i) EXPECT_NEAR(kappa[i], expected[i], 1e-17) << tau[i];
}

TEST(Clock, AddsTheShiftToTheTime) {
  EXPECT_NEAR(kappa_of(100, 3, 0), 0.8, 1e-14);
  EXPECT_NEAR(kappa_of(100, 3, -2), 0.4, 1e-14);
  EXPECT_NEAR(kappa_of(100, -3, 4), 0.4, 1e-14);
  EXPECT_NEAR(kappa_of(100, 0, -50), 5e-4, 1e-17);
}

TEST(Clock, RepeatsAfterEachPeriodBeforeAndAfterTimeZero) {
  for (const double tau : {0.5, 1.0, 1.75, 2.5, 20.0, 60.0}) {
    const double once = kappa_of(64, 0.25, tau);
    for (const double turns : {-1000.0, -1.0, 1.0, 7.0, 1e6}) {
      EXPECT_DOUBLE_EQ(kappa_of(64, 0.25, tau + 64 * turns), once) << tau << " after " << turns;
    }
  }
}

TEST(Clock, TakesANegativePeriodAsAPositiveOne) {
  for (const double tau : {-30.0, 0.5, 1.5, 20.0}) EXPECT_EQ(kappa_of(-37, 0.5, tau), kappa_of(37, 0.5, tau));
}

TEST(Clock, KeepsThePhaseOfSecondsSinceTheEpoch) {
  std::vector<double> tau;
  std::vector<double> expected;
  for (int i = 1; i < 60; ++i) {
    if (i == 32) continue;  // where the leak begins, in a jump
    tau.push_back(1.7e9 + 6.5 + 10 * i + i / 64.0);
    const double phase = std::fmod(tau.back() + 3.5, 10);
    expected.push_back(phase <= 0.25 ? phase / 0.25 : phase <= 0.5 ? 2 - phase / 0.25 : 1e-3 * phase / 10);
  }
  testing::expect_close(Made<double>({10}, {3.5}).kappa(tau), expected, 1e-5, "kappa");
}

TEST(Clock, WritesRowsOfItsUnitsAndNothingBetweenThem) {
  const Made<double> made({100, 40}, {0, 1});
  const std::vector<double> tau = {1, 0.5};
  std::vector<double> kappa(10, -7);
  made.clock.forward<double>(kappa.data(), 5, tau, made.layout, made.parameters);
  EXPECT_NEAR(kappa[0], 0.4, 1e-14);
  EXPECT_NEAR(kappa[1], 2 - 2.0 / 1, 1e-14);
  EXPECT_NEAR(kappa[5], 0.2, 1e-14);
  EXPECT_NEAR(kappa[6], 2 - 1.5 / 1, 1e-14);
  for (const std::size_t i : {2, 3, 4, 7, 8, 9}) EXPECT_EQ(kappa[i], -7);
}

/// Times in all parts of the periods below.
std::vector<double> many_times() {
  Random random(3);
  std::vector<double> tau;
  for (int i = 0; i < 300; ++i) tau.push_back(random.uniform(-200, 400));
  return tau;
}

const std::vector<double> kPeriods = {10, -23, 47.5, 91, -130};
const std::vector<double> kShifts = {0.5, 30, -12, 400, 7};

std::vector<double> weights_for(const std::vector<double>& tau) {
  Random random(4);
  std::vector<double> weights;
  for (std::size_t i = 0; i < tau.size() * kPeriods.size(); ++i) {
    weights.push_back(static_cast<double>(static_cast<float>(random.uniform(-1, 1))));
  }
  return weights;
}

TEST(Clock, GivesTheGradientOfTheComplexStepForPeriodsAndShifts) {
  constexpr double kStep = 1e-40;
  const std::vector<double> tau = many_times();
  const std::vector<double> weights = weights_for(tau);
  const Parameters<double> gradient = Made<double>(kPeriods, kShifts).gradient(weights, tau);
  Made<Complex> made(kPeriods, kShifts);
  std::vector<double> expected;
  for (Complex& number : made.parameters.wide) {
    number += Complex(0, kStep);
    Complex loss = 0;
    const std::vector<Complex> kappa = made.kappa(tau);
    for (std::size_t i = 0; i < kappa.size(); ++i) loss += weights[i] * kappa[i];
    expected.push_back(loss.imag() / kStep);
    number = number.real();
  }
  testing::expect_close(gradient.wide, expected, 1e-12, "gradient");
}

TEST(Clock, AddsToTheGradient) {
  const Made<double> made({100}, {0});
  Parameters<double> gradient;
  gradient.assign_zeros(made.layout);
  const std::vector<double> tau = {1};
  const double weight = 2;
  for (int i = 0; i < 3; ++i) {
    made.clock.backward<double>(gradient, &weight, 1, tau, made.layout, made.parameters);
  }
  // κ = (τ + s) / (r / 40) on the rise.
  EXPECT_NEAR(gradient.get(made.layout[made.clock.shift()], 0), 3 * 2 * 0.4, 1e-13);
  EXPECT_NEAR(gradient.get(made.layout[made.clock.period()], 0), -3 * 2 * 0.004, 1e-15);
}

TEST(Clock, GivesTheSameInFloatsAsInDoubles) {
  const std::vector<double> tau = many_times();
  const std::vector<double> weights = weights_for(tau);
  const Made<float> fast(kPeriods, kShifts);
  const Made<double> twin(kPeriods, kShifts);
  testing::expect_close(fast.kappa(tau), twin.kappa(tau), 1e-7, "kappa");
  testing::expect_close(fast.gradient({weights.begin(), weights.end()}, tau).wide,
                        twin.gradient(weights, tau).wide, 1e-12, "gradient");
}

TEST(Clock, RefusesTimesAndPeriodsThatLeaveNoPhase) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_THROW(kappa_of(10, 0, std::nan("")), Error);
  EXPECT_THROW(kappa_of(10, 0, inf), Error);
  EXPECT_THROW(kappa_of(10, 0, -inf), Error);
  EXPECT_THROW(kappa_of(10, 0, 1e30), Error);
  EXPECT_THROW(kappa_of(10, 1e30, 0), Error);
  EXPECT_THROW(kappa_of(0, 1, 5), Error);
  EXPECT_THROW(kappa_of(0, 0, 0), Error);
  EXPECT_THROW(kappa_of(std::nan(""), 0, 5), Error);
  EXPECT_THROW(kappa_of(10, std::nan(""), 5), Error);
  EXPECT_THROW(Made<float>({10, 0}, {0, 0}).kappa({1}), Error);
  EXPECT_NO_THROW(kappa_of(10, 0, 1.7e9));
}

}  // namespace
}  // namespace t2v::nn
