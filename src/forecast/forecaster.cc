#include "forecast/forecaster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "forecast/candidates.h"
#include "forecast/selection.h"

namespace t2v::forecast {
namespace {

/// Fewer steps are no horizon of their own.
constexpr double kLeastSteps = 7;
constexpr double kUsualSteps = 24;

int64_t number_of(const Forecaster& forecaster, const std::string& id) {
  const auto found = std::ranges::find(forecaster.ids, id);
  return found == forecaster.ids.end() ? -1 : found - forecaster.ids.begin();
}

}  // namespace

std::string Forecaster::description() const {
  const std::string by_rule = rule ? describe(rule->rule, day) : "";
  if (rule_share == 1) return by_rule;
  const std::string by_pattern =
      describe(pattern.shape, day) + (correction.weights.empty() ? "" : ", corrected by the last values");
  return rule ? fmt::format("{}; {:.0f} % {}", by_pattern, 100 * rule_share, by_rule) : by_pattern;
}

Forecaster fit_forecaster(const Panel& panel, double horizon, ThreadPool& pool) {
  Forecaster settings;
  settings.day = panel.day;
  settings.step = step_of(panel);
  if (!(settings.step > 0)) settings.step = panel.day > 0 ? panel.day : 1;
  settings.horizon = horizon > 0 ? std::max(horizon, settings.step) : default_horizon(panel);
  return select(panel, settings, pool);
}

void rescale(Forecaster& forecaster, double factor) {
  for (double* time :
       {&forecaster.day, &forecaster.step, &forecaster.horizon, &forecaster.correction.step,
        &forecaster.correction.horizon, &forecaster.pattern.span.first, &forecaster.pattern.span.last}) {
    *time *= factor;
  }
  for (Cycle& cycle : forecaster.pattern.shape.cycles) cycle.period *= factor;
  for (double& season : forecaster.correction.seasons) season *= factor;
  for (double& ahead : forecaster.bands.ahead) ahead *= factor;
  if (!forecaster.rule) return;
  forecaster.rule->step *= factor;
  forecaster.rule->rule.season *= factor;
  for (double& slope : forecaster.rule->slopes) slope /= factor;
}

double default_horizon(const Panel& panel) {
  const double step = step_of(panel);
  if (!(step > 0)) return panel.day > 0 ? panel.day : 1;
  if (panel.day <= 0) {
    const std::vector<double> periods = found_periods(panel, step);
    return periods.empty() ? kUsualSteps * step : std::max(periods.front(), step);
  }
  for (const double days : {1.0, 7.0, kYear}) {
    if (days * panel.day >= kLeastSteps * step) return days * panel.day;
  }
  return kUsualSteps * step;
}

Track::Track(const Forecaster& forecaster, const Series& series)
    : forecaster_(forecaster), series_(number_of(forecaster, series.id)) {
  level_ = series_ >= 0 ? forecaster.levels[static_cast<std::size_t>(series_)] : level_of(series.values);
  for (std::size_t i = 0; i < series.times.size(); ++i) {
    const double value = level_.standardise(series.values[i]);
    standard_.push_back(static_cast<float>(value));
    const double expected = forecaster.rule_share < 1 ? forecaster.pattern.at(series.times[i], series_) : 0;
    residuals_.add(series.times[i], value - expected, forecaster.step);
  }
}

double Track::standard_at(int64_t origin, double time) const {
  const double share = forecaster_.rule_share;
  double value = 0;
  if (share > 0) value += share * forecaster_.rule->at(residuals_.times, standard_, origin, time, series_);
  if (share == 1) return value;
  const double expected = forecaster_.pattern.at(time, series_);
  return value + (1 - share) * (expected + forecaster_.correction.at(residuals_, origin, time));
}

double Track::at(int64_t origin, double time) const { return level_.restore(standard_at(origin, time)); }

std::vector<double> Track::quantiles(int64_t origin, double time, std::span<const double> shares) const {
  const double ahead =
      origin < 0 ? forecaster_.horizon : time - residuals_.times[static_cast<std::size_t>(origin)];
  const double middle = standard_at(origin, time);
  std::vector<double> values;
  values.reserve(shares.size());
  for (const double share : shares) {
    values.push_back(level_.restore(middle + forecaster_.bands.at(ahead, share)));
  }
  return values;
}

}  // namespace t2v::forecast
