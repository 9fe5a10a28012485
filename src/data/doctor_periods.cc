#include "data/doctor_periods.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>

#include "base/periodogram.h"
#include "data/doctor_text.h"
#include "data/time_grid.h"

namespace t2v::data {
namespace {

using std::numbers::pi;
using Complex = std::complex<double>;

constexpr int64_t kMostBins = int64_t{1} << 20;
constexpr int64_t kFewestBins = 4096;
constexpr int64_t kFewestPoints = 30;
constexpr double kFewestTurns = 4;       // of a cycle within the span
constexpr double kPeakWidth = 5;         // frequencies so near to a stronger one, in 1/span, are its flanks
constexpr double kSameTurns = 0.25;      // periods that differ by less over the whole span are one
constexpr double kWeakestSwing = 0.01;   // weaker cycles in the rate are of no use
constexpr double kWeakestShare = 0.002;  // of the variance of gaps, likewise
constexpr double kWeakestOfValues = 0.005;
constexpr int64_t kMostExact = int64_t{1} << 20;
constexpr int kMostTried = 50;  // peaks, each of which costs a look at all points

/// Which peaks are no cycles.
struct Limits {
  double weakest;         // of less strength
  bool of_values;         // whether the strength is a share of the variance
  double shortest = 0;    // of a shorter period, up to twice the regular step
  double rounding_below;  // of a shorter period, if most times are at one phase of it
  bool of_seconds;        // periods are seconds, and may be of the calendar
};

/// Times with a value each, on one clock that starts with the first of them.
struct Points {
  std::vector<double> times;
  std::vector<double> values;
  double span = 0;
  double grid = 0;  // times are multiples of it, up to a shift of each sequence
};

/// Values summed in bins of equal width, tapered, from their mean over the span.
struct Series {
  std::vector<Complex> values;  // zeros follow, to a power of two
  int64_t bins = 0;
  double width = 0;
  double weight = 0;  // sum of the tapers of all points
};

double hann(double share) { return 0.5 - 0.5 * std::cos(2 * pi * share); }

Series series_of(const Points& points) {
  Series series;
  const auto n = static_cast<int64_t>(points.times.size());
  const auto most = static_cast<double>(std::clamp(16 * n, kFewestBins, kMostBins));
  series.width = points.grid * std::max(1.0, std::ceil(points.span / (most * points.grid)));
  series.bins = static_cast<int64_t>(points.span / series.width) + 1;
  series.values.resize(std::bit_ceil(static_cast<std::size_t>(2 * series.bins)));
  for (std::size_t i = 0; i < points.times.size(); ++i) {
    // Half a grid step keeps rounding from moving a time to the bin before.
    const double bin = (points.times[i] + 0.5 * points.grid) / series.width;
    series.values[static_cast<std::size_t>(std::min(bin, static_cast<double>(series.bins - 1)))] +=
        points.values[i];
  }
  const auto bins = static_cast<double>(series.bins);
  Complex sum = 0;
  for (const Complex& value : series.values) sum += value;
  for (int64_t j = 0; j < series.bins; ++j) {
    Complex& value = series.values[static_cast<std::size_t>(j)];
    value = (value - sum / bins) * hann((static_cast<double>(j) + 0.5) / bins);
  }
  for (const double t : points.times) series.weight += hann(t / points.span);
  return series;
}

/// The discrete Fourier transform in place (Cooley and Tukey), of a power of two of values.
void transform(std::vector<Complex>& x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1U;
    for (; (j & bit) != 0; bit >>= 1U) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  std::vector<Complex> turns(n / 2);
  for (std::size_t k = 0; k < n / 2; ++k) {
    turns[k] = std::polar(1.0, -2 * pi * static_cast<double>(k) / static_cast<double>(n));
  }
  for (std::size_t half = 1; half < n; half *= 2) {
    for (std::size_t start = 0; start < n; start += 2 * half) {
      for (std::size_t k = 0; k < half; ++k) {
        const Complex a = x[start + k];
        const Complex turn = turns[k * (n / (2 * half))];
        const Complex b = x[start + k + half];
        const Complex turned(b.real() * turn.real() - b.imag() * turn.imag(),
                             b.real() * turn.imag() + b.imag() * turn.real());
        x[start + k] = a + turned;
        x[start + k + half] = a - turned;
      }
    }
  }
}

/// The mean power around a frequency, from the median, which a peak does not move. Narrow at low frequencies,
/// where a wandering rate makes it steep.
double background_at(std::span<const double> power, std::size_t at) {
  const std::size_t half = std::clamp<std::size_t>(at / 2, 16, 256);
  const std::size_t begin = at > half ? at - half : 1;
  const std::size_t end = std::min(at + half + 1, power.size());
  std::vector<double> some(power.begin() + static_cast<int64_t>(begin),
                           power.begin() + static_cast<int64_t>(end));
  const auto middle = some.begin() + static_cast<int64_t>(some.size() / 2);
  std::nth_element(some.begin(), middle, some.end());
  return *middle / std::numbers::ln2;  // powers of noise are distributed exponentially
}

/// The same for ascending frequencies; far up it is taken anew only once in a while.
class Background {
 public:
  explicit Background(std::span<const double> power) : power_(power) {}
  double operator()(std::size_t at) {
    const std::size_t knot = at < 512 ? at : at / 64 * 64;
    if (knot != knot_) value_ = background_at(power_, knot);
    knot_ = knot;
    return value_;
  }

