#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "base/fault_scenario.h"
#include "data/event_store.h"
#include "data/table_reader.h"
#include "importer_files.h"
#include "made_events.h"

namespace t2v::data {
namespace {

const std::string kStore = "/d/e.events";

std::string store_bytes() {
  TwinDisk disk;
  EventStore store;
  store.events = MadeEvents({{0, 1, 5}, {2, 3}}).events();
  write_store(disk, kStore, store);
  return disk.get(kStore);
}

TEST(IsStore, NeverTakesAStoreForSomethingElseWhateverFails) {
  const std::string bytes = store_bytes();
  FaultScenario scenario;
  scenario.prepare = [&](TwinDisk& disk) { disk.put(kStore, bytes); };
  scenario.work = [](TwinDisk& disk) { EXPECT_TRUE(is_store(kStore, disk)); };
  scenario.check = [](TwinDisk& disk, bool) { EXPECT_TRUE(is_store(kStore, disk)); };
  EXPECT_GE(run_with_every_fault(scenario), 5);  // to be there: open, close; open, size, read, close
}

TEST(IsStore, IsSaidOfTheDiskThatIsGiven) {
  TwinDisk disk;
  disk.put(kStore, store_bytes());
  disk.put("/d/table", "user,time,event\na,1,x\n");
  disk.put("/d/short", store_bytes().substr(0, 8));
  EXPECT_TRUE(is_store(kStore, disk));
  EXPECT_FALSE(is_store(kStore));
  EXPECT_FALSE(is_store("/d/table", disk));
  EXPECT_FALSE(is_store("/d/short", disk));
  EXPECT_FALSE(is_store("/d/missing", disk));
  EXPECT_EQ(disk.in_use(), 0U);
}

TEST(IsStore, LeavesAPipeToItsReader) {
  const OwnFiles files;
  const std::string path = files.path("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path) << "id,time\na,1\nb,2\n"; });  // waits for a reader
  const auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  wait();
  EXPECT_FALSE(is_store(path));
  wait();  // a writer that was let in would be done by now
  ThreadPool pool(1);
  ReadReport report;
  EXPECT_EQ(read_tables({{path}}, {}, pool, report).rows(), 2);
  writer.join();
}

}  // namespace
}  // namespace t2v::data
