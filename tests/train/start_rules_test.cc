#include "train/start_rules.h"

#include <gtest/gtest.h>

#include "made_training.h"
#include "train/evaluation.h"

namespace t2v {
namespace {

using namespace testing;

/// Types follow each other in turn, mostly; many sequences, so that the chain is well known.
TrainConfig config_with_rules() {
  TrainConfig config = tiny_config();
  config.no_rules = false;
  return config;
}

double valid_loss(OwnTraining& own, const nn::Parameters<float>& weights) {
  TrainedModel model = own.training.result();
  model.parameters = nn::convert<float>(weights);
  ThreadPool pool(1);
  return evaluate(model, own.training.model(), model.baselines, own.training.events(),
                  own.training.split().valid, {}, pool)
      .table("types")
      .at("model", "log loss");
}

TEST(StartRules, AreNoWorseThanTheBestRuleAlone) {
  OwnTraining own(types_alone(200), config_with_rules());
  const nn::Parameters<float> start = nn::convert<float>(own.fit().weights());
  const double fitted = valid_loss(own, start);
  for (const NamedRule& rule : kNamedRules) {
    nn::Parameters<float> alone = nn::convert<float>(start);
    set_rules_alone(alone, own.training.model(), 0, rule.weights);
    EXPECT_LT(fitted, valid_loss(own, alone) + 0.02) << rule.name;
  }
}

TEST(StartRules, AreTheRulesOfTheBaselines) {
  OwnTraining own(types_alone(60), config_with_rules());
  TrainedModel model = own.training.result();
  ThreadPool pool(1);
  for (const NamedRule& rule : kNamedRules) {
    set_rules_alone(model.parameters, own.training.model(), 0, rule.weights);
    const Evaluation evaluation = evaluate(model, network_of(model), model.baselines, own.training.events(),
                                           own.training.split().valid, {}, pool);
    const MeasureTable& types = evaluation.table("types");
    EXPECT_NEAR(types.at("model", "log loss"), types.at(rule.name, "log loss"), 1e-5) << rule.name;
    EXPECT_EQ(types.at("model", "recall@1"), types.at(rule.name, "recall@1")) << rule.name;
  }
}

TEST(StartRules, StayWhereTheNetworkOnlyDoesHarm) {
  TrainConfig config = config_with_rules();
  config.rate = 5;
  config.clip = 0;
  OwnTraining own(types_alone(60), config);
  const double before = valid_loss(own, own.fit().weights());
  const Outcome outcome = own.run();
  EXPECT_LE(valid_loss(own, own.training.result().parameters), before + 1e-6);
}

TEST(StartRules, AreLeftOutIfAsked) {
  TrainConfig config = config_with_rules();
  config.no_rules = true;
  OwnTraining own(types_alone(60), config);
  EXPECT_EQ(own.training.model().rules(), nullptr);
  EXPECT_EQ(own.training.model().layout().find("head.rules"), -1);
}

}  // namespace
}  // namespace t2v
