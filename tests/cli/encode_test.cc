#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "data/batches.h"
#include "data/event_store.h"
#include "model/made_model.h"
#include "tool.h"

namespace t2v {
namespace {

using nlohmann::json;

/// A line's last `count` words as numbers; `name` gets what is before them.
std::vector<double> numbers_of(const std::string& line, std::size_t count, std::string& name) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  std::vector<double> numbers;
  name = "";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i + count >= words.size()) {
      numbers.push_back(std::stod(words[i]));
    } else {
      name += (name.empty() ? "" : " ") + words[i];
    }
  }
  return numbers;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class Encode : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    model_ = testing::made_model();
    write("m.model");
  }
  void write(const std::string& name) const { write_model(FileSystem::real(), path(name), model_); }

  /// What the first encoder's vector of a time should be.
  std::vector<double> vector_of(double tau, std::size_t encoder = 0) const {
    const Model model(model_.config);
    const nn::TimeEncoder& at = model.times().encoders()[encoder];
    const double* omega = model_.parameters.wide_data(model.layout()[at.omega()]);
    const double* phi = model_.parameters.wide_data(model.layout()[at.phi()]);
    std::vector<double> vector;
    for (int64_t i = 0; i < at.width(); ++i) {
      const double x = omega[i] * tau + phi[i];
      vector.push_back(i == 0 ? x : std::sin(x));
    }
    return vector;
  }
  void expect_vectors(const Ran& ran, const std::vector<std::pair<std::string, double>>& times,
                      std::size_t encoder = 0) const {
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto lines = lines_of(ran.out);
    ASSERT_EQ(lines.size(), times.size()) << ran.out;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto expected = vector_of(times[i].second, encoder);
      std::string name;
      const auto actual = numbers_of(lines[i], expected.size(), name);
      EXPECT_EQ(name, times[i].first);
      ASSERT_EQ(actual.size(), expected.size()) << lines[i];
      for (std::size_t k = 0; k < expected.size(); ++k) {
        EXPECT_NEAR(actual[k], expected[k], 1e-6 * (1 + std::abs(expected[k]))) << lines[i];
      }
    }
  }

  TrainedModel model_;
};

TEST_F(Encode, PrintsALineForEachTimeWithItsVector) {
  expect_vectors(run("encode m.model 0 1.5 '3 d' '36 h' '1 d 12 h' 90min 1e3"), {{"0", 0},
                                                                                 {"1.5", 1.5},
                                                                                 {"3 d", 3},
                                                                                 {"36 h", 1.5},
                                                                                 {"1 d 12 h", 1.5},
                                                                                 {"90min", 0.0625},
                                                                                 {"1e3", 1000}});
  expect_vectors(run("encode m.model -- -2 '-1 d 12 h'"), {{"-2", -2}, {"-1 d 12 h", -1.5}});
}

TEST_F(Encode, ReadsTimesFromFilesAndStandardInput) {
  put("times.txt", "1\r\n\n  2 d \n3");
  expect_vectors(run("encode m.model times.txt 4"), {{"1", 1}, {"2 d", 2}, {"3", 3}, {"4", 4}});
  expect_vectors(bash("printf '5\\n6\\n' | $T encode m.model -"), {{"5", 5}, {"6", 6}});
  put("7", "1\n");  // a number is a time, whatever there is of that name
  expect_vectors(run("encode m.model 7"), {{"7", 7}});
}

TEST_F(Encode, TakesTheEncoderOfTheInputThatIsNamed) {
  expect_vectors(run("encode m.model --input gap 2"), {{"2", 2}}, 1);
  expect_vectors(run("encode m.model --input start 2"), {{"2", 2}}, 0);
  expect_refused("encode m.model --input query 2",
                 "m.model: the model has no time input 'query'; it has start, gap");
  expect_refused("encode m.model --input until 2",
                 "m.model: the model has no time input 'until'; it has start, gap");
}

TEST_F(Encode, TakesDatesWhereTimesCountFromOneInstant) {
  expect_refused(
      "encode m.model 2024-01-01",
      "'2024-01-01' is a date, but the times of 'start' count from the first event of each sequence");
  model_.times.view.origin = data::OriginKind::kDataSet;
  model_.times.view.origin_tick = 1'704'067'200'000'000'000;  // 2024-01-01
  write("m.model");
  expect_vectors(run("encode m.model 2024-01-08 2024-01-01T12:00:00Z 2 '3 d'"),
                 {{"2024-01-08", 7}, {"2024-01-01T12:00:00Z", 0.5}, {"2", 2}, {"3 d", 3}});
  expect_vectors(run("encode m.model --timezone Europe/Paris 2024-01-02"), {{"2024-01-02", 23 / 24.0}});
  expect_refused("encode m.model --input gap 2024-01-01", "count from the event before");
}

