#include "train/ablation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/random.h"
#include "data/importer_files.h"
#include "data/made_events.h"
#include "train/evaluation.h"

namespace t2v {
namespace {

using data::complaint;
using data::MadeEvents;
using data::Part;
using data::says;

constexpr int64_t kSequences = 60;
constexpr int64_t kLength = 14;

/// Gaps of 1 or 5; a sequence starts anywhere.
std::vector<std::vector<int64_t>> random_times(Random& random) {
  std::vector<std::vector<int64_t>> times;
  for (int64_t s = 0; s < kSequences; ++s) {
    std::vector<int64_t> ticks = {static_cast<int64_t>(random.below(100))};
    while (static_cast<int64_t>(ticks.size()) < kLength)
      ticks.push_back(ticks.back() + 1 + 4 * static_cast<int64_t>(random.below(2)));
    times.push_back(ticks);
  }
  return times;
}

/// The type of an event tells whether the gap before the one before was long: nothing else does.
data::EventStore types_by_gaps() {
  Random random(3);
  const auto times = random_times(random);
  std::vector<std::string> types;
  for (const auto& ticks : times) {
    types.insert(types.end(), {"long", "short"});
    for (std::size_t i = 2; i < ticks.size(); ++i) {
      types.emplace_back(ticks[i - 1] - ticks[i - 2] > 1 ? "long" : "short");
    }
  }
  return {.events = MadeEvents(times).types(types).events(), .split = {}, .encoding = {}};
}

/// Types go round, whatever the times are.
data::EventStore types_in_turn() {
  Random random(4);
  const auto times = random_times(random);
  std::vector<std::string> types;
  for (std::size_t i = 0; i < times.size() * kLength; ++i) types.emplace_back(1, "abc"[i % kLength % 3]);
  return {.events = MadeEvents(times).types(types).events(), .split = {}, .encoding = {}};
}

AblationConfig quick() {
  AblationConfig config;
  config.seeds = 3;
  config.train.hidden = 8;
  config.train.epochs = 12;
  config.train.batch = 16;
  config.train.rate = 0.03;
  config.train.epoch_steps = 1;
  config.train.l1 = 0;
  config.train.average = 0;
  config.variants = {"none", "raw", "t2v:4", "shuffled"};
  return config;
}

Ablation ablated(const data::EventStore& store, const AblationConfig& config, int threads = 2,
                 const AblationHooks& hooks = {}) {
  ThreadPool pool(threads);
  return ablate(store, config, pool, hooks);
}

std::string why_not(const data::EventStore& store, const AblationConfig& config) {
  return complaint([&] { ablated(store, config); });
}

TEST(Ablation, FindsThatTimeIsWorthItWhereGapsDecide) {
  const Ablation result = ablated(types_by_gaps(), quick());
  const double none = estimate(result.find("none")->measures()).mean;
  const double time2vec = estimate(result.find("t2v")->measures()).mean;
  const double shuffled = estimate(result.find("shuffled")->measures()).mean;
  EXPECT_LT(none, 0.65);
  EXPECT_GT(time2vec, 0.85);
  EXPECT_LT(shuffled, 0.65);
  const std::vector<std::string> sentences = verdict(result);
  ASSERT_EQ(sentences.size(), 3U) << describe(result);
  EXPECT_SAYS(sentences[0], "Time is worth it: Time2Vec gets ");
  EXPECT_SAYS(sentences[1], " is which event comes when: ");
  EXPECT_GT(result.moved, 0.3);
}

TEST(Ablation, FindsNoDifferenceWhereTimeSaysNothing) {
  const Ablation result = ablated(types_in_turn(), quick());
  EXPECT_GT(estimate(result.find("none")->measures()).mean, 0.99);
  ASSERT_FALSE(verdict(result).empty());
  EXPECT_SAYS(verdict(result)[0], "No difference was found: ");
}

TEST(Ablation, GivesAllVariantsAboutAsManyParameters) {
  AblationConfig config = quick();
  config.seeds = 1;
  config.train.epochs = 1;
  config.train.hidden = 24;
  const Ablation result = ablated(types_by_gaps(), config);
  const AblationVariant& time2vec = *result.find("t2v");
  EXPECT_EQ(time2vec.hidden, 24);
  EXPECT_EQ(result.find("shuffled")->parameters, time2vec.parameters);
  EXPECT_EQ(result.find("shuffled")->time, "t2v:4");
  for (const char* name : {"none", "raw"}) {
    EXPECT_GT(result.find(name)->hidden, 24) << name;
    const auto parameters = static_cast<double>(result.find(name)->parameters);
    EXPECT_NEAR(parameters / static_cast<double>(time2vec.parameters), 1, 0.04) << name;
  }
}

TEST(Ablation, IsTheSameOnAnyNumberOfThreadsAndDiffersFromSeedToSeed) {
  AblationConfig config = quick();
  config.seeds = 2;
  config.train.epochs = 2;
  const Ablation one = ablated(types_by_gaps(), config, 1);
  const Ablation two = ablated(types_by_gaps(), config, 2);
  for (std::size_t v = 0; v < one.variants.size(); ++v) {
    EXPECT_EQ(one.variants[v].losses(), two.variants[v].losses());
    ASSERT_EQ(one.variants[v].runs.size(), 2U);
    EXPECT_NE(one.variants[v].runs[0].loss, one.variants[v].runs[1].loss);
    EXPECT_EQ(one.variants[v].runs[0].predictions, one.variants[0].runs[0].predictions);
  }
}

TEST(Ablation, TakesWeightsAndOrderFromTheSeedWhereTheSplitIsGiven) {
  AblationConfig config = quick();
  config.seeds = 2;
  config.train.epochs = 1;
  config.variants = {"none", "t2v:4"};
  data::EventStore store = types_by_gaps();
  std::vector<Part> parts(kSequences, Part::kTrain);
  parts[7] = Part::kTest;
  parts[8] = Part::kValid;
  store.events.part = parts;
  for (const AblationVariant& variant : ablated(store, config).variants) {
    EXPECT_NE(variant.runs[0].loss, variant.runs[1].loss) << variant.name;
  }
}

TEST(Ablation, TestsOnTheTestPartOfTheDataOrOnAFifth) {
  AblationConfig config = quick();
  config.seeds = 1;
  config.train.epochs = 1;
  config.variants = {"none"};
  data::EventStore store = types_by_gaps();
  EXPECT_EQ(ablated(store, config).test_sequences, 12);
  std::vector<Part> parts(kSequences, Part::kTrain);
  parts[7] = parts[9] = Part::kTest;
  store.events.part = parts;
  const Ablation result = ablated(store, config);
  EXPECT_EQ(result.test_sequences, 2);
  EXPECT_EQ(result.variants[0].runs[0].predictions, 2 * (kLength - 1));
  EXPECT_EQ(result.variants[0].runs[0].epochs, 1);
}

/// Values that tell the hour of the day, at uneven times.
data::EventStore wave() {
  Random random(6);
  std::vector<std::vector<int64_t>> times(20, {0});
  std::vector<double> values;
  for (std::vector<int64_t>& ticks : times) {
    while (ticks.size() < 50) ticks.push_back(ticks.back() + 1 + static_cast<int64_t>(random.below(9)));
    for (const int64_t tick : ticks) {
      values.push_back(std::sin(2 * std::numbers::pi * static_cast<double>(tick) / 24));
    }
  }
  return {.events = MadeEvents(times).value(values).events(), .split = {}, .encoding = {}};
}

TEST(Ablation, FindsThatTimeIsWorthItWhereTheHourOfTheDayDecides) {
  AblationConfig config = quick();
  config.variants = {"none", "t2v:4", "shuffled"};
  config.train.omega_init = "periodogram";
  config.train.time_input = "query";
  config.train.no_linear = config.train.freeze = true;
  config.train.batch = 4;
  config.train.epochs = 20;
  const Ablation result = ablated(wave(), config);
  EXPECT_GT(estimate(result.find("none")->measures()).mean, 0.3);
  EXPECT_LT(estimate(result.find("t2v")->measures()).mean, 0.15);
  EXPECT_GT(estimate(result.find("shuffled")->measures()).mean, 0.3);
  ASSERT_EQ(verdict(result).size(), 3U);
  EXPECT_SAYS(verdict(result)[0], "Time is worth it: Time2Vec gets 0.0");
  EXPECT_SAYS(verdict(result)[1], "What helps is which event comes when: ");
  EXPECT_SAYS(verdict(result)[2], "The models are not of one size");
}

TEST(Ablation, OfAForecastIsTestedOnTheLastPartInTime) {
  AblationConfig config = quick();
  config.seeds = 2;
  config.train.epochs = 2;
  const Ablation result = ablated(wave(), config);
  EXPECT_EQ(result.measure, "RMSE");
  EXPECT_FALSE(result.higher_is_better);
  EXPECT_EQ(result.test_sequences, 20);
  for (const AblationVariant& variant : result.variants) {
    EXPECT_EQ(variant.runs[0].predictions, 200) << variant.name;  // also where the times are others
  }
}

TEST(Ablation, StopsWhenAskedAndHasWhatIsFinished) {
  int64_t finished = 0;
  std::vector<std::string> choices;
  AblationHooks hooks;
  hooks.run = [&](const AblationVariant& variant, int64_t done, int64_t all) {
    EXPECT_EQ(all, 12);
    EXPECT_EQ(done, ++finished);
    EXPECT_FALSE(variant.runs.empty());
  };
  hooks.stop = [&] { return finished == 5; };
  hooks.choice = [&](const std::string& choice) { choices.push_back(choice); };
  AblationConfig config = quick();
  config.train.epochs = 1;
  const Ablation result = ablated(types_by_gaps(), config, 1, hooks);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.variants[0].runs.size(), 2U);
  EXPECT_EQ(result.variants[1].runs.size(), 1U);
  EXPECT_EQ(compare(result.variants[0], result.variants[1]).difference.count, 1);
  EXPECT_SAYS(verdict(result)[0], "One seed cannot tell a difference from chance");
  EXPECT_SAYS(choices[0], "test: 12 sequences, 20 % of the sequences");
  EXPECT_EQ(to_json(result)["complete"], false);
}

TEST(Ablation, RefusesWhatCannotBe) {
  const data::EventStore store = types_by_gaps();
  AblationConfig config = quick();
  config.variants = {"none", "clock"};
  EXPECT_SAYS(why_not(store, config), "unknown variant 'clock'; use some of none, raw, ");
  config.variants = {"t2v:2", "t2v:4"};
  EXPECT_SAYS(why_not(store, config), "the variant 't2v' is named twice");
  config.variants = {"t2v:x"};
  EXPECT_SAYS(why_not(store, config), "makes no sense");
  config.variants = {};
  EXPECT_SAYS(why_not(store, config), "no variant was named");
  config = quick();
  config.seeds = 0;
  EXPECT_SAYS(why_not(store, config), "at least 1 seed");
  config = quick();
  config.train.when = true;
  EXPECT_SAYS(why_not(store, config), "leave `when` out");
  config = quick();
  const data::EventStore alone{
      .events = MadeEvents({{0, 1, 2}}).types({"a", "b", "a"}).events(), .split = {}, .encoding = {}};
  EXPECT_SAYS(why_not(alone, config), "nothing to test on");
  config.train.task = "regress";
  EXPECT_SAYS(why_not(wave(), config),
              "without times: a model needs event types, features or times as input");
}

TEST(Ablation, TakesAQueryTimeFromTheVariantWithoutTimes) {
  AblationConfig config = quick();
  config.seeds = 1;
  config.train.epochs = 1;
  config.train.query_time = true;
  EXPECT_EQ(ablated(types_by_gaps(), config).variants[0].runs.size(), 1U);
}

AblationVariant variant_with(const std::string& name, const std::vector<double>& measures) {
  AblationVariant variant{.name = name, .time = name};
  for (std::size_t i = 0; i < measures.size(); ++i) {
    variant.runs.push_back({.seed = i + 1, .measure = measures[i], .loss = 1, .predictions = 100000});
  }
  return variant;
}

/// An ablation whose runs are given.
Ablation made(const std::vector<double>& none, const std::vector<double>& time2vec,
              const std::vector<double>& shuffled, const std::vector<double>& raw) {
  Ablation ablation;
  ablation.measure = "accuracy";
  ablation.moved = 0.9;
  ablation.test_sequences = 3;
  ablation.variants = {variant_with("none", none), variant_with("raw", raw), variant_with("t2v", time2vec),
                       variant_with("shuffled", shuffled)};
  return ablation;
}

const std::vector<double> kLow = {0.458, 0.457, 0.459, 0.458, 0.458};
const std::vector<double> kMiddle = {0.466, 0.468, 0.467, 0.468, 0.466};
const std::vector<double> kHigh = {0.476, 0.474, 0.478, 0.475, 0.477};

TEST(AblationVerdict, NamesTheNumbersItRestsOn) {
  const auto sentences = verdict(made(kLow, kHigh, kLow, kLow));
  ASSERT_EQ(sentences.size(), 3U);
  // Differences 18, 17, 19, 17, 19 thousandths: ± 2.776 · 1 / √5, t = 18 √5.
  EXPECT_EQ(
      sentences[0],
      "Time is worth it: Time2Vec gets 0.4760 against 0.4580 without time (+0.0180, 95 % interval +0.0168 to "
      "+0.0192, p < 0.0001, 5 seeds).");
  EXPECT_SAYS(sentences[1],
              "What helps is which event comes when: Time2Vec gets 0.4760 against 0.4580 with shuffled");
  EXPECT_SAYS(sentences[2], "Time2Vec does better than time as a plain number: ");
}

TEST(AblationVerdict, TellsWhatShufflingLeaves) {
  EXPECT_SAYS(verdict(made(kLow, kHigh, kMiddle, kLow))[1], "Part of it is which event comes when: ");
  EXPECT_SAYS(verdict(made(kLow, kHigh, kHigh, kLow))[1],
              "Shuffling the gaps costs nothing that can be told");
  Ablation even = made(kLow, kHigh, kHigh, kLow);
  even.moved = 0;
  EXPECT_SAYS(verdict(even).back(), "Shuffling changed no time");
  // What does not help needs no explanation.
  EXPECT_EQ(verdict(made(kLow, kLow, kHigh, kLow)).size(), 2U);
}

TEST(AblationVerdict, AlwaysTellsWhatLimitsIt) {
  Ablation ablation = made(kLow, kLow, kLow, kLow);
  ablation.moved = 0;
  EXPECT_SAYS(verdict(ablation).back(), "Shuffling changed no time");
  ablation.moved = 0.9;
  for (AblationVariant& variant : ablation.variants) variant.parameters = 1000;
  ablation.variants[0].parameters = 950;
  EXPECT_EQ(verdict(ablation).size(), 2U);
  ablation.variants[0].parameters = 20;
  EXPECT_EQ(verdict(ablation).back(),
            "The models are not of one size (none has 20 parameters, shuffled 1,000), since without a cell "
            "there are "
            "no hidden units to make up for it: part of a difference may be that.");
}

TEST(AblationVerdict, SaysSoIfThereIsNoDifferenceOrTheOtherWay) {
  EXPECT_SAYS(verdict(made(kHigh, kLow, kLow, kHigh))[0],
              "Time does harm: Time2Vec gets 0.4580 against 0.4760");
  EXPECT_SAYS(verdict(made(kHigh, kLow, kLow, kHigh))[1],
              "Time as a plain number does better than Time2Vec: ");
  const auto none = verdict(made({0.5, 0.6, 0.7}, {0.52, 0.58, 0.71}, {}, {}));
  ASSERT_EQ(none.size(), 1U);
  EXPECT_SAYS(none[0],
              "No difference was found: Time2Vec gets 0.6033 against 0.6000 without time (+0.0033, 95 % ");
  EXPECT_SAYS(none[0], ", 3 seeds); more seeds can tell smaller differences.");
  EXPECT_SAYS(verdict(made(kLow, kLow, {}, {}))[0], "(+0.0000 in each of 5 seeds).");
}

TEST(AblationVerdict, WarnsOfATestTooSmallForTheDifference) {
  Ablation ablation = made(kLow, kHigh, {}, {});
  for (AblationRun& run : ablation.variants[0].runs) run.predictions = 100;
  ASSERT_EQ(verdict(ablation).size(), 2U);
  // 1.96 √((0.476 · 0.524 + 0.458 · 0.542) / 100)
  EXPECT_EQ(
      verdict(ablation)[1],
      "But the test part is small: 100 predictions leave about ± 0.1383 to such a difference, so another "
      "test part may say otherwise.");
  for (AblationRun& run : ablation.variants[0].runs) run.predictions = 6000;
  EXPECT_EQ(verdict(ablation).size(), 1U);
}

TEST(AblationVerdict, TellsOfBetterProbabilitiesWhereTheAnswersAreTheSame) {
  Ablation ablation = made(kLow, kLow, {}, {});
  EXPECT_EQ(verdict(ablation).size(), 1U);
  for (std::size_t i = 0; i < kLow.size(); ++i) ablation.variants[2].runs[i].loss = 0.9 + kLow[i] / 100;
  ASSERT_EQ(verdict(ablation).size(), 2U);
  EXPECT_EQ(
      verdict(ablation)[1],
      "But its log loss is lower, so its probabilities are better: -0.0954 nats (95 % interval -0.0954 to "
      "-0.0954, p < 0.0001).");
  for (AblationRun& run : ablation.variants[2].runs) run.loss = 1.5 + run.measure;
  EXPECT_SAYS(verdict(ablation)[1],
              "But its log loss is higher, so its probabilities are worse: +0.9580 nats");
  ablation.higher_is_better = false;  // the loss of values is their error
  EXPECT_EQ(verdict(ablation).size(), 1U);
}

TEST(AblationVerdict, TakesLowerErrorsForBetter) {
  Ablation ablation = made(kHigh, kLow, {}, kMiddle);
  ablation.measure = "RMSE";
  ablation.higher_is_better = false;
  EXPECT_SAYS(verdict(ablation)[0],
              "Time is worth it: Time2Vec gets 0.458 against 0.476 without time (-0.018, ");
  EXPECT_SAYS(verdict(ablation)[1], "Time2Vec does better than time as a plain number");
  EXPECT_SAYS(describe(ablation), "RMSE: lower is better");
}

TEST(AblationVerdict, DoesNotPretendToKnow) {
  EXPECT_SAYS(verdict(made({}, {}, {}, {}))[0], "Nothing can be said yet");
  EXPECT_SAYS(verdict(made({0.5, std::nan("")}, {0.5, 0.6}, {}, {}))[0], "no finite accuracy");
  const auto one = verdict(made({0.1}, {0.9}, {0.1}, {0.1}));
  ASSERT_EQ(one.size(), 1U);
  EXPECT_SAYS(one[0], "One seed cannot tell a difference from chance: Time2Vec gets 0.9000 against 0.1000");
  Ablation ablation = made(kLow, kHigh, kLow, kLow);
  ablation.variants.erase(ablation.variants.begin() + 2);
  EXPECT_TRUE(verdict(ablation).empty());
}

TEST(AblationTable, HasALineForEachVariant) {
  Ablation ablation = made(kLow, kHigh, {0.4}, {});
  ablation.variants[0].hidden = 12;
  ablation.variants[0].parameters = 1234;
  const std::string text = describe(ablation);
  EXPECT_SAYS(text, "task next, test: 3 sequences, 100,000 predictions\naccuracy: higher is better");
  EXPECT_SAYS(text, "  none          12       1,234     5  0.4580 ± 0.0009  1.0000\n");
  EXPECT_SAYS(text, "0.4760 ± 0.0020  1.0000    +0.0180  +0.0168 to +0.0192  < 0.0001\n");
  EXPECT_SAYS(text,
              "  shuffled       -           0     1           0.4000  1.0000    -0.0580                   -  "
              "       -\n");
  EXPECT_SAYS(text, "Shuffling changed 90 % of the times.");
}

TEST(AblationJson, HasRunsEstimatesAndComparisons) {
  const nlohmann::json json = to_json(made(kLow, kHigh, kLow, kMiddle));
  EXPECT_EQ(json["verdict"].size(), 3U);
  EXPECT_EQ(json["variants"][2]["runs"][1]["measure"], 0.474);
  EXPECT_NEAR(json["variants"][2]["minus_none"]["mean"].get<double>(), 0.018, 1e-12);
  EXPECT_NEAR(json["variants"][1]["t2v_minus_this"]["mean"].get<double>(), 0.009, 1e-12);
  EXPECT_FALSE(json["variants"][0].contains("minus_none"));
  EXPECT_FALSE(json["options"].contains("time"));
  EXPECT_EQ(json["options"]["hidden"], TrainConfig{}.hidden);
}

}  // namespace
}  // namespace t2v
