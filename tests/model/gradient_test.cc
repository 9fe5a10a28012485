// Gradients of the double twin against the complex step, which has no cancellation and so is exact to
// rounding: Im f(w + ih) / h for a tiny h.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "compare.h"
#include "made_batch.h"
#include "model/model.h"
#include "t2v/error.h"

namespace t2v {
namespace {

using namespace testing;

constexpr double kStep = 1e-40;
constexpr double kTolerance = 1e-12;
constexpr double kAwayFromKinks = 1e-3;

/// The distance of a phase from the nearest point where the activation has no derivative.
double distance_from_kink(nn::Activation activation, double x) {
  using std::numbers::pi;
  switch (activation) {
    case nn::Activation::kRelu:
      return std::abs(x);
    case nn::Activation::kMod:
      return std::abs(std::remainder(x, 2 * pi));
    case nn::Activation::kTriangle:
      return std::abs(std::remainder(x - pi / 2, pi));
    default:
      return 1;
  }
}

bool away_from_kinks(const Model& model, const nn::Parameters<double>& parameters, const MadeBatch& batch) {
  for (const nn::TimeEncoder* of : model.encoders()) {
    const nn::TimeEncoder& encoder = *of;
    if (!encoder.learned()) continue;
    const double* omega = parameters.wide_data(model.layout()[encoder.omega()]);
    const double* phi = parameters.wide_data(model.layout()[encoder.phi()]);
    for (const double tau : batch.times[static_cast<std::size_t>(encoder.config().input)]) {
      for (int64_t i = encoder.first_periodic(); i < encoder.width(); ++i) {
        const double x = omega[i] * tau + phi[i];
        if (distance_from_kink(encoder.config().activation, x) < kAwayFromKinks) return false;
      }
    }
  }
  return true;
}

void expect_gradient_by_complex_step(const ModelConfig& config, const std::vector<int64_t>& lengths,
                                     bool repeated_times) {
  SCOPED_TRACE(describe(config));
  const Model model(config);
  const auto [parameters, batch] = made_case(
      model, lengths, repeated_times,
      [&](const nn::Parameters<double>& p, const MadeBatch& b) { return away_from_kinks(model, p, b); });
  ThreadPool pool(1);
  Workspace<double> work;
  const double loss = model.gradient(parameters, batch.view(), work, pool);
  Workspace<Complex> complex_work;
  nn::Parameters<Complex> shifted = nn::convert<Complex>(parameters);
  EXPECT_NEAR(model.loss(shifted, batch.view(), complex_work, pool).real(), loss, 1e-13 * std::abs(loss));
  for (const nn::Tensor& tensor : model.layout().tensors()) {
    std::vector<double> expected;
    for (int64_t i = 0; i < tensor.size(); ++i) {
      const Complex value = shifted.get(tensor, i);
      shifted.set(tensor, i, value + Complex(0, kStep));
      expected.push_back(model.loss(shifted, batch.view(), complex_work, pool).imag() / kStep);
      shifted.set(tensor, i, value);
    }
    expect_close(values_of(work.gradient, tensor), expected, kTolerance, tensor.name, may_saturate(config));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Gradient, OfEveryCellEncoderAndHeadEqualsTheComplexStep) {
  for (const ModelConfig& config : all_model_configs(3)) {
    expect_gradient_by_complex_step(config, {4, 1, 6, 2, 6}, true);
    if (HasFailure()) return;
  }
}

TEST(Gradient, EqualsTheComplexStepWhereAllTimesDiffer) {
  for (const ModelConfig& config : all_model_configs(2)) {
    expect_gradient_by_complex_step(config, {3, 5, 1}, false);
    if (HasFailure()) return;
  }
}

TEST(Gradient, EqualsTheComplexStepForSeveralShards) {
  ModelConfig config = all_model_configs(3).back();
  ASSERT_GT(shard_count(34), 1);
  expect_gradient_by_complex_step(config, {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2,
                                           3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5, 2, 8},
                                  true);
}

TEST(Gradient, OfHeadsThatSeeAllStatesEqualsTheComplexStep) {
  for (ModelConfig config : all_cell_configs()) {
    if (config.cell == "none") continue;
    for (nn::HeadConfig head : all_head_configs()) {
      if (head.each_step) continue;
      head.pool = "all";
      config.event_types = 4;
      config.times = all_time_configs().back();
      config.hidden = 3;
      config.layers = head.kind == "mse" && config.cell != "phased" ? 2 : 1;
      config.heads = {head};
      expect_gradient_by_complex_step(config, {4, 1, 6, 2, 6}, true);
      if (HasFailure()) return;
    }
  }
}

TEST(Gradient, OfEventsThatAreSumsOfRowsEqualsTheComplexStep) {
  int64_t layers = 1;
  for (ModelConfig config : all_cell_configs()) {
    for (const auto& times : {all_time_configs().front(), all_time_configs().back()}) {
      config.event_types = 2;
      config.event_rows = 7;
      config.times = times;
      config.hidden = 3;
      config.layers = config.cell == "none" || config.cell == "phased" ? 1 : layers;
      config.heads.assign(1, {});
      expect_gradient_by_complex_step(config, {4, 1, 6, 2, 6}, true);
      if (HasFailure()) return;
      layers = 3 - layers;
    }
  }
}

TEST(Gradient, OfWhatAndWhenTogetherEqualsTheComplexStep) {
  for (ModelConfig config : all_cell_configs()) {
    const auto all = all_time_configs();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (config.cell != "lstm" && i > 0 && i + 1 < all.size()) continue;  // the cell has no part in it
      config.event_types = 3;
      config.times = all.back();
      config.hidden = 3;
      make_timed(config, all[i]);
      for (const bool repeated : {true, false}) {
        expect_gradient_by_complex_step(config, {4, 1, 6, 2, 6}, repeated);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(Gradient, OfWhatAndWhenWithDropoutHasTheSameBitsOnAnyThreads) {
  ModelConfig config;
  config.event_types = 3;
  config.hidden = 5;
  config.head_dropout = 0.5;
  make_timed(config, all_time_configs().back());
  const Model model(config);
  const MadeBatch batch(std::vector<int64_t>(140, 3), config, 1, true);
  const auto parameters = nn::convert<float>(made_parameters(model, 1));
  const auto gradient_on = [&](int threads, uint64_t key) {
    ThreadPool pool(threads);
    Workspace<float> work;
    work.dropout_key = key;
    model.gradient(parameters, batch.view(), work, pool);
    return std::vector<float>(work.gradient.dense.begin(), work.gradient.dense.end());
  };
  EXPECT_EQ(gradient_on(1, 5), gradient_on(3, 5));
  EXPECT_NE(gradient_on(1, 5), gradient_on(1, 6));
}

TEST(Model, RefusesPartsOfEventsThatItHasNoRowsFor) {
  ModelConfig config;
  config.event_types = 2;
  config.event_rows = 3;
  config.hidden = 3;
  const Model model(config);
  MadeBatch batch({3, 2}, config, 1, false);
  const auto parameters = made_parameters(model, 1);
  ThreadPool pool(1);
  Workspace<double> work;
  batch.parts.assign(batch.parts.size(), {3, 1});
  EXPECT_THROW(model.loss(parameters, batch.view(), work, pool), Error);
  batch.part_offsets.pop_back();
  EXPECT_THROW(model.loss(parameters, batch.view(), work, pool), Error);
}

TEST(Gradient, OfHeadsThatSeeAllStatesHasTheSameBitsOnAnyThreads) {
  ModelConfig config;
  config.event_types = 4;
  config.hidden = 5;
  config.head_dropout = 0.5;
  config.heads[0].pool = "all";
  const Model model(config);
  const MadeBatch batch(std::vector<int64_t>(140, 3), config, 1, true);
  const auto parameters = nn::convert<float>(made_parameters(model, 1));
  const auto gradient_on = [&](int threads) {
    ThreadPool pool(threads);
    Workspace<float> work;
    work.dropout_key = 5;
    model.gradient(parameters, batch.view(), work, pool);
    return std::vector<float>(work.gradient.dense.begin(), work.gradient.dense.end());
  };
  EXPECT_EQ(gradient_on(1), gradient_on(3));
}

TEST(Gradient, OfFrozenFrequenciesIsZeroAndTheLinearTermStillLearns) {
  ModelConfig config;
  config.times = {nn::TimeEncoderConfig{}};
  config.times[0].k = 4;
  config.times[0].frozen = true;
  config.hidden = 3;
  const Model model(config);
  const MadeBatch batch({3, 2}, config, 1, false);
  ThreadPool pool(1);
  Workspace<float> work;
  model.gradient(nn::convert<float>(made_parameters(model, 1)), batch.view(), work, pool);
  for (const char* name : {"time0.omega", "time0.phi"}) {
    const auto gradient = values_of(work.gradient, model.layout()[model.layout().find(name)]);
    EXPECT_NE(gradient[0], 0) << name;
    for (std::size_t i = 1; i < gradient.size(); ++i) EXPECT_EQ(gradient[i], 0) << name;
  }
}

}  // namespace
}  // namespace t2v
