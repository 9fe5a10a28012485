// Models as graphs of ONNX: what they consist of and what is refused. scripts/test-onnx runs them.
#include "export/onnx.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "made_export.h"
#include "proto_reader.h"
#include "t2v/error.h"

namespace t2v {
namespace {

using testing::made_export;
using testing::MadeKind;
using testing::ProtoReader;
using Words = std::vector<std::string>;

ModelConfig config_of(const std::string& cell) {
  ModelConfig config;
  config.cell = cell;
  config.hidden = 3;
  config.times.resize(1);
  config.times[0].k = 2;
  config.heads[0].each_step = true;
  return config;
}

TrainedModel model_of(const std::string& cell, const MadeKind& kind = {}) {
  return made_export(config_of(cell), kind, 1);
}

struct Node {
  std::string op;
  Words inputs;
  Words outputs;
};

std::vector<Node> nodes_of(const OnnxFile& file) {
  std::vector<Node> nodes;
  for (const std::string& bytes : ProtoReader(file.bytes).message(7).all(1)) {
    const ProtoReader node(bytes);
    nodes.push_back({node.text(4), node.all(1), node.all(2)});
  }
  return nodes;
}

int64_t count_of(const OnnxFile& file, const std::string& op) {
  return std::ranges::count(nodes_of(file), op, &Node::op);
}

std::string note_of(const OnnxFile& file, const std::string& key) {
  for (const std::string& bytes : ProtoReader(file.bytes).all(14)) {
    const ProtoReader note(bytes);
    if (note.text(1) == key) return note.text(2);
  }
  return "none";
}

void expect_refused(const TrainedModel& model, const OnnxConfig& config, const std::string& says) {
  try {
    to_onnx(model, config);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
  }
}

TEST(Onnx, HasTheStandardOperatorForTheCellsThatHaveOne) {
  for (const auto& [cell, op] : {std::pair{"lstm", "LSTM"}, {"peephole", "LSTM"}, {"gru", "GRU"}}) {
    for (const bool single : {false, true}) {
      const OnnxFile file = to_onnx(model_of(cell), {.single_step = single});
      EXPECT_EQ(count_of(file, op), 1) << cell;
      EXPECT_EQ(count_of(file, "Scan"), 0) << cell;
    }
  }
}

TEST(Onnx, HasPeepholesAsTheLastInputOfTheStandardOperator) {
  for (const auto& [cell, last] : {std::pair{"lstm", ""}, {"peephole", "cell.P"}}) {
    for (const Node& node : nodes_of(to_onnx(model_of(cell), {}))) {
      if (node.op != "LSTM") continue;
      ASSERT_EQ(node.inputs.size(), 8U);
      EXPECT_EQ(node.inputs[7], last);
    }
  }
}

TEST(Onnx, HasOneScanALayerForTheOtherCellsAndNoneForASingleStep) {
  for (const char* cell : {"tlstm1", "tlstm2", "tlstm3", "phased"}) {
    ModelConfig config = config_of(cell);
    config.layers = 3;
    const TrainedModel model = made_export(config, {}, 1);
    EXPECT_EQ(count_of(to_onnx(model, {}), "Scan"), 3) << cell;
    EXPECT_EQ(count_of(to_onnx(model, {.single_step = true}), "Scan"), 0) << cell;
  }
}

TEST(Onnx, TakesWhatTheModelLooksAtAndNothingElse) {
  EXPECT_EQ(to_onnx(model_of("lstm"), {}).inputs,
            (Words{"length", "event", "start", "feature.price", "feature.size", "feature.room"}));
  const MadeKind bare{.event_types = false, .features = false, .sequence_features = true, .task = "classify"};
  EXPECT_EQ(to_onnx(model_of("phased", bare), {}).inputs,
            (Words{"length", "start", "feature.age", "feature.home"}));
  ModelConfig config = config_of("gru");
  config.times[0].input = TimeInput::kUntil;
  EXPECT_EQ(to_onnx(made_export(config, {.features = false}, 1), {.single_step = true}).inputs,
            (Words{"event", "until", "state"}));
}

TEST(Onnx, TakesTheTimeOfTheClockEvenWhereNoEncoderLooksAtIt) {
  ModelConfig config = config_of("phased");
  config.times.clear();
  EXPECT_EQ(to_onnx(made_export(config, {.features = false}, 1), {}).inputs,
            (Words{"length", "event", "start"}));
}

TEST(Onnx, ReplacesWhatStandsBeyondTheEndsOfSequencesBeforeAnythingElseSeesIt) {
  const OnnxFile file = to_onnx(model_of("lstm"), {});
  const std::vector<Node> nodes = nodes_of(file);
  const auto users_of = [&](const std::string& name) {
    std::vector<Node> users;
    std::ranges::copy_if(nodes, std::back_inserter(users),
                         [&](const Node& node) { return std::ranges::count(node.inputs, name) > 0; });
    return users;
  };
  for (const std::string& input : file.inputs) {
    if (input == "length") continue;
    ASSERT_EQ(users_of(input).size(), 1U) << input;
    const Node transposed = users_of(input).front();
    ASSERT_EQ(transposed.op, "Transpose") << input;
    for (const Node& user : users_of(transposed.outputs.at(0))) {
      EXPECT_TRUE(user.op == "Where" || user.op == "Shape") << input << " " << user.op;
    }
  }
}

TEST(Onnx, GivesWhatTheHeadsPredictAndTheState) {
  ModelConfig config = config_of("lstm");
  config.heads.resize(2, config.heads[0]);
  config.heads[1].kind = "when";
  const TrainedModel model = made_export(config, {}, 1);
  const Words when = {"when_share", "when_mu", "when_sigma", "when_mean"};
  Words wanted = {"probability"};
  wanted.insert(wanted.end(), when.begin(), when.end());
  wanted.emplace_back("state");
  EXPECT_EQ(to_onnx(model, {}).outputs, wanted);
  wanted.back() = "next_state";
  EXPECT_EQ(to_onnx(model, {.single_step = true}).outputs, wanted);
  EXPECT_EQ(to_onnx(model_of("none"), {}).outputs, Words{"probability"});
}

TEST(Onnx, NumbersTheOutputsOfSeveralHeadsOfAKind) {
  ModelConfig config = config_of("none");
  config.heads.resize(2, config.heads[0]);
  EXPECT_EQ(to_onnx(made_export(config, {}, 1), {}).outputs, (Words{"probability", "probability2"}));
}

TEST(Onnx, NotesWhatIsNeededToFeedItAndToReadIt) {
  const OnnxFile file = to_onnx(model_of("lstm", {.unknown = true}), {});
  EXPECT_EQ(note_of(file, "t2v.task"), "next");
  EXPECT_EQ(note_of(file, "t2v.single_step"), "false");
  const auto events = nlohmann::json::parse(note_of(file, "t2v.events"));
  EXPECT_EQ(events["names"], (nlohmann::json{"n0", "n1", "n2"}));
  EXPECT_EQ(events["unknown"], 3);
  const auto times = nlohmann::json::parse(note_of(file, "t2v.times"));
  EXPECT_EQ(times["unit"], "d");
  EXPECT_EQ(times["origin"], "sequence");
  EXPECT_EQ(times["ticks_per_unit"], 86400e9);
  const auto features = nlohmann::json::parse(note_of(file, "t2v.features"));
  ASSERT_EQ(features.size(), 3U);
  EXPECT_EQ(features[0]["input"], "feature.price");
  EXPECT_EQ(features[0]["kind"], "number");
  EXPECT_EQ(features[2]["names"], (nlohmann::json{"n0", "n1"}));
}

TEST(Onnx, IsTheSameBytesForTheSameModel) {
  EXPECT_EQ(to_onnx(model_of("tlstm2"), {}).bytes, to_onnx(model_of("tlstm2"), {}).bytes);
}

TEST(Onnx, RefusesAModelWhoseTrainingDataGoBeyondExactPhases) {
  TrainedModel model = model_of("lstm");
  model.training["span"] = 1e8;
  EXPECT_NO_THROW(to_onnx(model, {}));
  model.training["span"] = 1e10;
  expect_refused(model, {}, "ONNX has exact phases up to 1e+09");
}

TEST(Onnx, RefusesAModelThatIsTooLargeForTheFormat) {
  TrainedModel model = model_of("lstm");
  model.config.event_types = int64_t{1} << 28;
  expect_refused(model, {}, "the format of ONNX allows at most 2 GiB");
}

TEST(Onnx, RefusesPredictionsAtEveryEventOfWhatIsPredictedOnce) {
  ModelConfig config = config_of("lstm");
  config.heads[0].each_step = false;
  const TrainedModel model = made_export(config, {.task = "classify"}, 1);
  EXPECT_NO_THROW(to_onnx(model, {}));
  expect_refused(model, {.every_event = true}, "the model predicts once a sequence");
  expect_refused(model_of("lstm"), {.single_step = true, .every_event = true}, "leave `every_event` out");
}

TEST(Onnx, RefusesNamesThatAreNotUtf8) {
  TrainedModel model = model_of("lstm");
  model.encoding.event->names[0] = "\xff";
  expect_refused(model, {}, "not UTF-8");
}

TEST(Onnx, RefusesTwoFeaturesOfOneName) {
  TrainedModel model = model_of("lstm");
  model.encoding.numbers[1].name = "price";
  expect_refused(model, {}, "two features are named 'price'");
}

}  // namespace
}  // namespace t2v
