#include "kernels/adam.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace t2v::kernels {
namespace {

constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.999;
constexpr double kRate = 0.01;

AdamStep step_number(int t, double epsilon = 1e-8) {
  return {kBeta1, kBeta2, epsilon, kRate / (1 - std::pow(kBeta1, t)), 1 / std::sqrt(1 - std::pow(kBeta2, t))};
}

TEST(Adam, IsTheTwinOverAHundredStepsOfAnyLength) {
  constexpr float kGuard = 4321.0F;
  for (int64_t n = 1; n <= 70; ++n) {
    Random random(static_cast<uint64_t>(n));
    const auto size = static_cast<std::size_t>(n);
    std::vector<float> w(size + 5, kGuard);
    std::vector<float> m(size + 5, kGuard);
    std::vector<float> v(size + 5, kGuard);
    std::vector<float> g(size + 5, kGuard);
    for (std::size_t i = 0; i < size; ++i) {
      w[i] = static_cast<float>(random.uniform(-1, 1));
      m[i] = v[i] = 0;
    }
    std::vector<double> w2(w.begin(), w.end());
    std::vector<double> m2(m.begin(), m.end());
    std::vector<double> v2(v.begin(), v.end());
    for (int t = 1; t <= 100; ++t) {
      // Not around zero, or the means would be what rounding leaves.
      for (std::size_t i = 0; i < size; ++i) {
        g[i] = static_cast<float>((0.5 + random.uniform()) * std::pow(10.0, static_cast<double>(i % 3)));
      }
      const std::vector<double> g2(g.begin(), g.end());
      adam(w.data(), m.data(), v.data(), g.data(), n, step_number(t, 0.1));
      adam(w2.data(), m2.data(), v2.data(), g2.data(), n, step_number(t, 0.1));
    }
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_NEAR(static_cast<double>(w[i]), w2[i], 1e-5) << i << " of " << n;
      ASSERT_NEAR(static_cast<double>(m[i]), m2[i], 1e-5 * m2[i]) << i << " of " << n;
      ASSERT_NEAR(static_cast<double>(v[i]), v2[i], 1e-5 * v2[i]) << i << " of " << n;
    }
    for (std::size_t i = size; i < size + 5; ++i) {
      ASSERT_EQ(w[i], kGuard);
      ASSERT_EQ(m[i], kGuard);
      ASSERT_EQ(v[i], kGuard);
    }
  }
}

TEST(Adam, MovesByTheRateAgainstTheGradientAtFirst) {
  const std::vector<float> g = {5.0F, -5.0F, 1e-3F, -1e-3F, 1e4F, -1e4F, 0.0F};
  std::vector<float> w(g.size());
  std::vector<float> m(g.size());
  std::vector<float> v(g.size());
  adam(w.data(), m.data(), v.data(), g.data(), static_cast<int64_t>(g.size()), step_number(1));
  for (std::size_t i = 0; i < g.size(); ++i) {
    const double sign = g[i] > 0 ? 1 : g[i] < 0 ? -1 : 0;
    EXPECT_NEAR(static_cast<double>(w[i]), -kRate * sign, 2e-5 * kRate) << g[i];
  }
}

TEST(Adam, TwinFollowsThePaper) {
  double w = 1;
  double m = 0;
  double v = 0;
  double paper_w = 1;
  double paper_m = 0;
  double paper_v = 0;
  for (int t = 1; t <= 20; ++t) {
    const double g = std::sin(t);
    adam(&w, &m, &v, &g, 1, step_number(t));
    paper_m = kBeta1 * paper_m + (1 - kBeta1) * g;
    paper_v = kBeta2 * paper_v + (1 - kBeta2) * g * g;
    const double mean = paper_m / (1 - std::pow(kBeta1, t));
    const double square = paper_v / (1 - std::pow(kBeta2, t));
    paper_w -= kRate * mean / (std::sqrt(square) + 1e-8);
    ASSERT_NEAR(w, paper_w, 1e-13);
    ASSERT_NEAR(m, paper_m, 1e-15);
    ASSERT_NEAR(v, paper_v, 1e-15);
  }
}

}  // namespace
}  // namespace t2v::kernels
