#include <gtest/gtest.h>

#include <string>

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

TEST(TrainFaults, LeaveWhatARunGoesOnFromToTheSameBits) {
  const data::EventStore store = store_of(made_sequences());
  TrainConfig config = tiny_config();
  config.epochs = 2;
  TwinDisk whole;
  train(whole, store, config);
  const nn::Parameters<float> expected = read_model(kModel, whole).parameters;
  FaultScenario scenario;
  scenario.prepare = [](TwinDisk&) {};
  scenario.work = [&](TwinDisk& disk) { train(disk, store, config); };
  scenario.check = [&](TwinDisk& disk, bool done) {
    if (disk.has(kModel)) {
      EXPECT_TRUE(same_bits(read_model(kModel, disk).parameters, expected));
    }
    if (disk.has(kCheckpoint)) Container::open(kCheckpoint, "checkpoint", disk).verify();
    EXPECT_TRUE(!done || (disk.has(kModel) && !disk.has(kCheckpoint)));
    check_writable(disk, kModel);
    clear_unfinished(disk, kCheckpoint);
    expect_no_temporary(disk);
    train(disk, store, config);
    EXPECT_TRUE(same_bits(read_model(kModel, disk).parameters, expected));
    EXPECT_EQ(disk.names(), std::vector<std::string>{kModel});
  };
  scenario.seeds = 1;
  EXPECT_GE(run_with_every_fault(scenario), 50);
}

TEST(TrainFaults, NeverTakeTheModelOrTheCheckpointBeforeTheOtherIsThere) {
  const data::EventStore store = store_of(made_sequences());
  TrainConfig config = tiny_config();
  config.epochs = 1;
  OwnTraining own(store, config);
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
