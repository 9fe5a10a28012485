#include "train/fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "made_training.h"
#include "train/evaluation.h"

namespace t2v {
namespace {

using data::says;
using testing::made_sequences;
using testing::Outcome;
using testing::OwnTraining;
using testing::same;
using testing::same_bits;
using testing::store_of;
using testing::tiny_config;

const EpochReport& best_of(const Outcome& outcome) {
  return *std::ranges::min_element(outcome.history, {}, &EpochReport::valid_loss);
}

/// That of the weights which are the result.
double valid_loss_of(OwnTraining& own) {
  const TrainedModel result = own.training.result();
  const data::Batches valid(own.training.events(), own.training.split().valid, result.encoding,
                            measuring_batches(result, 4));
  Workspace<float> work;
  return validation_score(result, own.training.model(), result.parameters, valid, work, own.pool)->loss;
}

/// With steps that are too long, so that the validation goes up and down.
TrainConfig restless_config() {
  TrainConfig config = tiny_config();
  config.epochs = 30;
  config.rate = 0.3;
  config.patience = 2;
  config.rate_cuts = 2;
  return config;
}

TEST(Fit, HasEqualBitsOnAnyNumberOfThreads) {
  const data::EventStore store = store_of(made_sequences(60));
  TrainConfig config = tiny_config();
  config.batch = 50;
  config.hidden = 9;
  config.layers = 2;
  config.dropout = 0.3;
  config.average = 0.8;
  config.when = true;
  const Outcome one = OwnTraining(store, config, 1).run();
  for (const int threads : {2, 3}) EXPECT_TRUE(same(OwnTraining(store, config, threads).run(), one));
}

TEST(Fit, DiffersWithTheSeed) {
  const data::EventStore store = store_of(made_sequences());
  TrainConfig config = tiny_config();
  const Outcome one = OwnTraining(store, config).run();
  config.seed = 2;
  EXPECT_FALSE(same_bits(OwnTraining(store, config).run().best, one.best));
}

TEST(Fit, KeepsTheBestWeightsAndStopsByItself) {
  const data::EventStore store = store_of(made_sequences());
  OwnTraining own(store, restless_config());
  const Outcome outcome = own.run();
  EXPECT_EQ(outcome.end, FitEnd::kConverged);
  EXPECT_EQ(outcome.best_epoch, best_of(outcome).epoch);
  EXPECT_LT(outcome.best_epoch, static_cast<int64_t>(outcome.history.size()));
  EXPECT_TRUE(same_bits(own.training.result().parameters, outcome.best));
  EXPECT_NEAR(valid_loss_of(own), best_of(outcome).valid_loss, 1e-6);
}

TEST(Fit, CutsTheRateAfterItsPatienceAndEndsAfterTheLastCut) {
  const Outcome outcome = OwnTraining(store_of(made_sequences()), restless_config()).run();
  double best = std::numeric_limits<double>::infinity();
  int64_t worse = 0;
  int cuts = 0;
  for (const EpochReport& report : outcome.history) {
    EXPECT_NEAR(report.rate, 0.3 * std::pow(0.3, cuts), 1e-12) << report.epoch;
    EXPECT_EQ(report.best, report.valid_loss < best) << report.epoch;
    best = std::min(best, report.valid_loss);
    worse = report.best ? 0 : worse + 1;
    if (worse < 2) continue;
    worse = 0;
    ++cuts;
  }
  EXPECT_EQ(cuts, 3);  // the third time there is nothing left to cut
  EXPECT_EQ(worse, 0);
}

TEST(Fit, TakesUpTheBestWeightsAgainAtACut) {
  const data::EventStore store = store_of(made_sequences());
  for (const double average : {0.0, 0.5}) {
    TrainConfig config = restless_config();
    config.rate = 0.5;
    config.patience = 1;
    config.rate_cuts = 1;
    config.rate_cut = 1e-12;  // so that it hardly moves from there
    config.average = average;
    const Outcome outcome = OwnTraining(store, config).run();
    ASSERT_EQ(outcome.end, FitEnd::kConverged);
    const EpochReport& last = outcome.history.back();
    EXPECT_LT(last.rate, 1e-6);
    const auto full = [](const EpochReport& report) { return report.rate == 0.5; };
    const auto cut = std::ranges::find_if_not(outcome.history, full);
    EXPECT_GT((cut - 1)->valid_loss, best_of(outcome).valid_loss + 1e-4);
    EXPECT_NEAR(cut->valid_loss, best_of(outcome).valid_loss, 1e-6);
  }
}

TEST(Fit, IsPatientForAtLeastSomeSteps) {
  const data::EventStore store = store_of(made_sequences());
  TrainConfig config = restless_config();
  config.rate = 0.5;
  config.patience = 1;
  config.rate_cuts = 0;
  const Outcome hasty = OwnTraining(store, config).run();
  config.patience_steps = 5 * hasty.steps / static_cast<int64_t>(hasty.history.size());
  config.epochs = 1000;
  const Outcome patient = OwnTraining(store, config).run();
  ASSERT_EQ(hasty.end, FitEnd::kConverged);
  ASSERT_EQ(patient.end, FitEnd::kConverged);
  EXPECT_EQ(static_cast<int64_t>(hasty.history.size()), hasty.best_epoch + 1);
  EXPECT_EQ(static_cast<int64_t>(patient.history.size()), patient.best_epoch + 5);
}

TEST(Fit, AnnealsOverAllStepsOfEpochsThatPassOverTheDataAgain) {
  const data::EventStore store = store_of(made_sequences());
  TrainConfig config = restless_config();
  config.patience = 0;
  config.schedule = "cosine";
  config.epochs = 8;
  config.epoch_steps = 50;
  const Outcome outcome = OwnTraining(store, config).run();
  ASSERT_EQ(outcome.history.size(), 8U);
  EXPECT_NEAR(outcome.history[3].rate, config.rate / 2, config.rate / 20);
  EXPECT_LT(outcome.history[7].rate, config.rate / 100);
}

TEST(Fit, WithoutPatienceKeepsTheLastWeights) {
  const data::EventStore store = store_of(made_sequences());
  TrainConfig config = restless_config();
  config.patience = 0;
  const Outcome whole = OwnTraining(store, config).run();
  EXPECT_EQ(whole.end, FitEnd::kEpochs);
  EXPECT_EQ(whole.best_epoch, 30);
  const auto rises = [](const EpochReport& a, const EpochReport& b) { return a.valid_loss < b.valid_loss; };
  const auto before = std::ranges::adjacent_find(whole.history, rises);
  ASSERT_NE(before, whole.history.end());
  config.epochs = before->epoch + 1;
  OwnTraining own(store, config);
  EXPECT_EQ(own.run().best_epoch, config.epochs);
  EXPECT_NEAR(valid_loss_of(own), (before + 1)->valid_loss, 1e-6);
}

TEST(Fit, LearnsWithoutValidationToo) {
  TrainConfig config = restless_config();
  config.rate = 0.02;
  config.epochs = 5;
  config.valid_share = 0;
  const Outcome outcome = OwnTraining(store_of(made_sequences()), config).run();
  EXPECT_EQ(outcome.end, FitEnd::kEpochs);
  EXPECT_EQ(outcome.best_epoch, 5);
  EXPECT_TRUE(std::isnan(outcome.history[0].valid_loss));
  EXPECT_TRUE(std::isnan(outcome.history[0].measure));
  EXPECT_LT(outcome.history[4].loss, outcome.history[0].loss);
}

TEST(Fit, AveragesWeightsAsAPlainMeanAtFirst) {
  const data::EventStore store = store_of(made_sequences());
  TrainConfig config = tiny_config();
  config.epochs = 1;
  config.patience = 0;
  OwnTraining plain(store, config);
  const int64_t head = plain.training.model().layout().find("head.bias");
  const nn::Tensor& bias = plain.training.model().layout()[static_cast<int>(head)];
  std::vector<float> seen;
  Fit::Hooks hooks;
  hooks.step = [&](const FitProgress&) { seen.push_back(plain.fit().best().data(bias)[0]); };
  plain.run(hooks);
  ASSERT_GE(seen.size(), 3U);
  config.average = 0.999;
  const Outcome averaged = OwnTraining(store, config).run();
  double mean = 0;
  for (const float weight : seen) mean += static_cast<double>(weight) / static_cast<double>(seen.size());
  EXPECT_NEAR(averaged.best.data(bias)[0], mean, 1e-7);
  config.average = 0.25;  // (w1 + w2) / 2 at first, since a half is more; then three quarters of the new ones
  const Outcome short_memory = OwnTraining(store, config).run();
  double moved = seen[0];
  for (std::size_t i = 1; i < seen.size(); ++i) moved += 0.75 * (static_cast<double>(seen[i]) - moved);
  EXPECT_NEAR(short_memory.best.data(bias)[0], moved, 1e-7);
}

TEST(Fit, AveragesOnlyAfterTheFirstSteps) {
  const data::EventStore store = store_of(made_sequences());
  TrainConfig config = tiny_config();
  config.patience = 0;
  const Outcome plain = OwnTraining(store, config).run();
  config.average = 0.9;
  config.average_after = plain.steps;
  EXPECT_TRUE(same_bits(OwnTraining(store, config).run().best, plain.best));
  config.average_after = plain.steps - 2;
  EXPECT_FALSE(same_bits(OwnTraining(store, config).run().best, plain.best));
}

TEST(Fit, KeepsTheLastWeightsWhereTheirAverageIsWorse) {
  const data::EventStore store = store_of(made_sequences(200));
  TrainConfig config = tiny_config();
  config.epochs = 1;
  config.rate = 0.003;
  const Outcome plain = OwnTraining(store, config).run();
  config.average = 0.999;  // of steps that all improve
  const Outcome judged = OwnTraining(store, config).run();
  EXPECT_TRUE(same_bits(judged.best, plain.best));
  EXPECT_EQ(judged.history[0].valid_loss, plain.history[0].valid_loss);
}

TEST(Fit, EndsInTimeAndHasAModelThen) {
  const data::EventStore store = store_of(made_sequences(200));
  TrainConfig config = tiny_config();
  config.epochs = 1'000'000;
  config.patience = 0;
  config.batch = 1;
  config.max_time = 0.2;
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = OwnTraining(store, config).run();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(outcome.end, FitEnd::kTime);
  EXPECT_LT(taken.count(), 2);
  EXPECT_GE(outcome.best_epoch, 1);
  EXPECT_FALSE(outcome.history.empty());
  config.max_time = 1e-9;  // a step is done in any case
  const Outcome least = OwnTraining(store, config).run();
  EXPECT_EQ(least.steps, 1);
  EXPECT_EQ(least.best_epoch, 1);
}

TEST(Fit, CountsTheTimeOfAllItsRuns) {
  const data::EventStore store = store_of(made_sequences());
  TrainConfig config = tiny_config();
  config.epochs = 1'000'000;
  config.patience = 0;
  config.max_time = 0.1;
  OwnTraining own(store, config);
  EXPECT_EQ(own.run().end, FitEnd::kTime);
  const int64_t steps = own.fit().steps();
  EXPECT_EQ(own.run().end, FitEnd::kTime);
  EXPECT_EQ(own.fit().steps(), steps + 1);
}

TEST(Fit, TellsTheLearningRateOfTheScheduleAndTheCuts) {
  TrainConfig config = tiny_config();
  config.schedule = "cosine";
  config.epochs = 3;
  config.patience = 0;
  const Outcome outcome = OwnTraining(store_of(made_sequences()), config).run();
  constexpr double kPi = 3.14159265358979323846;
  for (const EpochReport& report : outcome.history) {
    const double share = (3.0 * static_cast<double>(report.epoch) - 1) / 9;  // of the last of 3 steps each
    EXPECT_NEAR(report.rate, config.rate * 0.5 * (1 + std::cos(kPi * share)), 1e-12) << report.epoch;
  }
}

TEST(Fit, IsStoppedWithinAValidationAndValidatesAgainWhenItGoesOn) {
  const data::EventStore store = store_of(made_sequences(40));
  TrainConfig config = tiny_config();
  config.valid_share = 0.5;
  const Outcome whole = OwnTraining(store, config).run();
  OwnTraining own(store, config);
  const int64_t steps = (static_cast<int64_t>(own.training.split().train.size()) + 3) / 4;
  const int64_t batches = (static_cast<int64_t>(own.training.split().valid.size()) + 3) / 4;
  ASSERT_GE(batches, 3);
  int64_t asked = 0;
  Fit::Hooks hooks;
  hooks.stop = [&] { return own.fit().steps() == steps && ++asked > 3; };
  EXPECT_EQ(own.run(hooks).end, FitEnd::kStopped);
  EXPECT_EQ(own.fit().steps(), steps);
  EXPECT_TRUE(own.fit().history().empty());
  EXPECT_TRUE(same(own.run(), whole));
}

TEST(Fit, TellsWhereItIs) {
  const data::EventStore store = store_of(made_sequences());
  TrainConfig config = tiny_config();
  config.epochs = 2;
  OwnTraining own(store, config);
  std::vector<FitProgress> steps;
  std::vector<int64_t> epochs;
  Fit::Hooks hooks;
  hooks.step = [&](const FitProgress& progress) { steps.push_back(progress); };
  hooks.epoch = [&](const EpochReport& report) { epochs.push_back(report.epoch); };
  own.run(hooks);
  ASSERT_EQ(steps.size(), 6U);  // 9 sequences in batches of 4
  EXPECT_EQ(epochs, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(steps[0].batch, 1);
  EXPECT_EQ(steps[0].batches, 3);
  EXPECT_EQ(steps[3].epoch, 2);
  EXPECT_EQ(steps[3].batch, 1);
  EXPECT_EQ(steps[2].loss, own.fit().history()[0].loss);
  int64_t events = 0;
  for (const data::Piece& piece : own.training.split().train) events += piece.end - piece.begin;
  EXPECT_EQ(steps[5].events, 2 * events);
}

TEST(Fit, WeighsTheBatchesOfTheValidationByWhatIsPredicted) {
  // Batches of one sequence: the loss is the mean over sequences, however long they are.
  const data::EventStore store = store_of(made_sequences());
  TrainConfig config = tiny_config("classify");
  config.epochs = 1;
  config.rate = 0;
  config.batch = 1;
  const Outcome one = OwnTraining(store, config).run();
  config.batch = 100;
  const Outcome all = OwnTraining(store, config).run();
  EXPECT_NEAR(one.history[0].valid_loss, all.history[0].valid_loss, 1e-6);
}

TEST(Fit, RefusesAConfigurationThatMakesNoSense) {
  const data::EventStore store = store_of(made_sequences());
  const auto refused = [&](auto change, const char* why) {
    TrainConfig config = tiny_config();
    change(config);
    EXPECT_SAYS(testing::complaint_of(store, config), why);
  };
  refused([](TrainConfig& config) { config.epochs = 0; }, "`epochs` 0 is not a number from 1 to 1,000,000");
  refused([](TrainConfig& config) { config.patience = -1; }, "patience");
  refused([](TrainConfig& config) { config.rate_cuts = -1; }, "`rate_cuts` -1");
  refused([](TrainConfig& config) { config.rate_cut = 1; }, "factor in (0, 1)");
  refused([](TrainConfig& config) { config.average = 1; }, "`average` 1 is not a number from 0 to below 1");
  refused([](TrainConfig& config) { config.max_time = -1; }, "`max_time` -1 is not a number from 0 up");
  refused([](TrainConfig& config) { config.max_time = std::nan(""); }, "`max_time` nan is not a number");
  refused([](TrainConfig& config) { config.batch = 0; }, "`batch` 0");
  refused([](TrainConfig& config) { config.optimizer = "adamant"; },
          "is none of adam, adagrad, sgd (did you mean 'adam'?)");
  refused([](TrainConfig& config) { config.schedule = "often"; }, "is none of constant, cosine");
  refused([](TrainConfig& config) { config.rate = -1; }, "`rate` -1 is not a number from 0 up");
  refused([](TrainConfig& config) { config.dropout = 1; }, "dropout");
  refused([](TrainConfig& config) { config.hidden = -1; }, "`hidden` -1");
  refused([](TrainConfig& config) { config.patience_steps = -1; }, "patience");
}

}  // namespace
}  // namespace t2v
