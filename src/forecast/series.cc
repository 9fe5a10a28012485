#include "forecast/series.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.h"

namespace t2v::forecast {
namespace {

/// More gaps say no more about their median.
constexpr std::size_t kMostGaps = 1 << 20;

}  // namespace

double quantile_of(std::vector<double>& values, double share) {
  const auto last = static_cast<double>(values.size() - 1);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::llround(share * last));
  std::ranges::nth_element(values, at);
  return *at;
}

Level level_of(std::span<const double> values) {
  if (values.empty()) return {};
  std::vector<double> sorted(values.begin(), values.end());
  const double median = quantile_of(sorted, 0.5);
  double distance = 0;
  for (const double value : values) distance += std::abs(value - median);
  distance /= static_cast<double>(values.size());
  const double smallest = 1e-12 * std::abs(median);
  return {median, distance > smallest && std::isfinite(distance) ? distance : 1};
}

double step_of(const Panel& panel) {
  std::vector<double> gaps;
  for (const Series& series : panel.series) {
    for (std::size_t i = 1; i < series.times.size() && gaps.size() < kMostGaps; ++i) {
      const double gap = series.times[i] - series.times[i - 1];
      if (gap > 0) gaps.push_back(gap);
    }
  }
  return gaps.empty() ? 0 : quantile_of(gaps, 0.5);
}

Span span_of(const Panel& panel) {
  Span span = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Series& series : panel.series) {
    if (series.times.empty()) continue;
    span.first = std::min(span.first, series.times.front());
    span.last = std::max(span.last, series.times.back());
  }
  if (span.first > span.last) fail("there is no value to learn from: all cells of the values are empty");
  return span;
}

Panel until(const Panel& panel, double end) {
  Panel early;
  early.day = panel.day;
  for (const Series& series : panel.series) {
    const auto n = std::ranges::upper_bound(series.times, end) - series.times.begin();
    if (n == 0) continue;
    early.series.push_back({series.id,
                            {series.times.begin(), series.times.begin() + n},
                            {series.values.begin(), series.values.begin() + n}});
  }
  return early;
}

}  // namespace t2v::forecast
