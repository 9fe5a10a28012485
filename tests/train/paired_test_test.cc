#include "train/paired_test.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "base/random.h"
#include "t2v/error.h"

namespace t2v {
namespace {

using std::numbers::pi;

TEST(IncompleteBeta, IsWhatClosedFormsSay) {
  for (const double x : {1e-12, 1e-3, 0.1, 0.37, 0.5, 0.9, 0.999}) {
    EXPECT_NEAR(incomplete_beta(1, 1, x) / x, 1, 1e-13) << x;
    EXPECT_NEAR(incomplete_beta(3, 1, x) / (x * x * x), 1, 1e-13) << x;
    EXPECT_NEAR(incomplete_beta(1, 4, x) / (1 - std::pow(1 - x, 4)), 1, x < 1e-9 ? 1e-3 : 1e-12) << x;
    EXPECT_NEAR(incomplete_beta(0.5, 0.5, x) / (2 / pi * std::asin(std::sqrt(x))), 1, 1e-12) << x;
    EXPECT_NEAR(incomplete_beta(2, 3, x) / (x * x * (6 - 8 * x + 3 * x * x)), 1, 1e-12) << x;
  }
  EXPECT_EQ(incomplete_beta(2, 3, 0), 0);
  EXPECT_EQ(incomplete_beta(2, 3, 1), 1);
  EXPECT_TRUE(std::isnan(incomplete_beta(2, 3, std::nan(""))));
}

TEST(IncompleteBeta, OfWholeNumbersIsATailOfTheBinomial) {
  // I_x(a, b) = P(at least a of a + b - 1 succeed).
  for (const int a : {1, 5, 20, 60}) {
    for (const int b : {1, 7, 40}) {
      for (const double x : {0.05, 0.3, 0.6}) {
        const int n = a + b - 1;
        double tail = 0;
        for (int k = a; k <= n; ++k) {
          tail += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                           k * std::log(x) + (n - k) * std::log1p(-x));
        }
        EXPECT_NEAR(incomplete_beta(a, b, x) / tail, 1, 1e-12) << a << ' ' << b << ' ' << x;
      }
    }
  }
}

TEST(Student, HasTheClosedFormsOfFewDegrees) {
  for (const double t : {-40.0, -3.0, -0.5, 0.0, 0.2, 1.0, 7.0}) {
    EXPECT_NEAR(student_cdf(t, 1), 0.5 + std::atan(t) / pi, 1e-14) << t;
    EXPECT_NEAR(student_cdf(t, 2), 0.5 + t / (2 * std::sqrt(2 + t * t)), 1e-14) << t;
    const double u = t / std::sqrt(4 + t * t);
    EXPECT_NEAR(student_cdf(t, 4), 0.5 + u * (1 + (1 - u * u) / 2) / 2, 1e-14) << t;
  }
  EXPECT_NEAR(student_two_sided(1e6, 2) / 1e-12, 1, 1e-6);  // far out it keeps its digits
  EXPECT_EQ(student_two_sided(std::numeric_limits<double>::infinity(), 3), 0);
}

TEST(Student, HasTheQuantilesOfTheTables) {
  struct Case {
    double p;
    double freedom;
    double t;
  };
  for (const Case& c : {Case{0.975, 1, 12.706205},
                        {0.975, 2, 4.302653},
                        {0.975, 3, 3.182446},
                        {0.975, 4, 2.776445},
                        {0.975, 9, 2.262157},
                        {0.975, 30, 2.042272},
                        {0.95, 5, 2.015048},
                        {0.995, 10, 3.169273},
                        {0.975, 1e6, 1.959966},
                        {0.025, 4, -2.776445},
                        {0.5, 7, 0}}) {
    EXPECT_NEAR(student_quantile(c.p, c.freedom), c.t, 1e-6) << c.p << ' ' << c.freedom;
  }
  EXPECT_NEAR(student_quantile(0.999999, 1), std::tan(pi * 0.499999), 1);
  EXPECT_THROW(student_quantile(1, 3), Error);
  EXPECT_THROW(student_quantile(0, 3), Error);
}

TEST(Student, QuantileUndoesTheDistribution) {
  for (const double freedom : {1.0, 2.0, 7.0, 120.0}) {
    for (const double p : {0.001, 0.2, 0.5, 0.77, 0.99}) {
      EXPECT_NEAR(student_cdf(student_quantile(p, freedom), freedom), p, 1e-13) << p << ' ' << freedom;
    }
  }
}

TEST(Estimate, IsTheMeanWithItsInterval) {
  const std::vector<double> values = {1, 2, 3, 4, 5};
  const Estimate e = estimate(values);
  EXPECT_EQ(e.count, 5);
  EXPECT_DOUBLE_EQ(e.mean, 3);
  EXPECT_DOUBLE_EQ(e.deviation, std::sqrt(2.5));
  EXPECT_NEAR(e.half_width, 2.7764451052 * std::sqrt(0.5), 1e-9);
  EXPECT_NEAR(e.low(), 3 - e.half_width, 1e-15);
  EXPECT_NEAR(e.high(), 3 + e.half_width, 1e-15);
}

TEST(Estimate, OfOneRunHasNoInterval) {
  const std::vector<double> one = {0.4};
  EXPECT_EQ(estimate(one).mean, 0.4);
  EXPECT_TRUE(std::isnan(estimate(one).half_width));
  EXPECT_TRUE(std::isnan(estimate({}).mean));
}

TEST(Estimate, OfEqualNumbersHasNoSpread) {
  const std::vector<double> same(7, 0.1);
  EXPECT_EQ(estimate(same).mean, 0.1);
  EXPECT_EQ(estimate(same).half_width, 0);
}

TEST(Estimate, HoldsTheTruthInNineteenOfTwentyCases) {
  Random random(5);
  int64_t held = 0;
  constexpr int kCases = 4000;
  for (int i = 0; i < kCases; ++i) {
    std::vector<double> values(3);
    for (double& value : values) value = 2 + 0.3 * random.normal();
    const Estimate e = estimate(values);
    held += e.low() <= 2 && 2 <= e.high() ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(held) / kCases, 0.95, 0.012);
}

TEST(PairedTest, IsWhatIsComputedByHand) {
  const std::vector<double> a = {11, 22, 33};
  const std::vector<double> b = {10, 20, 30};
  const PairedTest test = paired_test(a, b);  // differences 1, 2, 3: t = 2 √3
  EXPECT_DOUBLE_EQ(test.difference.mean, 2);
  EXPECT_NEAR(test.p, 1 - std::sqrt(12.0 / 14), 1e-13);
  EXPECT_NEAR(paired_test(b, a).p, test.p, 1e-15);
  EXPECT_DOUBLE_EQ(paired_test(b, a).difference.mean, -2);
}

TEST(PairedTest, SeesADifferenceThatIsSmallBesideTheSpreadOfTheRuns) {
  const std::vector<double> a = {0.11, 0.51, 0.91, 0.32};
  const std::vector<double> b = {0.10, 0.499, 0.90, 0.31};
  EXPECT_LT(paired_test(a, b).p, 0.001);
}

TEST(PairedTest, OfEqualRunsOrEqualDifferencesIsAllOrNothing) {
  const std::vector<double> a = {1, 2, 4};
  EXPECT_EQ(paired_test(a, a).p, 1);
  const std::vector<double> b = {0.5, 1.5, 3.5};
  EXPECT_EQ(paired_test(a, b).p, 0);
  EXPECT_EQ(paired_test(a, b).difference.half_width, 0);
}

TEST(PairedTest, SaysNothingOfOneRunOrOfRunsWithoutANumber) {
  const std::vector<double> one = {1};
  const std::vector<double> other = {2};
  EXPECT_TRUE(std::isnan(paired_test(one, other).p));
  const std::vector<double> a = {1, std::nan(""), 3};
  const std::vector<double> b = {1, 2, 3};
  EXPECT_TRUE(std::isnan(paired_test(a, b).p));
  EXPECT_THROW(paired_test(a, one), Error);
}

}  // namespace
}  // namespace t2v