 private:
  std::span<const double> power_;
  std::size_t knot_ = 0;
  double value_ = 0;
};

struct Peak {
  double frequency;
  double power;
  double amplitude;  // of the value of a point, as a cosine over time
};

/// The top of a parabola through a peak and its neighbours, from the middle.
double offset_of(double left, double middle, double right) {
  const double curvature = left - 2 * middle + right;
  return curvature < 0 ? std::clamp(0.5 * (left - right) / curvature, -0.5, 0.5) : 0;
}

/// Peaks that stand out of what is around them, strongest first.
std::vector<Peak> peaks_of(Series series) {
  const auto padded = static_cast<double>(series.values.size());
  const double resolution = 1 / (padded * series.width);
  const auto lowest =
      static_cast<std::size_t>(std::ceil(kFewestTurns * padded / static_cast<double>(series.bins)));
  transform(series.values);
  std::vector<double> power(series.values.size() / 2);
  for (std::size_t k = 0; k < power.size(); ++k) power[k] = std::norm(series.values[k]);
  // Of M independent exponential powers none exceeds this many times the mean, but for a chance of about
  // kFalseAlarm / 10; the rest of the chance is for the background, which is an estimate.
  const double threshold = std::log(static_cast<double>(series.bins) / 2 / (kFalseAlarm / 10));
  std::vector<Peak> peaks;
  Background background(power);
  for (std::size_t k = lowest; k + 1 < power.size(); ++k) {
    if (power[k] <= power[k - 1] || power[k] < power[k + 1]) continue;
    if (power[k] <= threshold * background(k)) continue;
    const double offset = offset_of(power[k - 1], power[k], power[k + 1]);
    peaks.push_back(
        {(static_cast<double>(k) + offset) * resolution, power[k], 2 * std::sqrt(power[k]) / series.weight});
  }
  std::ranges::stable_sort(peaks, std::ranges::greater(), &Peak::power);
  return peaks;
}

/// The amplitude at the times themselves rather than their bins, of at most kMostExact points.
double exact_amplitude(const Points& points, double frequency) {
  const std::size_t stride = points.times.size() / kMostExact + 1;
  Complex sum = 0;
  double weight = 0;
  for (std::size_t i = 0; i < points.times.size(); i += stride) {
    const double taper = hann(points.times[i] / points.span);
    const double turns = points.times[i] * frequency;
    sum += std::polar(taper * points.values[i], 2 * pi * (turns - std::floor(turns)));
    weight += taper;
  }
  return 2 * std::abs(sum) / weight;
}

/// Whether at least half of the times are at one phase.
bool is_rounding(const Points& points, double frequency) {
  constexpr std::size_t kBins = 100;
  std::array<std::size_t, kBins> counts = {};
  for (const double t : points.times) {
    const double turns = t * frequency + 0.5 / kBins;
    ++counts[static_cast<std::size_t>((turns - std::floor(turns)) * kBins) % kBins];
  }
  std::size_t most = 0;
  for (std::size_t i = 0; i < kBins; ++i) most = std::max(most, counts[i] + counts[(i + 1) % kBins]);
  return 2 * most >= points.times.size();
}

/// Adds the strongest of peaks, up to so many in all, without the flanks of those chosen before and what only
/// the bins have made of a shorter period.
void choose(std::vector<Peak>& chosen, std::size_t most, const std::vector<Peak>& peaks, const Points& points,
            const Limits& limits) {
  int tried = 0;
  for (const Peak& peak : peaks) {
    if (chosen.size() >= most) break;
    if (peak.frequency * limits.shortest > 1) continue;
    const auto is_flank = [&](const Peak& other) {
      return std::abs(other.frequency - peak.frequency) * points.span < kPeakWidth;
    };
    if (std::ranges::any_of(chosen, is_flank)) continue;
    if (++tried > kMostTried) break;
    if (exact_amplitude(points, peak.frequency) < peak.amplitude / 2) continue;
    if (peak.frequency * limits.rounding_below > 1 && is_rounding(points, peak.frequency)) continue;
    chosen.push_back(peak);
  }
}

/// A period that cannot be told from one of the calendar is that one.
void settle(std::vector<Cycle>& cycles, double span) {
  constexpr double kDay = 86400;
  for (Cycle& cycle : cycles) {
    for (const double known : {kDay / 24, kDay / 4, kDay / 3, kDay / 2, kDay, 7 * kDay, 365.25 * kDay}) {
      if (std::abs(1 / cycle.period - 1 / known) * span < kSameTurns) cycle.period = known;
    }
  }
}

void mark_fractions(std::vector<Cycle>& cycles) {
  for (Cycle& cycle : cycles) {
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      const double ratio = cycles[i].period / cycle.period;
      const bool whole = ratio > 1.5 && std::abs(ratio - std::round(ratio)) < 0.01 * ratio;
      if (whole && cycle.part_of < 0) cycle.part_of = static_cast<int64_t>(i);
    }
  }
}

/// The sinusoid of about this frequency that explains most, with the share of the variance.
Period explained(const Points& points, double frequency) {
  const double omega = 2 * pi * frequency;
  const double width = 2 * pi / points.span;
  const std::size_t stride = points.times.size() / (16 * static_cast<std::size_t>(kMostTimes)) + 1;
  std::vector<double> times;
  std::vector<double> values;
  for (std::size_t i = 0; i < points.times.size(); i += stride) {
    times.push_back(points.times[i]);
    values.push_back(points.values[i]);
  }
  const auto periods = strongest_periods(times, values, 1, {omega - width, omega + width});
  return periods.empty() ? Period{omega, 0, 0} : periods.front();
}

/// Takes the sinusoid away, with the amplitude that fits best.
void remove(Points& points, const Period& period) {
  double product = 0;
  double square = 0;
  for (std::size_t i = 0; i < points.times.size(); ++i) {
    const double wave = std::sin(period.omega * points.times[i] + period.phi);
    product += wave * points.values[i];
    square += wave * wave;
  }
  for (std::size_t i = 0; i < points.times.size(); ++i) {
    points.values[i] -= product / square * std::sin(period.omega * points.times[i] + period.phi);
  }
}

/// The clock of the points: the times that are not far from all others.
struct Extent {
  int64_t first;
  int64_t last;
  int64_t left_out;  // events before and after

