#include "kernels/rows.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "base/random.h"

namespace t2v::kernels {
namespace {

constexpr float kGuard = -12345.0F;
constexpr int64_t kLongest = 70;

/// Whole numbers, so that sums are exact in any order.
std::vector<float> whole_numbers(int64_t size, Random& random) {
  std::vector<float> x(static_cast<std::size_t>(size));
  for (float& value : x) value = static_cast<float>(random.below(2001)) - 1000.0F;
  return x;
}

/// `rows` rows of n random whole numbers, with guards from n to the stride and one row of them at the end.
std::vector<float> guarded(int64_t rows, int64_t n, int64_t stride, Random& random) {
  std::vector<float> x = whole_numbers(rows * stride, random);
  x.resize(x.size() + static_cast<std::size_t>(stride), kGuard);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t j = n; j < stride; ++j) x[static_cast<std::size_t>(row * stride + j)] = kGuard;
  }
  return x;
}

std::vector<double> widened(const std::vector<float>& x) { return {x.begin(), x.end()}; }

TEST(Add, AddsEveryNumberOfAnyLength) {
  Random random(1);
  for (int64_t n = 0; n <= kLongest; ++n) {
    std::vector<float> to = guarded(1, n, n + 3, random);
    const std::vector<float> from = whole_numbers(n + 3, random);
    std::vector<float> expected = to;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) expected[i] += from[i];
    std::vector<double> twin = widened(to);
    add(to.data(), from.data(), n);
    EXPECT_EQ(to, expected) << n;
    add(twin.data(), widened(from).data(), n);
    EXPECT_EQ(twin, widened(expected)) << n;
  }
}

TEST(GatherOnBase, PutsTheNamedRowsOnTopOfTheBase) {
  Random random(9);
  for (int64_t n = 1; n <= kLongest; ++n) {
    const int64_t stride = n + 3;
    const std::vector<int32_t> index = {2, 0, 2, 1};
    std::vector<float> to = guarded(static_cast<int64_t>(index.size()), n, stride, random);
    const std::vector<float> from = guarded(3, n, n, random);
    const std::vector<float> base = guarded(1, n, n, random);
    std::vector<float> expected = to;
    for (std::size_t e = 0; e < index.size(); ++e) {
      for (int64_t j = 0; j < n; ++j) {
        expected[e * static_cast<std::size_t>(stride) + static_cast<std::size_t>(j)] =
            base[static_cast<std::size_t>(j)] + from[static_cast<std::size_t>(index[e] * n + j)];
      }
    }
    std::vector<float> twin = to;
    gather_on_base(to.data(), stride, base.data(), from.data(), index, n);
    EXPECT_EQ(to, expected) << n;
    gather_on_base<float>(twin.data(), stride, base.data(), from.data(), index, n);
    EXPECT_EQ(twin, expected) << n;
  }
}

TEST(GatherAdd, AddsTheNamedRows) {
  Random random(2);
  for (int64_t n = 1; n <= kLongest; ++n) {
    const int64_t to_stride = n + 2;
    const int64_t from_stride = n + 5;
    const std::vector<int32_t> index = {3, 0, 3, 4, 1, 1, 4};
    std::vector<float> to = guarded(static_cast<int64_t>(index.size()), n, to_stride, random);
    const std::vector<float> from = guarded(5, n, from_stride, random);
    std::vector<float> expected = to;
    for (std::size_t e = 0; e < index.size(); ++e) {
      for (int64_t j = 0; j < n; ++j) {
        expected[e * static_cast<std::size_t>(to_stride) + static_cast<std::size_t>(j)] +=
            from[static_cast<std::size_t>(index[e] * from_stride + j)];
      }
    }
    std::vector<double> twin = widened(to);
    gather_add(to.data(), to_stride, from.data(), from_stride, index, n);
    EXPECT_EQ(to, expected) << n;
    gather_add(twin.data(), to_stride, widened(from).data(), from_stride, index, n);
    EXPECT_EQ(twin, widened(expected)) << n;
  }
}

