#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "nn/cell.h"

namespace t2v::nn {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

constexpr double kSums[] = {0.2, 0.3, -0.7, 1.1, 0.4, -1.4};  // T, i, f, g, o and the time term u
constexpr double kPeepholes[] = {0.6, -0.9, 1.3};             // p_i, p_f, p_o
constexpr double kBefore = -0.8;

struct State {
  double c;
  double h;
};

State step(bool tanh, const double (&sums)[6]) {
  double gates[6];
  std::copy_n(sums, 6, gates);
  const double h_prev = 0.5;
  State state{};
  tlstm1(tanh).functions.twin.forward({1, 1, gates, kPeepholes, &kBefore, &h_prev, &state.c, &state.h});
  return state;
}

void expect_equations(bool tanh, double squashed_time) {
  const State state = step(tanh, kSums);
  const double t = logistic(kSums[0] + squashed_time);
  const double i = logistic(kSums[1] + kBefore * kPeepholes[0]);
  const double f = logistic(kSums[2] + kBefore * kPeepholes[1]);
  const double c = f * kBefore + i * t * std::tanh(kSums[3]);
  EXPECT_NEAR(state.c, c, 1e-15);
  EXPECT_NEAR(state.h, logistic(kSums[4] + c * kPeepholes[2]) * std::tanh(c), 1e-15);
}

TEST(Tlstm1, ComputesTheEquationsOfThePaperForOneUnit) { expect_equations(false, logistic(kSums[5])); }

TEST(Tlstm1, SquashesTheTimeTermByTanhIfAskedTo) { expect_equations(true, std::tanh(kSums[5])); }

TEST(Tlstm1, WithoutATimeTermLeavesHalfInTheGateForSigmoidAndNothingForTanh) {
  const double wide_open[] = {0.2, 40, 40, 1.1, 0.4, 0};  // c = c' + T g
  const double g = std::tanh(1.1);
  EXPECT_NEAR(step(false, wide_open).c, kBefore + logistic(0.2 + 0.5) * g, 1e-14);
  EXPECT_NEAR(step(true, wide_open).c, kBefore + logistic(0.2) * g, 1e-14);
}

TEST(Tlstm1, LetsNothingInWhileTheTimeGateIsShut) {
  const double shut[] = {-60, 40, 40, 1.1, 0.4, 0.3};
  EXPECT_NEAR(step(false, shut).c, kBefore, 1e-14);
  EXPECT_NEAR(step(true, shut).c, kBefore, 1e-14);
}

TEST(Tlstm1, FeedsTheTimeGateFromEventsAndTimesAloneAndTheOutputGateFromAll) {
  const Cell cell = tlstm1(false);
  EXPECT_EQ(cell.input.begin, 0);  // T, i, f, g, o
  EXPECT_EQ(cell.input.end, 5);
  EXPECT_EQ(cell.hidden.begin, 1);  // i, f, g, o
  EXPECT_EQ(cell.hidden.end, 5);
  EXPECT_EQ(cell.time.begin, 4);  // o, u
  EXPECT_EQ(cell.time.end, 6);
  EXPECT_EQ(cell.forget, 2);
}

}  // namespace
}  // namespace t2v::nn
