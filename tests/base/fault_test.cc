// Every operation on files fails once, in every way, and the power goes at every one.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "base/container.h"
#include "base/container_writer.h"
#include "base/fault_scenario.h"

namespace t2v {
namespace {

const std::string kPath = "/d/a";

std::string bytes_of(int32_t version) {
  TwinDisk disk;
  const std::vector<int32_t> numbers(50, version);
  ContainerWriter writer("test");
  writer.add<int32_t>("numbers", numbers);
  writer.write(disk, kPath);
  return disk.get(kPath);
}

void save(FileSystem& disk, int32_t version) {
  const std::vector<int32_t> numbers(50, version);
  ContainerWriter writer("test");
  writer.add<int32_t>("numbers", numbers);
  writer.write(disk, kPath);
}

int32_t load(FileSystem& disk) {
  const Container file = Container::open(kPath, "test", disk);
  file.verify();
  return file.tensor<int32_t>("numbers")[0];
}

/// What a start does, and the next save.
void expect_starts_anew(TwinDisk& disk) {
  check_writable(disk, kPath);
  expect_no_temporary(disk);
  save(disk, 3);
  EXPECT_EQ(load(disk), 3);
  expect_no_temporary(disk);
}

TEST(EveryFault, LeavesNothingOrAllOfTheFirstSave) {
  FaultScenario scenario;
  scenario.prepare = [](TwinDisk&) {};
  scenario.work = [](TwinDisk& disk) { save(disk, 1); };
  scenario.check = [](TwinDisk& disk, bool done) {
    EXPECT_TRUE(disk.has(kPath) || !done);
    if (disk.has(kPath)) {
      EXPECT_EQ(load(disk), 1);
    }
    expect_starts_anew(disk);
  };
  EXPECT_GE(run_with_every_fault(scenario), 9);  // link, remove, create, 3 writes, sync, close, rename, sync
}

TEST(EveryFault, LeavesTheOldOrTheNewContentsOfAnOverwrite) {
  const std::string old = bytes_of(1);
  FaultScenario scenario;
  scenario.prepare = [&](TwinDisk& disk) { disk.put(kPath, old); };
  scenario.work = [](TwinDisk& disk) { save(disk, 2); };
  scenario.check = [](TwinDisk& disk, bool done) {
    const int32_t found = load(disk);
    EXPECT_TRUE(found == 2 || (found == 1 && !done)) << found;
    expect_starts_anew(disk);
  };
  scenario.seeds = 40;
  EXPECT_GE(run_with_every_fault(scenario), 9);
}

TEST(EveryFault, LeavesTheOldOrTheNewContentsWhereACrashLeftATemporaryFile) {
  const std::string old = bytes_of(1);
  FaultScenario scenario;
  scenario.prepare = [&](TwinDisk& disk) {
    disk.put(kPath, old);
    disk.put(kPath + ".t2v-unfinished", "half of someth");
  };
  scenario.work = [](TwinDisk& disk) { save(disk, 2); };
  scenario.check = [](TwinDisk& disk, bool done) {
    const int32_t found = load(disk);
    EXPECT_TRUE(found == 2 || (found == 1 && !done)) << found;
    expect_starts_anew(disk);
  };
  run_with_every_fault(scenario);
}

TEST(EveryFault, RemovesAFileForGoodOrNotAtAllAndNoOther) {
  const std::string old = bytes_of(1);
  FaultScenario scenario;
  scenario.prepare = [&](TwinDisk& disk) {
    disk.put(kPath, old);
    disk.put("/d/old", "contents");
    disk.put("/d/old.t2v-unfinished", "cont");
  };
  scenario.work = [](TwinDisk& disk) { remove_file(disk, "/d/old"); };
  scenario.check = [](TwinDisk& disk, bool done) {
    EXPECT_EQ(load(disk), 1);
    EXPECT_FALSE(done && disk.has("/d/old"));
    if (disk.has("/d/old")) {
      EXPECT_EQ(disk.get("/d/old"), "contents");
    }
    clear_unfinished(disk, "/d/old");
    expect_no_temporary(disk);
  };
  EXPECT_GE(run_with_every_fault(scenario), 4);
}

TEST(EveryFault, LeavesAnExportWholeOrNot) {
  const std::string lines = "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n";
  FaultScenario scenario;
  scenario.prepare = [](TwinDisk& disk) { disk.put("/d/out", "before"); };
  scenario.work = [&](TwinDisk& disk) {
    AtomicFile file(disk, "/d/out");
    for (std::size_t at = 0; at < lines.size(); at += 9)
      file.write(std::as_bytes(std::span(lines)).subspan(at, 9));
    file.finish();
  };
  scenario.check = [&](TwinDisk& disk, bool done) {
    const std::string found = disk.get("/d/out");
    EXPECT_TRUE(found == lines || (found == "before" && !done)) << found;
    check_writable(disk, "/d/out");
    expect_no_temporary(disk);
  };
  run_with_every_fault(scenario);
}

TEST(EveryFault, KeepsFoldersThatWereMadeForAFile) {
  FaultScenario scenario;
  scenario.prepare = [](TwinDisk&) {};
  scenario.work = [](TwinDisk& disk) {
    create_folders(disk, "/d/runs/toy");
    write_file_atomically(disk, "/d/runs/toy/a", "text");
  };
  scenario.check = [](TwinDisk& disk, bool done) {
    EXPECT_TRUE(disk.has("/d/runs/toy/a") || !done);
    if (disk.has("/d/runs/toy/a")) {
      EXPECT_EQ(disk.get("/d/runs/toy/a"), "text");
    }
    create_folders(disk, "/d/runs/toy");
    check_writable(disk, "/d/runs/toy/a");
    expect_no_temporary(disk);
  };
  run_with_every_fault(scenario);
}

TEST(EveryFault, IsAnErrorOfReadingAndLeavesNothingOpen) {
  const std::string bytes = bytes_of(1);
  FaultScenario scenario;
  scenario.prepare = [&](TwinDisk& disk) { disk.put(kPath, bytes); };
  scenario.work = [&](TwinDisk& disk) {
    EXPECT_EQ(load(disk), 1);
    const std::vector<std::byte> read = read_file(disk, kPath, bytes.size());
    EXPECT_TRUE(std::ranges::equal(read, std::as_bytes(std::span(bytes))));
  };
  scenario.check = [&](TwinDisk& disk, bool) { EXPECT_EQ(disk.get(kPath), bytes); };
  // open, modified, size, map, size and modified again, unmap, close; then open, 2 reads, close
  EXPECT_GE(run_with_every_fault(scenario), 12);
}

TEST(EveryFault, IsAnErrorOfReadingWhatMustBeAFile) {
  FaultScenario scenario;
  scenario.prepare = [](TwinDisk& disk) { disk.put(kPath, "text"); };
  scenario.work = [](TwinDisk& disk) {
    const std::string text = "text";
    EXPECT_TRUE(std::ranges::equal(read_regular_file(disk, kPath, 4), std::as_bytes(std::span(text))));
  };
  scenario.check = [](TwinDisk& disk, bool) { EXPECT_EQ(disk.get(kPath), "text"); };
  EXPECT_GE(run_with_every_fault(scenario), 5);  // open, size, 2 reads, close
}

TEST(EveryFault, OfACheckLeavesTheFileAndNothingElse) {
  FaultScenario scenario;
  scenario.prepare = [](TwinDisk& disk) {
    disk.put(kPath, "text");
    disk.put(kPath + ".t2v-unfinished", "te");
  };
  scenario.work = [](TwinDisk& disk) { check_writable(disk, kPath); };
  scenario.check = [](TwinDisk& disk, bool) {
    EXPECT_EQ(disk.get(kPath), "text");
    check_writable(disk, kPath);
    EXPECT_EQ(disk.names(), std::vector<std::string>{kPath});
  };
  EXPECT_GE(run_with_every_fault(scenario), 7);  // link, 2 folders, remove, create, close, remove
}

// The twin itself: that it loses what is not synced.

TEST(TwinDisk, LosesContentsAndNamesThatWereNotSynced) {
  TwinDisk disk;
  disk.put("/d/a", "old");
  const auto write = [&](const std::string& path, const std::string& text) {
    OpenFile file(disk, path, FileSystem::Mode::kCreate);
    file.write_all(std::as_bytes(std::span(text)));
  };
  write("/d/b", "text");
  EXPECT_FALSE(disk.after(DiskLoss::kAll).has("/d/b"));
  EXPECT_EQ(disk.after(DiskLoss::kNothing).get("/d/b"), "text");
  disk.sync_folder("/d");
  EXPECT_EQ(disk.after(DiskLoss::kAll).get("/d/b"), "");
  disk.rename("/d/b", "/d/a");
  EXPECT_EQ(disk.after(DiskLoss::kAll).get("/d/a"), "old");
  disk.sync_folder("/d");
  EXPECT_EQ(disk.after(DiskLoss::kAll).get("/d/a"), "");
  disk.remove("/d/a");
  EXPECT_TRUE(disk.after(DiskLoss::kAll).has("/d/a"));
  disk.sync_folder("/d");
  EXPECT_FALSE(disk.after(DiskLoss::kAll).has("/d/a"));
}

TEST(TwinDisk, CountsAndFailsEveryOperation) {
  TwinDisk disk;
  disk.put("/d/a", "text");
  const int file = disk.open("/d/a", FileSystem::Mode::kMap);
  const std::byte* bytes = disk.map(file, 4);
  const auto fails_once = [&](const std::function<bool()>& operation) {
    disk.fail_at(0, DiskFault::kIoError);
    const bool first = operation();
    EXPECT_EQ(disk.operations(), 1);
    return !first && operation();
  };
  EXPECT_TRUE(fails_once([&] { return disk.modified(file) >= 0; }));
  EXPECT_TRUE(fails_once([&] { return disk.size(file) >= 0; }));
  EXPECT_TRUE(fails_once([&] { return disk.is_folder("/d"); }));
  EXPECT_TRUE(fails_once([&] { return disk.unmap(bytes, 4) >= 0; }));
  EXPECT_TRUE(fails_once([&] { return disk.sync_folder("/d") >= 0; }));
  disk.fail_at(0, DiskFault::kInterrupted);
  EXPECT_TRUE(disk.is_folder("/d"));
  disk.close(file);
  EXPECT_EQ(disk.in_use(), 0U);
}

TEST(TwinDisk, GarblesInManyWaysWhatWasNotSynced) {
  TwinDisk disk;
  {
    OpenFile file(disk, "/d/a", FileSystem::Mode::kCreate);
    file.write_all(std::as_bytes(std::span("some contents")));
  }
  disk.sync_folder("/d");
  std::set<std::string> found;
  for (uint64_t seed = 0; seed < 50; ++seed) found.insert(disk.after(DiskLoss::kMixed, seed).get("/d/a"));
  EXPECT_GT(found.size(), 20U);
}

}  // namespace
}  // namespace t2v
