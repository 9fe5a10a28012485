#include "t2v/time2vec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace t2v {
namespace {

constexpr Activation kAll[] = {Activation::kSin, Activation::kCos,     Activation::kTriangle,
                               Activation::kMod, Activation::kSigmoid, Activation::kTanh,
                               Activation::kRelu};

/// A layer with weights and times that leave no term at a kink.
struct Made {
  Time2Vec layer;
  std::vector<double> omega;
  std::vector<double> phi;
  std::vector<double> times = {-1.3, 0.2, 0.9, 2.4, 7.7};

  explicit Made(Activation activation, bool linear = true)
      : layer({5, activation, linear}), omega(static_cast<std::size_t>(layer.width())), phi(omega.size()) {
    layer.start(omega, phi, FrequencyStart::kU11, 3);
  }
  std::size_t size() const { return times.size() * omega.size(); }
};

/// Σ weight · value: a loss whose gradient by the values is known.
std::vector<double> made_dvalue(std::size_t size) {
  std::vector<double> dvalue;
  for (std::size_t i = 0; i < size; ++i) dvalue.push_back(std::cos(static_cast<double>(i)));
  return dvalue;
}

double loss_of(const Made& made) {
  std::vector<double> value(made.size());
  made.layer.encode(value, made.omega, made.phi, made.times);
  const std::vector<double> dvalue = made_dvalue(made.size());
  double loss = 0;
  for (std::size_t i = 0; i < value.size(); ++i) loss += dvalue[i] * value[i];
  return loss;
}

double slope_by(double& x, const Made& made) {
  constexpr double kStep = 1e-6;
  const double before = x;
  x = before + kStep;
  const double up = loss_of(made);
  x = before - kStep;
  const double down = loss_of(made);
  x = before;
  return (up - down) / (2 * kStep);
}

TEST(Time2VecLayer, HasDoubleGradientsThatDifferencesConfirm) {
  for (const Activation activation : kAll) {
    Made made(activation);
    std::vector<double> value(made.size());
    std::vector<double> slope(made.size());
    made.layer.forward(value, slope, made.omega, made.phi, made.times);
    const std::vector<double> dvalue = made_dvalue(made.size());
    std::vector<double> domega(made.omega.size());
    std::vector<double> dphi(made.omega.size());
    std::vector<double> dtimes(made.times.size());
    made.layer.backward(domega, dphi, dvalue, slope, made.times);
    made.layer.backward_times(dtimes, dvalue, slope, made.omega);
    for (std::size_t i = 0; i < made.omega.size(); ++i) {
      EXPECT_NEAR(domega[i], slope_by(made.omega[i], made), 1e-7) << static_cast<int>(activation);
      EXPECT_NEAR(dphi[i], slope_by(made.phi[i], made), 1e-7) << static_cast<int>(activation);
    }
    for (std::size_t u = 0; u < made.times.size(); ++u) {
      EXPECT_NEAR(dtimes[u], slope_by(made.times[u], made), 1e-7) << static_cast<int>(activation);
    }
  }
}

TEST(Time2VecLayer, GivesFloatsThatAreItsDoublesRounded) {
  for (const Activation activation : kAll) {
    for (const bool linear : {true, false}) {
      const Made made(activation, linear);
      std::vector<double> value(made.size());
      std::vector<double> slope(made.size());
      std::vector<float> value32(made.size());
      std::vector<float> slope32(made.size());
      std::vector<float> alone(made.size());
      made.layer.forward(value, slope, made.omega, made.phi, made.times);
      made.layer.forward(value32, slope32, made.omega, made.phi, made.times);
      made.layer.encode(alone, made.omega, made.phi, made.times);
      EXPECT_EQ(alone, value32);
      for (std::size_t i = 0; i < value.size(); ++i) {
        ASSERT_NEAR(value32[i], value[i], 1e-6);
        ASSERT_NEAR(slope32[i], slope[i], 1e-6);
      }
    }
  }
}

TEST(Time2VecLayer, AddsToGradientsTheSameInFloatsAndDoubles) {
  const Made made(Activation::kSin);
  std::vector<float> value(made.size());
  std::vector<float> slope(made.size());
  made.layer.forward(value, slope, made.omega, made.phi, made.times);
  const std::vector<double> dvalue = made_dvalue(made.size());
  const std::vector<float> dvalue32(dvalue.begin(), dvalue.end());
  const std::vector<double> slope64(slope.begin(), slope.end());
  const std::vector<double> rounded(dvalue32.begin(), dvalue32.end());
  std::vector<double> domega(made.omega.size(), 1);
  std::vector<double> dphi(made.omega.size(), 2);
  std::vector<double> domega64 = domega;
  std::vector<double> dphi64 = dphi;
  std::vector<double> dtimes(made.times.size(), 3);
  std::vector<double> dtimes64 = dtimes;
  made.layer.backward(domega, dphi, dvalue32, slope, made.times);
  made.layer.backward(domega64, dphi64, rounded, slope64, made.times);
  made.layer.backward_times(dtimes, dvalue32, slope, made.omega);
  made.layer.backward_times(dtimes64, rounded, slope64, made.omega);
  for (std::size_t i = 0; i < domega.size(); ++i) {
    EXPECT_NEAR(domega[i], domega64[i], 1e-12);
    EXPECT_NEAR(dphi[i], dphi64[i], 1e-12);
  }
  EXPECT_EQ(dtimes, dtimes64);
  EXPECT_NE(domega[0], 1);
}

TEST(Time2VecLayer, ReducesLargePhasesExactlyInFloatsAndDoubles) {
  const Time2Vec layer({1, Activation::kSin, false});
  const std::vector<double> omega = {0.125};
  const std::vector<double> phi = {0};
  const std::vector<double> times = {0x1p42};
  std::vector<double> value(1);
  std::vector<float> value32(1);
  layer.encode(value, omega, phi, times);
  layer.encode(value32, omega, phi, times);
  EXPECT_NEAR(value[0], std::sin(0x1p39), 1e-13);  // the C library reduces exactly, too
  EXPECT_NEAR(value32[0], std::sin(0x1p39), 1e-7);
}

TEST(Time2VecLayer, KeepsTheProductOfFrequencyAndTimeWholeInDoubles) {
  // 1/3 · 3e11 rounded is off by up to 1e-5; the exact phase is that of the product without rounding.
  const Time2Vec layer({1, Activation::kSin, false});
  const double w = 1.0 / 3;
  const double t = 299999999999.7;
  const double product = w * t;
  const double rest = std::fma(w, t, -product);
  ASSERT_GT(std::abs(rest), 1e-7);
  std::vector<double> value(1);
  layer.encode(value, std::vector<double>{w}, std::vector<double>{0.0}, std::vector<double>{t});
  EXPECT_NEAR(value[0], std::sin(product) * std::cos(rest) + std::cos(product) * std::sin(rest), 1e-12);
}

TEST(Time2VecLayer, StartsTheSameForASeedAndFromTheSpanOfTimes) {
  const Time2Vec layer({16, Activation::kSin, true});
  std::vector<double> omega(17);
  std::vector<double> phi(17);
  std::vector<double> again(17);
  std::vector<double> other(17);
  layer.start(omega, phi, FrequencyStart::kN1, 5);
  layer.start(again, other, FrequencyStart::kN1, 5);
  EXPECT_EQ(omega, again);
  EXPECT_NE(omega, phi);
  layer.start(again, other, FrequencyStart::kN1, 6);
  EXPECT_NE(omega, again);
  const std::vector<double> days = {10, 30, 20, 110};
  layer.start(omega, phi, FrequencyStart::kSpan, 5, days);
  EXPECT_DOUBLE_EQ(omega[0], 0.01);
  for (std::size_t i = 1; i < omega.size(); ++i) {
    EXPECT_GE(omega[i], 2 * std::numbers::pi / 100);
    EXPECT_LE(omega[i], std::numbers::pi / 10);
  }
}

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Time2VecLayer, RefusesWhatItCannotDoAndWritesNothing) {
  const Made made(Activation::kSin);
  std::vector<float> value(made.size(), 9);
  std::vector<double> omega = made.omega;
  const auto encode = [&](const std::vector<double>& times) {
    return message_of([&] { made.layer.encode(value, omega, made.phi, times); });
  };
  EXPECT_NE(encode({1, 2}).find("value has 30 numbers, but 12 are needed"), std::string::npos);
  EXPECT_NE(encode({1, NAN, 3, 4, 5}).find("a time is nan"), std::string::npos);
  EXPECT_NE(encode({1, 2, 3, 4, 1e31}).find("a time is 1e+31"), std::string::npos);
  omega[2] = 2e12;
  EXPECT_NE(encode({0, 0, 0, 0, 1}).find("leaves the range of exact phases"), std::string::npos);
  EXPECT_TRUE(std::ranges::all_of(value, [](float x) { return x == 9; }));
  EXPECT_NE(message_of([] { Time2Vec({.k = -1}); }), "");
  EXPECT_NE(message_of([] { Time2Vec({.k = 0, .linear = false}); }), "");
  EXPECT_EQ(Time2Vec({.k = 0}).width(), 1);
}

}  // namespace
}  // namespace t2v
