#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "made_training.h"

// What is said of a training once it ended.
namespace t2v {
namespace {

using data::says;
using testing::Outcome;
using testing::OwnTraining;
using testing::tiny_config;
using testing::types_alone;

std::string remarks_of(OwnTraining& own, FitEnd end) {
  std::string all;
  for (const std::string& remark : own.training.remarks(end, own.training.result())) all += remark + "\n";
  return all;
}

TEST(Remarks, TellThatABaselineIsBetter) {
  TrainConfig config = tiny_config();
  config.epochs = 1;
  config.rate = 1e-6;
  OwnTraining own(types_alone(60), config);
  const Outcome outcome = own.run();
  EXPECT_TRUE(
      says(remarks_of(own, outcome.end), "the baseline 'Markov chain' is better on the validation data"));
}

TEST(Remarks, TellThatMoreEpochsMayHelpOnlyIfTheLastWasTheBest) {
  TrainConfig config = tiny_config();
  config.epochs = 2;
  OwnTraining own(types_alone(60), config);
  const Outcome outcome = own.run();
  ASSERT_EQ(outcome.end, FitEnd::kEpochs);
  ASSERT_EQ(outcome.best_epoch, 2);
  EXPECT_TRUE(says(remarks_of(own, outcome.end), "more epochs (`epochs`) may help"));
  EXPECT_TRUE(says(remarks_of(own, FitEnd::kTime), "more time (`max_time`) may help"));
  EXPECT_FALSE(says(remarks_of(own, FitEnd::kConverged), "the last epoch"));
}

TEST(Remarks, SayNothingOfAModelThatIsBetterThanTheBaselines) {
  TrainConfig config = tiny_config("classify");
  config.epochs = 100;
  OwnTraining own(testing::store_of(testing::made_sequences(60)), config);
  own.run();
  EXPECT_EQ(remarks_of(own, FitEnd::kConverged), "");
}

TEST(AutoSizes, GrowWithTheData) {
  EXPECT_EQ(auto_hidden(1), 16);
  EXPECT_EQ(auto_hidden(4095), 16);
  EXPECT_EQ(auto_hidden(4096), 32);
  EXPECT_EQ(auto_hidden(65536), 128);
  EXPECT_EQ(auto_hidden(1'000'000'000), 128);
  EXPECT_EQ(auto_penalty(10), 0.003);
  EXPECT_EQ(auto_penalty(3000), 0.001);
}

TEST(AutoSizes, AreSettledAndRecorded) {
  TrainConfig config = tiny_config();
  config.hidden = 0;
  config.l1 = -1;
  config.epoch_steps = 0;
  OwnTraining own(types_alone(60), config);
  EXPECT_EQ(own.training.model().config().hidden, 16);
  EXPECT_EQ(own.training.description().options->at("hidden"), 16);
  EXPECT_EQ(own.training.description().options->at("l1"), 0.003);
  EXPECT_EQ(own.training.description().options->at("epoch-steps"), 10);
}

}  // namespace
}  // namespace t2v
