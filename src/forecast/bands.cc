#include "forecast/bands.h"

#include <algorithm>
#include <cmath>

namespace t2v::forecast {
namespace {

constexpr std::size_t kMostGroups = 8;
constexpr std::size_t kLeastErrors = 100;
/// Errors of a single forecast are taken for so much wider.
constexpr double kWidening = 0.5;

/// The quantile that the next error of the same kind is below with probability `share`: errors are few, so
/// extremes are wider than those seen.
double next_quantile(const std::vector<double>& sorted, double share) {
  const auto n = static_cast<double>(sorted.size());
  const double at = std::clamp(share * (n + 1) - 1, 0.0, n - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

/// Where x lies among ascending numbers: an index and how much of the way to the next.
struct Between {
  std::size_t low;
  double share;
};

Between between(const std::vector<double>& values, double x) {
  if (x <= values.front() || values.size() == 1) return {0, 0};
  if (x >= values.back()) return {values.size() - 2, 1};
  const auto above = std::ranges::upper_bound(values, x);
  const auto low = static_cast<std::size_t>(above - values.begin()) - 1;
  return {low, (x - values[low]) / (values[low + 1] - values[low])};
}

}  // namespace

double Bands::at(double how_far, double share) const {
  if (ahead.empty()) return 0;
  const Between group = between(ahead, how_far);
  const double place = std::clamp(share * (kShares + 1) - 1, 0.0, kShares - 1.0);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min<std::size_t>(low + 1, kShares - 1);
  const auto in_group = [&](std::size_t g) {
    const double* of = errors.data() + g * kShares;
    return of[low] + (place - static_cast<double>(low)) * (of[high] - of[low]);
  };
  const double near = in_group(group.low);
  return group.share > 0 ? near + group.share * (in_group(group.low + 1) - near) : near;
}

Bands fit_bands(std::vector<ForecastError> errors, double forecasts) {
  const double wider = 1 + kWidening / std::max(forecasts, 1.0);
  Bands bands;
  std::ranges::stable_sort(errors, {}, &ForecastError::ahead);
  const std::size_t groups = std::clamp<std::size_t>(errors.size() / kLeastErrors, 1, kMostGroups);
  for (std::size_t g = 0; g < groups && !errors.empty(); ++g) {
    const std::size_t begin = g * errors.size() / groups;
    const std::size_t end = (g + 1) * errors.size() / groups;
    const double middle = errors[(begin + end) / 2].ahead;
    if (!bands.ahead.empty() && middle <= bands.ahead.back()) continue;
    std::vector<double> sorted;
    for (std::size_t i = begin; i < end; ++i) sorted.push_back(errors[i].error);
    std::ranges::sort(sorted);
    bands.ahead.push_back(middle);
    const double median = next_quantile(sorted, 0.5);
    for (int64_t k = 1; k <= Bands::kShares; ++k) {
      const double quantile = next_quantile(sorted, static_cast<double>(k) / (Bands::kShares + 1));
      bands.errors.push_back(wider * (quantile - median));
    }
  }
  return bands;
}

}  // namespace t2v::forecast
