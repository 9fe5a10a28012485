#include <gtest/gtest.h>

#include <cmath>

#include "nn/cell.h"

namespace t2v::nn {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

TEST(Peephole, ComputesTheEquationsOfThePaperForOneUnit) {
  const double a[] = {0.3, -0.7, 1.1, 0.4};  // sums of i, f, g, o
  const double p[] = {0.6, -0.9, 1.3};       // p_i, p_f, p_o
  double gates[] = {a[0], a[1], a[2], a[3]};
  const double c_prev = -0.8;
  const double h_prev = 0.5;
  double c = 0;
  double h = 0;
  peephole().functions.twin.forward({1, 1, gates, p, &c_prev, &h_prev, &c, &h});
  const double i = logistic(a[0] + c_prev * p[0]);
  const double f = logistic(a[1] + c_prev * p[1]);
  const double expected_c = f * c_prev + i * std::tanh(a[2]);
  EXPECT_NEAR(c, expected_c, 1e-15);
  EXPECT_NEAR(h, logistic(a[3] + expected_c * p[2]) * std::tanh(expected_c), 1e-15);
}

TEST(Peephole, WithoutPeepholesIsTheLstm) {
  double gates[] = {0.3, -0.7, 1.1, 0.4};
  double lstm_gates[] = {0.3, -0.7, 1.1, 0.4};
  const double p[] = {0, 0, 0};
  const double c_prev = -0.8;
  const double h_prev = 0.5;
  double c = 0;
  double h = 0;
  double lstm_c = 1;
  double lstm_h = 1;
  peephole().functions.twin.forward({1, 1, gates, p, &c_prev, &h_prev, &c, &h});
  lstm().functions.twin.forward({1, 1, lstm_gates, nullptr, &c_prev, &h_prev, &lstm_c, &lstm_h});
  EXPECT_DOUBLE_EQ(c, lstm_c);
  EXPECT_DOUBLE_EQ(h, lstm_h);
}

TEST(Peephole, TakesTheWeightsOfEachUnitFromItsColumn) {
  // Two units, the first with peepholes that shut its gates, the second with some that open them.
  const float p[] = {-40, 40, -40, 40, -40, 40};
  float gates[] = {0, 0, 0, 0, 0.5F, 0.5F, 0, 0};
  const float c_prev[] = {1, 1};
  const float h_prev[] = {0, 0};
  float c[2];
  float h[2];
  peephole().functions.fast.forward({1, 2, gates, p, c_prev, h_prev, c, h});
  EXPECT_NEAR(c[0], 0, 1e-6);
  EXPECT_FLOAT_EQ(c[1], 1 + std::tanh(0.5F));
  EXPECT_FLOAT_EQ(h[1], std::tanh(c[1]));
}

}  // namespace
}  // namespace t2v::nn
