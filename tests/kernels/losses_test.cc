#include "kernels/losses.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"

namespace t2v::kernels {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kGuard = 777.0F;
constexpr int64_t kClasses[] = {1, 2, 10, 17, 1000};

std::vector<float> logits_of(int64_t classes, Random& random) {
  std::vector<float> logits(static_cast<std::size_t>(classes));
  for (float& z : logits) z = static_cast<float>(3 * random.normal());
  return logits;
}

std::vector<double> widened(const std::vector<float>& x) { return {x.begin(), x.end()}; }

TEST(SoftmaxLoss, IsTheTwinWithItsGradient) {
  Random random(1);
  for (const int64_t classes : kClasses) {
    for (const int64_t label : {int64_t{0}, classes / 2, classes - 1}) {
      for (int round = 0; round < 20; ++round) {
        const auto size = static_cast<std::size_t>(classes);
        const std::vector<float> logits = logits_of(classes, random);
        std::vector<float> gradient(size + 3, kGuard);
        std::vector<double> expected(size);
        const double loss = softmax_loss(gradient.data(), logits.data(), classes, label, 0.25F);
        const double twin = softmax_loss(expected.data(), widened(logits).data(), classes, label, 0.25);
        EXPECT_NEAR(loss, twin, 2e-6 * (1 + twin)) << classes;
        double sum = 0;
        for (std::size_t i = 0; i < size; ++i) {
          EXPECT_NEAR(static_cast<double>(gradient[i]), expected[i], 1e-6 * 0.25) << i << " of " << classes;
          sum += static_cast<double>(gradient[i]);
        }
        EXPECT_NEAR(sum, 0, 2e-6 * 0.25) << classes;
        for (std::size_t i = size; i < gradient.size(); ++i) EXPECT_EQ(gradient[i], kGuard);
        EXPECT_EQ(softmax_loss(nullptr, logits.data(), classes, label, 0.25F), loss);
      }
    }
  }
}

TEST(SoftmaxLoss, IsRightForEveryLengthAndLabel) {
  Random random(2);
  for (int64_t classes = 1; classes <= 40; ++classes) {
    const std::vector<float> logits = logits_of(classes, random);
    for (int64_t label = 0; label < classes; ++label) {
      std::vector<float> gradient(static_cast<std::size_t>(classes));
      const double loss = softmax_loss(gradient.data(), logits.data(), classes, label, 1.0F);
      double sum = 0;
      for (const float z : logits) sum += std::exp(static_cast<double>(z));
      const auto place = static_cast<std::size_t>(label);
      EXPECT_NEAR(loss, std::log(sum) - static_cast<double>(logits[place]), 1e-5);
      EXPECT_NEAR(static_cast<double>(gradient[place]),
                  std::exp(static_cast<double>(logits[place])) / sum - 1, 1e-6);
    }
  }
}

TEST(SoftmaxLoss, DoesNotOverflow) {
  for (const int64_t classes : {2, 3, 17, 40}) {
    for (int64_t high = 0; high < classes; ++high) {
      const auto size = static_cast<std::size_t>(classes);
      const auto place = static_cast<std::size_t>(high);
      std::vector<float> logits(size, -1e4F);
      logits[place] = 1e4F;
      std::vector<float> gradient(size);
      EXPECT_NEAR(softmax_loss(gradient.data(), logits.data(), classes, high, 1.0F), 0, 1e-6);
      for (const float g : gradient) EXPECT_NEAR(g, 0, 1e-6);
      const int64_t other = (high + 1) % classes;
      EXPECT_NEAR(softmax_loss(gradient.data(), logits.data(), classes, other, 1.0F), 2e4, 1e-3);
      EXPECT_NEAR(gradient[place], 1, 1e-6);
      EXPECT_NEAR(gradient[static_cast<std::size_t>(other)], -1, 1e-6);
    }
    const std::vector<float> equal(static_cast<std::size_t>(classes), -1e4F);
    EXPECT_NEAR(softmax_loss(nullptr, equal.data(), classes, 0, 1.0F), std::log(static_cast<double>(classes)),
                1e-6);
  }
}

TEST(SoftmaxLoss, IsNaNForANaNLogitAnywhere) {
  for (const int64_t classes : {1, 2, 10, 17, 40}) {
    for (std::size_t bad = 0; bad < static_cast<std::size_t>(classes); ++bad) {
      std::vector<float> logits(static_cast<std::size_t>(classes), 1.0F);
      logits[bad] = kNaN;
      EXPECT_TRUE(std::isnan(softmax_loss(nullptr, logits.data(), classes, 0, 1.0F)))
          << bad << " of " << classes;
    }
  }
}

TEST(SoftmaxLoss, TwinHasTheGradientOfTheComplexStep) {
  Random random(3);
  constexpr double kStep = 1e-100;
  for (const int64_t classes : {1, 2, 10, 17}) {
    const std::vector<double> logits = widened(logits_of(classes, random));
    const int64_t label = classes / 2;
    std::vector<double> gradient(logits.size());
    softmax_loss(gradient.data(), logits.data(), classes, label, 1.0);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      std::vector<Complex> z(logits.begin(), logits.end());
      z[i] += Complex(0, kStep);
      const Complex loss = softmax_loss(static_cast<Complex*>(nullptr), z.data(), classes, label, Complex(1));
      EXPECT_NEAR(gradient[i], loss.imag() / kStep, 1e-13);
    }
  }
}

