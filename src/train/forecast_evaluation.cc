#include "train/forecast_evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/fail.h"
#include "data/human_time.h"
#include "forecast/candidates.h"
#include "forecast/rolling.h"
#include "forecast/selection.h"
#include "model/forecast_panel.h"

namespace t2v {
namespace {

using forecast::Forecaster;
using forecast::Panel;
using forecast::Rolling;
using forecast::RollingTarget;
using forecast::Series;

/// The part of known data that a model is measured on.
constexpr double kLastShare = 0.2;
constexpr std::array<double, 3> kShares = {0.1, 0.5, 0.9};
constexpr double kUnmeasured = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostRanges = 5;

/// One prediction and what was measured.
struct Forecasted {
  double ahead;
  double error;  // measured less predicted
  double scale;  // mean error of the naive rule in the training part of the series
  double pinball = kUnmeasured;
  bool inside = false;
};

/// The mean absolute difference of values one season apart (one value, where there is no season).
double naive_scale(const Series& series, double season, double step) {
  double sum = 0;
  int64_t count = 0;
  for (int64_t i = 1; i < series.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const int64_t before =
        season > 0 ? forecast::nearest(series.times, i, series.times[at] - season, step) : i - 1;
    if (before < 0) continue;
    sum += std::abs(series.values[at] - series.values[static_cast<std::size_t>(before)]);
    ++count;
  }
  return count > 0 && sum > 0 ? sum / static_cast<double>(count) : kUnmeasured;
}

double pinball_of(double measured, const std::vector<double>& quantiles) {
  double sum = 0;
  for (std::size_t i = 0; i < kShares.size(); ++i) {
    const double above = measured - quantiles[i];
    sum += above > 0 ? kShares[i] * above : (kShares[i] - 1) * above;
  }
  return sum / static_cast<double>(kShares.size());
}

std::vector<double> scales_of(const Panel& panel, double from, double season, double step) {
  std::vector<double> scales;
  for (const Series& series : panel.series) {
    Panel one;
    one.series = {series};
    const Panel before = forecast::until(one, from);
    scales.push_back(before.series.empty() ? kUnmeasured : naive_scale(before.series[0], season, step));
  }
  return scales;
}

std::vector<Forecasted> forecasted(const Forecaster& forecaster, const Panel& panel,
                                   const std::vector<RollingTarget>& targets,
                                   const std::vector<double>& scales, bool with_bands) {
  std::vector<Forecasted> all;
  std::optional<forecast::Track> track;
  int64_t tracked = -1;
  for (const RollingTarget& at : targets) {
    const Series& series = panel.series[static_cast<std::size_t>(at.series)];
    if (at.series != tracked) track.emplace(forecaster, series);
    tracked = at.series;
    const double time = series.times[static_cast<std::size_t>(at.target)];
    const double measured = series.values[static_cast<std::size_t>(at.target)];
    Forecasted one{time - series.times[static_cast<std::size_t>(at.origin)],
                   measured - track->at(at.origin, time), scales[static_cast<std::size_t>(at.series)]};
    if (with_bands) {
      const std::vector<double> quantiles = track->quantiles(at.origin, time, kShares);
      one.pinball = pinball_of(measured, quantiles);
      one.inside = measured >= quantiles.front() && measured <= quantiles.back();
    }
    all.push_back(one);
  }
  return all;
}

std::vector<double> measures_of(const std::vector<Forecasted>& all, bool with_bands) {
  double absolute = 0;
  double squared = 0;
  double scaled = 0;
  double with_scale = 0;
  double pinball = 0;
  double inside = 0;
  for (const Forecasted& one : all) {
    absolute += std::abs(one.error);
    squared += one.error * one.error;
    if (!std::isnan(one.scale)) {
      scaled += std::abs(one.error) / one.scale;
      ++with_scale;
    }
    if (with_bands) {
      pinball += one.pinball;
      inside += one.inside ? 1 : 0;
    }
  }
  const auto n = static_cast<double>(all.size());
  return {absolute / n, std::sqrt(squared / n), with_scale > 0 ? scaled / with_scale : kUnmeasured,
          with_bands ? pinball / n : kUnmeasured, with_bands ? inside / n : kUnmeasured};
}

/// The ends of ranges of how far ahead: a step, and on in equal factors to the horizon.
std::vector<double> ranges_of(const Forecaster& forecaster, double horizon) {
  std::vector<double> ends;
  const double steps = std::max(1.0, std::round(horizon / forecaster.step));
  for (std::size_t i = 0; i <= kMostRanges; ++i) {
    const double end = std::round(std::pow(steps, static_cast<double>(i) / kMostRanges)) * forecaster.step;
    if (ends.empty() || end > ends.back() * (1 + 1e-9)) ends.push_back(end);
  }
  return ends;
}

std::vector<double> errors_by_range(const std::vector<Forecasted>& all, const std::vector<double>& ends) {
  std::vector<double> sums(ends.size(), 0.0);
  std::vector<double> counts(ends.size(), 0.0);
  for (const Forecasted& one : all) {
    const auto range = std::ranges::lower_bound(ends, one.ahead * (1 - 1e-6)) - ends.begin();
    const auto at = static_cast<std::size_t>(std::min<std::ptrdiff_t>(range, std::ssize(ends) - 1));
    sums[at] += std::abs(one.error);
    ++counts[at];
  }
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = counts[i] > 0 ? sums[i] / counts[i] : kUnmeasured;
  return sums;
}

std::string span_text(double units, const data::Events& events) {
  if (!events.scale.has_unit()) return fmt::format("{:.6g}", units);
  return data::human_duration(units * 86400 / units_of_a_day(events));
}

/// What is measured, from when on and by which forecaster.
struct Plan {
  Rolling rolling = {};
  bool refit = false;
  bool seen = false;
};

Plan plan_for(const Forecaster& forecaster, const Panel& panel, bool backtest) {
  const forecast::Span span = forecast::span_of(panel);
  const double learned = forecaster.pattern.span.last;
  const bool beyond = span.last > learned + 1e-6 * forecaster.step;
  const double from = beyond ? std::max(learned, span.first) : span.last - kLastShare * span.length();
  const bool known = !beyond && span.last > forecaster.pattern.span.first;
  return {{from, span.last, forecaster.horizon}, known && backtest, known && !backtest};
}

}  // namespace

ForecastEvaluation evaluate_forecast(const TrainedModel& model, const data::Events& events,
                                     std::span<const data::Piece> pieces, bool backtest, ThreadPool& pool) {
  const Panel panel = panel_of(events, pieces);
  const Forecaster& given = *model.forecaster;
  const Plan plan = plan_for(given, panel, backtest);
  const Panel before = forecast::until(panel, plan.rolling.from);
  if (before.series.empty())
    fail("there are no values before the first forecast; give the series from its start");
  const Forecaster refitted = plan.refit ? fit_forecaster(before, given.horizon, pool) : Forecaster{};
  const Forecaster& measured = plan.refit ? refitted : given;
  const std::vector<RollingTarget> targets = rolling_targets(panel, plan.rolling, given.step);
  if (targets.empty()) fail("there is no value to predict after the last one that was learned from");
  const std::vector<double> seasons =
      forecast::seasons_of(before, given.step, forecast::found_periods(before, given.step));
  const std::vector<double> scales =
      scales_of(panel, plan.rolling.from, seasons.empty() ? 0 : seasons.front(), given.step);
  const std::vector<double> ends = ranges_of(given, plan.rolling.horizon);
  const std::string unit = fmt::format("of {}", events.value->name);
  MeasureTable values{.name = "values", .predictions = std::ssize(targets)};
  values.columns = {{"MAE", MeasureForm::kNumber, unit},
                    {"RMSE", MeasureForm::kNumber, unit},
                    {"MASE", MeasureForm::kNumber},
                    {"pinball", MeasureForm::kNumber, unit},
                    {"coverage"}};
  MeasureTable horizons{.name = "horizons", .predictions = values.predictions};
  for (const double end : ends) {
    horizons.columns.push_back({"MAE to " + span_text(end, events), MeasureForm::kNumber, unit});
  }
  const auto add = [&](const std::string& name, const Forecaster& forecaster, bool with_bands) {
    const std::vector<Forecasted> all = forecasted(forecaster, panel, targets, scales, with_bands);
    values.rows.push_back({name, measures_of(all, with_bands)});
    horizons.rows.push_back({name, errors_by_range(all, ends)});
  };
  add("model", measured, true);
  for (const forecast::Rule& rule : forecast::candidate_rules(seasons)) {
    add(describe(rule, given.day), fit_rule_alone(before, given, rule), false);
  }
  ForecastEvaluation result;
  result.seen = plan.seen;
  result.evaluation.task = model.task;
  result.evaluation.sequences = std::ssize(panel.series);
  for (const Series& series : panel.series) result.evaluation.events += series.size();
  result.evaluation.tables = {std::move(values), std::move(horizons)};
  return result;
}

}  // namespace t2v
