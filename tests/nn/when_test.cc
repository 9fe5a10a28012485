#include "nn/when.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "compare.h"
#include "t2v/error.h"

namespace t2v::nn {
namespace {

// [3 logits, 3 μ, 3 log σ], all of them different, and held exactly by a float.
constexpr float kMixture[] = {0.5F, -0.25F, 1.125F, -1.0F, 0.75F, 2.5F, -0.625F, 0.25F, -1.375F};
constexpr int64_t kComponents = 3;
constexpr double kGaps[] = {1e-3, 0.1, 0.4, 1, 1.7, 6, 12, 13.5, 40, 3e3};

HeadConfig mixture_of(int64_t components) {
  HeadConfig config;
  config.kind = "when";
  config.components = components;
  return config;
}

std::vector<double> mixture() { return {std::begin(kMixture), std::end(kMixture)}; }

double loss_of(const std::vector<double>& z, double gap) {
  return when_loss<double>(nullptr, z.data(), mixture_of(static_cast<int64_t>(z.size()) / 3), gap, 1);
}

/// The density as in the books.
double density(const std::vector<double>& z, double gap) {
  const std::size_t m = z.size() / 3;
  double shares = 0;
  double sum = 0;
  for (std::size_t k = 0; k < m; ++k) {
    const double sigma = std::exp(z[2 * m + k]);
    const double d = (std::log(gap) - z[m + k]) / sigma;
    shares += std::exp(z[k]);
    sum += std::exp(z[k]) * std::exp(-d * d / 2) / (gap * sigma * std::sqrt(2 * std::numbers::pi));
  }
  return sum / shares;
}

/// ∫ f(gap) p(gap) dgap over the gaps below `until`, by the trapezoidal rule over log(gap).
template <class F>
double expectation(const std::vector<double>& z, const F& f, double until = std::exp(20.0)) {
  constexpr int kPieces = 40000;
  const double low = -20;
  const double width = (std::log(until) - low) / kPieces;
  double sum = 0;
  for (int i = 0; i <= kPieces; ++i) {
    const double gap = std::exp(low + width * i);
    sum += (i == 0 || i == kPieces ? 0.5 : 1) * width * gap * f(gap) * std::exp(-loss_of(z, gap));
  }
  return sum;
}

TEST(WhenLoss, IsTheNegativeLogarithmOfTheMixturesDensity) {
  std::vector<double> losses;
  std::vector<double> expected;
  for (const double gap : kGaps) {
    losses.push_back(loss_of(mixture(), gap));
    expected.push_back(-std::log(density(mixture(), gap)));
  }
  testing::expect_close(losses, expected, 1e-14, "loss");
}

TEST(WhenLoss, OfOneComponentIsTheClosedForm) {
  const double mu = 0.7;
  const double log_sigma = -0.4;
  for (const double logit : {-3.0, 0.0, 8.0}) {  // the only share is 1, whatever its logit
    for (const double gap : kGaps) {
      const double y = std::log(gap);
      const double d = (y - mu) / std::exp(log_sigma);
      const double expected = y + log_sigma + 0.5 * std::log(2 * std::numbers::pi) + 0.5 * d * d;
      EXPECT_NEAR(loss_of({logit, mu, log_sigma}, gap), expected, 1e-13 * (1 + std::abs(expected)));
    }
  }
}

TEST(WhenLoss, GivesTheGradientOfTheComplexStepTimesTheScale) {
  constexpr double kStep = 1e-40;
  for (const double gap : kGaps) {
    std::vector<double> gradient(9);
    const std::vector<double> real = mixture();
    when_loss<double>(gradient.data(), real.data(), mixture_of(kComponents), gap, 0.75);
    std::vector<Complex> z(real.begin(), real.end());
    std::vector<double> expected;
    for (Complex& number : z) {
      number += Complex(0, kStep);
      expected.push_back(
          0.75 * when_loss<Complex>(nullptr, z.data(), mixture_of(kComponents), gap, 1.0).imag() / kStep);
      number = number.real();
    }
    // Not through expect_close: far out, a single component takes all of the gradient.
    double largest = 0;
    for (const double x : expected) largest = std::max(largest, std::abs(x));
    for (std::size_t i = 0; i < 9; ++i)
      EXPECT_NEAR(gradient[i], expected[i], 1e-13 * largest) << gap << " " << i;
    if (gap == 1.7)
      testing::expect_close(gradient, expected, 1e-13, "gradient at a gap that all could explain");
  }
}

TEST(WhenLoss, IsTheSameInFloatsAsInDoubles) {
  for (const double gap : {0.4, 1.7, 6.0}) {
    std::vector<float> fast(9);
    std::vector<double> twin(9);
    const double a = when_loss<float>(fast.data(), kMixture, mixture_of(kComponents), gap, 0.75F);
    const double b = when_loss<double>(twin.data(), mixture().data(), mixture_of(kComponents), gap, 0.75);
    EXPECT_NEAR(a, b, 1e-12);
    testing::expect_close(fast, twin, 1e-6, "gradient");
  }
}

template <class T>
void expect_finite_at_extremes() {
  for (const double gap : {1e-300, 1e-3, 1.0, 1e300}) {
    for (const double log_sigma : {-20.0, 0.0, 20.0}) {
      for (const double logit : {-1e4, 0.0, 1e4}) {
        const T z[] = {T(logit), T(-logit), T(2), T(-3), T(log_sigma), T(-log_sigma)};
        T gradient[6];
        const double loss = when_loss<T>(gradient, z, mixture_of(2), gap, T(1));
        EXPECT_TRUE(std::isfinite(loss)) << gap << " " << log_sigma << " " << logit;
        for (const T g : gradient) EXPECT_TRUE(std::isfinite(g)) << gap << " " << log_sigma << " " << logit;
      }
    }
  }
}

TEST(WhenLoss, StaysFiniteAtExtremeGapsWidthsAndShares) {
  expect_finite_at_extremes<float>();
  expect_finite_at_extremes<double>();
}

TEST(WhenLoss, IsOfADensityThatIntegratesToOne) {
  EXPECT_NEAR(expectation(mixture(), [](double) { return 1.0; }), 1, 1e-9);
}

HeadConfig mixture_on_grid(double grid, bool atom) {
  HeadConfig config = mixture_of(kComponents);
  config.floor = grid;
  config.atom = atom;
  return config;
}

TEST(WhenLoss, OfAMixtureThatIsCountedFromACentreIsThatOfItsMeansAndDeviations) {
  HeadConfig moved = mixture_of(kComponents);
  moved.centre = 0.75;
  moved.spread = 2;
  std::vector<double> z = mixture();
  for (std::size_t k = 0; k < 3; ++k) {
    z[3 + k] = (z[3 + k] - 0.75) / 2;
    z[6 + k] -= std::log(2.0);
  }
  for (const double gap : kGaps) {
    const double expected = loss_of(mixture(), gap);
    EXPECT_NEAR(when_loss<double>(nullptr, z.data(), moved, gap, 1), expected, 1e-13 * std::abs(expected));
  }
}

TEST(WhenLoss, OnAGridHasNoDensityFarAboveThatOfACell) {
  constexpr double kGrid = 0.25;
  const HeadConfig config = mixture_on_grid(kGrid, false);
  // A spike at 1, 10, and 1/20, as narrow as can be learned.
  for (const double gap : {0.05, 0.25, 1.0, 10.0}) {
    std::vector<double> z = {0, -99, -99, std::log(gap), 0, 0, -30, -30, -30};
    const double density = std::exp(-when_loss<double>(nullptr, z.data(), config, gap, 1));
    EXPECT_LT(density, 1.42 / std::min(gap, kGrid)) << gap;
    if (gap >= 4 * kGrid) {
      EXPECT_NEAR(density * kGrid, 1, 0.05) << gap;
    }
    const HeadConfig free = mixture_of(kComponents);
    EXPECT_GT(std::exp(-when_loss<double>(nullptr, z.data(), free, gap, 1)), 1e11);
  }
}

TEST(GapMixture, WithAnAtomOnAGridIsTheDistributionThatTheLossIsOf) {
  const HeadConfig config = mixture_on_grid(0.5, true);
  std::vector<float> z(std::begin(kMixture), std::end(kMixture));
  z.push_back(-0.5F);
  const GapMixture gaps(z.data(), config);
  const double atom = 1 / (1 + std::exp(0.5));
  EXPECT_NEAR(gaps.atom(), atom, 1e-12);
  const auto loss = [&](double gap) {
    return static_cast<double>(when_loss<float>(nullptr, z.data(), config, gap, 1));
  };
  EXPECT_NEAR(loss(0), -std::log(atom), 1e-6);
  constexpr int kPieces = 40000;
  double below = atom;
  double mean = 0;
  double at_two = 0;
  for (int i = 0; i <= kPieces; ++i) {
    const double gap = std::exp(-20 + 40.0 * i / kPieces);
    const double mass = 40.0 / kPieces * gap * std::exp(-loss(gap));
    below += mass;
    mean += gap * mass;
    if (gap < 2) at_two = below;
    if (i % 4000 == 3) {
      EXPECT_NEAR(gaps.loss(gap), loss(gap), 1e-5 * std::max(1.0, std::abs(loss(gap))));
    }
  }
  EXPECT_NEAR(below, 1, 1e-5);
  EXPECT_NEAR(gaps.mean(), mean, 1e-4 * mean);
  EXPECT_NEAR(gaps.share_below(2), at_two, 1e-3);
  EXPECT_EQ(gaps.share_below(0), gaps.atom());
  EXPECT_EQ(gaps.quantile(0.3), 0);
  EXPECT_NEAR(gaps.share_below(gaps.quantile(0.7)), 0.7, 1e-12);
  const std::vector<double> middles = gaps.middles(4);
  for (std::size_t i = 0; i < 4; ++i) {
    const double above_zero = (static_cast<double>(i) + 0.5) / 4;
    EXPECT_NEAR(gaps.share_below(middles[i]), atom + (1 - atom) * above_zero, 1e-12);
  }
}

TEST(GapMixture, OfOneComponentHasTheMeanMedianAndQuantilesOfTheLogNormal) {
  const float z[] = {2.0F, 0.75F, -0.5F};
  const GapMixture one(z, mixture_of(1));
  const double sigma = std::exp(-0.5);
  EXPECT_NEAR(one.median(), std::exp(0.75), 1e-12);
  EXPECT_NEAR(one.mean(), std::exp(0.75 + sigma * sigma / 2), 1e-12);
  EXPECT_NEAR(one.quantile(0.975), std::exp(0.75 + 1.959963984540054 * sigma), 1e-11);
  EXPECT_NEAR(one.quantile(0.025), std::exp(0.75 - 1.959963984540054 * sigma), 1e-12);
  EXPECT_NEAR(one.quantile(1e-9), std::exp(0.75 - 5.997807015007687 * sigma), 1e-12);
  EXPECT_NEAR(one.share_below(std::exp(0.75 + sigma)), 0.8413447460685429, 1e-14);
}

TEST(GapMixture, HasTheMeanAndSharesOfTheDensityThatTheLossIsOf) {
  const GapMixture gaps(kMixture, mixture_of(kComponents));
  const double mean = expectation(mixture(), [](double gap) { return gap; });
  EXPECT_NEAR(gaps.mean(), mean, 1e-6 * mean);
  for (const double gap : {0.1, 0.4, 1.7, 6.0, 12.0, 40.0}) {
    EXPECT_NEAR(gaps.share_below(gap),
                expectation(
                    mixture(), [](double) { return 1.0; }, gap),
                1e-6)
        << gap;
  }
  for (const double p : {0.05, 0.5, 0.9}) {
    EXPECT_NEAR(expectation(
                    mixture(), [](double) { return 1.0; }, gaps.quantile(p)),
                p, 1e-6)
        << p;
  }
  EXPECT_EQ(gaps.median(), gaps.quantile(0.5));
}

TEST(GapMixture, QuantileRisesAndInvertsTheShareBelow) {
  const float far_apart[] = {0, 0, -5, 5, -3, -2};
  for (const GapMixture& gaps :
       {GapMixture(kMixture, mixture_of(kComponents)), GapMixture(far_apart, mixture_of(2))}) {
    double before = 0;
    for (int i = 1; i < 1000; ++i) {
      if (i == 500) continue;  // half of the gaps may lie anywhere between components that are far apart
      const double p = i / 1000.0;
      const double gap = gaps.quantile(p);
      ASSERT_GT(gap, before) << p;
      ASSERT_NEAR(gaps.share_below(gap), p, 1e-12);
      before = gap;
    }
  }
}

TEST(GapMixture, DoesNotOverflowAtHugeLogitsAndSaysThatAHugeMeanIsInfinite) {
  const float z[] = {1e4F, -1e4F, 0.5F, 3.0F, 0, 0};
  const GapMixture gaps(z, mixture_of(2));
  EXPECT_NEAR(gaps.median(), std::exp(0.5), 1e-12);
  EXPECT_NEAR(gaps.mean(), std::exp(1.0), 1e-12);
  const float wide[] = {0, 0, 20};
  EXPECT_EQ(GapMixture(wide, mixture_of(1)).mean(), INFINITY);
  EXPECT_NEAR(GapMixture(wide, mixture_of(1)).median(), 1, 1e-6);
}

TEST(GapMixture, RefusesQuantilesThatAreNotBetweenZeroAndOne) {
  const GapMixture gaps(kMixture, mixture_of(kComponents));
  for (const double p : {0.0, 1.0, -0.1, 1.5, std::nan("")}) {
    try {
      gaps.quantile(p);
      FAIL() << "accepted " << p;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("between 0 and 1"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace t2v::nn
