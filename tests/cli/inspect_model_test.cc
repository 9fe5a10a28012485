#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "base/container_writer.h"
#include "model/made_model.h"
#include "tool.h"

namespace t2v {
namespace {

using nlohmann::json;

class InspectModel : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    model_ = testing::made_model();
    const Model model(model_.config);
    double* omega = model_.parameters.wide_data(model.layout()[model.times().encoders()[0].omega()]);
    omega[1] = 2 * std::numbers::pi / 7;
    model_.options = {{"hidden", 5}, {"optimizer", {{"kind", "adam"}, {"rate", 0.01}}}};
    model_.training = {
        {"epochs", 12}, {"losses", {3, 2.5, 2, 1.5, 1, 0.5, 0.4, 0.3, 0.25}}, {"data", "c.csv"}};
    write();
  }
  void write() const { write_model(FileSystem::real(), path("m.model"), model_); }

  TrainedModel model_;
};

TEST_F(InspectModel, SaysInWordsWhatAModelIs) {
  const Ran ran = run("inspect m.model --verify");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  for (const char* part :
       {"file       m.model, ", "kind 'model', format 2", "task       next: the type of the next event\n",
        "times      dates, in d, counted from the first event of each sequence, on a grid of 1 s\n",
        "inputs     4 event types, 2 features\n",
        "time input start by t2v, 3 terms sin and a linear one, frequencies from u11\n",
        "time input gap by t2v, 2 terms", "cell       lstm, 5 units in 1 layer\n",
        "head       softmax of 4 classes, at each event\n", "verified   every block has its checksum\n"}) {
    EXPECT_HAS(ran.out, part);
  }
}

TEST_F(InspectModel, CountsParametersByGroup) {
  const std::string text = run("inspect m.model --all").out;
  const Model model(model_.config);
  EXPECT_HAS(text, "parameters " + std::to_string(model.layout().parameter_count()) + "\n");
  EXPECT_HAS(text, "  time0               8  omega 1 x 4, phi 1 x 4\n");
  EXPECT_HAS(text, "  head               24  weight 5 x 4, bias 1 x 4\n");
  const json summary = json::parse(run("inspect m.model --json").out).at("summary");
  EXPECT_EQ(summary.at("parameters"), model.layout().parameter_count());
  int64_t sum = 0;
  for (const auto& [name, count] : summary.at("groups").items()) sum += count.get<int64_t>();
  EXPECT_EQ(sum, model.layout().parameter_count());
  EXPECT_EQ(summary.at("groups").at("time1"), 6);
}

TEST_F(InspectModel, ShowsHowItWasTrainedAndWhatItsInputsMean) {
  const std::string text = run("inspect m.model --all").out;
  for (const char* part :
       {"training record\n", "  epochs               12\n", "  data                 c.csv\n",
        "  losses               [3, ..., 0.25] (9 entries)\n", "options\n", "  hidden               5\n",
        "  optimizer.rate       0.01\n", "encoding\n  event: 4 types\n  price: mean 2, std 0.5"}) {
    EXPECT_HAS(text, part);
  }
}

TEST_F(InspectModel, ShowsAScreenUnlessAllIsAskedFor) {
  const std::string text = run("inspect m.model").out;
  EXPECT_LE(std::ranges::count(text, '\n'), 40) << text;
  EXPECT_HAS(text, "learned periods\n");
  EXPECT_HAS(text, "(--all: ");
  for (const char* part : {"\noptions\n", "\nsizes\n", "\ntraining record\n", "frequencies, in periods"}) {
    EXPECT_FALSE(has(text, part)) << part;
    EXPECT_HAS(run("inspect m.model --all").out, part);
  }
}

TEST_F(InspectModel, PutsWhatItLearnedBeforeHowAndTheEpochsInALine) {
  model_.training = {{"best_epoch", 2}, {"epochs", json::array()}};
  for (const int epoch : {1, 2}) {
    model_.training["epochs"].push_back(
        {{"epoch", epoch}, {"loss", 3.0 / epoch}, {"valid_loss", 4.0 / epoch}});
  }
  write();
  const std::string text = run("inspect m.model --all").out;
  EXPECT_HAS(text, "training   2 epochs, best 2, loss 3.0000 to 1.5000, validation loss 4.0000 to 2.0000\n");
  EXPECT_FALSE(has(text, "{\"epoch\""));
  EXPECT_LT(text.find("learned periods\n"), text.find("encoding\n"));
  EXPECT_LT(text.find("encoding\n"), text.find("options\n"));
  model_.training = {{"best_epoch", 0}, {"epochs", json::array()}};
  write();
  const std::string untrained = run("inspect m.model --all").out;
  EXPECT_HAS(untrained, "training   none: the weights are as they start\n");
  EXPECT_HAS(untrained, "starting periods\n");
  EXPECT_FALSE(has(untrained, "learned periods\n"));
}

