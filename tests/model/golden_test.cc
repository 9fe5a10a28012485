// The engine against PyTorch in float64 (tests/golden/make_goldens.py).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "build_paths.h"
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

std::vector<json> golden_files() {
  std::ifstream file(source_path("tests/golden/goldens.jsonl"));
  std::vector<json> goldens;
  for (std::string line; std::getline(file, line);) goldens.push_back(json::parse(line));
  return goldens;
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

nn::HeadConfig head_config(const json& from) {
  nn::HeadConfig config;
  config.kind = from.at("kind");
  config.each_step = from.at("each_step");
  config.classes = from.at("classes");
  config.class_weights = from.at("class_weights").get<std::vector<double>>();
  config.components = from.at("components");
  config.delta = from.at("delta");
  config.weight = from.at("weight");
  config.units = from.value("units", config.units);
  config.timed = from.value("timed", config.timed);
  config.centre = from.value("centre", config.centre);
  config.spread = from.value("spread", config.spread);
  config.floor = from.value("floor", config.floor);
  config.atom = from.value("atom", config.atom);
  return config;
}

OptimizerConfig optimizer_config(const json& golden) {
  const json& from = golden.at("config");
  const std::string kind = from.at("optimizer");
  OptimizerConfig config;
  config.kind = kind == "adamw" ? "adam" : kind == "adagrad_inside" ? "adagrad" : kind;
  config.learning_rate = golden.at("rate");
  config.time_factor = from.at("time_factor");
  config.epsilon = kind == "adagrad_inside" ? 1e-6 : 1e-8;
  config.epsilon_inside = kind == "adagrad_inside";
  config.momentum = kind == "sgd" ? 0.9 : 0;
  config.weight_decay = from.at("decay");
  config.clip = from.at("clip");
  config.schedule.kind = from.at("schedule");
  config.schedule.every = 5;
  config.schedule.factor = 0.5;
  config.schedule.warmup = config.schedule.kind == "cosine" ? 4 : 0;
  config.schedule.total = 16;
  config.schedule.floor = 0.1;
  return config;
}

struct Golden {
  json file;
  ModelConfig config;
  std::vector<int64_t> offsets{0};
  std::vector<std::vector<double>> times;
  std::vector<int32_t> events;
  std::vector<float> features;
  std::vector<int32_t> labels;
  std::vector<int32_t> next_events;
  std::vector<double> next_gaps;
  std::vector<float> values;

  explicit Golden(json golden) : file(std::move(golden)) {
    const json& from = file.at("config");
    config.event_types = file.at("event_types");
    config.features = file.at("feature_count");
    for (const json& time : from.at("times")) config.times.push_back(time_config(time));
    for (const json& time : from.value("next_times", json::array())) {
      config.next_times.push_back(time_config(time));
    }
    config.cell = from.at("cell");
    config.inner = from.at("inner");
    config.t1_constraint = from.at("constraint");
    config.t1_floor = from.at("floor");
    config.hidden = file.at("hidden");
    config.layers = from.at("layers");
    config.biases = from.at("biases");
    config.chunk = from.at("chunk");
    config.heads.clear();
    for (const json& head : from.at("heads")) config.heads.push_back(head_config(head));
    for (const int64_t length : file.at("lengths")) offsets.push_back(offsets.back() + length);
    times = file.at("times").get<std::vector<std::vector<double>>>();
    events = file.value("events", events);
    features = file.value("features", features);
    labels = file.value("labels", labels);
    next_events = file.value("next_events", next_events);
    values = file.value("values", values);
    for (const json& gap : file.value("next_gaps", json::array())) {
      next_gaps.push_back(gap.is_null() ? NAN : gap.get<double>());
    }
  }

  std::string name() const {
    return describe(config) + " " + file.at("config").at("optimizer").get<std::string>();
  }

  SequenceBatch batch() const {
    SequenceBatch batch{
        offsets, {times[0], times[1], times[2]}, events, features, labels, next_events, next_gaps, values};
    if (times.size() > 3) batch.times[3] = times[3];
    return batch;
  }

  /// The tensors under a key. All of the model's must be there, none more.
  nn::Parameters<double> parameters(const Model& model, const char* key) const {
    const json& tensors = file.at(key);
    EXPECT_EQ(tensors.size(), model.layout().tensors().size()) << name();
    nn::Parameters<double> parameters;
    parameters.assign_zeros(model.layout());
    for (const nn::Tensor& tensor : model.layout().tensors()) {
      const auto numbers = tensors.at(tensor.name).get<std::vector<double>>();
      EXPECT_EQ(static_cast<int64_t>(numbers.size()), tensor.size()) << name() << tensor.name;
      for (int64_t i = 0; i < tensor.size(); ++i)
        parameters.set(tensor, i, numbers[static_cast<std::size_t>(i)]);
    }
    return parameters;
  }
};

/// Entries whose gradient is zero by what they are: frozen frequencies, and weights below a floor.
std::vector<bool> idle(const Golden& golden, const nn::Tensor& tensor, const std::vector<double>& gradient) {
  std::vector<bool> entries(gradient.size(), false);
  const bool floored =
      golden.config.t1_constraint == "floor" && tensor.name.find(".time") != std::string::npos;
  const bool frozen = tensor.wide() && tensor.name.starts_with("time") &&
                      golden.config.times[static_cast<std::size_t>(tensor.name[4] - '0')].frozen;
  for (std::size_t i = 0; i < gradient.size(); ++i) entries[i] = (floored || frozen) && gradient[i] == 0;
  return entries;
}

template <class T>
void expect_equal(const Golden& golden, const Model& model, const nn::Parameters<T>& actual, const char* key,
                  double tolerance) {
  const nn::Parameters<double> expected = golden.parameters(model, key);
  for (const nn::Tensor& tensor : model.layout().tensors()) {
    const auto all = values_of(actual, tensor);
    const auto all_expected = values_of(expected, tensor);
    const std::vector<bool> skip = idle(golden, tensor, all_expected);
    std::vector<double> is;
    std::vector<double> should;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (skip[i]) {
        EXPECT_EQ(all[i], 0) << golden.name() << " " << key << " " << tensor.name;
        continue;
      }
      is.push_back(all[i]);
      should.push_back(all_expected[i]);
    }
    if (!is.empty()) {
      expect_close(is, should, tolerance, golden.name() + " " + key + " " + tensor.name,
                   may_saturate(golden.config));
    }
    if (::testing::Test::HasFailure()) return;
  }
}

