#include "base/periodogram.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "base/random.h"

namespace t2v {
namespace {

using std::numbers::pi;

/// Points of the grid for each 2π/span, the natural width of a peak.
constexpr double kOversampling = 10;
/// Relative differences up to here are rounding, which depends on the unit of times: what is the same but for
/// them comes in order.
constexpr double kRounding = 1e-9;

/// A sample of the data: times from their middle (for conditioning) and values from their means.
struct Sample {
  std::vector<double> tau;
  std::vector<double> values;  // [columns, N]
  int64_t columns;
  double middle;
  double variance;  // Σ values²
};

Sample draw(std::span<const double> tau, std::span<const double> targets, int64_t columns, uint64_t seed) {
  std::vector<int64_t> order(tau.size());
  std::iota(order.begin(), order.end(), 0);
  if (static_cast<int64_t>(order.size()) > kMostTimes) {
    Random(seed).shuffle(order);
    order.resize(kMostTimes);
  }
  const std::size_t n = order.size();
  Sample sample{.tau = std::vector<double>(n), .values = {}, .columns = columns, .middle = 0, .variance = 0};
  for (std::size_t i = 0; i < n; ++i) sample.tau[i] = tau[static_cast<std::size_t>(order[i])];
  const auto [low, high] = std::ranges::minmax(sample.tau);
  sample.middle = low + (high - low) / 2;
  for (double& t : sample.tau) t -= sample.middle;
  for (int64_t c = 0; c < columns; ++c) {
    double mean = 0;
    for (const int64_t i : order) mean += targets[static_cast<std::size_t>(i * columns + c)];
    mean /= static_cast<double>(n);
    for (const int64_t i : order) {
      const double y = targets[static_cast<std::size_t>(i * columns + c)] - mean;
      sample.values.push_back(y);
      sample.variance += y * y;
    }
  }
  return sample;
}

/// The least-squares fit y ~ A cos + B sin + constant at one frequency, given cos and sin at all times.
Period fit(const Sample& sample, double omega, std::span<const std::complex<double>> unit) {
  const std::size_t n = unit.size();
  double c = 0;
  double s = 0;
  double cc = 0;
  double cs = 0;
  for (const auto& u : unit) {
    c += u.real();
    s += u.imag();
    cc += u.real() * u.real();
    cs += u.real() * u.imag();
  }
  const auto count = static_cast<double>(n);
  const double ss = count - cc - s * s / count;
  cc -= c * c / count;
  cs -= c * s / count;
  const double determinant = cc * ss - cs * cs;
  Period best{omega, 0, 0};
  if (determinant < 1e-9 * count * count) return best;  // all times at the same phase
  double best_power = -1;
  for (int64_t column = 0; column < sample.columns; ++column) {
    const double* y = sample.values.data() + column * static_cast<int64_t>(n);
    double yc = 0;
    double ys = 0;
    for (std::size_t i = 0; i < n; ++i) {
      yc += y[i] * unit[i].real();
      ys += y[i] * unit[i].imag();
    }
    const double a = (yc * ss - ys * cs) / determinant;
    const double b = (ys * cc - yc * cs) / determinant;
    const double power = a * yc + b * ys;
    best.power += power;
    if (power > best_power * (1 + kRounding)) {
      best_power = power;
      // A cos x + B sin x is proportional to sin(x + φ) with φ = atan2(A, B); x counts from the middle.
      best.phi = std::remainder(std::atan2(a, b) - omega * sample.middle, 2 * pi);
    }
  }
  best.power /= sample.variance;
  return best;
}

Period fit(const Sample& sample, double omega) {
  std::vector<std::complex<double>> unit;
  for (const double t : sample.tau) unit.push_back(std::polar(1.0, omega * t));
  return fit(sample, omega, unit);
}

/// The powers on a grid of frequencies, each time's phase turned from one to the next.
std::vector<double> powers(const Sample& sample, double low, double step, int64_t count) {
  std::vector<std::complex<double>> unit;
  std::vector<std::complex<double>> turn;
  for (const double t : sample.tau) {
    unit.push_back(std::polar(1.0, low * t));
    turn.push_back(std::polar(1.0, step * t));
  }
  std::vector<double> power(static_cast<std::size_t>(count));
  for (std::size_t j = 0; j < power.size(); ++j) {
    power[j] = fit(sample, low + static_cast<double>(j) * step, unit).power;
    for (std::size_t i = 0; i < unit.size(); ++i) unit[i] *= turn[i];
  }
  return power;
}

/// Where a parabola through three neighbours has its top, as an offset from the middle one.
double top_of(double left, double middle, double right) {
  const double curvature = left - 2 * middle + right;
  return curvature < 0 ? 0.5 * (left - right) / curvature : 0;
}

}  // namespace

std::vector<Period> strongest_periods(std::span<const double> tau, std::span<const double> targets,
                                      int64_t columns, FrequencyRange range, uint64_t seed) {
  std::vector<Period> periods;
  if (tau.size() < 4 || !(range.high > range.low) || !(range.low > 0)) return periods;
  const Sample sample = draw(tau, targets, columns, seed);
  const auto [first, last] = std::ranges::minmax(sample.tau);
  if (!(sample.variance > 0) || !(last > first)) return periods;
  const double fine = 2 * pi / ((last - first) * kOversampling);
  const double points =
      std::min(std::ceil((range.high - range.low) / fine * (1 - kRounding)), double{kMostFrequencies});
  const double step = (range.high - range.low) / points;
  const std::vector<double> power = powers(sample, range.low, step, static_cast<int64_t>(points) + 1);
  for (std::size_t j = 0; j < power.size(); ++j) {
    const double left = j > 0 ? power[j - 1] : -1;
    const double right = j + 1 < power.size() ? power[j + 1] : -1;
    if (power[j] <= left || power[j] < right) continue;
    const bool inside = j > 0 && j + 1 < power.size();
    const double offset = inside ? top_of(left, power[j], right) : 0;
    periods.push_back(fit(sample, range.low + (static_cast<double>(j) + offset) * step));
  }
  std::ranges::stable_sort(periods, std::ranges::greater(),
                           [](const Period& period) { return std::round(period.power / kRounding); });
  return periods;
}

}  // namespace t2v
