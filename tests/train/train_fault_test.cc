#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/container.h"
#include "base/fault_scenario.h"
#include "made_training.h"
#include "train/save_result.h"

namespace t2v {
namespace {

using testing::made_sequences;
using testing::OwnTraining;
using testing::same_bits;
using testing::store_of;
using testing::tiny_config;

const std::string kModel = "/d/m.t2v";
const std::string kCheckpoint = "/d/m.t2v.checkpoint";

/// A training as the program runs it: goes on from a checkpoint if there is one, saves after each step (where
/// there is no room it goes on without), writes the model, removes the checkpoint.
void train(TwinDisk& disk, const data::EventStore& store, const TrainConfig& config) {
  check_writable(disk, kModel);
  clear_unfinished(disk, kCheckpoint);
  OwnTraining own(store, config);
  if (disk.has(kCheckpoint)) own.training.restore_checkpoint(kCheckpoint, disk);
  Fit::Hooks hooks;
  hooks.step = [&](const FitProgress&) {
    error_of([&] { own.training.save_checkpoint(disk, kCheckpoint); });
  };
  hooks.stop = [&] { return disk.dead(); };
  if (own.run(hooks).end == FitEnd::kStopped) throw Error("killed");
  const std::string stays = save_result(disk, kModel, own.training.result(), kCheckpoint);
  if (!stays.empty()) throw Error(stays);
}

/// A training of a few steps, what comes of it where nothing goes wrong, and what must hold where something
/// does.
class TrainFaults : public ::testing::Test {
 protected:
  void SetUp() override {
    config_.epochs = 2;
    TwinDisk disk;
    train(disk, store_, config_);
    expected_ = read_model(kModel, disk).parameters;
  }

  FaultScenario scenario() {
    FaultScenario scenario;
    scenario.prepare = [](TwinDisk&) {};
    scenario.work = [this](TwinDisk& disk) { train(disk, store_, config_); };
    scenario.check = [this](TwinDisk& disk, bool done) { expect_goes_on(disk, done); };
    scenario.seeds = 1;
    return scenario;
  }

  /// What is there is whole, and a further run ends with the bits of one that nothing happened to.
  void expect_goes_on(TwinDisk& disk, bool done) {
    if (disk.has(kModel)) {
      EXPECT_TRUE(same_bits(read_model(kModel, disk).parameters, expected_));
    }
    if (disk.has(kCheckpoint)) Container::open(kCheckpoint, "checkpoint", disk).verify();
    EXPECT_TRUE(!done || (disk.has(kModel) && !disk.has(kCheckpoint)));
    check_writable(disk, kModel);
    clear_unfinished(disk, kCheckpoint);
    expect_no_temporary(disk);
    // Without a checkpoint all runs beside the same files are one.
    if (!disk.has(kCheckpoint) && !begun_beside_.insert(disk.names()).second) return;
    train(disk, store_, config_);
    EXPECT_TRUE(same_bits(read_model(kModel, disk).parameters, expected_));
    EXPECT_EQ(disk.names(), std::vector<std::string>{kModel});
  }

  /// The checkpoint of a run that was stopped after this many steps.
  std::string checkpoint_at(int64_t steps) const {
    OwnTraining own(store_, config_);
    Fit::Hooks hooks;
    hooks.stop = [&] { return own.fit().steps() == steps; };
    EXPECT_EQ(own.run(hooks).end, FitEnd::kStopped);
    TwinDisk disk;
    own.training.save_checkpoint(disk, kCheckpoint);
    return disk.get(kCheckpoint);
  }

  int64_t steps_of_checkpoint(TwinDisk& disk) const {
    OwnTraining own(store_, config_);
    own.training.restore_checkpoint(kCheckpoint, disk);
    return own.fit().steps();
  }

  data::EventStore store_ = store_of(made_sequences());
  TrainConfig config_ = tiny_config();
  nn::Parameters<float> expected_;
  std::set<std::vector<std::string>> begun_beside_;
};

TEST_F(TrainFaults, LeaveWhatARunGoesOnFromToTheSameBits) { EXPECT_GE(run_with_every_fault(scenario()), 50); }

TEST_F(TrainFaults, OfARunThatWentOnLeaveWhatTheNextGoesOnFromToTheSameBits) {
  constexpr int64_t kSteps = 4;
  const std::string saved = checkpoint_at(kSteps);
  FaultScenario resumed = scenario();
  resumed.prepare = [&](TwinDisk& disk) {
    disk.put(kCheckpoint, saved);
    disk.put(kCheckpoint + ".t2v-unfinished", saved.substr(0, saved.size() / 2));
    disk.put(kModel + ".t2v-unfinished", "half");
  };
  resumed.check = [&](TwinDisk& disk, bool done) {
    // What was reached is never lost.
    EXPECT_TRUE(disk.has(kModel) || disk.has(kCheckpoint));
    if (disk.has(kCheckpoint)) {
      EXPECT_GE(steps_of_checkpoint(disk), kSteps);
    }
    expect_goes_on(disk, done);
  };
  EXPECT_GE(run_with_every_fault(resumed), 100);
}

TEST_F(TrainFaults, NeverTakeTheModelOrTheCheckpointBeforeTheOtherIsThere) {
  config_.epochs = 1;
  OwnTraining own(store_, config_);
  own.run();
  TwinDisk saved;
  own.training.save_checkpoint(saved, kCheckpoint);
  FaultScenario scenario;
  scenario.prepare = [&](TwinDisk& disk) { disk.put(kCheckpoint, saved.get(kCheckpoint)); };
  scenario.work = [&](TwinDisk& disk) {
    const std::string stays = save_result(disk, kModel, own.training.result(), kCheckpoint);
    if (!stays.empty()) throw Error(stays);
  };
  scenario.check = [&](TwinDisk& disk, bool done) {
    EXPECT_TRUE(disk.has(kModel) || disk.has(kCheckpoint));
    if (disk.has(kModel)) read_model(kModel, disk);
    if (disk.has(kCheckpoint)) Container::open(kCheckpoint, "checkpoint", disk).verify();
    EXPECT_EQ(done && disk.has(kCheckpoint), false);
  };
  run_with_every_fault(scenario);
}

}  // namespace
}  // namespace t2v
