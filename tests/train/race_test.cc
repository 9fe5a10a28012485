#include "train/race.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "made_training.h"

namespace t2v {
namespace {

using data::complaint;
using data::says;
using testing::file_of;
using testing::types_alone;

/// As little as a race can be: its first trials have an epoch, and sizes are given.
class RaceTest : public ::testing::Test {
 protected:
  RaceTest() : data{types_alone(120)} {
    for (const char* name : {"hidden", "head_dropout", "rate", "epochs", "epoch_steps"})
      config.given.insert(name);
    config.hidden = 4;
    config.epoch_steps = 1;
    config.epochs = 3;
    config.valid_share = 0.25;
    config.always_race = true;
  }

  struct Ending {
    std::vector<Trial> trials;
    std::string file;  // of the model of the winner
  };
  Ending end_of(Race& race, int threads) {
    EXPECT_TRUE(race.run({}));
    ThreadPool pool(threads);
    Training training(data, race.winner(), pool);
    training.run({});
    return {race.trials(), file_of(training.result())};
  }
  Ending run(int threads = 1) {
    ThreadPool pool(threads);
    Race race(data, config, pool);
    return end_of(race, threads);
  }

  TrainingData data;
  TrainConfig config;
};

std::string text_of(const std::vector<Trial>& trials) {
  std::string text;
  for (const Trial& trial : trials) text += fmt::format("{} {} {}\n", trial.name, trial.epochs, trial.loss);
  return text;
}

TEST_F(RaceTest, TriesTimesRulesCellsAndDrawsAndTakesTheBest) {
  ThreadPool pool(1);
  Race race(data, config, pool);
  ASSERT_TRUE(race.is_held());
  ASSERT_TRUE(race.run({}));
  std::set<std::string> names;
  double best = std::numeric_limits<double>::infinity();
  for (const Trial& trial : race.trials()) {
    names.insert(trial.name);
    best = std::min(best, trial.loss);
  }
  for (const char* name : {"defaults", "`time` plain", "`time` none", "`no_rules`", "`cell` gru", "`draw` 1",
                           "`time` none, `no_rules`, `cell` gru, `draw` 1"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  Training training(data, race.winner(), pool);
  training.run({});
  EXPECT_EQ(training.best_loss(), best);
}

TEST_F(RaceTest, GoesOnLongerWithTheBetterThird) {
  const std::vector<Trial> trials = run().trials;
  const auto longer =
      std::ranges::find_if(trials, [&](const Trial& trial) { return trial.epochs > trials.front().epochs; });
  ASSERT_NE(longer, trials.end());
  std::vector<double> losses;
  for (auto trial = trials.begin(); trial != longer; ++trial) losses.push_back(trial->loss);
  EXPECT_EQ(losses.size(), 24U);
  EXPECT_EQ(longer->epochs, 3 * trials.front().epochs);
  const auto first = std::ranges::find(trials, longer->name, &Trial::name);
  EXPECT_EQ(first->loss, std::ranges::min(losses));
}

TEST_F(RaceTest, IsTheSameOnAnyThreads) {
  const Ending one = run(1);
  const Ending three = run(3);
  EXPECT_EQ(text_of(one.trials), text_of(three.trials));
  EXPECT_TRUE(one.file == three.file);
}

TEST_F(RaceTest, GivesTheModelThatItsOptionsGive) {
  ThreadPool pool(1);
  Race race(data, config, pool);
  ASSERT_TRUE(race.run({}));
  Training by_race(data, race.winner(), pool);
  by_race.run({});
  TrainedModel model = by_race.result();
  EXPECT_EQ(model.training->at("race").size(), race.trials().size());
  TrainRequest named;
  options_after_reading(named).read(*model.options);
  Training by_name(data, named.train, pool);
  by_name.run({});
  model.training->erase("race");
  EXPECT_TRUE(file_of(model) == file_of(by_name.result()));
}

TEST_F(RaceTest, GoesOnFromACheckpointToTheSameBits) {
  const Ending whole = run();
  ThreadPool pool(2);
  TwinDisk disk;
  int left = 5;
  Race first(data, config, pool);
  EXPECT_FALSE(first.run({[&](const Trial&) { --left; }, [&] { return left == 0; }}));
  EXPECT_EQ(first.trials().size(), 5U);
  first.save(disk, "/d/c");
  Race second(data, config, pool);
  EXPECT_FALSE(second.restore("/d/c", disk));
  int more = 0;
  EXPECT_TRUE(second.run({[&](const Trial&) { ++more; }, {}}));
  EXPECT_EQ(static_cast<std::size_t>(more) + 5, whole.trials.size());
  const Ending resumed = end_of(second, 2);
  EXPECT_EQ(text_of(resumed.trials), text_of(whole.trials));
  EXPECT_TRUE(resumed.file == whole.file);
}

TEST_F(RaceTest, IsNotRunAgainWhereTheTrainingHadBegun) {
  ThreadPool pool(1);
  TwinDisk disk;
  Race race(data, config, pool);
  race.run({});
  Training training(data, race.winner(), pool);
  training.run({});
  training.save_checkpoint(disk, "/d/c");
  Race again(data, config, pool);
  EXPECT_TRUE(again.restore("/d/c", disk));
  EXPECT_TRUE(again.run({[](const Trial& trial) { ADD_FAILURE() << trial.name; }, {}}));
  Training resumed(data, again.winner(), pool);
  resumed.restore_checkpoint("/d/c", disk);
  resumed.run({});
  EXPECT_TRUE(file_of(training.result()) == file_of(resumed.result()));
}

TEST_F(RaceTest, RefusesCheckpointsOfOtherOptionsAndData) {
  ThreadPool pool(1);
  TwinDisk disk;
  Race race(data, config, pool);
  race.run({{}, [] { return true; }});
  race.save(disk, "/d/c");
  TrainConfig other = config;
  other.seed = 7;
  Race of_other(data, other, pool);
  EXPECT_TRUE(says(complaint([&] { of_other.restore("/d/c", disk); }), "`seed` 1, but now it is 7"));
  const TrainingData more{types_alone(121)};
  Race of_more(more, config, pool);
  EXPECT_TRUE(says(complaint([&] { of_more.restore("/d/c", disk); }), "other data"));
  config.no_auto = true;
  config.always_race = false;
  Race none(data, config, pool);
  EXPECT_TRUE(says(complaint([&] { none.restore("/d/c", disk); }), "race"));
}

TEST_F(RaceTest, IsHeldOnlyWhereNothingOfTheNetworkIsGiven) {
  ThreadPool pool(1);
  TrainConfig plain;
  plain.given = {"task", "seed", "query_time", "max_time"};
  plain.query_time = true;
  plain.valid_share = 0.25;
  EXPECT_TRUE(Race(data, plain, pool).is_held());
  for (const char* name : {"cell", "time", "epochs", "rate", "no_rules"}) {
    TrainConfig named = plain;
    named.given.insert(name);
    EXPECT_FALSE(Race(data, named, pool).is_held()) << name;
  }
  TrainConfig off = plain;
  off.no_auto = true;
  EXPECT_FALSE(Race(data, off, pool).is_held());
  off.always_race = true;
  EXPECT_TRUE(says(complaint([&] { Race(data, off, pool); }), "`auto` and `no_auto` contradict"));
}

TEST_F(RaceTest, IsNotHeldWhereFewPredictionsWouldDecide) {
  ThreadPool pool(1);
  const TrainingData few{types_alone(20)};
  EXPECT_FALSE(Race(few, config, pool).is_held());
}

TEST_F(RaceTest, HasItsShareOfTheTime) {
  ThreadPool pool(1);
  config.max_time = 1e-6;
  Race race(data, config, pool);
  EXPECT_TRUE(race.run({}));
  EXPECT_EQ(race.trials().size(), 1U);
  EXPECT_TRUE(race.was_cut_short());
}

}  // namespace
}  // namespace t2v
