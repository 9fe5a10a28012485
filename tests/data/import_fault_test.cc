#include <gtest/gtest.h>

#include <string>

#include "base/fault_scenario.h"
#include "compressed.h"
#include "data/event_store.h"
#include "data/table_reader.h"

namespace t2v::data {
namespace {

const std::string kTable = "/d/events.csv";
const std::string kStore = "/d/e.events";

void import(TwinDisk& disk, ThreadPool& pool) {
  check_writable(disk, kStore);
  ReadReport report;
  GroupCounts counts;
  EventStore store;
  store.events = group(read_tables({{kTable, {}, &disk}}, {}, pool, report), Order::kSort, counts);
  write_store(disk, kStore, store);
}

int64_t events_of(TwinDisk& disk) {
  const EventStore store = open_store(kStore, disk);
  store.events.check(0, store.events.size());
  return store.events.size();
}

/// An import of this table over an older store.
void expect_old_or_new(const std::string& table) {
  ThreadPool pool(1);
  TwinDisk before;
  before.put(kTable, "id,time\na,1\n");
  import(before, pool);
  FaultScenario scenario;
  scenario.prepare = [&](TwinDisk& disk) {
    disk.put(kTable, table);
    disk.put(kStore, before.get(kStore));
  };
  scenario.work = [&](TwinDisk& disk) { import(disk, pool); };
  scenario.check = [&](TwinDisk& disk, bool done) {
    EXPECT_EQ(disk.get(kTable), table);
    const int64_t events = events_of(disk);
    EXPECT_TRUE(events == 3 || (events == 1 && !done)) << events;
    import(disk, pool);
    EXPECT_EQ(events_of(disk), 3);
    expect_no_temporary(disk);
  };
  EXPECT_GE(run_with_every_fault(scenario), 15);
}

TEST(ImportFaults, LeaveTheOldStoreOrTheNewOne) { expect_old_or_new("id,time,event\na,1,x\na,2,y\nb,1,x\n"); }

TEST(ImportFaults, LeaveTheOldStoreOrTheNewOneOfACompressedTable) {
  expect_old_or_new(gzip("id,time,event\na,1,x\na,2,y\nb,1,x\n"));
  expect_old_or_new(zstd("id,time,event\na,1,x\na,2,y\nb,1,x\n"));
}

}  // namespace
}  // namespace t2v::data
