#include "forecast/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "forecast/correction.h"

namespace t2v::forecast {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr int64_t kMostPhases = 100'000;

int64_t phase_of(double time, double season, int64_t phases) {
  const double turns = time / season + 1e-9;
  const double share = turns - std::floor(turns);
  return std::min(static_cast<int64_t>(share * static_cast<double>(phases)), phases - 1);
}

double mean_of(const Series& series, const Level& level) {
  double sum = 0;
  for (const double value : series.values) sum += level.standardise(value);
  return sum / static_cast<double>(series.size());
}

double slope_of(const Series& series, const Level& level) {
  const double span = series.times.back() - series.times.front();
  return span > 0 ? (series.values.back() - series.values.front()) / level.spread / span : 0;
}

void add_phase_means(FittedRule& fitted, const Series& series, const Level& level) {
  const int64_t phases = fitted.phase_count();
  std::vector<double> sums(static_cast<std::size_t>(phases), 0.0);
  std::vector<double> counts(static_cast<std::size_t>(phases), 0.0);
  for (std::size_t i = 0; i < series.times.size(); ++i) {
    const auto phase = static_cast<std::size_t>(phase_of(series.times[i], fitted.rule.season, phases));
    sums[phase] += level.standardise(series.values[i]);
    ++counts[phase];
  }
  for (std::size_t k = 0; k < sums.size(); ++k) {
    fitted.phases.push_back(counts[k] > 0 ? sums[k] / counts[k] : kNone);
  }
}

std::string season_text(double season, double day) {
  if (day <= 0) return fmt::format("{:.6g}", season);
  const double days = season / day;
  if (days == 1) return "day";
  if (days == 7) return "week";
  if (days > 365 && days < 366) return "year";
  return fmt::format("{:.4g} d", days);
}

}  // namespace

std::string describe(const Rule& rule, double day) {
  switch (rule.kind) {
    case RuleKind::kMean:
      return "mean";
    case RuleKind::kLast:
      return "last value";
    case RuleKind::kDrift:
      return "drift";
    case RuleKind::kSeasonalNaive:
      return fmt::format("seasonal naive ({})", season_text(rule.season, day));
    case RuleKind::kPhaseMean:
      return fmt::format("same-phase mean ({})", season_text(rule.season, day));
  }
  return "";
}

int64_t FittedRule::phase_count() const {
  if (rule.kind != RuleKind::kPhaseMean) return 0;
  return std::clamp<int64_t>(std::llround(rule.season / step), 1, kMostPhases);
}

FittedRule fit_rule(const Rule& rule, const Panel& panel, std::span<const Level> levels, double step) {
  FittedRule fitted{.rule = rule, .step = step};
  for (std::size_t s = 0; s < panel.series.size(); ++s) {
    fitted.means.push_back(mean_of(panel.series[s], levels[s]));
    if (rule.kind == RuleKind::kDrift) fitted.slopes.push_back(slope_of(panel.series[s], levels[s]));
    if (rule.kind == RuleKind::kPhaseMean) add_phase_means(fitted, panel.series[s], levels[s]);
  }
  return fitted;
}

double FittedRule::at(std::span<const double> times, std::span<const float> values, int64_t origin,
                      double time, int64_t series) const {
  const auto s = static_cast<std::size_t>(series);
  const double mean = series >= 0 ? means[s] : 0;
  if (origin < 0) return mean;
  const auto at = static_cast<std::size_t>(origin);
  const double last = double{values[at]};
  switch (rule.kind) {
    case RuleKind::kMean:
      return mean;
    case RuleKind::kLast:
      return last;
    case RuleKind::kDrift:
      return last + (series >= 0 ? slopes[s] : 0) * (time - times[at]);
    case RuleKind::kSeasonalNaive: {
      const double back = std::max(1.0, std::ceil((time - times[at]) / rule.season - 1e-9));
      const int64_t then = nearest(times, origin + 1, time - back * rule.season, step);
      return then < 0 ? last : double{values[static_cast<std::size_t>(then)]};
    }
    case RuleKind::kPhaseMean: {
      if (series < 0) return mean;
      const int64_t all = phase_count();
      const double known = phases[static_cast<std::size_t>(series * all + phase_of(time, rule.season, all))];
      return std::isnan(known) ? mean : known;
    }
  }
  return mean;
}

}  // namespace t2v::forecast
