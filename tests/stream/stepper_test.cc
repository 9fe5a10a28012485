#include "stream/stepper.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "allocations.h"
#include "model/made_batch.h"
#include "t2v/error.h"

namespace t2v {
namespace {

using namespace testing;

/// Every cell and none, with one layer and two, with and without inputs straight to the heads, with three
/// times and all heads at once.
std::vector<ModelConfig> all_stream_configs(int64_t hidden) {
  std::vector<ModelConfig> all;
  for (const ModelConfig& cell : all_cell_configs()) {
    for (const int64_t layers : {1, 2}) {
      for (const bool skip : {false, true}) {
        ModelConfig config = cell;
        config.layers = layers;
        config.skip = skip;
        config.hidden = hidden;
        config.event_types = 4;
        config.features = 2;
        config.biases = 1 + static_cast<int>(layers % 2);
        config.times = all_time_configs().back();
        config.heads = all_head_configs();
        for (nn::HeadConfig& head : config.heads) {
          const bool all = layers == 2 && cell.cell != "none" && !head.each_step;
          head.pool = all && head.kind != "mae" ? "all" : "last";
        }
        all.push_back(config);
      }
    }
  }
  return all;
}

std::vector<ModelConfig> all_encoder_configs() {
  std::vector<ModelConfig> all;
  for (const auto& times : all_time_configs()) {
    for (const char* cell : {"lstm", "tlstm3"}) {
      ModelConfig config;
      config.cell = cell;
      config.t1_constraint = "floor";
      config.hidden = 5;
      config.event_types = 4;
      config.times = times;
      config.heads[0].each_step = true;
      all.push_back(config);
    }
  }
  return all;
}

/// A batch for a model, without anything to predict.
MadeBatch batch_for(ModelConfig config, const std::vector<int64_t>& lengths) {
  config.heads.clear();
  return {lengths, config, 7, false};
}

StepInput input_of(const MadeBatch& batch, int64_t event, const ModelConfig& config) {
  const auto e = static_cast<std::size_t>(event);
  const auto features = static_cast<std::size_t>(config.features);
  return {batch.events[e],
          std::span(batch.features).subspan(e * features, features),
          {batch.times[0][e], batch.times[1][e], batch.times[2][e], batch.times[3][e], batch.times[4][e]}};
}

/// What a head gives for the batch: [N or B, outputs].
std::vector<float> outputs_of(const Model& model, const nn::Parameters<float>& parameters, std::size_t head,
                              const MadeBatch& batch, bool each) {
  ThreadPool pool(1);
  Workspace<float> work;
  const std::size_t places = each ? batch.times[0].size() : batch.offsets.size() - 1;
  std::vector<float> outputs(places * static_cast<std::size_t>(model.outputs(head)));
  model.outputs_of<float>(outputs, head, parameters, batch.view(), work, pool);
  return outputs;
}

void expect_near(std::span<const float> stepped, const float* batch) {
  for (std::size_t i = 0; i < stepped.size(); ++i) {
    ASSERT_NEAR(stepped[i], batch[i], 1e-6 * std::max(1.0F, std::abs(batch[i])));
  }
}

void expect_steps_equal_batch(const ModelConfig& config) {
  SCOPED_TRACE(describe(config));
  const Model model(config);
  const auto parameters = nn::convert<float>(made_parameters(model, 3));
  const MadeBatch batch = batch_for(config, {6, 1, 9});
  std::vector<std::vector<float>> expected;
  for (std::size_t head = 0; head < config.heads.size(); ++head) {
    expected.push_back(outputs_of(model, parameters, head, batch, config.heads[head].each_step));
  }
  Stepper stepper(model, parameters);
  std::vector<float> state;
  for (std::size_t s = 0; s + 1 < batch.offsets.size(); ++s) {
    state.assign(static_cast<std::size_t>(stepper.state_size()), 0.0F);
    for (int64_t e = batch.offsets[s]; e < batch.offsets[s + 1]; ++e) {
      stepper.advance(state, input_of(batch, e, config));
      for (std::size_t head = 0; head < config.heads.size(); ++head) {
        const bool each = config.heads[head].each_step;
        if (!each && e + 1 < batch.offsets[s + 1]) continue;
        const int64_t place = each ? e : static_cast<int64_t>(s);
        expect_near(stepper.outputs(head), expected[head].data() + place * model.outputs(head));
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Stepper, GivesWhatABatchGivesForEveryCellLayersAndSkip) {
  for (const int64_t hidden : {5, 33}) {
    for (const ModelConfig& config : all_stream_configs(hidden)) expect_steps_equal_batch(config);
  }
}

TEST(Stepper, GivesWhatABatchGivesForEveryTimeEncoder) {
  for (const ModelConfig& config : all_encoder_configs()) expect_steps_equal_batch(config);
}

TEST(Stepper, AllocatesNothingAfterConstruction) {
  std::vector<ModelConfig> configs = all_stream_configs(70);
  for (const ModelConfig& config : all_encoder_configs()) configs.push_back(config);
  for (const ModelConfig& config : configs) {
    const Model model(config);
    const auto parameters = nn::convert<float>(made_parameters(model, 3));
    const MadeBatch batch = batch_for(config, {20});
    Stepper stepper(model, parameters);
    std::vector<float> state(static_cast<std::size_t>(stepper.state_size()));
    const int64_t before = allocations();
    for (int64_t e = 0; e < 20; ++e) {
      stepper.advance(state, input_of(batch, e, config));
      for (std::size_t head = 0; head < config.heads.size(); ++head) stepper.outputs(head);
    }
    EXPECT_EQ(allocations(), before) << describe(config);
  }
}

TEST(Stepper, LeavesTheStateAsItWasWhereAnEventCannotBeTaken) {
  ModelConfig config = all_stream_configs(5).back();
  const Model model(config);
  const auto parameters = nn::convert<float>(made_parameters(model, 3));
  const MadeBatch batch = batch_for(config, {2});
  Stepper stepper(model, parameters);
  std::vector<float> state(static_cast<std::size_t>(stepper.state_size()));
  stepper.advance(state, input_of(batch, 0, config));
  const std::vector<float> before = state;
  StepInput unknown = input_of(batch, 1, config);
  unknown.event = 4;
  StepInput timeless = input_of(batch, 1, config);
  timeless.times[1] = std::numeric_limits<double>::quiet_NaN();
  StepInput bare = input_of(batch, 1, config);
  bare.features = {};
  for (const StepInput& input : {unknown, timeless, bare}) {
    EXPECT_THROW(stepper.advance(state, input), Error);
    EXPECT_EQ(state, before);
  }
  EXPECT_THROW(stepper.advance(std::span(state).first(3), input_of(batch, 1, config)), Error);
}

}  // namespace
}  // namespace t2v
