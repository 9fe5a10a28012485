#include "model/prediction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/random.h"
#include "made_model.h"
#include "t2v/error.h"

namespace t2v {
namespace {

using testing::made_model;

Prediction interpreted(const TrainedModel& model, const std::vector<std::vector<float>>& outputs,
                       int64_t top) {
  std::vector<const float*> of_heads;
  for (const auto& row : outputs) of_heads.push_back(row.data());
  Prediction prediction;
  interpret(prediction, model, of_heads, top);
  return prediction;
}

/// A model with the label 'no' or 'yes' of a sequence.
TrainedModel classifier(const std::string& head) {
  TrainedModel model = made_model();
  model.task = Task::kClassify;
  model.encoding.label.emplace();
  model.encoding.label->names = {"no", "yes"};
  model.config.heads[0] = {};
  model.config.heads[0].kind = head;
  return model;
}

TrainedModel value_model(data::ValueTarget values) {
  TrainedModel model = made_model();
  model.task = values == data::ValueTarget::kOfNextEvent ? Task::kForecast : Task::kRegress;
  model.values = values;
  model.config.heads[0] = {};
  model.config.heads[0].kind = "mse";
  model.encoding.value_scale = data::NumberFeature{"value", 100, 10, false, 0};
  model.encoding.target_scale = data::NumberFeature{"target", -5, 2, false, 0};
  return model;
}

std::vector<int32_t> codes_of(const Prediction& prediction) {
  std::vector<int32_t> codes;
  for (const Choice& choice : prediction.top) codes.push_back(choice.code);
  return codes;
}

TEST(Prediction, GivesTheMostProbableFirstWithTheirSharesOfAll) {
  const TrainedModel model = made_model();
  const std::vector<float> shares = {0.1F, 0.4F, 0.2F, 0.3F};
  std::vector<float> logits;
  for (const float share : shares) logits.push_back(std::log(share) + 7);
  const Prediction all = interpreted(model, {logits}, 4);
  EXPECT_EQ(codes_of(all), (std::vector<int32_t>{1, 3, 2, 0}));
  for (const Choice& choice : all.top) {
    EXPECT_NEAR(choice.probability, shares[static_cast<std::size_t>(choice.code)], 1e-6);
  }
  const Prediction some = interpreted(model, {logits}, 2);
  EXPECT_EQ(some.top, (std::vector<Choice>{all.top[0], all.top[1]}));
  EXPECT_FALSE(some.value);
  EXPECT_FALSE(some.when);
}

TEST(Prediction, IsOfTheKnownTypesAlone) {
  TrainedModel model = made_model();
  model.encoding.event = data::Vocabulary{{"a", "b", "c"}, true, 0, 0};
  const Prediction prediction = interpreted(model, {{0, 1, 0, 9}}, 4);
  EXPECT_EQ(codes_of(prediction), (std::vector<int32_t>{1, 0, 2}));
  double sum = 0;
  for (const Choice& choice : prediction.top) sum += static_cast<double>(choice.probability);
  EXPECT_NEAR(sum, 1, 1e-6);
}

TEST(Prediction, GivesNoMoreChoicesThanThereAre) {
  EXPECT_EQ(interpreted(made_model(), {{1, 2, 3, 4}}, 100).top.size(), 4U);
  EXPECT_TRUE(interpreted(made_model(), {{1, 2, 3, 4}}, 0).top.empty());
}

TEST(Prediction, PutsTheSmallerCodeFirstAmongEquals) {
  EXPECT_EQ(codes_of(interpreted(made_model(), {{0, 2, 2, 2}}, 2)), (std::vector<int32_t>{1, 2}));
  EXPECT_EQ(codes_of(interpreted(made_model(), {{5, 5, 5, 5}}, 3)), (std::vector<int32_t>{0, 1, 2}));
  EXPECT_EQ(codes_of(interpreted(made_model(), {{2, 9, 2, 9}}, 3)), (std::vector<int32_t>{1, 3, 0}));
}

TEST(Prediction, AgreesWithSortingAllOfManyTypes) {
  constexpr int64_t kTypes = 100'000;
  TrainedModel model = made_model();
  model.config.heads[0].classes = kTypes;
  Random random(3);
  std::vector<float> logits;  // of few different values, so that many are equal
  for (int64_t i = 0; i < kTypes; ++i) {
    logits.push_back(static_cast<float>(std::floor(random.uniform(0, 5000))) / 500);
  }
  std::vector<int32_t> sorted(kTypes);
  std::iota(sorted.begin(), sorted.end(), 0);
  const auto logit = [&](int32_t code) { return logits[static_cast<std::size_t>(code)]; };
  std::ranges::stable_sort(sorted, [&](int32_t a, int32_t b) { return logit(a) > logit(b); });
  double sum = 0;
  for (const float z : logits) sum += std::exp(static_cast<double>(z));
  const Prediction prediction = interpreted(model, {logits}, 50);
  ASSERT_EQ(prediction.top.size(), 50U);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(prediction.top[i].code, sorted[i]) << i;
    const double expected = std::exp(static_cast<double>(logit(sorted[i]))) / sum;
    EXPECT_NEAR(prediction.top[i].probability / expected, 1, 1e-6) << i;
  }
}

TEST(Prediction, IsNotAfraidOfLargeLogits) {
  const Prediction prediction = interpreted(made_model(), {{-3e38F, 3e38F, 0, -1000}}, 4);
  EXPECT_EQ(prediction.top[0], (Choice{1, 1}));
  EXPECT_EQ(prediction.top[3], (Choice{0, 0}));
}

TEST(Prediction, RefusesOutputsThatAreNotFinite) {
  const float none = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  EXPECT_THROW(interpreted(made_model(), {{0, none, 0, 0}}, 2), Error);
  EXPECT_THROW(interpreted(made_model(), {{0, 0, infinite, 0}}, 2), Error);
  EXPECT_THROW(interpreted(classifier("logistic"), {{none}}, 2), Error);
  EXPECT_THROW(interpreted(value_model(data::ValueTarget::kOfEvent), {{infinite}}, 2), Error);
}

TEST(Prediction, OfALogisticHeadIsOfBothClasses) {
  const TrainedModel model = classifier("logistic");
  const Prediction likely = interpreted(model, {{std::log(3.0F)}}, 5);
  ASSERT_EQ(codes_of(likely), (std::vector<int32_t>{1, 0}));
  EXPECT_NEAR(likely.top[0].probability, 0.75, 1e-6);
  EXPECT_NEAR(likely.top[1].probability, 0.25, 1e-6);
  EXPECT_EQ(codes_of(interpreted(model, {{-0.5F}}, 1)), (std::vector<int32_t>{0}));
  EXPECT_EQ(codes_of(interpreted(model, {{0}}, 2)), (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(interpreted(model, {{-1000}}, 1).top[0].probability, 1);
}

TEST(Prediction, OfAValueIsInTheUnitOfTheData) {
  EXPECT_DOUBLE_EQ(*interpreted(value_model(data::ValueTarget::kOfEvent), {{0.5F}}, 5).value, 105);
  EXPECT_DOUBLE_EQ(*interpreted(value_model(data::ValueTarget::kOfNextEvent), {{0.5F}}, 5).value, 105);
  EXPECT_DOUBLE_EQ(*interpreted(value_model(data::ValueTarget::kOfSequence), {{0.5F}}, 5).value, -4);
}

TEST(Prediction, OfTimesHasTheirQuantilesAndMean) {
  TrainedModel model = made_model();
  model.config.heads.emplace_back();
  model.config.heads[1].kind = "when";
  model.config.heads[1].components = 1;
  const float mu = 1.5F;
  const Prediction prediction = interpreted(model, {{1, 2, 3, 4}, {0, mu, std::log(0.5F)}}, 1);
  ASSERT_TRUE(prediction.when);
  EXPECT_EQ(prediction.top.size(), 1U);
  EXPECT_NEAR(prediction.when->median, std::exp(1.5), 1e-5);
  EXPECT_NEAR(prediction.when->p10, std::exp(1.5 - 0.5 * 1.2815515655), 1e-5);
  EXPECT_NEAR(prediction.when->p90, std::exp(1.5 + 0.5 * 1.2815515655), 1e-5);
  EXPECT_NEAR(prediction.when->mean, std::exp(1.5 + 0.125), 1e-5);
}

TEST(Prediction, ForgetsTheOneBeforeInTheSameMemory) {
  Prediction prediction;
  prediction.value = 3;
  prediction.when = Prediction::When{1, 2, 3, 4};
  prediction.top = {{3, 1}, {2, 0}, {1, 0}};
  const Choice* memory = prediction.top.data();
  const std::vector<float> logits = {1, 2, 3, 4};
  const std::vector<const float*> outputs = {logits.data()};
  interpret(prediction, made_model(), outputs, 2);
  EXPECT_FALSE(prediction.value);
  EXPECT_FALSE(prediction.when);
  EXPECT_EQ(prediction.top.size(), 2U);
  EXPECT_EQ(prediction.top.data(), memory);
}

TEST(Prediction, NamesEventsClassesAndTheUnknown) {
  TrainedModel next = made_model();
  EXPECT_EQ(name_of_choice(next, 1), "b");
  next.encoding.event->unknown = true;
  EXPECT_EQ(name_of_choice(next, 4), "(other)");
  EXPECT_EQ(name_of_choice(classifier("softmax"), 1), "yes");
}

TEST(Prediction, IsJsonOfWhatTheModelPredicts) {
  Prediction prediction;
  prediction.top = {{1, 0.3F}, {0, 1.0F / 3}};
  EXPECT_EQ(to_json(prediction, made_model()).dump(),
            R"({"next":[{"event":"b","p":0.3},{"event":"a","p":0.333333}]})");
  EXPECT_EQ(to_json(prediction, classifier("softmax")).dump(),
            R"({"class":[{"label":"yes","p":0.3},{"label":"no","p":0.333333}]})");
  prediction.top.clear();
  prediction.value = 1234567.25;
  EXPECT_EQ(to_json(prediction, value_model(data::ValueTarget::kOfEvent)).dump(), R"({"value":1234567.25})");
  prediction.value.reset();
  prediction.when = Prediction::When{0.5, 1, 2, INFINITY};
  EXPECT_EQ(to_json(prediction, made_model()).dump(),
            R"({"when":{"mean":null,"median":1.0,"p10":0.5,"p90":2.0,"unit":"d"}})");
}

}  // namespace
}  // namespace t2v