TEST(ScatterAdd, AddsToTheNamedRowsAsOftenAsTheyAreNamed) {
  Random random(3);
  for (int64_t n = 1; n <= kLongest; ++n) {
    const int64_t to_stride = n + 5;
    const int64_t from_stride = n + 2;
    const std::vector<int32_t> index = {3, 0, 3, 3, 1, 1, 4};
    std::vector<float> to = guarded(5, n, to_stride, random);
    const std::vector<float> from = guarded(static_cast<int64_t>(index.size()), n, from_stride, random);
    std::vector<float> expected = to;
    for (std::size_t e = 0; e < index.size(); ++e) {
      for (int64_t j = 0; j < n; ++j) {
        expected[static_cast<std::size_t>(index[e] * to_stride + j)] +=
            from[e * static_cast<std::size_t>(from_stride) + static_cast<std::size_t>(j)];
      }
    }
    std::vector<double> twin = widened(to);
    scatter_add(to.data(), to_stride, from.data(), from_stride, index, n);
    EXPECT_EQ(to, expected) << n;
    scatter_add(twin.data(), to_stride, widened(from).data(), from_stride, index, n);
    EXPECT_EQ(twin, widened(expected)) << n;
  }
}

TEST(GatherAndScatterAdd, DoNothingWithoutAnIndex) {
  std::vector<float> to = {1, 2};
  const std::vector<float> from = {3, 4};
  gather_add(to.data(), 2, from.data(), 2, {}, 2);
  scatter_add(to.data(), 2, from.data(), 2, {}, 2);
  EXPECT_EQ(to, (std::vector<float>{1, 2}));
}

TEST(AddColumnSums, AddsUpEveryRow) {
  Random random(4);
  for (int64_t n = 1; n <= kLongest; ++n) {
    for (const int64_t rows : {0, 1, 2, 9}) {
      const int64_t stride = n + 3;
      std::vector<float> sums = guarded(1, n, stride, random);
      const std::vector<float> from = guarded(rows, n, stride, random);
      std::vector<float> expected = sums;
      for (int64_t row = 0; row < rows; ++row) {
        for (int64_t j = 0; j < n; ++j) {
          expected[static_cast<std::size_t>(j)] += from[static_cast<std::size_t>(row * stride + j)];
        }
      }
      std::vector<double> twin = widened(sums);
      add_column_sums(sums.data(), from.data(), stride, rows, n);
      EXPECT_EQ(sums, expected) << n << " x " << rows;
      add_column_sums(twin.data(), widened(from).data(), stride, rows, n);
      EXPECT_EQ(twin, widened(expected)) << n << " x " << rows;
    }
  }
}

// Fractions whose sum depends on the order in its last bits.
TEST(AddColumnSums, AddsRowsInOrder) {
  Random random(5);
  constexpr int64_t kRows = 100;
  constexpr int64_t kColumns = 37;
  std::vector<float> from(kRows * kColumns);
  for (float& value : from) value = static_cast<float>(random.normal());
  std::vector<float> sums(kColumns);
  add_column_sums(sums.data(), from.data(), kColumns, kRows, kColumns);
  for (std::size_t j = 0; j < kColumns; ++j) {
    volatile float expected = 0;
    for (std::size_t row = 0; row < kRows; ++row) expected = expected + from[row * kColumns + j];
    EXPECT_EQ(sums[j], expected);
  }
}

TEST(AllFinite, FindsWhatIsNotFiniteAtEveryPosition) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  for (int64_t n = 0; n <= kLongest; ++n) {
    const auto size = static_cast<std::size_t>(n);
    // What lies beyond the end must not matter.
    std::vector<float> x(size + 16, kNaN);
    for (std::size_t i = 0; i < size; ++i) x[i] = i % 2 == 0 ? 3.4e38F : -1e-45F;
    EXPECT_TRUE(all_finite(x.data(), n)) << n;
    EXPECT_TRUE(all_finite(widened(x).data(), n)) << n;
    for (std::size_t i = 0; i < size; ++i) {
      const float before = x[i];
      for (const float bad : {kInfinity, -kInfinity, kNaN, -kNaN}) {
        x[i] = bad;
        EXPECT_FALSE(all_finite(x.data(), n)) << bad << " at " << i << " of " << n;
        EXPECT_FALSE(all_finite(widened(x).data(), n)) << bad << " at " << i << " of " << n;
      }
      x[i] = before;
    }
  }
}

}  // namespace
}  // namespace t2v::kernels
