#include "kernels/clock.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "compare.h"

namespace t2v::kernels {
namespace {

TEST(ClockKernel, GivesTheSameInVectorsAsOneByOneAndTouchesNothingElse) {
  Random random(1);
  for (const int64_t hidden : {1, 2, 3, 5, 8, 9, 17, 64, 67}) {
    const auto n = static_cast<std::size_t>(hidden);
    std::vector<double> rate(n);
    std::vector<double> sign(n);
    std::vector<double> shift(n);
    for (std::size_t j = 0; j < n; ++j) {
      rate[j] = 1 / random.uniform(1, 4);
      sign[j] = j % 2 == 0 ? 1 : -1;
      shift[j] = random.uniform(-3, 3);
    }
    const ClockUnits<double> units{rate.data(), sign.data(), shift.data(), hidden};
    for (const double tau : {0.0, 0.05, 1.7, -2.3, 12345.678}) {
      std::vector<float> fast(n + 8, 7.0F);
      std::vector<double> twin(n);
      clock_forward(fast.data(), tau, units);
      clock_forward<double>(twin.data(), tau, units);
      for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(static_cast<double>(fast[j]), twin[j], 1e-7) << tau;
      for (std::size_t j = n; j < fast.size(); ++j) EXPECT_EQ(fast[j], 7) << hidden;
      std::vector<double> dperiod(n + 8, 0.5);
      std::vector<double> dshift(n + 8, 0.25);
      std::vector<double> dperiod_twin(n, 0.5);
      std::vector<double> dshift_twin(n, 0.25);
      std::vector<float> dkappa(n);
      for (float& d : dkappa) d = static_cast<float>(random.normal());
      const std::vector<double> wide(dkappa.begin(), dkappa.end());
      clock_backward(dperiod.data(), dshift.data(), dkappa.data(), tau, units);
      clock_backward<double>(dperiod_twin.data(), dshift_twin.data(), wide.data(), tau, units);
      for (std::size_t j = 0; j < n; ++j) {
        EXPECT_NEAR(dperiod[j], dperiod_twin[j], 1e-9 * (1 + std::abs(dperiod_twin[j])));
        EXPECT_NEAR(dshift[j], dshift_twin[j], 1e-9 * (1 + std::abs(dshift_twin[j])));
      }
      for (std::size_t j = n; j < n + 8; ++j) {
        EXPECT_EQ(dperiod[j], 0.5);
        EXPECT_EQ(dshift[j], 0.25);
      }
    }
  }
}

TEST(ClockKernel, RoundsDownWithoutACall) {
  for (const double x : {0.0, 0.5, 0.999999, 1.0, -0.25, -1.0, -1.5, 123456789.75, -3e8 - 0.5}) {
    EXPECT_EQ(floor_of(x), std::floor(x)) << x;
  }
}

}  // namespace
}  // namespace t2v::kernels
