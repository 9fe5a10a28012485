#include "nn/frequency.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/random.h"

namespace t2v::nn {
namespace {

using std::numbers::pi;

TEST(Fold, GivesTheSameSineOnTheGridWithFrequencyAndWeightPositive) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const double grid = random.uniform(0.1, 10);
    const double omega = random.uniform(-100, 100);
    const double phi = random.uniform(-10, 10);
    const double weight = random.uniform(-2, 2);
    const Folded folded = fold(omega, phi, weight, grid);
    EXPECT_GE(folded.omega, 0);
    EXPECT_LE(folded.omega, pi / grid + 1e-9);
    EXPECT_LE(std::abs(folded.phi), pi + 1e-9);
    for (const double n : {0.0, 1.0, 2.0, 17.0}) {
      EXPECT_NEAR(std::abs(weight) * std::sin(folded.omega * n * grid + folded.phi),
                  weight * std::sin(omega * n * grid + phi), 1e-9);
    }
  }
}

TEST(Fold, WithoutAGridOnlyFoldsTheSigns) {
  const Folded folded = fold(-100, 0.25, 1, 0);
  EXPECT_EQ(folded.omega, 100);
  EXPECT_NEAR(folded.phi, pi - 0.25, 1e-12);
}

TEST(Fold, KnowsThatAWeekOnWholeDaysHasThreeFrequencies) {
  EXPECT_NEAR(fold(2 * pi - 2 * pi / 7, 0, 1, 1).omega, 2 * pi / 7, 1e-12);
  EXPECT_NEAR(fold(-4 * pi / 7, 0, 1, 1).omega, 4 * pi / 7, 1e-12);
  EXPECT_NEAR(fold(8 * pi / 7, 0, 1, 1).omega, 6 * pi / 7, 1e-12);
}

}  // namespace
}  // namespace t2v::nn
