#include <gtest/gtest.h>

#include <cmath>

#include "nn/cell.h"

namespace t2v::nn {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

TEST(Lstm, ComputesTheEquationsOfThePaperForOneUnit) {
  const double a[] = {0.3, -0.7, 1.1,
                      0.4};  // sums of i, f, g, o: all different, so that no two may be swapped
  double gates[] = {a[0], a[1], a[2], a[3]};
  const double c_prev = -0.8;
  const double h_prev = 0.5;
  double c = 0;
  double h = 0;
  lstm().functions.twin.forward({1, 1, gates, nullptr, &c_prev, &h_prev, &c, &h});
  const double expected_c = logistic(a[1]) * c_prev + logistic(a[0]) * std::tanh(a[2]);
  EXPECT_NEAR(c, expected_c, 1e-15);
  EXPECT_NEAR(h, logistic(a[3]) * std::tanh(expected_c), 1e-15);
}

TEST(Lstm, KeepsItsMemoryWhileTheForgetGateIsOpenAndTheInputGateShut) {
  float gates[] = {-40, 40, 3, 0};
  const float c_prev = 0.625F;
  const float h_prev = 0;
  float c = 0;
  float h = 0;
  lstm().functions.fast.forward({1, 1, gates, nullptr, &c_prev, &h_prev, &c, &h});
  EXPECT_FLOAT_EQ(c, c_prev);
  EXPECT_FLOAT_EQ(h, 0.5F * std::tanh(c_prev));
}

}  // namespace
}  // namespace t2v::nn
