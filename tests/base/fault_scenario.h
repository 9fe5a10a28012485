#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "base/disks.h"
#include "base/twin_disk.h"

namespace t2v {

/// Work with files, and what must hold however it ended.
struct FaultScenario {
  /// What was there before.
  std::function<void(TwinDisk&)> prepare;
  std::function<void(TwinDisk&)> work;
  /// Called with the disk as the next start finds it. `done`: the work said that it was done.
  std::function<void(TwinDisk&, bool done)> check;
  int seeds = 8;  // of mixed losses
};

inline const std::vector<DiskFault> kDiskFaults = {DiskFault::kKill,    DiskFault::kKillMidway,
                                                   DiskFault::kIoError, DiskFault::kFull,
                                                   DiskFault::kShort,   DiskFault::kInterrupted};

/// Checks all that the next start may find.
inline void check_losses(const FaultScenario& scenario, const TwinDisk& disk, bool done) {
  const auto check = [&](DiskLoss loss, uint64_t seed) {
    SCOPED_TRACE("loss " + std::to_string(static_cast<int>(loss)) + ", seed " + std::to_string(seed));
    TwinDisk next = disk.after(loss, seed);
    scenario.check(next, done);
    EXPECT_EQ(next.in_use(), 0U);
  };
  check(DiskLoss::kNothing, 0);
  check(DiskLoss::kAll, 0);
  if (done) return;
  for (int seed = 0; seed < scenario.seeds; ++seed) check(DiskLoss::kMixed, static_cast<uint64_t>(seed));
}

/// Runs the work with each fault at operation 0, 1, 2, ... until it ends before that. Returns how many
/// operations it has.
inline int64_t run_with_every_fault(const FaultScenario& scenario) {
  int64_t operations = 0;
  for (const DiskFault fault : kDiskFaults) {
    const bool harmless = fault == DiskFault::kShort || fault == DiskFault::kInterrupted;
    for (int64_t at = 0;; ++at) {
      SCOPED_TRACE("fault " + std::to_string(static_cast<int>(fault)) + " at operation " +
                   std::to_string(at));
      TwinDisk disk;
      scenario.prepare(disk);
      disk.fail_at(at, fault);
      const std::string what = error_of([&] { scenario.work(disk); });
      const bool reached = disk.operations() > at;
      if (!reached || harmless) {
        EXPECT_EQ(what, "");
      }
      EXPECT_EQ(disk.in_use(), 0U);
      check_losses(scenario, disk, what.empty());
      if (::testing::Test::HasFailure()) return at;  // one is enough to read
      if (reached) continue;
      operations = std::max(operations, at);
      break;
    }
  }
  return operations;
}

/// That no temporary file is there.
inline void expect_no_temporary(const TwinDisk& disk) {
  for (const std::string& name : disk.names()) EXPECT_FALSE(name.ends_with(".t2v-unfinished")) << name;
}

}  // namespace t2v
