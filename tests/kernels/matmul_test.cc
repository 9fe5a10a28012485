#include "kernels/matmul.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "kernels/row_product.h"

namespace t2v::kernels {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kGuard = 12345.0F;

/// A matrix in memory, [rows, cols] with `padding` guards after each row, in float, double and as sizes.
struct Operand {
  std::vector<float> single;
  std::vector<double> wide;
  std::vector<double> size;
  int64_t stride;
  bool transposed;

  Operand(int64_t rows, int64_t cols, bool is_transposed, int64_t padding, Random& random)
      : stride((is_transposed ? rows : cols) + padding), transposed(is_transposed) {
    const int64_t stored_rows = is_transposed ? cols : rows;
    const int64_t stored_cols = is_transposed ? rows : cols;
    for (int64_t i = 0; i < stored_rows; ++i) {
      for (int64_t j = 0; j < stride; ++j) {
        single.push_back(j < stored_cols ? static_cast<float>(random.uniform(-1, 1)) : kNaN);
        wide.push_back(static_cast<double>(single.back()));
        size.push_back(std::abs(wide.back()));
      }
    }
    // Somewhere to point to.
    if (stride == 0) stride = 1;
    if (single.empty()) single.resize(1);
  }
  Matrix<float> floats() const { return {single.data(), stride, transposed}; }
  Matrix<double> doubles() const { return {wide.data(), stride, transposed}; }
  Matrix<double> sizes() const { return {size.data(), stride, transposed}; }
};

void expect_product(int64_t m, int64_t n, int64_t k, bool at, bool bt, int beta, int64_t padding,
                    Random& random) {
  SCOPED_TRACE(::testing::Message() << m << " x " << k << (at ? "T" : "") << " x " << n << (bt ? "T" : "")
                                    << ", beta " << beta << ", padding " << padding);
  const Operand a(m, k, at, padding, random);
  const Operand b(k, n, bt, 2 * padding, random);
  const int64_t stride = std::max<int64_t>(1, n + padding);
  std::vector<float> c(static_cast<std::size_t>(m * stride) + 1, kGuard);
  std::vector<double> expected(c.size());
  std::vector<double> size(c.size());
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      const auto place = static_cast<std::size_t>(i * stride + j);
      c[place] = beta == 0 ? kNaN : static_cast<float>(random.uniform(-1, 1));
      expected[place] = static_cast<double>(c[place]);
      size[place] = 1;
    }
  }
  matmul(expected.data(), stride, a.doubles(), b.doubles(), m, n, k, beta);
  matmul(size.data(), stride, a.sizes(), b.sizes(), m, n, k, 1);
  matmul(c.data(), stride, a.floats(), b.floats(), m, n, k, beta);
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < stride; ++j) {
      const auto place = static_cast<std::size_t>(i * stride + j);
      if (j >= n) {
        ASSERT_EQ(c[place], kGuard) << "row " << i << ", beyond the end";
      } else {
        ASSERT_LE(std::abs(static_cast<double>(c[place]) - expected[place]), 1e-6 * size[place])
            << "row " << i << ", column " << j << ": " << c[place] << " instead of " << expected[place];
      }
    }
  }
  ASSERT_EQ(c.back(), kGuard);
}