TEST_F(Encode, OfPlainNumbersTakesNumbersOfTheData) {
  model_.times.scale = {false, 1};
  model_.times.view = {"1", 10, data::OriginKind::kSequence, 0};
  write("m.model");
  expect_vectors(run("encode m.model 12.25"), {{"12.25", 12.25}});
  expect_refused("encode m.model '3 d'", "'3 d' is not a number, which the times of this model are");
  expect_refused("encode m.model 2024-01-01", "it was not trained on dates");
  model_.times.view.origin = data::OriginKind::kInstant;
  model_.times.view.origin_tick = 100;
  write("m.model");
  expect_vectors(run("encode m.model 12.25"), {{"12.25", 2.25}});
  expect_vectors(run("encode m.model --input gap 12.25"), {{"12.25", 12.25}}, 1);
}

TEST_F(Encode, GivesTheSameAsJson) {
  const Ran ran = run("encode m.model --json 2 '3 d'");
  const json all = json::parse(ran.out);
  EXPECT_EQ(all.at("input"), "start");
  EXPECT_EQ(all.at("unit"), "d");
  ASSERT_EQ(all.at("vectors").size(), 2);
  EXPECT_EQ(all.at("vectors")[1].at("time"), "3 d");
  EXPECT_EQ(all.at("vectors")[1].at("tau"), 3);
  const auto expected = vector_of(3);
  const auto actual = all.at("vectors")[1].at("vector").get<std::vector<double>>();
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(actual[k], expected[k], 1e-6);
}

TEST_F(Encode, RefusesWhatIsNoTimeAndSaysWhereItWas) {
  put("times.txt", "1\n\nnoon\n");
  expect_refused("encode m.model times.txt",
                 "times.txt:3: 'noon' is not a time: a number (in d), or one with");
  expect_refused("encode m.model", "no times were given");
  expect_refused("encode m.model nan", "'nan' is not a time");
  expect_refused("encode m.model '3 x'", "'3 x' is not a time");
  expect_refused("encode m.model 1e300", "finite and at most");
  expect_refused("encode none.model 1", "none.model: ");
  expect_refused("encode m.model --unit s 1", "");
  model_.config.times.clear();
  model_.parameters = nn::convert<float>(testing::made_parameters(Model(model_.config), 1));
  write("m.model");
  expect_refused("encode m.model 1", "m.model: the model has no time inputs");
}

class EncodeStates : public Encode {
 protected:
  void SetUp() override {
    Encode::SetUp();
    std::string table = "user,time,event,price\n";
    for (int user = 0; user < 150; ++user) {  // more than one batch
      for (int e = 0; e <= user % 4; ++e) {
        table += fmt::format("u{},2024-01-0{}T0{}:00:00Z,{},{}\n", user, e + 1, user % 9,
                             static_cast<char>('a' + (user + e) % 4), e);
      }
    }
    put("d.csv", table);
  }
  /// By the same model with a head that passes states on.
  std::vector<double> expected_states() const {
    TrainedModel wide = model_;
    wide.config.heads.resize(1);
    wide.config.heads[0].kind = "softmax";
    wide.config.heads[0].each_step = false;
    wide.config.heads[0].classes = wide.config.hidden;
    const Model from(model_.config);
    const Model to(wide.config);
    wide.parameters.assign_zeros(to.layout());
    for (const nn::Tensor& tensor : to.layout().tensors()) {
      for (int64_t i = 0; i < tensor.size(); ++i) {
        const bool head = tensor.name.starts_with("head.");
        const bool diagonal = tensor.name == "head.weight" && i % (tensor.cols + 1) == 0;
        const double value = head ? (diagonal ? 1 : 0)
                                  : model_.parameters.get(from.layout()[from.layout().find(tensor.name)], i);
        wide.parameters.set(tensor, i, value);
      }
    }
    data::EventStore store = data::open_store(path("d.events"));
    fit_to_model(store.events, model_);
    std::vector<data::Piece> pieces;
    for (int64_t s = 0; s < store.events.sequences(); ++s) {
      pieces.push_back({s, store.events.begin(s), store.events.end(s), store.events.begin(s)});
    }
    data::BatchConfig config = model_.batches(false);
    config.batch = 1000;
    data::Batches batches(store.events, pieces, model_.encoding, config);
    std::vector<float> states(pieces.size() * static_cast<std::size_t>(model_.config.hidden));
    ThreadPool pool(1);
    Workspace<float> work;
    to.outputs_of<float>(states, 0, wide.parameters, batches.make(0).view(), work, pool);
    return {states.begin(), states.end()};
  }
};

