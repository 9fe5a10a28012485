#include "kernels/squash.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace t2v::kernels {
namespace {

constexpr float kGuard = -12345.0F;

std::vector<float> drawn(int64_t n, uint64_t seed) {
  Random random(seed);
  std::vector<float> x;
  for (int64_t i = 0; i < n; ++i) x.push_back(static_cast<float>(random.uniform(-4, 4)));
  x.push_back(kGuard);
  return x;
}

TEST(Squash, IsTheHyperbolicTangentOfEveryNumberOfAnyLength) {
  for (int64_t n = 0; n <= 70; ++n) {
    const std::vector<float> x = drawn(n, 3);
    std::vector<float> y = x;
    squash(y.data(), n);
    for (int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      EXPECT_NEAR(y[at], std::tanh(static_cast<double>(x[at])), 3e-7) << n << " " << i;
    }
    EXPECT_EQ(y.back(), kGuard);
  }
}

TEST(SquashBackward, MultipliesByTheSlope) {
  for (int64_t n = 0; n <= 70; ++n) {
    const std::vector<float> y = drawn(n, 5);
    std::vector<float> dy = drawn(n, 7);
    const std::vector<float> before = dy;
    squash_backward(dy.data(), y.data(), n);
    for (std::size_t i = 0; i + 1 < dy.size(); ++i) {
      const double slope = 1 - static_cast<double>(y[i]) * static_cast<double>(y[i]);
      EXPECT_NEAR(dy[i], static_cast<double>(before[i]) * slope, 2e-5) << n << " " << i;
    }
    EXPECT_EQ(dy.back(), kGuard);
  }
}

TEST(Squash, OfDoublesTakesTheSameFormulas) {
  double x[] = {0.5, -2};
  double d[] = {3, 4};
  squash(x, 2);
  squash_backward(d, x, 2);
  EXPECT_EQ(x[0], std::tanh(0.5));
  EXPECT_NEAR(d[1], 4 / (std::cosh(2) * std::cosh(2)), 1e-15);
}

}  // namespace
}  // namespace t2v::kernels
