#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/fault_scenario.h"
#include "made_stream.h"
#include "stream/stream.h"

namespace t2v {
namespace {

using namespace testing;

const std::string kPath = "/d/s.t2v";
constexpr StreamConfig kConfig = {25, 3, LateEvents::kDrop};

class SnapshotFaults : public ::testing::Test {
 protected:
  /// Pushes events [begin, end) of a mixture; returns all predictions.
  std::vector<Prediction> feed(Stream& stream, std::size_t begin, std::size_t end) const {
    std::vector<int64_t> next(events_.offsets.begin(), events_.offsets.end());
    std::vector<Prediction> predictions;
    for (std::size_t i = 0; i < end; ++i) {
      const int64_t s = order_[i];
      const int64_t e = next[static_cast<std::size_t>(s)]++;
      if (i < begin) continue;
      const Pushed pushed(events_, s, e);
      predictions.push_back(*stream.push(pushed.event).prediction);
    }
    return predictions;
  }

  const TrainedModel model_ = made_stream_model("lstm", false);
  const data::Events events_ = MadeSequences(20, 3, 4).events();
  const std::vector<int64_t> order_ = mixture_of(events_, 8);
};

TEST_F(SnapshotFaults, LeaveASnapshotFromWhichItGoesOnToTheSameBits) {
  TwinDisk sound;
  Stream whole(model_, kConfig);
  feed(whole, 0, 10);
  whole.save(sound, kPath);
  feed(whole, 10, 20);
  const Stream& at_20 = whole;
  std::vector<Prediction> expected;
  {
    Stream again(model_, kConfig);
    feed(again, 0, 20);
    expected = feed(again, 20, 40);
  }
  FaultScenario scenario;
  scenario.prepare = [&](TwinDisk& disk) { disk.put(kPath, sound.get(kPath)); };
  scenario.work = [&](TwinDisk& disk) { at_20.save(disk, kPath); };
  scenario.check = [&](TwinDisk& disk, bool done) {
    check_writable(disk, kPath);
    expect_no_temporary(disk);
    Stream resumed(model_, kConfig);
    resumed.restore(kPath, disk);
    const auto from = static_cast<std::size_t>(resumed.counts().events);
    EXPECT_TRUE(from == 20 || (from == 10 && !done)) << from;
    feed(resumed, from, 20);
    EXPECT_EQ(feed(resumed, 20, 40), expected);
  };
  scenario.seeds = 4;
  EXPECT_GE(run_with_every_fault(scenario), 9);
}

TEST_F(SnapshotFaults, LeaveNothingOrTheFirstSnapshot) {
  Stream stream(model_, kConfig);
  feed(stream, 0, 10);
  FaultScenario scenario;
  scenario.prepare = [](TwinDisk&) {};
  scenario.work = [&](TwinDisk& disk) { stream.save(disk, kPath); };
  scenario.check = [&](TwinDisk& disk, bool done) {
    check_writable(disk, kPath);
    expect_no_temporary(disk);
    EXPECT_TRUE(disk.has(kPath) || !done);
    if (!disk.has(kPath)) return;
    Stream resumed(model_, kConfig);
    resumed.restore(kPath, disk);
    EXPECT_EQ(resumed.counts(), stream.counts());
  };
  scenario.seeds = 4;
  EXPECT_GE(run_with_every_fault(scenario), 9);
}

TEST_F(SnapshotFaults, AreErrorsOfReadingThatChangeNothing) {
  TwinDisk sound;
  Stream whole(model_, kConfig);
  feed(whole, 0, 10);
  whole.save(sound, kPath);
  FaultScenario scenario;
  scenario.prepare = [&](TwinDisk& disk) { disk.put(kPath, sound.get(kPath)); };
  scenario.work = [&](TwinDisk& disk) {
    Stream stream(model_, kConfig);
    const std::string what = error_of([&] { stream.restore(kPath, disk); });
    EXPECT_EQ(stream.counts(), what.empty() ? whole.counts() : StreamCounts());
    EXPECT_EQ(stream.sequences(), what.empty() ? whole.sequences() : 0);
    if (!what.empty()) throw Error(what);
  };
  scenario.check = [&](TwinDisk& disk, bool) { EXPECT_EQ(disk.get(kPath), sound.get(kPath)); };
  scenario.seeds = 1;
  run_with_every_fault(scenario);
}

}  // namespace
}  // namespace t2v
