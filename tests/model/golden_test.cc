// The engine against PyTorch in float64 (tests/golden/make_goldens.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "compare.h"
#include "made_batch.h"
#include "model/model.h"
#include "train/trainer.h"

namespace t2v {
namespace {

using namespace testing;
using nlohmann::json;

constexpr double kTwinTolerance = 1e-10;
constexpr double kFloatTolerance = 5e-6;

std::vector<std::filesystem::path> golden_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(T2V_SOURCE_DIR "/tests/golden")) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

nn::TimeEncoderConfig time_config(const json& from) {
  nn::TimeEncoderConfig config;
  config.kind = from.at("kind");
  config.input = nn::time_input_from(from.at("input").get<std::string>());
  if (config.kind == "t2v") {
    config.k = from.at("k");
    config.activation = nn::activation_from(from.at("activation").get<std::string>());
    config.linear = from.at("linear");
    config.frozen = from.at("frozen");
    config.l1 = from.at("l1");
  } else {
    config.unit = from.at("unit");
    config.origin = from.at("origin");
  }
  return config;
}

struct Golden {
  json file;
  ModelConfig config;
  std::vector<int64_t> offsets{0};
  std::vector<double> times[kTimeInputs];
  std::vector<int32_t> events;
  std::vector<float> features;
  std::vector<int32_t> labels;

  explicit Golden(const std::filesystem::path& path) : file(json::parse(std::ifstream(path))) {
    const json& from = file.at("config");
    for (const json& time : from.at("times")) config.input.times.push_back(time_config(time));
    config.input.event_types = file.at("event_types");
    config.input.features = file.at("feature_count");
    config.cell = from.at("cell");
    config.hidden = file.at("hidden");
    config.biases = from.at("biases");
    config.head = from.at("head");
    config.classes = file.at("classes");
    for (const int64_t length : file.at("lengths")) offsets.push_back(offsets.back() + length);
    for (std::size_t i = 0; i < kTimeInputs; ++i)
      times[i] = file.at("times").at(i).get<std::vector<double>>();
    events = file.value("events", events);
    features = file.value("features", features);
    labels = file.at("labels").get<std::vector<int32_t>>();
  }

  SequenceBatch batch() const { return {offsets, {times[0], times[1], times[2]}, events, features, labels}; }

  /// The tensors under a key. All of the model's must be there, none more.
  nn::Parameters<double> parameters(const Model& model, const char* key) const {
    const json& tensors = file.at(key);
    EXPECT_EQ(tensors.size(), model.layout().tensors().size());
    nn::Parameters<double> parameters;
    parameters.assign_zeros(model.layout());
    for (const nn::Tensor& tensor : model.layout().tensors()) {
      const auto values = tensors.at(tensor.name).get<std::vector<double>>();
      EXPECT_EQ(static_cast<int64_t>(values.size()), tensor.size()) << tensor.name;
      for (int64_t i = 0; i < tensor.size(); ++i) {
        parameters.set(tensor, i, values[static_cast<std::size_t>(i)]);
      }
    }
    return parameters;
  }
};

/// The frozen entries of ω and φ have a gradient of zero; the linear term's is compared.
bool mostly_frozen(const Golden& golden, const nn::Tensor& tensor) {
  return tensor.wide() && golden.config.input.times[static_cast<std::size_t>(tensor.name[4] - '0')].frozen;
}

template <class T>
void expect_equal(const Golden& golden, const Model& model, const nn::Parameters<T>& actual, const char* key,
                  double tolerance) {
  const nn::Parameters<double> expected = golden.parameters(model, key);
  for (const nn::Tensor& tensor : model.layout().tensors()) {
    auto is = values_of(actual, tensor);
    auto should = values_of(expected, tensor);
    if (mostly_frozen(golden, tensor) && std::string(key) == "gradient") {
      for (std::size_t i = 1; i < is.size(); ++i) EXPECT_EQ(is[i], 0) << tensor.name;
      is.resize(1);
      should.resize(1);
    }
    expect_close(is, should, tolerance,
                 golden.file["config"]["name"].get<std::string>() + " " + key + " " + tensor.name);
    if (::testing::Test::HasFailure()) return;
  }
}

template <class T>
void expect_golden(const Golden& golden, double tolerance) {
  const Model model(golden.config);
  ThreadPool pool(1);
  AdamConfig adam;
  adam.learning_rate = golden.file.at("learning_rate");
  adam.time_factor = golden.file.at("config").at("time_factor");
  Trainer<T> trainer(model, nn::convert<T>(golden.parameters(model, "start")), adam, pool);
  const double expected = golden.file.at("loss");
  EXPECT_NEAR(trainer.step(golden.batch()), expected, tolerance * expected);
  std::vector<double> logits(golden.labels.size() * static_cast<std::size_t>(model.outputs()));
  const Workspace<T>& work = trainer.workspace();
  for (std::size_t s = 0; s < work.shards.size(); ++s) {
    const Shard& shard = work.shards[s];
    for (int64_t row = 0; row < shard.rows(); ++row) {
      for (int64_t i = 0; i < model.outputs(); ++i) {
        logits[static_cast<std::size_t>(shard.sequence[static_cast<std::size_t>(row)] * model.outputs() +
                                        i)] =
            static_cast<double>(work.states[s].logits[row * model.outputs() + i]);
      }
    }
  }
  expect_close(logits, golden.file.at("logits").get<std::vector<double>>(), tolerance, "logits");
  expect_equal(golden, model, work.gradient, "gradient", tolerance);
  for (int64_t step = 1; step < golden.file.at("steps"); ++step) trainer.step(golden.batch());
  expect_equal(golden, model, trainer.parameters(), "end", tolerance);
}

TEST(Golden, TheGoldensCoverEveryEncoderCellHeadAndActivation) {
  std::set<std::string> seen;
  for (const auto& path : golden_files()) {
    const Golden golden(path);
    seen.insert({golden.config.cell, golden.config.head});
    for (const nn::TimeEncoderConfig& time : golden.config.input.times) {
      seen.insert(time.kind);
      if (time.kind == "t2v") seen.insert(std::string(nn::name_of(time.activation)));
    }
  }
  for (const nn::Cell* cell : nn::cells()) EXPECT_TRUE(seen.count(std::string(cell->name))) << cell->name;
  for (const nn::Head& head : nn::heads()) EXPECT_TRUE(seen.count(std::string(head.name))) << head.name;
  for (const auto& kind : nn::time_encoders()) EXPECT_TRUE(seen.count(std::string(kind.name))) << kind.name;
  for (const char* name : {"sin", "cos", "triangle", "mod", "sigmoid", "tanh", "relu"}) {
    EXPECT_TRUE(seen.count(name)) << name;
  }
}

TEST(Golden, TheDoubleTwinEqualsPyTorch) {
  for (const auto& path : golden_files()) {
    expect_golden<double>(Golden(path), kTwinTolerance);
    if (HasFailure()) return;
  }
}

TEST(Golden, TheFloatPathEqualsPyTorch) {
  for (const auto& path : golden_files()) {
    expect_golden<float>(Golden(path), kFloatTolerance);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace t2v
