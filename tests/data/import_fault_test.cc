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

/// The store's bytes, which must be readable.
std::string store_of(TwinDisk& disk) {
  const EventStore store = open_store(kStore, disk);
  store.events.check(0, store.events.size());
  return disk.get(kStore);
}

/// An import of this table, over an older store or as the first.
void expect_old_or_new(const std::string& table, bool has_old) {
  ThreadPool pool(1);
  TwinDisk before;
  before.put(kTable, "id,time\na,1\n");
  import(before, pool);
  const std::string old = before.get(kStore);
  TwinDisk after;
  after.put(kTable, table);
  import(after, pool);
  const std::string fresh = after.get(kStore);
  FaultScenario scenario;
  scenario.prepare = [&](TwinDisk& disk) {
    disk.put(kTable, table);
    if (has_old) disk.put(kStore, old);
  };
  scenario.work = [&](TwinDisk& disk) { import(disk, pool); };
  scenario.check = [&](TwinDisk& disk, bool done) {
    EXPECT_EQ(disk.get(kTable), table);
    EXPECT_TRUE(disk.has(kStore) || (!has_old && !done));
    if (disk.has(kStore)) {
      const std::string found = store_of(disk);
      EXPECT_TRUE(found == fresh || (found == old && has_old && !done));
    }
    import(disk, pool);
    EXPECT_EQ(store_of(disk), fresh);
    expect_no_temporary(disk);
  };
  EXPECT_GE(run_with_every_fault(scenario), 15);
}

const std::string kRows = "id,time,event\na,1,x\na,2,y\nb,1,x\n";

TEST(ImportFaults, LeaveTheOldStoreOrTheNewOne) { expect_old_or_new(kRows, true); }

TEST(ImportFaults, LeaveNothingOrTheFirstStore) { expect_old_or_new(kRows, false); }

TEST(ImportFaults, LeaveTheOldStoreOrTheNewOneOfACompressedTable) {
  expect_old_or_new(gzip(kRows), true);
  expect_old_or_new(zstd(kRows), true);
}

}  // namespace
}  // namespace t2v::data