TEST_F(EncodeStates, PrintsTheStateAfterTheLastEventOfEachSequence) {
  ASSERT_EQ(run("import d.csv --features price --split none --unit s -o d.events").code, 0);
  for (const int64_t chunk : {0, 2}) {
    for (const char* cell : {"lstm", "tlstm3"}) {
      model_ = testing::made_model(cell);
      model_.config.layers = 2;
      model_.config.chunk = chunk;
      model_.parameters = nn::convert<float>(testing::made_parameters(Model(model_.config), 1));
      write("m.model");
      const auto expected = expected_states();
      const Ran ran = run("encode m.model --states d.events");
      EXPECT_EQ(ran.code, 0) << ran.err;
      const auto lines = lines_of(ran.out);
      ASSERT_EQ(lines.size(), 150);
      for (std::size_t s = 0; s < lines.size(); ++s) {
        std::string id;
        const auto state = numbers_of(lines[s], 5, id);
        EXPECT_EQ(id, fmt::format("u{}", s));
        for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(state[k], expected[5 * s + k], 1e-6) << lines[s];
      }
      EXPECT_EQ(run("encode m.model --states d.csv").out, ran.out);
    }
  }
}

TEST_F(EncodeStates, GivesThemAsJson) {
  const Ran ran = run("encode m.model --states d.csv --json");
  const json all = json::parse(ran.out);
  EXPECT_EQ(all.at("hidden"), 5);
  ASSERT_EQ(all.at("states").size(), 150);
  EXPECT_EQ(all.at("states")[149].at("id"), "u149");
  EXPECT_EQ(all.at("states")[149].at("state").size(), 5);
}

TEST_F(EncodeStates, RefusesDataAndModelsThatHaveNone) {
  put("numbers.csv", "user,time,event,price\na,1,a,1\na,2,b,1\n");
  expect_refused("encode m.model --states numbers.csv", "the model was trained on dates");
  put("other.csv", "user,time,event\na,2024-01-01,a\n");
  expect_refused("encode m.model --states other.csv", "price");
  expect_refused("encode m.model --states", "no file was given");
  expect_refused("encode m.model --states d.csv --input gap", "--input is for vectors of times");
  model_ = testing::made_model("none");
  write("m.model");
  expect_refused("encode m.model --states d.csv", "m.model: a model without a cell has no hidden state");
}

class RescaleTool : public Encode {};

TEST_F(RescaleTool, WritesAModelThatSeesTheSameTimesInAnotherUnit) {
  const Ran ran = run("rescale m.model --unit s -o s.model");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "s.model: sees times in s instead of d; the same data give the same predictions\n");
  EXPECT_EQ(read_model(path("s.model")).times.view.unit, "s");
  EXPECT_EQ(run("rescale s.model --unit s -o s.model").out,
            "s.model: the same model, which sees times in s already\n");
  expect_vectors(run("encode s.model 86400 '2 d'"), {{"86400", 1}, {"2 d", 2}});
  EXPECT_EQ(run("rescale m.model --by 24 -o s.model").code, 0);  // over the other model
  expect_vectors(run("encode s.model 24"), {{"24", 1}});
  EXPECT_EQ(run("rescale s.model --unit d -o s.model").code, 0);  // and over itself
  expect_vectors(run("encode s.model 1"), {{"1", 1}});
  put("d.csv", "user,time,event,price\na,2024-01-01,a,1\na,2024-01-03,b,1\nb,2024-01-03,b,1\n");
  EXPECT_EQ(run("rescale m.model --unit h -o h.model").code, 0);
  const auto before = json::parse(run("encode m.model --states d.csv --json").out).at("states");
  const auto after = json::parse(run("encode h.model --states d.csv --json").out).at("states");
  for (std::size_t s = 0; s < 2; ++s) {
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_NEAR(after[s].at("state")[k].get<double>(), before[s].at("state")[k].get<double>(), 1e-6);
    }
  }
}

TEST_F(RescaleTool, OfPlainNumbersWantsAFactor) {
  model_.times.scale = {false, 0};
  model_.times.view = {"1", 1, data::OriginKind::kSequence, 0};
  write("m.model");
  const Ran ran = run("rescale m.model --by 1000 -o ms.model");
  EXPECT_EQ(ran.out, "ms.model: expects data whose times are multiplied by 1000\n");
  expect_vectors(run("encode ms.model 3000"), {{"3000", 3}});
  expect_refused("rescale m.model --unit s -o x.model", "plain numbers");
}

TEST_F(RescaleTool, RefusesWhatItCannotDo) {
  expect_refused("rescale m.model -o x.model", "give either --by or --unit");
  expect_refused("rescale m.model --by 24 --unit h -o x.model", "give either --by or --unit");
  expect_refused("rescale m.model --by 10 -o x.model", "these factors lead to one");
  expect_refused("rescale m.model --by 0 -o x.model", "1e-18");
  expect_refused("rescale m.model --unit y -o x.model", "--unit");
  expect_refused("rescale m.model --unit s", "--output is required");
  put("notes.txt", "mine");
  expect_refused("rescale m.model --unit s -o notes.txt", "notes.txt: is there already and is not a model");
  EXPECT_EQ(get("notes.txt"), "mine");
}

}  // namespace
}  // namespace t2v
