// The fast float path against its double twin: the same code on other kernels, so what differs is rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "compare.h"
#include "made_batch.h"
#include "model/model.h"

namespace t2v {
namespace {

using namespace testing;

constexpr double kUnit = 0x1p-24;  // half the distance from 1 to the next float

/// A sum of n products in floats is off by at most n kUnit of the sum of their sizes, in practice by about
/// sqrt(n); each step of a recurrence passes its error on. So the error of a gradient grows with the steps
/// and with the root of the length of the sums. The factor covers the handful of operations around each sum,
/// and that a tensor's largest entry may be a few times smaller than the terms that it is the sum of.
double bound(const ModelConfig& config, int64_t longest, int64_t events) {
  const int64_t inputs = 16 + (config.cell == "none" ? 0 : config.hidden);
  const auto sums = std::sqrt(static_cast<double>(inputs + events));
  return std::min(1e-4, 16 * kUnit * static_cast<double>(longest) * sums);
}

void expect_float_equals_double(const ModelConfig& config, const std::vector<int64_t>& lengths,
                                bool repeated) {
  SCOPED_TRACE(describe(config));
  const Model model(config);
  const auto [parameters, batch] = made_case(
      model, lengths, repeated, [](const nn::Parameters<double>&, const MadeBatch&) { return true; });
  ThreadPool pool(2);
  Workspace<double> twin;
  Workspace<float> fast;
  const double expected = model.gradient(parameters, batch.view(), twin, pool);
  const double loss = model.gradient(nn::convert<float>(parameters), batch.view(), fast, pool);
  const double tolerance = bound(config, *std::max_element(lengths.begin(), lengths.end()),
                                 std::accumulate(lengths.begin(), lengths.end(), int64_t{0}));
  EXPECT_NEAR(loss, expected, tolerance * std::abs(expected));
  for (const nn::Tensor& tensor : model.layout().tensors()) {
    expect_close(values_of(fast.gradient, tensor), values_of(twin.gradient, tensor), tolerance, tensor.name,
                 may_saturate(config));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(FloatPath, EqualsTheDoubleTwinForEveryCellEncoderAndHead) {
  for (const ModelConfig& config : all_model_configs(13)) {
    for (const bool repeated : {true, false}) {
      expect_float_equals_double(config, {4, 1, 6, 2, 6, 11}, repeated);
      if (HasFailure()) return;
    }
  }
}

TEST(FloatPath, EqualsTheDoubleTwinForHiddenSizesThatFillNoVector) {
  for (const int64_t hidden : {1, 2, 7, 15, 16, 17, 31, 33, 50}) {
    for (ModelConfig config : all_cell_configs()) {
      config.times = {nn::TimeEncoderConfig{}};
      config.times[0].k = 7;
      config.hidden = hidden;
      config.heads[0].classes = 5;
      expect_float_equals_double(config, {9, 3, 1, 8}, true);
      if (HasFailure()) return;
    }
  }
}

TEST(FloatPath, EqualsTheDoubleTwinForLengthsFromOneTo300InOneBatch) {
  std::vector<int64_t> lengths(300);
  std::iota(lengths.begin(), lengths.end(), 1);
  ModelConfig config;
  config.event_types = 6;
  config.times = {nn::TimeEncoderConfig{}};
  config.times[0].k = 3;
  config.hidden = 9;
  config.heads[0].classes = 4;
  expect_float_equals_double(config, lengths, true);
}

/// A single sequence: the events that do not occur have no gradient, a first event has no state before it,
/// and a clock may keep a unit shut, so only what is not zero by nature or nearly so is compared.
void expect_float_equals_double_alone(const ModelConfig& config, int64_t length) {
  SCOPED_TRACE(describe(config));
  const Model model(config);
  const MadeBatch batch({length}, config, 3, false);
  const nn::Parameters<double> parameters = made_parameters(model, 2);
  ThreadPool pool(1);
  Workspace<double> twin;
  Workspace<float> fast;
  const double expected = model.gradient(parameters, batch.view(), twin, pool);
  // The slope of a squared error is a difference, and as exact as the numbers near 1 that it is one of.
  const std::string& kind = config.heads[0].kind;
  const bool difference = kind == "mse" || kind == "huber";
  const double tolerance =
      bound(config, length, length) * (difference ? std::max(1.0, 1 / std::sqrt(expected)) : 1);
  int compared = 0;
  EXPECT_NEAR(model.gradient(nn::convert<float>(parameters), batch.view(), fast, pool), expected,
              tolerance * (1 + std::abs(expected)));
  for (const nn::Tensor& tensor : model.layout().tensors()) {
    std::vector<double> is;
    std::vector<double> should;
    const auto all = values_of(fast.gradient, tensor);
    const auto all_expected = values_of(twin.gradient, tensor);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all_expected[i] == 0) {
        EXPECT_EQ(all[i], 0) << tensor.name;
        continue;
      }
      is.push_back(all[i]);
      should.push_back(all_expected[i]);
    }
    double largest = 0;
    for (const double x : should) largest = std::max(largest, std::abs(x));
    if (largest < 1e-3) continue;
    expect_close(is, should, tolerance, tensor.name, may_saturate(config));
    ++compared;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_TRUE(compared > 0 || may_saturate(config));  // the slopes of two absolute errors may cancel
}

TEST(FloatPath, EqualsTheDoubleTwinForABatchOfOneSequence) {
  for (const ModelConfig& config : all_model_configs(6)) {
    for (const int64_t length : {1, 2, 9}) {
      if (length == 1 && config.heads[0].each_step && config.heads[0].kind != "mse" &&
          config.heads[0].kind != "mae" && config.heads[0].kind != "huber") {
        continue;  // after a single event nothing comes
      }
      expect_float_equals_double_alone(config, length);
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace t2v