  bool has(int64_t tick) const { return tick >= first && tick <= last; }
};

double ticks_between(int64_t from, int64_t to) { return TimeView{}.at(to, from); }

Extent extent_of(const Events& events) {
  constexpr int64_t kFewestOutside = 3;
  constexpr int64_t kShareOutside = 100;
  const int64_t n = events.size();
  const int64_t outside = std::max(kFewestOutside, n / kShareOutside);
  const auto [least, most] = std::ranges::minmax(events.ticks);
  if (n < 2 * outside + 2) return {least, most, 0};
  std::vector<int64_t> ticks(events.ticks.begin(), events.ticks.end());
  std::nth_element(ticks.begin(), ticks.begin() + outside, ticks.end());
  std::nth_element(ticks.begin() + outside + 1, ticks.end() - 1 - outside, ticks.end());
  const int64_t low = ticks[static_cast<std::size_t>(outside)];
  const int64_t high = ticks[static_cast<std::size_t>(n - 1 - outside)];
  const double span = ticks_between(low, high);
  Extent extent{high, low, 0};
  for (const int64_t tick : events.ticks) {
    const bool far = span > 0 && (ticks_between(tick, low) > span || ticks_between(high, tick) > span);
    extent.left_out += far ? 1 : 0;
    if (far) continue;
    extent.first = std::min(extent.first, tick);
    extent.last = std::max(extent.last, tick);
  }
  return extent;
}

Points empty_points(const Events& events, const Extent& extent) {
  const double unit = ticks_per_period_unit(events);
  Points points;
  points.span = ticks_between(extent.first, extent.last) / unit;
  const double grid = events.grid > 0 ? time_grid(events) : clock_grid(events.ticks, events.scale);
  points.grid = std::max(grid, 1.0) / unit;
  return points;
}

double clock_time(const Events& events, const Extent& extent, int64_t tick) {
  return ticks_between(extent.first, tick) / ticks_per_period_unit(events);
}

Points event_points(const Events& events, const Extent& extent) {
  Points points = empty_points(events, extent);
  for (const int64_t tick : events.ticks) {
    if (extent.has(tick)) points.times.push_back(clock_time(events, extent, tick));
  }
  points.values.assign(points.times.size(), 1);
  return points;
}

/// The logarithms of gaps that are not 0, from their mean.
Points gap_points(const Events& events, const Extent& extent) {
  Points points = empty_points(events, extent);
  double sum = 0;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    for (int64_t e = events.begin(s) + 1; e < events.end(s); ++e) {
      const double gap = events.view.at(events.tick(e), events.tick(e - 1));
      if (!(gap > 0) || !extent.has(events.tick(e - 1)) || !extent.has(events.tick(e))) continue;
      points.times.push_back(clock_time(events, extent, events.tick(e)));
      points.values.push_back(std::log(gap));
      sum += points.values.back();
    }
  }
  for (double& value : points.values) value -= sum / static_cast<double>(points.values.size());
  return points;
}