TEST(Matmul, IsTheTwinForAllShapesAndTransposes) {
  Random random(1);
  constexpr int64_t kSizes[] = {0, 1, 2, 3, 7, 16, 33, 65};
  for (const int64_t m : kSizes) {
    for (const int64_t n : kSizes) {
      for (const int64_t k : kSizes) {
        for (int variant = 0; variant < 8; ++variant) {
          expect_product(m, n, k, (variant & 1) != 0, (variant & 2) != 0, (variant & 4) >> 2, 0, random);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(Matmul, ReadsAndWritesWithStridesLargerThanItsRows) {
  Random random(2);
  constexpr int64_t kSizes[] = {0, 1, 5, 17, 64};
  for (const int64_t m : kSizes) {
    for (const int64_t n : kSizes) {
      for (const int64_t k : kSizes) {
        for (int variant = 0; variant < 8; ++variant) {
          expect_product(m, n, k, (variant & 1) != 0, (variant & 2) != 0, (variant & 4) >> 2, 3, random);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(Matmul, IsTheTwinForLargeShapes) {
  Random random(3);
  for (int variant = 0; variant < 8; ++variant) {
    expect_product(130, 257, 311, (variant & 1) != 0, (variant & 2) != 0, (variant & 4) >> 2, 1, random);
    expect_product(1, 1000, 100, (variant & 1) != 0, (variant & 2) != 0, (variant & 4) >> 2, 0, random);
  }
}

TEST(Matmul, RowByRowIsTheTwinAndTheRowProduct) {
  Random random(4);
  const RowByRow products(true);
  for (int variant = 0; variant < 8; ++variant) {
    expect_product(33, 65, 31, (variant & 1) != 0, (variant & 2) != 0, (variant & 4) >> 2, 2, random);
  }
  const Operand a(5, 40, false, 1, random);
  const Operand b(40, 90, false, 1, random);
  std::vector<float> together(5 * 90);
  std::vector<float> alone(90);
  matmul(together.data(), 90, a.floats(), b.floats(), 5, 90, 40, 0);
  for (int64_t row = 0; row < 5; ++row) {
    row_product(alone.data(), a.single.data() + row * a.stride, b.single.data(), b.stride, 90, 40, 0);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + 90 * row)) << "row " << row;
  }
}

TEST(Matmul, IsRowByRowOnlyWhileAskedFor) {
  // oneDNN adds up in another order than row after row: some sum of many differs.
  Random random(5);
  const Operand a(64, 400, false, 0, random);
  const Operand b(400, 64, false, 0, random);
  std::vector<float> fast(64 * 64);
  std::vector<float> again(fast.size());
  std::vector<float> rows(fast.size());
  matmul(fast.data(), 64, a.floats(), b.floats(), 64, 64, 400, 0);
  {
    const RowByRow products(true);
    matmul(rows.data(), 64, a.floats(), b.floats(), 64, 64, 400, 0);
    {
      const RowByRow not_here(false);
      matmul(again.data(), 64, a.floats(), b.floats(), 64, 64, 400, 0);
      EXPECT_EQ(again, fast);
    }
    matmul(again.data(), 64, a.floats(), b.floats(), 64, 64, 400, 0);
    EXPECT_EQ(again, rows);
  }
  matmul(again.data(), 64, a.floats(), b.floats(), 64, 64, 400, 0);
  EXPECT_EQ(again, fast);
}

TEST(Matmul, TwinMultipliesAsTheDefinitionSays) {
  const std::vector<double> a = {1, 2, 3, 4, 5, 6};     // 2 x 3
  const std::vector<double> b = {7, 8, 9, 10, 11, 12};  // 3 x 2
  std::vector<double> c = {100, 200, 300, 400};
  const Matrix<double> ma{a.data(), 3};
  const Matrix<double> mb{b.data(), 2};
  matmul(c.data(), 2, ma, mb, 2, 2, 3, 1);
  EXPECT_EQ(c, (std::vector<double>{158, 264, 439, 554}));
  matmul(c.data(), 2, ma, transposed(ma), 2, 2, 3, 0);
  EXPECT_EQ(c, (std::vector<double>{14, 32, 32, 77}));
  std::vector<double> d(9);
  matmul(d.data(), 3, transposed(ma), transposed(mb), 3, 3, 2, 0);
  EXPECT_EQ(d, (std::vector<double>{39, 49, 59, 54, 68, 82, 69, 87, 105}));
  EXPECT_FALSE(transposed(transposed(ma)).transposed);
}

}  // namespace
}  // namespace t2v::kernels
