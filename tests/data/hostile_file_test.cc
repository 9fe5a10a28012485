// Files that want to take all memory or all time.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "allocations.h"
#include "base/container_mutation.h"
#include "base/memory_disk.h"
#include "base/twin_disk.h"
#include "compressed.h"
#include "data/event_store.h"
#include "data/splits.h"
#include "data/table_reader.h"
#include "file_cost.h"
#include "importer_files.h"
#include "made_events.h"

namespace t2v::data {
namespace {

using t2v::testing::FileCost;
using t2v::testing::MemoryPeak;

constexpr int64_t kMegabyte = 1 << 20;

ThreadPool& pool() {
  static ThreadPool threads(2);
  return threads;
}

std::string repeated(std::string_view text, std::size_t bytes) {
  std::string all;
  all.reserve(bytes + text.size());
  while (all.size() < bytes) all += text;
  return all;
}

std::string message_of(const std::string& path, const TableOptions& options = {}) {
  ReadReport report;
  return complaint([&] { read_tables({{path}}, options, pool(), report); });
}

TEST(CompressionBomb, IsRefusedInLittleMemory) {
  const OwnFiles files;
  const std::string head = "id,time\n";
  const std::vector<std::pair<std::string, std::string>> bombs = {
      {"rows.gz", gzip(head + repeated("a,1\n", 20 * kMegabyte))},
      {"rows.zst", zstd(head + repeated("a,1\n", 20 * kMegabyte))},
      {"blank.gz", gzip(repeated("\n", 20 * kMegabyte))},
      {"blank.zst", zstd(repeated("\r\n", 20 * kMegabyte))},
      {"line.gz", gzip(repeated("a", 20 * kMegabyte))},
      {"quote.zst", zstd(head + "\"" + repeated("a\n", 20 * kMegabyte))},
      {"json.gz", gzip(repeated("{\"id\":\"a\",\"time\":1}\n", 20 * kMegabyte))},
      {"wide.gz",
       gzip("id,time" + std::string(7 * kMegabyte, ',') + "\na,1" + std::string(kMegabyte / 2, ',') + "\n")},
      {"columns.gz", gzip("id,time" + std::string(16'000, ',') + "\n" +
                          repeated("a,1" + std::string(16'000, ',') + "\n", 20 * kMegabyte))},
      {"members.gz", repeated(gzip(repeated("\n", kMegabyte)), 20'000)},
  };
  for (const auto& [name, bytes] : bombs) {
    ASSERT_LT(bytes.size(), 160'000U) << name;
    const std::string path = files.write(name, bytes);
    const MemoryPeak peak;
    EXPECT_SAYS(message_of(path), path);
    EXPECT_LE(peak.bytes(), 256 * kMegabyte) << name;
  }
}

TEST(CompressedTable, MayBecomeMuchLonger) {
  const OwnFiles files;
  ReadReport report;
  const std::string rows = "id,time\n" + repeated("a,1\n", 7 * kMegabyte);  // 1,000 times as long, but short
  const std::string path = files.write("rows.gz", gzip(rows));
  EXPECT_EQ(read_tables({{path}}, {}, pool(), report).rows(), std::ranges::count(rows, '\n') - 1);
}

TEST(LargeTable, TakesAtMostAQuarterOfAGigabyteHoweverBadItsRowsAre) {
  const OwnFiles files;
  const std::string head = "id,time,note\na,1,x\n";
  const auto of = [](std::size_t megabytes, const std::string& row) {
    return repeated(row, megabytes << 20);
  };
  const std::vector<std::pair<const char*, std::function<std::string()>>> tables = {
      {"long lines", [&] { return head + of(72, "a,1," + std::string(4'000'000, 'x') + "\n"); }},
      {"quoted lines", [&] { return head + of(36, "a,1,\"" + repeated("x\n", 4'000'000) + "\"\n"); }},
      {"doubled quotes", [&] { return head + of(36, "a,1,\"" + repeated("\"\"", 4'000'000) + "\"\n"); }},
      {"unclosed quotes", [&] { return head + of(36, "a,1,\"" + repeated("x\n", 3'000'000)); }},
      {"wide rows", [&] { return head + of(72, repeated(",", 4'000'000) + "\n"); }},
      {"wide header", [&] { return repeated("id,time" + std::string(4'000'000, ',') + "\n", 16 << 20); }},
      {"many columns",
       [&] {
         return "id,time" + std::string(16'000, ',') + "\n" +
                of(24, "\"a\",1" + std::string(16'000, ',') + "\n");
       }},
      {"many keys",
       [&] { return of(24, R"({"id":"a","time":1)" + repeated(R"(,"a":1)", 3'000'000) + "}\n"); }},
      {"bad rows", [&] { return head + of(12, "a\n"); }},
      {"blank lines", [&] { return head + of(24, "\n"); }},
      {"bad json", [&] { return of(12, "{\n"); }},
      {"deep json",
       [&] { return of(24, R"({"id":"a","time":1,"x":)" + std::string(1'000'000, '[') + "\n"); }},
  };
  TableOptions skip;
  skip.skip_bad_rows = true;
  for (const auto& [name, text] : tables) {
    const std::string bytes = text();
    const std::string path = files.write("t", bytes);
    const MemoryPeak peak;
    message_of(path, skip);
    EXPECT_LE(peak.bytes(), 256 * kMegabyte) << name;
  }
}

TEST(TableWithoutRows, IsRefusedBeforeAllOfItIsRead) {
  const OwnFiles files;
  EXPECT_SAYS(message_of(files.write("blank", repeated("\n", 20 * kMegabyte))),
              "there are not two rows in the first");
  EXPECT_SAYS(message_of(files.write("line", std::string(20 * kMegabyte, 'x'))),
              "a line has more than 4194304 bytes");
}

/// A store with a column of each kind, a split and an encoding.
std::string store_bytes() {
  EventStore store;
  store.events = MadeEvents({{0, 1, 5}, {2, 3}, {7, 9, 9, 20}})
                     .types({"x", "y", "x", "x", "y", "y", "x", "y", "z"})
                     .value({1, 2, 3, 4, 5, 6, 7, 8, 9})
                     .number("price", {1, 2, 3, 4, 5, 6, 7, 8, 9})
                     .category("shop", {"p", "q", "p", "p", "q", "q", "p", "p", "p"})
                     .label({"a", "b", "a"})
                     .target({1, 2, 3})
                     .part({Part::kTrain, Part::kTrain, Part::kTest})
                     .events();
  store.split = Split{{{0, 0, 3, 0}, {1, 3, 5, 3}}, {}, {{2, 5, 9, 5}}};
  TwinDisk disk;
  write_store(disk, "/d/e", store);
  return disk.get("/d/e");
}

/// Opens it and touches all; false if it was refused.
bool is_usable(const std::string& bytes) {
  MemoryDisk disk(std::as_bytes(std::span(bytes)));
  const FileCost cost(bytes.size());
  try {
    const EventStore store = open_store("f", disk);
    const Events& events = store.events;
    events.check(0, events.size());
    for (int64_t s = 0; s < events.sequences(); ++s) EXPECT_FALSE(events.ids[s].data() == nullptr);
    for (const auto* column :
         {events.event ? &*events.event : nullptr, events.label ? &*events.label : nullptr}) {
      if (column == nullptr) continue;
      for (const int32_t code : column->codes) EXPECT_LT(code, column->names.size());
    }
    cost.expect_little();
    return true;
  } catch (const Error& error) {
    EXPECT_SAYS(error.what(), "f: ");
    cost.expect_little();
    return false;
  }
}

TEST(MutatedStore, IsRefusedOrUsable) {
  const std::string sound = store_bytes();
  MemoryDisk disk(std::as_bytes(std::span(sound)));
  const ContainerMutation mutation(Container::open("f", "events", disk));
  EXPECT_TRUE(is_usable(mutation.text()));
  Random random(8);
  int taken = 0;
  for (int i = 0; i < 5'000; ++i) {
    SCOPED_TRACE(i);
    taken += is_usable(mutation.mutated(random)) ? 1 : 0;
  }
  EXPECT_GT(taken, 100);
  EXPECT_LT(taken, 4'000);
}

TEST(SwollenStore, IsRefusedInLittleMemory) {
  const std::string sound = store_bytes();
  MemoryDisk disk(std::as_bytes(std::span(sound)));
  for (const char* key : {"events", "encoding"}) {
    ContainerMutation mutation(Container::open("f", "events", disk));
    mutation.metadata()[key] = "[" + repeated("[],", 3 * kMegabyte) + "[]]";
    EXPECT_FALSE(is_usable(mutation.text())) << key;
    mutation.metadata()[key] = std::string(kMegabyte, '[') + std::string(kMegabyte, ']');
    EXPECT_FALSE(is_usable(mutation.text())) << key;
  }
}

}  // namespace
}  // namespace t2v::data
