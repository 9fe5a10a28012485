#include "forecast/regression.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/thread_pool.h"

namespace t2v::forecast {
namespace {

/// y = 2 + 3 x with a little noise; every `outlier`-th value is far off.
Rows made_rows(int64_t n, int64_t outlier) {
  Random random(2);
  Rows rows(2);
  for (int64_t i = 0; i < n; ++i) {
    const double x = random.uniform(-1, 1);
    const double off = outlier > 0 && i % outlier == 0 ? 100 : 0;
    float* row = rows.add(2 + 3 * x + 0.01 * random.normal() + off);
    row[0] = 1;
    row[1] = static_cast<float>(x);
  }
  return rows;
}

/// On a thread of a pool, as matrix products want it.
template <class Fit>
std::vector<double> fitted(const Fit& fit) {
  std::vector<double> weights;
  ThreadPool(1).run(1, [&](int64_t) { weights = fit(); });
  return weights;
}

TEST(LeastSquares, FindsTheWeights) {
  const Rows rows = made_rows(1000, 0);
  const std::vector<double> w = fitted([&] { return least_squares(rows, {1e-6, 0}); });
  EXPECT_NEAR(w[0], 2, 0.01);
  EXPECT_NEAR(w[1], 3, 0.01);
}

TEST(LeastAbsolute, IsNotBentByOutliers) {
  const Rows rows = made_rows(1000, 10);
  const std::vector<double> squares = fitted([&] { return least_squares(rows, {1e-6, 0}); });
  const std::vector<double> absolute = fitted([&] { return least_absolute(rows, {1e-6, 0}); });
  EXPECT_GT(squares[0], 10);
  EXPECT_NEAR(absolute[0], 2, 0.05);
  EXPECT_NEAR(absolute[1], 3, 0.05);
}

TEST(LeastSquares, ThePenaltyHoldsWeightsSmallBeyondItsFirst) {
  const Rows rows = made_rows(1000, 0);
  const std::vector<double> w = fitted([&] { return least_squares(rows, {10, 1}); });
  EXPECT_NEAR(w[0], 2, 0.1);
  EXPECT_LT(w[1], 0.2);
}

TEST(LeastSquares, ARelativePenaltyFadesWhereAllIsExplained) {
  Rows rows(1);
  for (int i = 1; i <= 100; ++i) *rows.add(0.01 * i) = 0.01F * static_cast<float>(i);
  const double plain = fitted([&] { return least_squares(rows, {1, 0}); })[0];
  const double relative = fitted([&] { return least_squares(rows, {1, 0, true}); })[0];
  EXPECT_LT(plain, 0.5);
  EXPECT_GT(relative, plain + 0.2);
}

TEST(LeastAbsolute, GivesZerosWithoutRowsAndForZeros) {
  EXPECT_EQ(fitted([] { return least_absolute(Rows(3), {}); }), std::vector<double>(3, 0.0));
  Rows zeros(2);
  for (int i = 0; i < 10; ++i) zeros.add(0);
  for (const double w : fitted([&] { return least_absolute(zeros, {}); })) EXPECT_EQ(w, 0);
}

}  // namespace
}  // namespace t2v::forecast
