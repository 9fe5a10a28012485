#include "forecast/rolling.h"

#include <algorithm>

namespace t2v::forecast {
namespace {

/// Of one series; every `stride`-th value.
void add_targets(std::vector<RollingTarget>& targets, const Series& series, int64_t number,
                 const Rolling& rolling, double step, int64_t stride) {
  const double tolerance = 1e-6 * step;
  const auto known_at = [&](double time) {
    return std::ranges::upper_bound(series.times, time) - series.times.begin();
  };
  const int64_t first = known_at(rolling.from);
  if (first == 0) return;
  int64_t origin = first - 1;
  double until = rolling.from + rolling.horizon;
  for (int64_t i = first; i < series.size(); i += stride) {
    const double time = series.times[static_cast<std::size_t>(i)];
    if (time > rolling.to) break;
    while (time > until + tolerance) {
      origin = known_at(until) - 1;
      until += rolling.horizon;
    }
    targets.push_back({number, origin, i});
  }
}

int64_t count_after(const Series& series, const Rolling& rolling) {
  return std::ranges::upper_bound(series.times, rolling.to) -
         std::ranges::upper_bound(series.times, rolling.from);
}

}  // namespace

std::vector<RollingTarget> rolling_targets(const Panel& panel, const Rolling& rolling, double step) {
  const auto all = static_cast<int64_t>(panel.series.size());
  const int64_t every = 1 + (all - 1) / rolling.most_series;
  int64_t expected = 0;
  for (int64_t s = 0; s < all; s += every) {
    expected += count_after(panel.series[static_cast<std::size_t>(s)], rolling);
  }
  const int64_t stride = 1 + expected / rolling.most_targets;
  std::vector<RollingTarget> targets;
  for (int64_t s = 0; s < all; s += every) {
    add_targets(targets, panel.series[static_cast<std::size_t>(s)], s, rolling, step, stride);
  }
  return targets;
}

std::vector<ForecastError> rolling_errors(const Forecaster& forecaster, const Panel& panel,
                                          const Rolling& rolling) {
  std::vector<ForecastError> errors;
  std::optional<Track> track;
  int64_t tracked = -1;
  for (const RollingTarget& at : rolling_targets(panel, rolling, forecaster.step)) {
    const Series& series = panel.series[static_cast<std::size_t>(at.series)];
    if (at.series != tracked) track.emplace(forecaster, series);
    tracked = at.series;
    const double time = series.times[static_cast<std::size_t>(at.target)];
    const double error = series.values[static_cast<std::size_t>(at.target)] - track->at(at.origin, time);
    errors.push_back(
        {time - series.times[static_cast<std::size_t>(at.origin)], error / track->level().spread});
  }
  return errors;
}

}  // namespace t2v::forecast