TEST(Softmax, SumsToOneAndMayOverwriteItsLogits) {
  Random random(4);
  for (const int64_t classes : kClasses) {
    const std::vector<float> logits = logits_of(classes, random);
    std::vector<float> p(logits.size());
    softmax(p.data(), logits.data(), classes);
    std::vector<double> expected(logits.size());
    softmax(expected.data(), widened(logits).data(), classes);
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      sum += static_cast<double>(p[i]);
      EXPECT_NEAR(static_cast<double>(p[i]), expected[i], 1e-6);
    }
    EXPECT_NEAR(sum, 1, 2e-6) << classes;
    std::vector<float> same = logits;
    softmax(same.data(), same.data(), classes);
    EXPECT_EQ(same, p);
  }
  std::vector<float> far = {-1e4F, 1e4F, 1e4F};
  softmax(far.data(), far.data(), 3);
  EXPECT_EQ(far, (std::vector<float>{0, 0.5F, 0.5F}));
}

template <class T>
void expect_logistic_at_the_ends() {
  T gradient = 0;
  EXPECT_EQ(logistic_loss(&gradient, T(1e4), 1, T(0.5)), 0);
  EXPECT_EQ(gradient, T(0));
  EXPECT_EQ(logistic_loss(&gradient, T(1e4), 0, T(0.5)), 1e4);
  EXPECT_EQ(gradient, T(0.5));
  EXPECT_EQ(logistic_loss(&gradient, T(-1e4), 0, T(0.5)), 0);
  EXPECT_EQ(gradient, T(0));
  EXPECT_EQ(logistic_loss(&gradient, T(-1e4), 1, T(0.5)), 1e4);
  EXPECT_EQ(gradient, T(-0.5));
  EXPECT_NEAR(logistic_loss(&gradient, T(0), 1, T(0.5)), std::log(2.0), 1e-15);
  EXPECT_EQ(gradient, T(-0.25));
  EXPECT_TRUE(std::isnan(logistic_loss(&gradient, T(kNaN), 1, T(1))));
}

TEST(LogisticLoss, IsRightAtTheEnds) {
  expect_logistic_at_the_ends<float>();
  expect_logistic_at_the_ends<double>();
}

TEST(LogisticLoss, HasTheGradientOfTheComplexStep) {
  constexpr double kStep = 1e-100;
  for (double z = -30; z <= 30; z += 0.37) {
    for (const int64_t label : {0, 1}) {
      double gradient = 0;
      float single = 0;
      const double loss = logistic_loss(&gradient, z, label, 0.5);
      EXPECT_NEAR(loss, std::log1p(std::exp(z)) - (label != 0 ? z : 0), 1e-12);
      EXPECT_EQ(logistic_loss(static_cast<double*>(nullptr), z, label, 0.5), loss);
      const Complex stepped =
          logistic_loss(static_cast<Complex*>(nullptr), Complex(z, kStep), label, Complex(0.5));
      EXPECT_NEAR(gradient, 0.5 * stepped.imag() / kStep, 1e-13);
      EXPECT_NEAR(logistic_loss(&single, static_cast<float>(z), label, 0.5F), loss, 2e-6 * (1 + loss));
      EXPECT_NEAR(static_cast<double>(single), gradient, 1e-6);
    }
  }
}

}  // namespace
}  // namespace t2v::kernels
