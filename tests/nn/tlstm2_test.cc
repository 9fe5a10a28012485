#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "nn/cell.h"

namespace t2v::nn {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

constexpr double kSums[] = {0.2, -0.5, 0.3, -0.7, 1.1, 0.4, -1.4, 0.9};  // T1, T2, i, f, g, o, u1, u2
constexpr double kPeepholes[] = {0.6, -0.9, 1.3};                        // p_i, p_f, p_o
constexpr double kBefore = -0.8;

struct State {
  double c;
  double h;
};

State step(bool tanh, const double (&sums)[8]) {
  double gates[8];
  std::copy_n(sums, 8, gates);
  const double h_prev = 0.5;
  State state{};
  tlstm2(tanh).functions.twin.forward({1, 1, gates, kPeepholes, &kBefore, &h_prev, &state.c, &state.h});
  return state;
}

void expect_equations(bool tanh, double squashed_u1, double squashed_u2) {
  const State state = step(tanh, kSums);
  const double t1 = logistic(kSums[0] + squashed_u1);
  const double t2 = logistic(kSums[1] + squashed_u2);
  const double i = logistic(kSums[2] + kBefore * kPeepholes[0]);
  const double f = logistic(kSums[3] + kBefore * kPeepholes[1]);
  const double g = std::tanh(kSums[4]);
  const double emitted = f * kBefore + i * t1 * g;
  EXPECT_NEAR(state.c, f * kBefore + i * t2 * g, 1e-15);
  EXPECT_NEAR(state.h, logistic(kSums[5] + emitted * kPeepholes[2]) * std::tanh(emitted), 1e-15);
}

TEST(Tlstm2, ComputesTheEquationsOfThePaperForOneUnit) {
  expect_equations(false, logistic(kSums[6]), logistic(kSums[7]));
}

TEST(Tlstm2, SquashesTheTimeTermsByTanhIfAskedTo) {
  expect_equations(true, std::tanh(kSums[6]), std::tanh(kSums[7]));
}

TEST(Tlstm2, WithoutTimeTermsLeavesHalfInTheGatesForSigmoidAndNothingForTanh) {
  const double wide_open[] = {0.2, -0.5, 40, 40, 1.1, 80, 0, 0};  // c = c' + T2 g, h = tanh(c' + T1 g)
  const double g = std::tanh(1.1);
  EXPECT_NEAR(step(false, wide_open).c, kBefore + logistic(-0.5 + 0.5) * g, 1e-14);
  EXPECT_NEAR(step(false, wide_open).h, std::tanh(kBefore + logistic(0.2 + 0.5) * g), 1e-14);
  EXPECT_NEAR(step(true, wide_open).c, kBefore + logistic(-0.5) * g, 1e-14);
  EXPECT_NEAR(step(true, wide_open).h, std::tanh(kBefore + logistic(0.2) * g), 1e-14);
}

TEST(Tlstm2, EmitsThroughTheFirstTimeGateAndRemembersThroughTheSecond) {
  const double second_shut[] = {60, -60, 40, 40, 1.1, 80, 0.3, 0.3};
  EXPECT_NEAR(step(false, second_shut).c, kBefore, 1e-14);
  EXPECT_NEAR(step(false, second_shut).h, std::tanh(kBefore + std::tanh(1.1)), 1e-14);
  const double first_shut[] = {-60, 60, 40, 40, 1.1, 80, 0.3, 0.3};
  EXPECT_NEAR(step(false, first_shut).c, kBefore + std::tanh(1.1), 1e-14);
  EXPECT_NEAR(step(false, first_shut).h, std::tanh(kBefore), 1e-14);
}

TEST(Tlstm2, FeedsTheTimeGatesFromEventsAndTimesAloneAndTheOutputGateFromAll) {
  const Cell cell = tlstm2(false);
  EXPECT_EQ(cell.input.begin, 0);  // T1, T2, i, f, g, o
  EXPECT_EQ(cell.input.end, 6);
  EXPECT_EQ(cell.hidden.begin, 2);  // i, f, g, o
  EXPECT_EQ(cell.hidden.end, 6);
  EXPECT_EQ(cell.time.begin, 5);  // o, u1, u2
  EXPECT_EQ(cell.time.end, 8);
  EXPECT_EQ(cell.forget, 3);
  EXPECT_EQ(cell.first_time_gate, 6);
}

}  // namespace
}  // namespace t2v::nn
