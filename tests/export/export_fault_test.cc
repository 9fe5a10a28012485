#include <gtest/gtest.h>

#include <string>

#include "base/fault_scenario.h"
#include "export/onnx.h"
#include "model/made_model.h"

namespace t2v {
namespace {

TEST(ExportFaults, LeaveTheOldFileOrTheNewOne) {
  const std::string path = "/d/m.onnx";
  const TrainedModel model = testing::made_model("gru", 3, 2);
  const std::string fresh = to_onnx(model, {}).bytes;
  FaultScenario scenario;
  scenario.prepare = [&](TwinDisk& disk) { disk.put(path, "before"); };
  scenario.work = [&](TwinDisk& disk) { export_onnx(disk, path, model, {}); };
  scenario.check = [&](TwinDisk& disk, bool done) {
    check_writable(disk, path);
    expect_no_temporary(disk);
    const std::string found = disk.get(path);
    EXPECT_TRUE(found == fresh || (found == "before" && !done));
  };
  EXPECT_GE(run_with_every_fault(scenario), 5);
}

}  // namespace
}  // namespace t2v
