#include "paper/setting.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "paper/experiment.h"
#include "t2v/error.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

Json train_of(const Run& run) { return run.config.at("train"); }

TEST(Settings, AreOfTheKindThatAnOptionHas) {
  TrainConfig config;
  set(config, "rate", "1");
  set(config, "layers", "2");
  set(config, "schedule", "cosine");
  set(config, "no-skip", "true");
  EXPECT_EQ(config.rate, 1);
  EXPECT_EQ(config.layers, 2);
  EXPECT_EQ(config.schedule, "cosine");
  EXPECT_TRUE(config.no_skip);
  EXPECT_THROW(set(config, "layers", "1.5"), Error);
  EXPECT_THROW(set(config, "layers", "0"), Error);
  EXPECT_THROW(set(config, "no-skip", "1"), Error);
  EXPECT_THROW(set(config, "colour", "red"), Error);
}

TEST(Settings, LeaveAloneWhatAnExperimentDecides) {
  TrainConfig config;
  for (const char* name : {"task", "time", "cell", "hidden", "seed", "epochs", "freeze"}) {
    EXPECT_THROW(set(config, name, "1"), Error) << name;
  }
}

TEST(Settings, AreThoseOfEveryRunOfAnExperiment) {
  Plan plan;
  plan.settings = {{"layers", "2"}, {"dropout", "0.25"}, {"omega-init", "n1"}};
  for (const char* name : {"event-mnist", "spikes", "stackoverflow", "activations"}) {
    for (const paper::Run& run : experiment_from(name).runs(plan)) {
      EXPECT_EQ(train_of(run).at("layers"), 2) << name << " " << run.model;
      EXPECT_EQ(train_of(run).at("dropout"), 0.25) << name << " " << run.model;
      EXPECT_GT(run.config.at("like_raw_hidden"), 0) << "as many parameters as one layer: " << run.model;
    }
  }
  for (const paper::Run& run : experiment_from("frequencies").runs(plan)) {
    const bool frozen = run.model.ends_with("-equal") || run.model.ends_with("-positional");
    EXPECT_EQ(train_of(run).at("omega-init") == "n1", !frozen) << run.model;
  }
  for (const paper::Run& run : experiment_from("stackoverflow").runs(plan)) {
    EXPECT_EQ(train_of(run).at("omega-init"), run.model.ends_with("-span") ? "span" : "n1") << run.model;
  }
  EXPECT_THROW(experiment_from("toy").runs(plan), Error);
}

}  // namespace
}  // namespace t2v::paper
