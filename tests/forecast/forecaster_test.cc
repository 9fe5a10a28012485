#include "forecast/forecaster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "forecast/candidates.h"
#include "forecast/made_series.h"
#include "forecast/rolling.h"
#include "forecast/selection.h"
#include "t2v/error.h"

namespace t2v::forecast {
namespace {

constexpr double kHour = 24;  // units of a day

double busy(double hour) { return 10 + 3 * wave(hour, 24) + 2 * wave(hour, 168) + wave(hour, 12); }

double mean_error(const Forecaster& forecaster, const Panel& panel, double from) {
  const Rolling rolling{from, span_of(panel).last, forecaster.horizon};
  double sum = 0;
  const std::vector<ForecastError> errors = rolling_errors(forecaster, panel, rolling);
  for (const ForecastError& error : errors) sum += std::abs(error.error);
  return sum / static_cast<double>(errors.size()) * forecaster.levels[0].spread;
}

double best_rule(const Forecaster& forecaster, const Panel& panel, double from) {
  const Panel before = until(panel, from);
  double best = std::numeric_limits<double>::infinity();
  for (const Rule& rule : candidate_rules(seasons_of(before, forecaster.step, {}))) {
    best = std::min(best, mean_error(fit_rule_alone(before, forecaster, rule), panel, from));
  }
  return best;
}

TEST(Forecaster, FindsCyclesOfTheCalendarThroughNoise) {
  const Panel panel = made_panel(24 * 70, 1, kHour, busy, 0.5);
  const double from = 24 * 56;
  ThreadPool pool(2);
  const Forecaster forecaster = fit_forecaster(until(panel, from), 24, pool);
  EXPECT_LT(mean_error(forecaster, panel, from), 0.5) << forecaster.description();  // of the noise alone: 0.4
  EXPECT_LT(mean_error(forecaster, panel, from), best_rule(forecaster, panel, from));
}

TEST(Forecaster, IsNotMuchWorseThanTheBestRuleWhateverTheSeries) {
  ThreadPool pool(2);
  Random random(5);
  double walk = 0;
  const std::vector<std::function<double(double)>> functions = {
      [](double) { return 3.0; }, [](double t) { return 0.01 * t; },
      [&](double) { return walk += random.normal(); },
      [](double t) { return std::fmod(t, 24) < 8 ? 0.0 : 5.0; },
      [](double t) { return t > 800 ? 9.0 : 1.0; }};
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const Panel panel = made_panel(1500, 1, kHour, functions[i], 0.1);
    const Forecaster forecaster = fit_forecaster(until(panel, 1200), 24, pool);
    EXPECT_LT(mean_error(forecaster, panel, 1200), 1.15 * best_rule(forecaster, panel, 1200))
        << "series " << i << " by " << forecaster.description();
  }
}

TEST(Forecaster, FindsAPeriodOfPlainNumbers) {
  const auto value = [](double t) { return wave(t, 17.3) + 0.3 * wave(t, 17.3 / 2); };
  const Panel panel = made_panel(600, 1, 0, value, 0.2);
  ThreadPool pool(1);
  const Forecaster forecaster = fit_forecaster(panel, 0, pool);
  ASSERT_FALSE(forecaster.pattern.shape.cycles.empty()) << forecaster.description();
  const double cycles = forecaster.pattern.shape.cycles[0].period / 17.3;
  EXPECT_NEAR(cycles, std::round(cycles), 0.005 * cycles);
  EXPECT_NEAR(forecaster.horizon, 17.3, 0.1);
}

TEST(Forecaster, GivesTheSameBitsOnAnyThreads) {
  const Panel panel = made_panel(24 * 40, 1, kHour, busy, 0.5);
  ThreadPool one(1);
  ThreadPool three(3);
  const Forecaster a = fit_forecaster(panel, 24, one);
  const Forecaster b = fit_forecaster(panel, 24, three);
  EXPECT_EQ(a.pattern.weights, b.pattern.weights);
  EXPECT_EQ(a.correction.weights, b.correction.weights);
  EXPECT_EQ(a.bands.errors, b.bands.errors);
  EXPECT_EQ(a.description(), b.description());
}

TEST(Forecaster, DoesNotDependOnTheUnitOfTime) {
  const Panel hours = made_panel(24 * 40, 1, kHour, busy, 0.5);
  ThreadPool pool(1);
  const Forecaster in_hours = fit_forecaster(hours, 24, pool);
  for (const double factor : {3600.0, 60.0, 1.0 / 24, 1.0 / 168}) {
    Panel other = hours;
    other.day *= factor;
    for (double& time : other.series[0].times) time *= factor;
    const Forecaster in_other = fit_forecaster(other, 24 * factor, pool);
    const Track a(in_hours, hours.series[0]);
    const Track b(in_other, other.series[0]);
    for (const double ahead : {1.0, 5.0, 24.0}) {
      const double time = hours.series[0].times.back() + ahead;
      EXPECT_NEAR(a.at(a.size() - 1, time), b.at(b.size() - 1, time * factor), 1e-3) << factor;
    }
  }
}

TEST(Forecaster, RescaledPredictsTheSameAtRescaledTimes) {
  const Panel panel = made_panel(24 * 30, 1, kHour, busy, 0.5);
  ThreadPool pool(1);
  Forecaster forecaster = fit_forecaster(panel, 24, pool);
  const double before = Track(forecaster, panel.series[0]).at(700, 710);
  rescale(forecaster, 60);
  Series minutes = panel.series[0];
  for (double& time : minutes.times) time *= 60;
  EXPECT_NEAR(Track(forecaster, minutes).at(700, 710 * 60), before, 1e-6);
}

TEST(Forecaster, BandsHoldWhatTheyPromise) {
  const Panel panel = made_panel(24 * 200, 1, kHour, busy, 1);
  ThreadPool pool(2);
  const Forecaster forecaster = fit_forecaster(until(panel, 24 * 150), 24, pool);
  int64_t inside = 0;
  int64_t all = 0;
  const Track track(forecaster, panel.series[0]);
  for (int64_t i = 24 * 150; i + 12 < 24 * 200; i += 5, ++all) {
    const std::vector<double> band = track.quantiles(i, static_cast<double>(i + 12), std::vector{0.1, 0.9});
    const double measured = panel.series[0].values[static_cast<std::size_t>(i + 12)];
    if (measured >= band[0] && measured <= band[1]) ++inside;
  }
  const double coverage = static_cast<double>(inside) / static_cast<double>(all);
  EXPECT_GT(coverage, 0.74);
  EXPECT_LT(coverage, 0.87);
}

TEST(Forecaster, SeriesOfAPanelHaveTheirOwnLevelAndSpread) {
  Panel panel;
  panel.day = kHour;
  for (int64_t s = 0; s < 5; ++s) {
    const double scale = std::pow(10.0, static_cast<double>(s));
    const auto value = [&](double t) { return scale * (100 + busy(t)); };
    panel.series.push_back(made_panel(24 * 30, 1, kHour, value, 0.1 * scale).series[0]);
    panel.series.back().id = std::to_string(s);
  }
  ThreadPool pool(2);
  const Forecaster forecaster = fit_forecaster(until(panel, 24 * 25), 24, pool);
  for (const Series& series : panel.series) {
    const double predicted = Track(forecaster, series).at(24 * 25, 24 * 25 + 10);
    const double measured = series.values[24 * 25 + 10];
    EXPECT_NEAR(predicted, measured, 0.01 * measured) << series.id;
  }
}

TEST(Forecaster, AnUnknownSeriesGetsItsLevelFromItsValues) {
  const Panel panel = made_panel(24 * 30, 1, kHour, busy, 0.1);
  ThreadPool pool(1);
  const Forecaster forecaster = fit_forecaster(panel, 24, pool);
  Series other = panel.series[0];
  other.id = "other";
  for (double& value : other.values) value = 1000 + 10 * value;
  const double expected = 1000 + 10 * busy(700 + 10);
  EXPECT_NEAR(Track(forecaster, other).at(700, 710), expected, 10);
}

TEST(Forecaster, GapsAreNoObstacle) {
  Panel panel = made_panel(24 * 60, 1, kHour, busy, 0.3);
  Series some;
  Random random(3);
  for (std::size_t i = 0; i < panel.series[0].times.size(); ++i) {
    if (random.uniform() < 0.3 || (i > 500 && i < 600)) continue;
    some.times.push_back(panel.series[0].times[i]);
    some.values.push_back(panel.series[0].values[i]);
  }
  panel.series[0] = some;
  ThreadPool pool(1);
  const Forecaster forecaster = fit_forecaster(until(panel, 24 * 50), 24, pool);
  EXPECT_LT(mean_error(forecaster, panel, 24 * 50), 0.35) << forecaster.description();
}

TEST(Forecaster, TakesTinyAndConstantSeries) {
  ThreadPool pool(1);
  for (const int64_t n : {1, 2, 3, 5, 9}) {
    const Panel panel = made_panel(
        n, 1, kHour, [](double t) { return t; }, 0);
    const Forecaster forecaster = fit_forecaster(panel, 24, pool);
    EXPECT_TRUE(std::isfinite(Track(forecaster, panel.series[0]).at(n - 1, 30))) << n;
  }
  const Panel constant = made_panel(
      200, 1, kHour, [](double) { return 7.0; }, 0);
  const Forecaster forecaster = fit_forecaster(constant, 24, pool);
  EXPECT_NEAR(Track(forecaster, constant.series[0]).at(199, 210), 7, 1e-6);
  Panel at_once = constant;
  std::ranges::fill(at_once.series[0].times, 5.0);
  EXPECT_NEAR(Track(fit_forecaster(at_once, 0, pool), constant.series[0]).at(199, 210), 7, 1e-6);
}

TEST(Forecaster, RejectsAPanelWithoutValues) {
  ThreadPool pool(1);
  EXPECT_THROW(fit_forecaster(Panel{}, 24, pool), Error);
}

TEST(DefaultHorizon, IsTheFirstSpanOfTheCalendarWithSeveralSteps) {
  const auto horizon_of = [](double step_in_hours) {
    return default_horizon(made_panel(100, step_in_hours, kHour, busy, 0.1)) / 24;
  };
  EXPECT_DOUBLE_EQ(horizon_of(1), 1);
  EXPECT_DOUBLE_EQ(horizon_of(0.25), 1);
  EXPECT_DOUBLE_EQ(horizon_of(24), 7);
  EXPECT_NEAR(horizon_of(24 * 30.4), 365.2425, 1e-9);
}

}  // namespace
}  // namespace t2v::forecast
