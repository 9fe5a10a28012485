#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/fault_scenario.h"
#include "paper/reproduction.h"
#include "paper/training_run.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

/// A run of a tiny model on made data.
Run tiny_run() {
  TrainingSpec spec;
  spec.home = "event-mnist";
  spec.model = "tiny";
  spec.data.set = "mnist";
  spec.data.made = true;
  spec.data.train = 12;
  spec.data.test = 4;
  spec.train = paper_training();
  spec.train.hidden = 2;
  spec.train.batch = 4;
  spec.train.time = "t2v:2";
  return training_run(spec, Scale::kSmoke, 3, 1, 0, 0);
}

/// But for how long it took.
Json lasting(Json record) {
  record.erase("seconds");
  return record;
}

/// A run as `t2v reproduce` does it: stopped once within its second epoch, gone on with, and finished.
class RunFaults : public ::testing::Test {
 protected:
  void SetUp() override {
    TwinDisk disk;
    do_it(disk);
    expected_ = lasting(*RunFiles(disk, "/d").read(run_));
    EXPECT_EQ(disk.names(), std::vector<std::string>{record_});
  }

  /// False if it was stopped, which it is after so many steps.
  bool go(TwinDisk& disk, int64_t steps) {
    const RunFiles files(disk, "/d");
    int64_t asked = 0;
    const auto stop = [&] { return disk.dead() || ++asked > steps; };
    RunContext context{
        pool_, data_, disk, files.stem(run_), stop, [](double) {}, [](int64_t, const Measures&) {}};
    return complete(run_, files, context).has_value();
  }

  void do_it(TwinDisk& disk) {
    const RunFiles files(disk, "/d");
    create_folders(disk, "/d/runs/event-mnist");
    if (files.read(run_)) return;
    for (const char* end : {".json", ".checkpoint", ".curve"}) clear_unfinished(disk, files.stem(run_) + end);
    if (go(disk, 5)) return;
    if (!go(disk, 1'000'000)) throw Error("killed");
  }

  void expect_goes_on(TwinDisk& disk) {
    do_it(disk);
    EXPECT_EQ(lasting(*RunFiles(disk, "/d").read(run_)), expected_);
    expect_no_temporary(disk);
  }

  paper::Run run_ = tiny_run();
  std::string record_ = "/d/runs/event-mnist/tiny.s1.json";
  Json expected_;
  ThreadPool pool_{1};
  DataShelf data_{"/nonexistent", {}};
};

TEST_F(RunFaults, LeaveWhatARunGoesOnFromToTheSameNumbers) {
  FaultScenario scenario;
  scenario.prepare = [](TwinDisk&) {};
  scenario.work = [&](TwinDisk& disk) { do_it(disk); };
  scenario.check = [&](TwinDisk& disk, bool done) {
    EXPECT_TRUE(!done || disk.has(record_));
    expect_goes_on(disk);
  };
  scenario.seeds = 2;
  EXPECT_GT(run_with_every_fault(scenario), 20);
}

}  // namespace
}  // namespace t2v::paper
