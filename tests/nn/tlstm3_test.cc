#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "nn/cell.h"

namespace t2v::nn {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

constexpr double kSums[] = {0.2, -0.5, 0.3, 1.1, 0.4, -1.4, 0.9};  // T1, T2, i, g, o, u1, u2
constexpr double kPeepholes[] = {0.6, 1.3};                        // p_i, p_o
constexpr double kBefore = -0.8;

struct State {
  double c;
  double h;
};

State step(bool tanh, const double (&sums)[7]) {
  double gates[7];
  std::copy_n(sums, 7, gates);
  const double h_prev = 0.5;
  State state{};
  tlstm3(tanh).functions.twin.forward({1, 1, gates, kPeepholes, &kBefore, &h_prev, &state.c, &state.h});
  return state;
}

void expect_equations(bool tanh, double squashed_u1, double squashed_u2) {
  const State state = step(tanh, kSums);
  const double t1 = logistic(kSums[0] + squashed_u1);
  const double t2 = logistic(kSums[1] + squashed_u2);
  const double i = logistic(kSums[2] + kBefore * kPeepholes[0]);
  const double g = std::tanh(kSums[3]);
  const double emitted = (1 - i * t1) * kBefore + i * t1 * g;
  EXPECT_NEAR(state.c, (1 - i) * kBefore + i * t2 * g, 1e-15);
  EXPECT_NEAR(state.h, logistic(kSums[4] + emitted * kPeepholes[1]) * std::tanh(emitted), 1e-15);
}

TEST(Tlstm3, ComputesTheEquationsOfThePaperForOneUnit) {
  expect_equations(false, logistic(kSums[5]), logistic(kSums[6]));
}

TEST(Tlstm3, SquashesTheTimeTermsByTanhIfAskedTo) {
  expect_equations(true, std::tanh(kSums[5]), std::tanh(kSums[6]));
}

TEST(Tlstm3, WithoutTimeTermsLeavesHalfInTheGatesForSigmoidAndNothingForTanh) {
  const double wide_open[] = {0.2, -0.5, 60, 1.1, 80, 0, 0};  // c = T2 g, h = tanh((1 - T1) c' + T1 g)
  const double g = std::tanh(1.1);
  const double half = logistic(0.2 + 0.5);
  const double none = logistic(0.2);
  EXPECT_NEAR(step(false, wide_open).c, logistic(-0.5 + 0.5) * g, 1e-14);
  EXPECT_NEAR(step(false, wide_open).h, std::tanh((1 - half) * kBefore + half * g), 1e-14);
  EXPECT_NEAR(step(true, wide_open).c, logistic(-0.5) * g, 1e-14);
  EXPECT_NEAR(step(true, wide_open).h, std::tanh((1 - none) * kBefore + none * g), 1e-14);
}

TEST(Tlstm3, KeepsItsMemoryWhileTheInputGateIsShut) {
  const double shut[] = {0.2, -0.5, -60, 1.1, 80, -1.4, 0.9};
  for (const bool tanh : {false, true}) {
    EXPECT_NEAR(step(tanh, shut).c, kBefore, 1e-14);
    EXPECT_NEAR(step(tanh, shut).h, std::tanh(kBefore), 1e-14);
  }
}

TEST(Tlstm3, ForgetsByTheInputGateWhateverTheTimeGates) {
  const double gates_shut[] = {-60, -60, 60, 1.1, 80, 0.3, 0.3};
  EXPECT_NEAR(step(false, gates_shut).c, 0, 1e-14);
  EXPECT_NEAR(step(false, gates_shut).h, std::tanh(kBefore), 1e-14);
}

TEST(Tlstm3, FeedsTheTimeGatesFromEventsAndTimesAloneAndTheOutputGateFromAll) {
  const Cell cell = tlstm3(false);
  EXPECT_EQ(cell.input.begin, 0);  // T1, T2, i, g, o
  EXPECT_EQ(cell.input.end, 5);
  EXPECT_EQ(cell.hidden.begin, 2);  // i, g, o
  EXPECT_EQ(cell.hidden.end, 5);
  EXPECT_EQ(cell.time.begin, 4);  // o, u1, u2
  EXPECT_EQ(cell.time.end, 7);
  EXPECT_EQ(cell.forget, -1);
  EXPECT_EQ(cell.first_time_gate, 5);
}

}  // namespace
}  // namespace t2v::nn
