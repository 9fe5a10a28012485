#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace t2v::testing {

/// Expects |actual - expected| <= tolerance * (the largest |expected|) for every entry. Fails as well if the
/// comparison could not have found much: most of what is expected is zero, or most has the same size as the
/// largest (saturated; unless that is its nature), or is not finite.
inline void expect_close(std::span<const double> actual, std::span<const double> expected, double tolerance,
                         const std::string& name, bool may_saturate = false) {
  ASSERT_EQ(actual.size(), expected.size()) << name;
  ASSERT_FALSE(expected.empty()) << name;
  double largest = 0;
  for (const double x : expected) {
    ASSERT_TRUE(std::isfinite(x)) << name;
    largest = std::max(largest, std::abs(x));
  }
  std::size_t zero = 0;
  std::size_t saturated = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::abs(expected[i]) < 1e-12 * largest || largest == 0) ++zero;
    if (std::abs(expected[i]) > (1 - 1e-6) * largest) ++saturated;
    EXPECT_LE(std::abs(actual[i] - expected[i]), tolerance * largest)
        << name << "[" << i << "]: " << actual[i] << " instead of " << expected[i] << ", largest " << largest;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_LE(zero * 2, expected.size()) << name << ": most of what is compared is zero";
  if (expected.size() > 2 && !may_saturate) {
    EXPECT_LE(saturated * 2, expected.size()) << name << ": most of what is compared is saturated";
  }
}

template <class A, class B>
void expect_close(const A& actual, const B& expected, double tolerance, const std::string& name,
                  bool may_saturate = false) {
  const std::vector<double> a(std::begin(actual), std::end(actual));
  const std::vector<double> b(std::begin(expected), std::end(expected));
  expect_close(std::span<const double>(a), std::span<const double>(b), tolerance, name, may_saturate);
}

}  // namespace t2v::testing
