#include <gtest/gtest.h>

#include <cmath>

#include "nn/cell.h"

namespace t2v::nn {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

constexpr double kSums[] = {0.3, -0.7, 1.1, 0.4};  // i, f, g, o
constexpr double kPeepholes[] = {0.6, -0.9, 1.3};  // p_i, p_f, p_o
constexpr double kCellBefore = -0.8;
constexpr double kHiddenBefore = 0.5;

struct State {
  double c;
  double h;
};

State step(double kappa) {
  double gates[] = {kSums[0], kSums[1], kSums[2], kSums[3], kappa};
  State state{};
  phased().functions.twin.forward(
      {1, 1, gates, kPeepholes, &kCellBefore, &kHiddenBefore, &state.c, &state.h});
  return state;
}

TEST(Phased, ComputesTheEquationsOfThePaperForOneUnit) {
  const double kappa = 0.3;
  const double i = logistic(kSums[0] + kCellBefore * kPeepholes[0]);
  const double f = logistic(kSums[1] + kCellBefore * kPeepholes[1]);
  const double proposed_c = f * kCellBefore + i * std::tanh(kSums[2]);
  const double proposed_h = logistic(kSums[3] + proposed_c * kPeepholes[2]) * std::tanh(proposed_c);
  const State state = step(kappa);
  EXPECT_NEAR(state.c, kappa * proposed_c + (1 - kappa) * kCellBefore, 1e-15);
  EXPECT_NEAR(state.h, kappa * proposed_h + (1 - kappa) * kHiddenBefore, 1e-15);
}

TEST(Phased, KeepsCellAndHiddenStateWhileTheClockIsShut) {
  const State state = step(0);
  EXPECT_EQ(state.c, kCellBefore);
  EXPECT_EQ(state.h, kHiddenBefore);
}

TEST(Phased, IsTheLstmWithPeepholesWhileTheClockIsOpen) {
  double gates[] = {kSums[0], kSums[1], kSums[2], kSums[3]};
  double c = 0;
  double h = 0;
  peephole().functions.twin.forward({1, 1, gates, kPeepholes, &kCellBefore, &kHiddenBefore, &c, &h});
  const State state = step(1);
  EXPECT_NEAR(state.c, c, 1e-15);
  EXPECT_NEAR(state.h, h, 1e-15);
}

TEST(Phased, FeedsTheClocksBlockFromNothingElse) {
  const Cell cell = phased();
  EXPECT_EQ(cell.clock, 4);
  for (const Blocks& blocks : {cell.input, cell.time, cell.hidden}) {
    EXPECT_EQ(blocks.begin, 0);
    EXPECT_EQ(blocks.end, 4);
  }
  EXPECT_EQ(cell.forget, 1);
  EXPECT_TRUE(cell.direct_hidden);
}

}  // namespace
}  // namespace t2v::nn
