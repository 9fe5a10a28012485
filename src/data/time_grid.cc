#include "data/time_grid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace t2v::data {
namespace {

/// A step is this many times as long as what it and times may be off by, or it is not seen.
constexpr double kClear = 100;
/// The least gap is at most so many steps long.
constexpr double kMostSteps = 1e5;

/// Gaps between events of a sequence that are not 0, in ticks.
std::vector<double> gaps_of(const Events& events) {
  std::vector<double> gaps;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    for (int64_t e = events.begin(s) + 1; e < events.end(s); ++e) {
      const double gap = TimeView{}.at(events.tick(e), events.tick(e - 1));
      if (gap > 0) gaps.push_back(gap);
    }
  }
  return gaps;
}

/// What a number of 64 bits may be off by once it was computed with a little and written, in ticks; nothing
/// for dates, which are written digit by digit.
double rounding_of(std::span<const int64_t> ticks, const TickScale& scale) {
  if (scale.instants || scale.decimals == 0 || ticks.empty()) return 0;
  const auto [least, most] = std::ranges::minmax(ticks);
  return 1 + std::max(std::abs(static_cast<double>(least)), std::abs(static_cast<double>(most))) * 0x1p-50;
}

/// A step, and what it may be off by.
struct Step {
  double length;
  double error;
};

/// The common divisor of a step and a rest that is more than noise, by Euclid's algorithm.
Step divided(Step step, Step rest) {
  while (rest.length > rest.error) {
    const double times = step.length / rest.length;
    const Step next = {std::abs(std::remainder(step.length, rest.length)),
                       step.error + (1 + times) * rest.error};
    step = rest;
    rest = next;
  }
  return step;
}

/// The common divisor of gaps that are off by up to `noise`; 0 if none stands out of it. Long gaps tell more
/// exactly what the step is, if it is known well enough to count the steps in them; so they come last.
double common_step(std::vector<double> gaps, double noise) {
  std::ranges::sort(gaps);
  Step step = {gaps.front(), noise};
  for (std::size_t i = 0; i < gaps.size();) {
    const double steps = std::round(gaps[i] / step.length);
    const Step rest = {std::abs(gaps[i] - steps * step.length), noise + steps * step.error};
    if (rest.error > step.length / kClear || step.length * kMostSteps < gaps.front()) return 0;
    if (rest.length > rest.error) {
      step = divided(step, rest);
      i = 0;  // it has to divide those before, too
      continue;
    }
    if (noise / steps < step.error) step = {gaps[i] / steps, noise / steps};
    ++i;
  }
  return step.length;
}

/// The exact step, or, where rounding may hide another, that one.
double step_of(double exact, double rounding, std::vector<double> gaps) {
  if (gaps.empty() || exact >= kClear * rounding) return exact;
  const double step = common_step(std::move(gaps), 2 * rounding);
  return step > 0 ? step : exact;
}

}  // namespace

double time_grid(const Events& events) {
  const auto exact = static_cast<double>(events.grid);
  const double rounding = rounding_of(events.ticks, events.scale);
  if (exact == 0 || exact >= kClear * rounding) return exact;
  return step_of(exact, rounding, gaps_of(events));
}

double clock_grid(std::span<const int64_t> ticks, const TickScale& scale) {
  std::vector<int64_t> sorted(ticks.begin(), ticks.end());
  std::ranges::sort(sorted);
  std::vector<double> gaps;
  uint64_t exact = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const uint64_t gap = static_cast<uint64_t>(sorted[i]) - static_cast<uint64_t>(sorted[i - 1]);
    exact = std::gcd(exact, gap);
    if (gap > 0) gaps.push_back(static_cast<double>(gap));
  }
  return step_of(static_cast<double>(exact), rounding_of(sorted, scale), std::move(gaps));
}

double median_gap(const Events& events) {
  std::vector<double> gaps = gaps_of(events);
  if (gaps.empty()) return 0;
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return *middle;
}

double regular_step(const Events& events, double share) {
  const std::vector<double> gaps = gaps_of(events);
  const double step = median_gap(events);
  const int64_t alike =
      std::ranges::count_if(gaps, [&](double gap) { return std::abs(gap - step) <= share * step; });
  return 2 * alike >= static_cast<int64_t>(gaps.size()) ? step : 0;
}

}  // namespace t2v::data
