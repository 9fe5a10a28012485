#pragma once

#include <cstdint>
#include <span>

namespace t2v {

// Means of a few runs, and whether two ways differ by more than chance. Student's t throughout: it assumes
// that what is averaged is about normal, and knows that a spread taken from few runs is itself uncertain.

/// The regularised incomplete beta function I_x(a, b), for a, b > 0 and x in [0, 1]. Relative error below
/// 1e-12 for a and b up to 60.
double incomplete_beta(double a, double b, double x);

/// Student's distribution with `freedom` > 0 degrees of freedom: the chance of |T| >= |t|.
double student_two_sided(double t, double freedom);
/// The chance of T <= t.
double student_cdf(double t, double freedom);
/// The t of which student_cdf is `p`, in (0, 1).
double student_quantile(double p, double freedom);

/// What some runs say of the mean of all possible ones.
struct Estimate {
  int64_t count = 0;
  double mean = 0;       // NaN of no runs
  double deviation = 0;  // of one run, with n - 1; NaN of fewer than two
  double half_width = 0;  // of the 95 % interval of the mean: t(0.975, n - 1) · deviation / √n; likewise NaN

  double low() const { return mean - half_width; }
  double high() const { return mean + half_width; }
};
Estimate estimate(std::span<const double> values);

/// The differences a[i] - b[i] of runs that share what is left to chance, and the chance p of a mean at least
/// as far from 0 if there were no difference (two-sided paired t-test). p is NaN of fewer than two runs, 1 if
/// all differences are 0, and 0 if all are the same and not 0: then the runs say nothing of their spread.
struct PairedTest {
  Estimate difference;
  double p = 0;
};
/// Throws t2v::Error if they are not as many.
PairedTest paired_test(std::span<const double> a, std::span<const double> b);

/// Differences with a smaller p are called real: one in twenty of those that are not is called so too.
inline constexpr double kSignificant = 0.05;

}  // namespace t2v