/// One after another, each in what those before leave: regular holes in the times make each cycle look like
/// several.
std::vector<Cycle> cycles_in_turn(const Points& points, Series series, const Limits& limits) {
  std::vector<Cycle> found;
  std::vector<Peak> chosen;
  Points rest = points;
  while (chosen.size() < kMostCycles) {
    const std::size_t before = chosen.size();
    choose(chosen, before + 1, peaks_of(std::move(series)), rest, limits);
    if (chosen.size() == before) break;
    const Period period = explained(points, chosen.back().frequency);
    if (period.power >= limits.weakest) found.push_back({2 * pi / period.omega, period.power, -1});
    remove(rest, explained(rest, chosen.back().frequency));
    series = series_of(rest);
  }
  return found;
}

Cycles cycles_of(const Points& points, const Limits& limits) {
  Cycles cycles;
  if (static_cast<int64_t>(points.times.size()) < kFewestPoints || !(points.span > 16 * points.grid)) {
    return cycles;
  }
  Series series = series_of(points);
  cycles.shortest = std::max(2 * series.width, limits.shortest);
  cycles.longest = points.span / kFewestTurns;
  std::vector<Peak> peaks;
  if (limits.of_values) {
    cycles.found = cycles_in_turn(points, std::move(series), limits);
  } else {
    choose(peaks, kMostCycles, peaks_of(std::move(series)), points, limits);
  }
  for (const Peak& peak : peaks) {
    if (peak.amplitude >= limits.weakest) cycles.found.push_back({1 / peak.frequency, peak.amplitude, -1});
  }
  if (limits.of_seconds) settle(cycles.found, points.span);
  std::ranges::stable_sort(cycles.found, std::ranges::greater(), &Cycle::strength);
  mark_fractions(cycles.found);
  return cycles;
}

/// For points at times of events.
Limits limits_of(const Events& events, double weakest, bool of_values) {
  const double unit = ticks_per_period_unit(events);
  const double step = regular_step(events, of_values ? kAsMonths : 0.001) / unit;
  return {weakest, of_values, 1.9 * step, of_values ? 0 : median_gap(events) / unit, events.scale.has_unit()};
}

}  // namespace

Cycles cycles_of_events(const Events& events) {
  const Extent extent = extent_of(events);
  Cycles cycles = cycles_of(event_points(events, extent), limits_of(events, kWeakestSwing, false));
  cycles.left_out = extent.left_out;
  return cycles;
}

Cycles cycles_of_gaps(const Events& events) {
  const Extent extent = extent_of(events);
  Cycles cycles = cycles_of(gap_points(events, extent), limits_of(events, kWeakestShare, true));
  cycles.left_out = extent.left_out;
  return cycles;
}

Cycles cycles_of_values(const Events& events, std::span<const double> values) {
  const Extent extent = extent_of(events);
  Points points = empty_points(events, extent);
  for (std::size_t e = 0; e < values.size(); ++e) {
    if (std::isnan(values[e]) || !extent.has(events.ticks[e])) continue;
    points.times.push_back(clock_time(events, extent, events.ticks[e]));
    points.values.push_back(values[e]);
  }
  Cycles cycles = cycles_of(points, limits_of(events, kWeakestOfValues, true));
  cycles.left_out = extent.left_out;
  return cycles;
}

}  // namespace t2v::data
