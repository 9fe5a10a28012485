#include "kernels/optimizers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "compare.h"

namespace t2v::kernels {
namespace {

constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.999;
constexpr double kRate = 0.01;

AdamStep adam_step(int t, double epsilon = 1e-8, double keep = 1) {
  return {kBeta1, kBeta2, epsilon, kRate / (1 - std::pow(kBeta1, t)), 1 / std::sqrt(1 - std::pow(kBeta2, t)),
          keep};
}

/// Parameters, what an optimizer remembers of them and their gradients, with a guard behind each array.
template <class T>
struct Memory {
  static constexpr std::size_t kGuards = 5;
  static constexpr float kGuard = 4321;
  std::vector<T> w, first, second, g;

  explicit Memory(std::size_t n) : w(n + kGuards, T(kGuard)), first(w), second(w), g(n + kGuards, T(kGuard)) {
    Random random(n);
    for (std::size_t i = 0; i < n; ++i) {
      w[i] = T(static_cast<float>(random.uniform(-1, 1)));
      first[i] = second[i] = T(0);
    }
  }

  std::size_t size() const { return w.size() - kGuards; }

  /// Not around zero, or the means would be what rounding leaves.
  void draw_gradient(uint64_t step) {
    Random random(step, size());
    for (std::size_t i = 0; i < size(); ++i) {
      g[i] = T(static_cast<float>((0.5 + random.uniform()) * std::pow(4, static_cast<double>(i % 3))));
    }
  }
};

/// Makes 100 steps, step(memory, n, t), in floats and in doubles, with each number of parameters.
template <class Step>
void expect_fast_is_twin(const Step& step, bool has_second) {
  for (std::size_t n = 1; n <= 70; ++n) {
    Memory<float> fast(n);
    Memory<double> twin(n);
    for (int t = 1; t <= 100; ++t) {
      fast.draw_gradient(static_cast<uint64_t>(t));
      twin.draw_gradient(static_cast<uint64_t>(t));
      step(fast, static_cast<int64_t>(n), t);
      step(twin, static_cast<int64_t>(n), t);
    }
    const auto body = [&](const auto& values) {
      return std::vector<double>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n));
    };
    const std::string of = " of " + std::to_string(n);
    testing::expect_close(body(fast.w), body(twin.w), 1e-5, "w" + of);
    testing::expect_close(body(fast.first), body(twin.first), 1e-5, "first" + of);
    if (has_second) testing::expect_close(body(fast.second), body(twin.second), 1e-5, "second" + of);
    for (std::size_t i = n; i < fast.w.size(); ++i) {
      for (const auto* values : {&fast.w, &fast.first, &fast.second, &fast.g}) {
        ASSERT_EQ((*values)[i], Memory<float>::kGuard) << of;
      }
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Adam, IsTheTwinOverAHundredStepsOfAnyLength) {
  for (const double keep : {1.0, 0.98}) {
    expect_fast_is_twin(
        [keep](auto& m, int64_t n, int t) {
          adam(m.w.data(), m.first.data(), m.second.data(), m.g.data(), n, adam_step(t, 0.1, keep));
        },
        true);
  }
}

TEST(Adagrad, IsTheTwinOverAHundredStepsOfAnyLength) {
  for (const bool inside : {false, true}) {
    for (const double decay : {0.0, 0.3}) {
      const AdagradStep s = {0.1, 0.5, inside, decay};
      expect_fast_is_twin(
          [&s](auto& m, int64_t n, int) { adagrad(m.w.data(), m.first.data(), m.g.data(), n, s); }, false);
    }
  }
}

TEST(Sgd, IsTheTwinOverAHundredStepsOfAnyLength) {
  for (const double momentum : {0.0, 0.9}) {
    for (const double decay : {0.0, 0.3}) {
      const SgdStep s = {kRate, momentum, decay};
      expect_fast_is_twin(
          [&s](auto& m, int64_t n, int) { sgd(m.w.data(), m.first.data(), m.g.data(), n, s); }, false);
    }
  }
}

TEST(Adam, MovesByTheRateAgainstTheGradientAtFirst) {
  const std::vector<float> g = {5.0F, -5.0F, 1e-3F, -1e-3F, 1e4F, -1e4F, 0.0F};
  std::vector<float> w(g.size());
  std::vector<float> m(g.size());
  std::vector<float> v(g.size());
  adam(w.data(), m.data(), v.data(), g.data(), static_cast<int64_t>(g.size()), adam_step(1));
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
    adam(&w, &m, &v, &g, 1, adam_step(t));
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

TEST(Adam, ShrinksTheWeightBeforeItMovesItAndTheMomentsDoNotSeeThat) {
  double w = 2;
  double m = 0;
  double v = 0;
  const double g = 3;
  adam(&w, &m, &v, &g, 1, adam_step(1, 1, 0.75));
  EXPECT_NEAR(w, 1.5 - kRate * 3 / (3 + 1), 1e-15);
  EXPECT_NEAR(m, 0.3, 1e-15);
  EXPECT_NEAR(v, 0.009, 1e-15);
}

TEST(Adagrad, AddsEpsilonOutsideOrInsideTheRoot) {
  for (const bool inside : {false, true}) {
    double w = 1;
    double v = 0;
    double g = 0.6;
    adagrad(&w, &v, &g, 1, {0.1, 0.13, inside});
    EXPECT_NEAR(v, 0.36, 1e-15);
    const double after_one = 1 - 0.1 * 0.6 / (inside ? 0.7 : 0.73);  // 0.36 + 0.13 = 0.7²
    EXPECT_NEAR(w, after_one, 1e-15);
    g = -0.8;
    adagrad(&w, &v, &g, 1, {0.1, 0.13, inside});
    EXPECT_NEAR(v, 1, 1e-15);
    EXPECT_NEAR(w, after_one + 0.1 * 0.8 / (inside ? std::sqrt(1.13) : 1.13), 1e-15);
  }
}

TEST(Adagrad, AddsTheDecayToTheGradientThatItRemembers) {
  double w = 2;
  double v = 0;
  const double g = 0.5;
  adagrad(&w, &v, &g, 1, {0.1, 1, false, 0.25});  // a gradient of 1
  EXPECT_NEAR(v, 1, 1e-15);
  EXPECT_NEAR(w, 2 - 0.1 * 1 / 2, 1e-15);
}

TEST(Adagrad, DoesNotMoveWhatHasNeverHadAGradient) {
  for (const bool inside : {false, true}) {
    float w = 2;
    float v = 0;
    const float g = 0;
    adagrad(&w, &v, &g, 1, {0.1, 1e-10, inside});
    EXPECT_EQ(w, 2);
    EXPECT_EQ(v, 0);
  }
}

TEST(Sgd, GoesOnByTheMomentumOfEarlierGradients) {
  double w = 1;
  double m = 0;
  double g = 2;
  sgd(&w, &m, &g, 1, {0.1, 0.5});
  EXPECT_NEAR(m, 2, 1e-15);  // the first gradient counts in full
  EXPECT_NEAR(w, 0.8, 1e-15);
  g = -3;
  sgd(&w, &m, &g, 1, {0.1, 0.5});
  EXPECT_NEAR(m, -2, 1e-15);
  EXPECT_NEAR(w, 1, 1e-15);
  g = 0;
  sgd(&w, &m, &g, 1, {0.1, 0.5});
  EXPECT_NEAR(w, 1.1, 1e-15);
}

TEST(Sgd, AddsTheDecayToTheGradient) {
  double w = 4;
  double m = 1;
  const double g = 2;
  sgd(&w, &m, &g, 1, {0.1, 0.5, 0.25});
  EXPECT_NEAR(m, 0.5 + 2 + 1, 1e-15);
  EXPECT_NEAR(w, 4 - 0.35, 1e-15);
}

TEST(SumOfSquares, IsTakenInDoubles) {
  const float g[] = {3, -4, 12};
  EXPECT_EQ(sum_of_squares(g, 3), 169);
  EXPECT_EQ(sum_of_squares(g, 2), 25);
  EXPECT_EQ(sum_of_squares(g, 0), 0);
  const float huge[] = {1e30F, 1e-30F};
  EXPECT_NEAR(sum_of_squares(huge, 2), 1e60, 1e54);
  EXPECT_NEAR(sum_of_squares(huge + 1, 1), 1e-60, 1e-66);
}

TEST(Scale, MultipliesSoManyNumbers) {
  double g[] = {3, -4, 12};
  scale(g, 2, 0.25);
  EXPECT_EQ(g[0], 0.75);
  EXPECT_EQ(g[1], -1);
  EXPECT_EQ(g[2], 12);
}

}  // namespace
}  // namespace t2v::kernels
