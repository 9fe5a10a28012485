#include "train/paired_test.h"

#include <cmath>
#include <limits>
#include <vector>

#include "base/fail.h"

namespace t2v {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// std::lgamma writes to a global variable.
double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

/// The continued fraction of I_x(a, b), from its front by the method of Lentz and Thompson: `c` and `d` are
/// the ratios of successive numerators and denominators, kept away from 0. Converges fast for
/// x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  constexpr int kMostTerms = 10'000;
  const auto away_from_0 = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double c = 1;
  double d = 1 / away_from_0(1 - (a + b) * x / (a + 1));
  double value = d;
  for (int m = 1; m <= kMostTerms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double factor = 1;
    for (const double term : {even, odd}) {
      d = 1 / away_from_0(1 + term * d);
      c = away_from_0(1 + term / c);
      factor = c * d;
      value *= factor;
    }
    if (std::abs(factor - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return value;
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  if (std::isnan(x)) return kNan;
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
  const double log_front =
      a * std::log(x) + b * std::log1p(-x) + log_gamma(a + b) - log_gamma(a) - log_gamma(b);
  return std::exp(log_front) * beta_fraction(a, b, x) / a;
}

double student_two_sided(double t, double freedom) {
  if (std::isinf(t)) return 0;
  return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double student_cdf(double t, double freedom) {
  const double tail = student_two_sided(t, freedom) / 2;
  return t > 0 ? 1 - tail : tail;
}

double student_quantile(double p, double freedom) {
  if (!(p > 0 && p < 1)) fail("a quantile is of a share in (0, 1); it is {}", p);
  if (p < 0.5) return -student_quantile(1 - p, freedom);
  const double tails = 2 * (1 - p);
  double low = 0;
  double high = 1;
  while (student_two_sided(high, freedom) > tails) high *= 2;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return middle;
    (student_two_sided(middle, freedom) > tails ? low : high) = middle;
  }
}

Estimate estimate(std::span<const double> values) {
  Estimate result{static_cast<int64_t>(values.size()), kNan, kNan, kNan};
  if (values.empty()) return result;
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value - values[0];  // so that equal ones have no spread at all
  result.mean = values[0] + sum / n;
  if (values.size() < 2) return result;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  result.deviation = std::sqrt(squares / (n - 1));
  result.half_width = student_quantile(0.975, n - 1) * result.deviation / std::sqrt(n);
  return result;
}

PairedTest paired_test(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size())
    fail("runs to be compared come in pairs, but there are {} and {}", a.size(), b.size());
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  PairedTest test{estimate(differences), kNan};
  const Estimate& d = test.difference;
  if (d.count < 2 || std::isnan(d.deviation)) return test;
  if (d.mean == 0) {
    test.p = 1;
  } else {
    const double error = d.deviation / std::sqrt(static_cast<double>(d.count));
    test.p = student_two_sided(d.mean / error, static_cast<double>(d.count - 1));
  }
  return test;
}

}  // namespace t2v
