#include <gtest/gtest.h>

#include <string>

#include "base/fault_scenario.h"
#include "made_model.h"
#include "model/trained_model.h"

namespace t2v {
namespace {

using namespace testing;

TEST(ModelFaults, LeaveTheOldModelOrTheNewOne) {
  const std::string path = "/d/m.t2v";
  TwinDisk sound;
  write_model(sound, path, made_model("lstm", 2, 2));
  FaultScenario scenario;
  scenario.prepare = [&](TwinDisk& disk) { disk.put(path, sound.get(path)); };
  scenario.work = [&](TwinDisk& disk) { write_model(disk, path, made_model("gru", 2, 3)); };
  scenario.check = [&](TwinDisk& disk, bool done) {
    check_writable(disk, path);
    expect_no_temporary(disk);
    const std::string cell = read_model(path, disk).config.cell;
    EXPECT_TRUE(cell == "gru" || (cell == "lstm" && !done)) << cell;
  };
  EXPECT_GE(run_with_every_fault(scenario), 9);
}

TEST(ModelFaults, LeaveNothingOrTheFirstModel) {
  const std::string path = "/d/m.t2v";
  FaultScenario scenario;
  scenario.prepare = [](TwinDisk&) {};
  scenario.work = [&](TwinDisk& disk) { write_model(disk, path, made_model("gru", 2, 3)); };
  scenario.check = [&](TwinDisk& disk, bool done) {
    check_writable(disk, path);
    expect_no_temporary(disk);
    EXPECT_TRUE(disk.has(path) || !done);
    if (disk.has(path)) {
      EXPECT_EQ(read_model(path, disk).config.cell, "gru");
    }
  };
  EXPECT_GE(run_with_every_fault(scenario), 9);
}

}  // namespace
}  // namespace t2v
