#include <gtest/gtest.h>

#include <cmath>

#include "nn/cell.h"

namespace t2v::nn {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

struct State {
  double c;
  double h;
};

/// Sums of n, r, z and m.
State step(double n, double r, double z, double m, double h_prev) {
  double gates[] = {n, r, z, m};
  const double c_prev = h_prev;
  State state{};
  gru().functions.twin.forward({1, 1, gates, nullptr, &c_prev, &h_prev, &state.c, &state.h});
  return state;
}

TEST(Gru, ComputesTheEquationsOfPytorchForOneUnit) {
  const State state = step(1.1, 0.3, -0.7, -1.6, 0.45);
  const double r = logistic(0.3);
  const double z = logistic(-0.7);
  const double n = std::tanh(1.1 + r * -1.6);
  EXPECT_NEAR(state.h, (1 - z) * n + z * 0.45, 1e-15);
  EXPECT_EQ(state.c, state.h);
}

TEST(Gru, KeepsItsStateWhileTheUpdateGateIsOpen) {
  EXPECT_NEAR(step(1.1, 0.3, 60, -1.6, 0.45).h, 0.45, 1e-15);
}

TEST(Gru, ForgetsItsStateForTheCandidateWhileTheResetGateIsShut) {
  EXPECT_NEAR(step(1.1, -60, -60, -1.6, 0.45).h, std::tanh(1.1), 1e-15);
}

TEST(Gru, TakesTheStateFromTheHiddenOneAndNotFromTheCell) {
  double gates[] = {1.1, 0.3, 60, -1.6};
  const double c_prev = 0.9;
  const double h_prev = 0.45;
  double c = 0;
  double h = 0;
  gru().functions.twin.forward({1, 1, gates, nullptr, &c_prev, &h_prev, &c, &h});
  EXPECT_NEAR(h, h_prev, 1e-15);
}

TEST(Gru, FeedsTheCandidateFromInputsAndFromTheHiddenStateApart) {
  const Cell cell = gru();
  EXPECT_EQ(cell.input.begin, 0);  // n, r, z
  EXPECT_EQ(cell.input.end, 3);
  EXPECT_EQ(cell.time.begin, 0);
  EXPECT_EQ(cell.time.end, 3);
  EXPECT_EQ(cell.hidden.begin, 1);  // r, z, m
  EXPECT_EQ(cell.hidden.end, 4);
  EXPECT_TRUE(cell.direct_hidden);
}

}  // namespace
}  // namespace t2v::nn