TEST_F(InspectModel, ShowsTheMostImportantPeriods) {
  const std::string text = run("inspect m.model --all").out;
  EXPECT_HAS(text, "learned periods\n  time input 0 (start), 3 terms sin\n");
  EXPECT_HAS(text, "  7.00 d ");
  EXPECT_HAS(text, "  time input 1 (gap), 2 terms sin\n");
  EXPECT_FALSE(has(text, " more\n"));
  const std::string top = run("inspect m.model --top 1").out;
  EXPECT_HAS(top, "and 2 more\n");
  EXPECT_HAS(top, "and 1 more\n");
}

TEST_F(InspectModel, GivesEverythingAsJsonAndTheTermsAsCsv) {
  const json all = json::parse(run("inspect m.model --json").out);
  EXPECT_EQ(all.at("kind"), "model");
  EXPECT_EQ(all.at("metadata").at("model").at("config").at("hidden"), 5);
  EXPECT_EQ(all.at("metadata").at("training").at("epochs"), 12);
  EXPECT_EQ(all.at("summary").at("task"), "next");
  const json& encoders = all.at("summary").at("learned_time").at("encoders");
  ASSERT_EQ(encoders.size(), 2);
  EXPECT_EQ(encoders[0].at("terms").size(), 3);
  const Ran csv = run("inspect m.model --csv");
  EXPECT_EQ(csv.code, 0) << csv.err;
  EXPECT_TRUE(csv.out.starts_with("encoder,input,term,entry,importance,omega,phi,period,"));
  EXPECT_EQ(std::ranges::count(csv.out, '\n'), 1 + 4 + 3);
  EXPECT_HAS(csv.out, "0,start,linear,0,");
}

TEST_F(InspectModel, DescribesOtherCellsHeadsAndTimes) {
  model_ = testing::made_model("tlstm2");
  model_.config.layers = 2;
  model_.config.skip = true;
  model_.config.dropout = 0.25;
  model_.config.times[1].kind = "calendar";
  model_.config.heads.resize(2);
  model_.config.heads[1].kind = "when";
  model_.config.heads[1].each_step = true;
  model_.parameters = nn::convert<float>(testing::made_parameters(Model(model_.config), 1));
  model_.times.scale = {false, 2};
  model_.times.view = {"1", 100, data::OriginKind::kInstant, 1250};
  model_.times.grid = 0.5;
  model_.training = json::object();
  write();
  const Ran ran = run("inspect m.model --all");
  for (const char* part :
       {"task       next: the type of the next event and when it comes\n",
        "times      plain numbers, counted from 12.50, on a grid of 0.5\n", "time input gap by calendar\n",
        "cell       tlstm2, 5 units in 2 layers, inner sigmoid, T1 constraint none, dropout 0.25, times",
        ", times and features also straight to the heads\n",
        "head       when of 3 components, at each event\n", "in periods per unit of the data\n"}) {
    EXPECT_HAS(ran.out, part);
  }
  EXPECT_FALSE(has(ran.out, "training\n"));
}

TEST_F(InspectModel, RefusesOneThatIsDamaged) {
  std::string bytes = get("m.model");
  bytes.back() = static_cast<char>(bytes.back() ^ 2);
  put("d.model", bytes);
  for (const char* how : {"", " --json", " --csv", " --verify"}) {
    expect_refused(std::string("inspect d.model") + how, "d.model: tensor '");
  }
  expect_refused("inspect m.model --json --csv", "without --json");
  expect_refused("inspect m.model --top -1", "--top");
  ContainerWriter writer("model");
  writer.write(FileSystem::real(), path("e.model"));
  expect_refused("inspect e.model", "e.model: ");
}

}  // namespace
}  // namespace t2v
