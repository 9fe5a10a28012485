#include "kernels/row_product.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"

namespace t2v::kernels {
namespace {

constexpr float kGuard = 12345.0F;

TEST(RowProduct, IsTheTwinForAllSizesAndTouchesNothingElse) {
  Random random(1);
  for (const int64_t n : {0, 1, 3, 8, 16, 31, 32, 33, 65, 100}) {
    for (const int64_t k : {0, 1, 7, 8, 9, 16, 65}) {
      for (const int beta : {0, 1}) {
        const int64_t stride = n + 3;
        std::vector<float> b(static_cast<std::size_t>(k * stride), std::numeric_limits<float>::quiet_NaN());
        std::vector<float> x(static_cast<std::size_t>(k));
        std::vector<float> y(static_cast<std::size_t>(n) + 1, kGuard);
        for (float& factor : x) factor = static_cast<float>(random.uniform(-1, 1));
        for (int64_t l = 0; l < k; ++l) {
          for (int64_t j = 0; j < n; ++j) {
            b[static_cast<std::size_t>(l * stride + j)] = static_cast<float>(random.uniform(-1, 1));
          }
        }
        for (int64_t j = 0; j < n; ++j) {
          y[static_cast<std::size_t>(j)] = beta == 0 ? NAN : static_cast<float>(random.uniform(-1, 1));
        }
        const std::vector<double> wide_b(b.begin(), b.end());
        const std::vector<double> wide_x(x.begin(), x.end());
        std::vector<double> expected(y.begin(), y.end());
        row_product(expected.data(), wide_x.data(), wide_b.data(), stride, n, k, beta);
        row_product(y.data(), x.data(), b.data(), stride, n, k, beta);
        for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) {
          ASSERT_NEAR(static_cast<double>(y[j]), expected[j], 1e-6 * static_cast<double>(k + 1))
              << n << " x " << k << ", column " << j;
        }
        ASSERT_EQ(y.back(), kGuard);
      }
    }
  }
}

TEST(RowProduct, TwinMultipliesAsTheDefinitionSays) {
  const std::vector<double> x = {2, 3};
  const std::vector<double> b = {1, 2, 3, 4, 5, 6};
  std::vector<double> y = {100, 200, 300};
  row_product(y.data(), x.data(), b.data(), 3, 3, 2, 1);
  EXPECT_EQ(y, (std::vector<double>{114, 219, 324}));
  row_product(y.data(), x.data(), b.data(), 3, 3, 2, 0);
  EXPECT_EQ(y, (std::vector<double>{14, 19, 24}));
}

}  // namespace
}  // namespace t2v::kernels
