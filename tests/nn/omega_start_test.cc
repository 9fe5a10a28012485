#include "nn/omega_start.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "t2v/error.h"

namespace t2v::nn {
namespace {

using std::numbers::pi;

struct Started {
  std::vector<double> omega;
  std::vector<double> phi;
};

Started start(OmegaStart how, int64_t k, bool linear, const TimeScale& scale = {}) {
  TimeEncoderConfig config;
  config.k = k;
  config.linear = linear;
  config.start = how;
  Started started{std::vector<double>(static_cast<std::size_t>(k + (linear ? 1 : 0))), {}};
  started.phi = started.omega;
  Random omega_random(1, 0);
  Random phi_random(1, 1);
  start_frequencies(started.omega.data(), started.phi.data(), config, scale, omega_random, phi_random);
  return started;
}

double deviation(const std::vector<double>& values) {
  double square = 0;
  for (const double x : values) square += x * x;
  return std::sqrt(square / static_cast<double>(values.size()));
}

TEST(OmegaStart, DrawsUniformAndNormalStartsFromTheirDistributions) {
  const Started u11 = start(OmegaStart::kU11, 10000, true);
  EXPECT_LT(*std::ranges::min_element(u11.omega), -0.99);
  EXPECT_GT(*std::ranges::max_element(u11.omega), 0.99);
  EXPECT_NEAR(deviation(u11.omega), 1 / std::sqrt(3), 0.01);
  EXPECT_NEAR(deviation(u11.phi), 1 / std::sqrt(3), 0.01);
  const Started u01 = start(OmegaStart::kU01, 10000, true);
  EXPECT_GE(*std::ranges::min_element(u01.omega), 0);
  EXPECT_LT(*std::ranges::max_element(u01.omega), 1);
  EXPECT_GE(*std::ranges::min_element(u01.phi), 0);
  EXPECT_NEAR(deviation(start(OmegaStart::kN1, 10000, true).omega), 1, 0.03);
  EXPECT_NEAR(deviation(start(OmegaStart::kN01, 10000, true).phi), 0.1, 0.003);
}

TEST(OmegaStart, PlacesFixedFrequenciesByTheirFormulas) {
  const Started equal = start(OmegaStart::kEqual, 16, false);
  const Started positional = start(OmegaStart::kPositional, 16, false);
  const Started geometric = start(OmegaStart::kGeometric, 10, false);
  for (int i = 0; i < 16; ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_NEAR(equal.omega[at], 2 * pi * (i + 1) / 16, 1e-12);
    EXPECT_EQ(equal.phi[at], 0);
    EXPECT_NEAR(positional.omega[at], 1 / std::pow(10000, i / 16.0), 1e-12);
    EXPECT_NEAR(positional.phi[at], i % 2 == 0 ? 0 : pi / 2, 1e-12);
  }
  EXPECT_NEAR(geometric.omega.front(), 1, 1e-12);
  EXPECT_NEAR(geometric.omega[1], 0.1, 1e-12);
  EXPECT_NEAR(geometric.omega.back() / 1e-9, 1, 1e-9);
}

TEST(OmegaStart, SpreadsSpanLogUniformlyOverTheRangeOfTheData) {
  TimeScale scale;
  scale.span = 1000;
  scale.median_gap = 0.5;
  const Started span = start(OmegaStart::kSpan, 10000, true, scale);
  EXPECT_EQ(span.omega[0], 1.0 / 1000);
  EXPECT_EQ(span.phi[0], 0);
  std::vector<double> logs;
  for (std::size_t i = 1; i < span.omega.size(); ++i) {
    EXPECT_GE(span.omega[i], 2 * pi / 1000 * (1 - 1e-12));
    EXPECT_LE(span.omega[i], pi / 0.5 * (1 + 1e-12));
    EXPECT_LE(std::abs(span.phi[i]), pi);
    logs.push_back(std::log(span.omega[i]));
  }
  std::ranges::sort(logs);
  EXPECT_NEAR(logs[logs.size() / 2], std::log(std::sqrt(2 * pi / 1000 * pi / 0.5)), 0.1);
}

TEST(OmegaStart, TakesTheStrongestPeriodsFirstAndFillsUpFromTheSpan) {
  TimeScale scale;
  scale.span = 100;
  scale.median_gap = 1;
  scale.periods = {{0.9, 1.5, 0.5}, {1.8, -0.5, 0.3}};
  const Started started = start(OmegaStart::kPeriodogram, 4, true, scale);
  EXPECT_EQ(started.omega[0], 0.01);
  EXPECT_EQ(started.omega[1], 0.9);
  EXPECT_EQ(started.phi[1], 1.5);
  EXPECT_EQ(started.omega[2], 1.8);
  EXPECT_EQ(started.phi[2], -0.5);
  EXPECT_GE(started.omega[3], 2 * pi / 100);
  EXPECT_NE(started.omega[3], started.omega[4]);
}

TEST(OmegaStart, GivesACosineThePhaseThatPutsItOnTheData) {
  TimeScale scale;
  scale.span = 100;
  scale.median_gap = 1;
  scale.periods = {{0.9, 1.5, 0.5}};
  TimeEncoderConfig config;
  config.k = 1;
  config.linear = false;
  config.start = OmegaStart::kPeriodogram;
  config.activation = Activation::kCos;
  double omega = 0;
  double phi = 0;
  Random random(1);
  start_frequencies(&omega, &phi, config, scale, random, random);
  EXPECT_NEAR(std::cos(omega * 3 + phi), std::sin(0.9 * 3 + 1.5), 1e-12);
}

TEST(TimeScale, RefusesTimesThatAreNotFiniteAndLabelsThatAreNone) {
  const std::vector<int64_t> offsets = {0, 1, 2};
  const std::vector<double> good = {1, 2};
  const std::vector<double> bad = {1, NAN};
  const std::vector<int32_t> labels = {0, 2};
  EXPECT_THROW(time_scale({.offsets = offsets, .times = {bad}}, TimeInput::kStart), Error);
  EXPECT_THROW(time_scale_of_labels({.offsets = offsets, .times = {good}}, TimeInput::kStart, 2), Error);
  EXPECT_THROW(
      time_scale_of_labels({.offsets = offsets, .times = {good}, .labels = labels}, TimeInput::kStart, 2),
      Error);
}

TEST(OmegaStart, RefusesAStartFromDataThatHasNoTwoTimes) {
  EXPECT_THROW(start(OmegaStart::kSpan, 4, true), Error);
  EXPECT_THROW(start(OmegaStart::kPeriodogram, 4, true), Error);
  EXPECT_NO_THROW(start(OmegaStart::kU11, 4, true));
}

TEST(TimeScale, MeasuresSpanAndMedianGapWithinSequences) {
  const std::vector<int64_t> offsets = {0, 4, 6};
  const std::vector<double> start = {0, 1, 1, 4, 0, 10};
  const std::vector<double> gap = {0, 1, 0, 3, 0, 10};
  SequenceBatch data{.offsets = offsets, .times = {start, gap}};
  const TimeScale of_start = time_scale(data, TimeInput::kStart);
  EXPECT_EQ(of_start.span, 10);
  EXPECT_EQ(of_start.median_gap, 3);  // of 1, 3, 10
  const TimeScale of_gap = time_scale(data, TimeInput::kGap);
  EXPECT_EQ(of_gap.span, 10);
  EXPECT_EQ(of_gap.median_gap, 3);
  EXPECT_THROW(time_scale(data, TimeInput::kQuery), Error);
}

TEST(TimeScale, UsesTheGapsBetweenSequencesWhereEachHasOneEvent) {
  const std::vector<int64_t> offsets = {0, 1, 2, 3};
  const std::vector<double> start = {14, 2, 8};
  const std::vector<int32_t> labels = {0, 1, 0};
  SequenceBatch data{.offsets = offsets, .times = {start}, .labels = labels};
  EXPECT_EQ(time_scale(data, TimeInput::kStart).median_gap, 6);
}

TEST(TimeScale, FindsThePeriodOfTheLabels) {
  std::vector<int64_t> offsets = {0};
  std::vector<double> start;
  std::vector<int32_t> labels;
  for (int day = 1; day <= 200; ++day) {
    start.push_back(day);
    labels.push_back(day % 5 == 0 ? 1 : 0);
    offsets.push_back(day);
  }
  SequenceBatch data{.offsets = offsets, .times = {start}, .labels = labels};
  const TimeScale scale = time_scale_of_labels(data, TimeInput::kStart, 2);
  ASSERT_GE(scale.periods.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const double harmonic = scale.periods[i].omega / (2 * pi / 5);
    EXPECT_NEAR(harmonic, std::round(harmonic), 2e-3);
  }
}

}  // namespace
}  // namespace t2v::nn
