#include "model/model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "made_batch.h"
#include "t2v/error.h"

namespace t2v {
namespace {

using namespace testing;

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

void expect_error(const std::function<void()>& action, const std::string& part) {
  const std::string message = error_of(action);
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

ModelConfig lstm_t(int64_t one_hot, int64_t features, int64_t hidden, int64_t classes) {
  ModelConfig config;
  config.event_types = one_hot;
  config.features = features;
  config.times = {nn::TimeEncoderConfig{}};
  config.times[0].kind = "raw";
  config.hidden = hidden;
  config.biases = 2;
  config.heads[0].classes = classes;
  return config;
}

int64_t matched(ModelConfig config, int64_t k) {
  const int64_t budget = Model(config).layout().parameter_count();
  config.times[0].kind = "t2v";
  config.times[0].k = k;
  return match_hidden(config, budget);
}

TEST(MatchHidden, GivesTheSizesAtWhichTheModelsOfThePaperHaveEqualParameterNumbers) {
  struct Row {
    ModelConfig config;
    int64_t parameters;
    int64_t hidden[3];  // for k = 16, 32, 64
  };
  const Row rows[] = {
      {lstm_t(0, 0, 128, 10), 68362, {120, 113, 100}},   // Event-MNIST
      {lstm_t(22, 0, 128, 22), 81174, {121, 115, 103}},  // Stack Overflow
      {lstm_t(64, 0, 64, 11), 34251, {59, 55, 47}},      // N-TIDIGITS18, one-hot channel
      {lstm_t(0, 1, 64, 11), 18123, {57, 51, 40}},       // the same, channel as a number
      {lstm_t(0, 0, 64, 11), 17867, {57, 50, 40}},       // the same, times only
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Model(row.config).layout().parameter_count(), row.parameters);
    EXPECT_EQ(matched(row.config, 16), row.hidden[0]) << row.parameters;
    EXPECT_EQ(matched(row.config, 32), row.hidden[1]) << row.parameters;
    EXPECT_EQ(matched(row.config, 64), row.hidden[2]) << row.parameters;
  }
}

TEST(MatchHidden, GivesTheParameterNumbersOfTheMatchedModels) {
  ModelConfig config = lstm_t(0, 0, 100, 10);
  config.times[0].kind = "t2v";
  EXPECT_EQ(Model(config).layout().parameter_count(), 67940);
}

TEST(Model, RefusesConfigurationsThatMakeNoSense) {
  ModelConfig config = lstm_t(0, 0, 4, 3);
  config.cell = "lsmt";
  expect_error([&] { Model{config}; },
               "unknown cell 'lsmt'; use one of lstm, peephole, tlstm1, tlstm2, tlstm3, gru, phased, none");
  config = lstm_t(0, 0, 4, 3);
  config.heads[0].kind = "logistic";
  expect_error([&] { Model{config}; }, "2 classes, not 3");
  config.heads[0].kind = "soft";
  expect_error([&] { Model{config}; }, "unknown head 'soft'");
  config = lstm_t(0, 0, 0, 3);
  expect_error([&] { Model{config}; }, "hidden size must be at least 1");
  config = lstm_t(0, 0, INT64_MAX, 3);
  expect_error([&] { Model{config}; }, "hidden size must be at most 16777216; it is 9223");
  config = lstm_t(0, 0, 4, 0);
  expect_error([&] { Model{config}; }, "at least 1 class");
  config = lstm_t(0, 0, 4, 3);
  config.biases = 3;
  expect_error([&] { Model{config}; }, "1 or 2 bias vectors, not 3");
  config.biases = 1;
  config.times.clear();
  expect_error([&] { Model{config}; }, "needs event types, features or times");
  config.times = {nn::TimeEncoderConfig{}};
  config.times[0].kind = "time2vec";
  expect_error([&] { Model{config}; }, "unknown time encoder 'time2vec'");
  config.times[0] = nn::TimeEncoderConfig{};
  config.times[0].k = 0;
  config.times[0].linear = false;
  expect_error([&] { Model{config}; }, "at least one entry");
}

TEST(Model, RefusesBatchesThatDoNotFitIt) {
  ModelConfig config = lstm_t(3, 2, 4, 3);
  config.times[0] = nn::TimeEncoderConfig{};
  const Model model(config);
  const auto parameters = nn::convert<float>(made_parameters(model, 1));
  ThreadPool pool(2);
  Workspace<float> work;
  const MadeBatch good({3, 1, 2}, config, 1, false);
  const auto gradient_of = [&](const MadeBatch& batch) {
    return [&] { model.gradient(parameters, batch.view(), work, pool); };
  };
  MadeBatch bad = good;
  bad.events[4] = 3;
  expect_error(gradient_of(bad), "event type 3 is not one of the model's 0..2");
  bad = good;
  bad.events.clear();
  expect_error(gradient_of(bad), "batch has 0 of them for 6 events");
  bad = good;
  bad.features.pop_back();
  expect_error(gradient_of(bad), "2 features an event, but the batch has 11 numbers");
  bad = good;
  bad.times[0].pop_back();
  expect_error(gradient_of(bad), "time input 'start', but the batch has 5 such times");
  bad = good;
  bad.labels[1] = 3;
  expect_error(gradient_of(bad), "label of sequence 1 is 3, not one of 0..2");
  bad = good;
  bad.labels[1] = -1;
  expect_error(gradient_of(bad), "label of sequence 1 is -1");
  bad = good;
  bad.labels.pop_back();
  expect_error(gradient_of(bad), "2 labels for 3 sequences");
  bad = good;
  bad.offsets[1] = 0;
  expect_error(gradient_of(bad), "sequence 0 of the batch has no event");
  bad = good;
  bad.offsets = {0};
  expect_error(gradient_of(bad), "at least one sequence");
  EXPECT_NO_THROW(gradient_of(good)());
}

TEST(Model, NeverEncodesATimeItCannotEncodeExactly) {
  ModelConfig config = lstm_t(0, 0, 4, 3);
  config.times[0] = nn::TimeEncoderConfig{};
  const Model model(config);
  auto parameters = nn::convert<float>(made_parameters(model, 1));
  ThreadPool pool(1);
  Workspace<float> work;
  const MadeBatch good({3, 1, 2}, config, 1, false);
  for (const double time : {std::nan(""), double{INFINITY}, -double{INFINITY}, 1e31}) {
    MadeBatch bad = good;
    bad.times[0][2] = time;
    expect_error([&] { model.gradient(parameters, bad.view(), work, pool); }, "times must be finite");
  }
  MadeBatch far = good;
  far.times[0][2] = 1e13;
  expect_error([&] { model.gradient(parameters, far.view(), work, pool); },
               "leaves the range of exact phases");
  const auto& omega = model.layout()[model.layout().find("time0.omega")];
  parameters.wide_data(omega)[3] = 1e12;
  expect_error([&] { model.gradient(parameters, good.view(), work, pool); }, "time0.omega[3]");
  parameters.wide_data(omega)[3] = std::nan("");
  expect_error([&] { model.gradient(parameters, good.view(), work, pool); }, "time0.omega[3]: frequency nan");
}

TEST(Model, PredictsProbabilitiesInTheOrderOfTheSequences) {
  for (ModelConfig config : all_cell_configs()) {
    config.event_types = 3;
    config.features = 2;
    config.hidden = 5;
    config.times = {nn::TimeEncoderConfig{}};
    config.heads[0].classes = 3;
    const Model model(config);
    const auto parameters = nn::convert<float>(made_parameters(model, 3));
    const MadeBatch batch({4, 1, 9, 2, 3, 8, 8, 2, 1, 5, 6, 3, 2, 1, 4, 4, 3, 2}, config, 5, false);
    ThreadPool pool(2);
    Workspace<float> work;
    const auto classes = std::size_t{3};
    std::vector<float> together(batch.labels.size() * classes);
    model.predict(together, 0, parameters, batch.view(), work, pool);
    for (std::size_t b = 0; b < batch.labels.size(); ++b) {
      // The same sequence alone, by moving it to the front of a batch of one.
      MadeBatch alone = batch;
      alone.offsets = {batch.offsets[b], batch.offsets[b + 1]};
      const auto begin = static_cast<std::ptrdiff_t>(batch.offsets[b]);
      const auto length = batch.offsets[b + 1] - batch.offsets[b];
      for (auto& times : alone.times) times.erase(times.begin(), times.begin() + begin);
      alone.events.erase(alone.events.begin(), alone.events.begin() + begin);
      alone.features.erase(alone.features.begin(), alone.features.begin() + 2 * begin);
      for (auto& times : alone.times) times.resize(static_cast<std::size_t>(length));
      alone.events.resize(static_cast<std::size_t>(length));
      alone.features.resize(static_cast<std::size_t>(2 * length));
      alone.offsets = {0, length};
      std::vector<float> one(classes);
      Workspace<float> other;
      model.predict(one, 0, parameters, alone.view(), other, pool);
      float sum = 0;
      for (std::size_t c = 0; c < classes; ++c) {
        EXPECT_NEAR(one[c], together[b * classes + c], 2e-6F) << describe(config) << " sequence " << b;
        sum += one[c];
      }
      EXPECT_NEAR(sum, 1, 1e-6);
    }
  }
}

TEST(Model, ScalingTheTimesAndUnscalingTheFrequenciesChangesNothing) {
  // Proposition 1 of the paper, in the double twin.
  constexpr double kScale = 86400;
  ModelConfig config = lstm_t(3, 0, 6, 3);
  config.times[0] = nn::TimeEncoderConfig{};
  config.times[0].k = 7;
  const Model model(config);
  auto parameters = made_parameters(model, 9);
  MadeBatch batch({3, 6, 2}, config, 4, false);
  ThreadPool pool(1);
  Workspace<double> work;
  const double before = model.loss(parameters, batch.view(), work, pool);
  for (double& t : batch.times[0]) t *= kScale;
  const auto& omega = model.layout()[model.layout().find("time0.omega")];
  for (int64_t i = 0; i < omega.size(); ++i) parameters.wide_data(omega)[i] /= kScale;
  EXPECT_NEAR(model.loss(parameters, batch.view(), work, pool), before, 1e-12);
}

TEST(Model, ReusesItsWorkspaceForBatchesOfAnySizeInAnyOrder) {
  ModelConfig config = lstm_t(5, 0, 6, 3);
  const Model model(config);
  const auto parameters = nn::convert<float>(made_parameters(model, 9));
  ThreadPool pool(2);
  Workspace<float> used;
  const std::vector<std::vector<int64_t>> shapes = {{1}, std::vector<int64_t>(70, 3), {5, 2}, {1, 1, 1, 9}};
  for (const auto& lengths : shapes) {
    const MadeBatch batch(lengths, config, lengths.size(), false);
    Workspace<float> fresh;
    const double expected = model.gradient(parameters, batch.view(), fresh, pool);
    EXPECT_EQ(model.gradient(parameters, batch.view(), used, pool), expected);
    for (const nn::Tensor& tensor : model.layout().tensors()) {
      EXPECT_EQ(values_of(used.gradient, tensor), values_of(fresh.gradient, tensor)) << tensor.name;
    }
  }
}

}  // namespace
}  // namespace t2v