template <class T>
void expect_golden(const Golden& golden, double tolerance) {
  const Model model(golden.config);
  ThreadPool pool(1);
  Trainer<T> trainer(model, nn::convert<T>(golden.parameters(model, "start")), optimizer_config(golden.file),
                     pool);
  for (std::size_t head = 0; head < golden.config.heads.size(); ++head) {
    const auto expected = golden.file.at("logits").at(head).get<std::vector<double>>();
    std::vector<T> outputs(expected.size());
    model.outputs_of<T>(outputs, head, trainer.parameters(), golden.batch(), trainer.workspace(), pool);
    expect_close(outputs, expected, tolerance, golden.name() + " outputs");
  }
  Workspace<T> work;
  const double expected = golden.file.at("loss");
  EXPECT_NEAR(model.gradient(trainer.parameters(), golden.batch(), work, pool), expected,
              tolerance * std::abs(expected))
      << golden.name();
  expect_equal(golden, model, work.gradient, "gradient", tolerance);
  for (int64_t step = 0; step < golden.file.at("steps"); ++step) trainer.step(golden.batch());
  expect_equal(golden, model, trainer.parameters(), "end", tolerance);
}

TEST(Golden, TheGoldensCrossEveryEncoderWithAndWithoutRecurrenceByBothHeadsOfAClass) {
  std::set<std::string> seen;
  for (const json& file : golden_files()) {
    const Golden golden(file);
    if (golden.config.times.size() != 1 || golden.config.heads.size() != 1) continue;
    const nn::TimeEncoderConfig& time = golden.config.times[0];
    const std::string encoder = time.kind == "t2v" ? std::string(nn::name_of(time.activation)) : time.kind;
    seen.insert(encoder + " " + golden.config.cell + " " + golden.config.heads[0].kind);
  }
  for (const std::string encoder :
       {"raw", "log", "calendar", "sin", "cos", "triangle", "mod", "sigmoid", "tanh", "relu"}) {
    for (const std::string cell : {"none", "lstm"}) {
      for (const std::string head : {"softmax", "logistic"}) {
        EXPECT_TRUE(seen.count(encoder + " " + cell + " " + head)) << encoder << " " << cell << " " << head;
      }
    }
  }
}

TEST(Golden, TheGoldensPairEveryCellWithEveryHeadAndOptimizer) {
  std::set<std::string> seen;
  for (const json& file : golden_files()) {
    const Golden golden(file);
    const std::string cell = golden.config.cell + (golden.config.inner == "tanh" ? "tanh" : "");
    seen.insert(cell + " " + golden.config.heads[0].kind);
    seen.insert(cell + " " + golden.file["config"]["optimizer"].get<std::string>());
    seen.insert(cell + " x" + std::to_string(golden.config.layers));
    seen.insert(cell + " chunk" + std::to_string(golden.config.chunk));
    seen.insert(cell + " " + golden.config.t1_constraint);
  }
  for (const nn::Cell& cell : nn::cells()) {
    const std::string name = std::string(cell.name) + (cell.inner == "tanh" ? "tanh" : "");
    for (const nn::Head& head : nn::heads())
      EXPECT_TRUE(seen.count(name + " " + std::string(head.name))) << name;
    for (const char* option : {" adam", " adamw", " adagrad", " adagrad_inside", " sgd", " x1", " x2",
                               " chunk0", " chunk2", " none", " nonpositive", " floor"}) {
      EXPECT_TRUE(seen.count(name + option)) << name << option;
    }
  }
}

TEST(Golden, NoTwoWeightsOfAGoldenHaveTheSameSizeAndNoneIsZero) {
  for (const json& file : golden_files()) {
    std::set<double> sizes;
    for (const auto& [name, values] : file.at("start").items()) {
      for (const double value : values) {
        EXPECT_NE(value, 0) << name;
        EXPECT_TRUE(sizes.insert(std::abs(value)).second) << name;
      }
    }
  }
}

TEST(Golden, TheDoubleTwinEqualsPyTorch) {
  for (const json& file : golden_files()) {
    expect_golden<double>(Golden(file), kTwinTolerance);
    if (HasFailure()) return;
  }
}

TEST(Golden, TheFloatPathEqualsPyTorch) {
  for (const json& file : golden_files()) {
    expect_golden<float>(Golden(file), kFloatTolerance);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace t2v
