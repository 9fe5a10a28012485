#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/vector_math_test.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// n is a multiple of every vector's length.

void TestExp(float* y, const float* x, int64_t n) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < n; i += lanes) hn::StoreU(exp(hn::LoadU(d, x + i)), d, y + i);
}

void TestSigmoid(float* y, const float* x, int64_t n) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < n; i += lanes) hn::StoreU(sigmoid(hn::LoadU(d, x + i)), d, y + i);
}

void TestTanh(float* y, const float* x, int64_t n) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < n; i += lanes) hn::StoreU(tanh(hn::LoadU(d, x + i)), d, y + i);
}

}  // namespace t2v::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::kernels {

HWY_EXPORT(TestExp);
HWY_EXPORT(TestSigmoid);
HWY_EXPORT(TestTanh);

namespace {

constexpr std::size_t kMostLanes = 64;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

using Function = void (*)(float*, const float*, int64_t);

void exp_of(float* y, const float* x, int64_t n) { T2V_DISPATCH(TestExp)(y, x, n); }
void sigmoid_of(float* y, const float* x, int64_t n) { T2V_DISPATCH(TestSigmoid)(y, x, n); }
void tanh_of(float* y, const float* x, int64_t n) { T2V_DISPATCH(TestTanh)(y, x, n); }

std::vector<float> apply(Function function, std::vector<float> x) {
  const std::size_t size = x.size();
  x.resize((size + kMostLanes - 1) / kMostLanes * kMostLanes);
  std::vector<float> y(x.size());
  function(y.data(), x.data(), static_cast<int64_t>(x.size()));
  y.resize(size);
  return y;
}

float apply(Function function, float x) { return apply(function, std::vector<float>{x})[0]; }

/// Floats from low to high, densely: evenly spaced, and evenly spaced in size around zero.
std::vector<float> grid(double low, double high) {
  std::vector<float> x = {0.0F, -0.0F};
  constexpr int kSteps = 2'000'000;
  for (int i = 0; i <= kSteps; ++i) x.push_back(static_cast<float>(low + (high - low) * i / kSteps));
  for (double size = 1e-38; size < 100; size *= 1.0007) {
    if (size <= high) x.push_back(static_cast<float>(size));
    if (-size >= low) x.push_back(static_cast<float>(-size));
  }
  // Rounding to float must not lead out of the range.
  x.erase(std::remove_if(x.begin(), x.end(), [&](float v) { return v < low || v > high; }), x.end());
  return x;
}

/// The largest error over the grid, in units of the last place of the exact result as a float.
template <class Exact>
void expect_within(double bound, Function function, Exact exact, double low, double high) {
  const std::vector<float> x = grid(low, high);
  ASSERT_GT(x.size(), 2'000'000U);
  const std::vector<float> y = apply(function, x);
  double worst = 0;
  float at = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double expected = exact(static_cast<long double>(x[i]));
    int exponent = 0;
    std::frexp(expected, &exponent);
    const double ulp = std::ldexp(1.0, std::max(exponent - 24, -149));
    const double off = static_cast<double>(std::abs(static_cast<long double>(y[i]) - expected)) / ulp;
    if (!(off <= worst)) {
      worst = off;
      at = x[i];
    }
  }
  EXPECT_LE(worst, bound) << "at " << at << " on " << active_target();
  ::testing::Test::RecordProperty("worst_ulp", std::to_string(worst));
}

long double exact_sigmoid(long double x) { return 1 / (1 + std::exp(-x)); }

TEST(VectorExp, IsWithinTwoUlp) {
  expect_within(
      2, exp_of, [](long double x) { return std::exp(x); }, -87.3, 88);
}

TEST(VectorExp, IsHeldToItsRange) {
  for (const float x : {-87.31F, -100.0F, -1e30F, -kInfinity}) {
    EXPECT_EQ(apply(exp_of, x), apply(exp_of, -87.3F)) << x;
  }
  for (const float x : {88.1F, 100.0F, 1e30F, kInfinity})
    EXPECT_EQ(apply(exp_of, x), apply(exp_of, 88.0F)) << x;
  EXPECT_GE(apply(exp_of, -kInfinity), std::numeric_limits<float>::min());
  EXPECT_LT(apply(exp_of, kInfinity), kInfinity);
  EXPECT_EQ(apply(exp_of, 0.0F), 1.0F);
  EXPECT_EQ(apply(exp_of, -0.0F), 1.0F);
}

TEST(VectorSigmoid, IsWithinThreeUlp) { expect_within(3, sigmoid_of, exact_sigmoid, -87.3, 100); }

TEST(VectorSigmoid, EndsAtZeroAndOne) {
  for (const float x : {-87.5F, -100.0F, -200.0F, -1e30F, -kInfinity}) {
    EXPECT_GE(apply(sigmoid_of, x), 0.0F) << x;
    EXPECT_LT(apply(sigmoid_of, x), 1.2e-38F) << x;
  }
  for (const float x : {20.0F, 100.0F, 200.0F, 1e30F, kInfinity}) EXPECT_EQ(apply(sigmoid_of, x), 1.0F) << x;
  EXPECT_EQ(apply(sigmoid_of, 0.0F), 0.5F);
}

TEST(VectorTanh, IsWithinTwoUlp) {
  expect_within(
      2, tanh_of, [](long double x) { return std::tanh(x); }, -100, 100);
  expect_within(
      2, tanh_of, [](long double x) { return std::tanh(x); }, -1, 1);
}

TEST(VectorTanh, EndsAtOneAndKeepsTheSign) {
  for (const float x : {10.0F, 44.0F, 50.0F, 200.0F, 1e30F, kInfinity}) {
    EXPECT_EQ(apply(tanh_of, x), 1.0F) << x;
    EXPECT_EQ(apply(tanh_of, -x), -1.0F) << x;
  }
  EXPECT_EQ(apply(tanh_of, 0.0F), 0.0F);
  EXPECT_EQ(apply(tanh_of, -0.0F), 0.0F);
  for (const float x : {1e-30F, 0.3F, 0.625F, 0.626F, 3.0F}) {
    EXPECT_EQ(apply(tanh_of, -x), -apply(tanh_of, x)) << x;
  }
}

TEST(VectorMath, GivesNaNForNaNInThatLaneAlone) {
  for (const Function function : {exp_of, sigmoid_of, tanh_of}) {
    for (std::size_t bad = 0; bad < kMostLanes; ++bad) {
      std::vector<float> x(kMostLanes, 0.5F);
      x[bad] = bad % 2 == 0 ? kNaN : -kNaN;
      const std::vector<float> y = apply(function, x);
      for (std::size_t i = 0; i < kMostLanes; ++i) EXPECT_EQ(std::isnan(y[i]), i == bad) << i;
    }
  }
}

}  // namespace
}  // namespace t2v::kernels
#endif
