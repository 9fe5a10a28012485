#include "data/spilled_events.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "base/random.h"
#include "data/event_store.h"
#include "data/importer_files.h"
#include "data/load.h"
#include "data/spill_folder.h"

namespace t2v::data {
namespace {

/// A table of so many rows, mixed over sequences and time, with columns of all kinds.
std::string mixed_table(int64_t rows, bool sorted = false) {
  Random random(7);
  std::string text = "id,time,event,value,price,shop,class\n";
  for (int64_t row = 0; row < rows; ++row) {
    const auto id = sorted ? row / 50 : static_cast<int64_t>(random.below(997));
    const auto second = sorted ? row : static_cast<int64_t>(random.below(100'000));
    text += fmt::format("u{},{},e{},{},{},s{},c{}\n", id, 1'700'000'000 + second, random.below(50),
                        row % 5 == 0 ? "" : std::to_string(random.below(100)),
                        static_cast<double>(random.below(1000)) / 8, random.below(9), id % 3);
  }
  return text;
}

LoadOptions options_with(int64_t megabytes, const std::string& order = "sort") {
  LoadOptions options;
  const OptionTable table = options_of(options);
  table.set("memory", std::to_string(megabytes));
  table.set("order", order);
  table.set("features", "price,shop");
  return options;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The store that a table becomes, byte by byte.
std::string store_of(const OwnFiles& files, const std::string& table, const LoadOptions& options) {
  ThreadPool pool(2);
  const DataSet data = load({{table}}, options, pool);
  const std::string path = files.path("t.events");
  write_store(FileSystem::real(), path, data.store);
  return bytes_of(path);
}

TEST(SpilledEvents, MakeTheSameStoreAsEventsInMemory) {
  const OwnFiles files;
  const std::string mixed = files.write("mixed.csv", mixed_table(120'000));
  const std::string sorted = files.write("sorted.csv", mixed_table(60'000, true));
  for (const std::string& path : {mixed, sorted}) {
    for (const char* order : {"sort", "drop"}) {
      const std::string in_memory = store_of(files, path, options_with(0, order));
      EXPECT_GT(in_memory.size(), 100'000U);
      EXPECT_TRUE(store_of(files, path, options_with(1, order)) == in_memory) << path << ", " << order;
    }
  }
}

TEST(SpilledEvents, KeepNothingBehind) {
  const OwnFiles files;
  const std::string folder = files.path("tmp");
  std::filesystem::create_directory(folder);
  ::setenv("TMPDIR", folder.c_str(), 1);
  const std::string path = files.write("mixed.csv", mixed_table(90'000));
  {
    ThreadPool pool(2);
    const DataSet data = load({{path}}, options_with(1), pool);
    EXPECT_FALSE(std::filesystem::is_empty(folder));
    EXPECT_EQ(data.store.events.size(), 90'000);
    data.store.events.check_intact();
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  ::unsetenv("TMPDIR");
}

TEST(SpilledEvents, OfAProcessThatWasKilledAreRemovedByTheNext) {
  const OwnFiles files;
  ::setenv("TMPDIR", files.path("").c_str(), 1);
  const SpillFolder alive;
  const std::string left = files.path("t2v-spill-killed");
  const std::string starting = files.path("t2v-spill-starting");
  const std::string other = files.path("t2v-other");
  for (const std::string& folder : {left, starting, other}) std::filesystem::create_directory(folder);
  for (const std::string& file : {left + "/lock", left + "/rows-0", other + "/lock"})
    std::ofstream(file) << "x";
  {
    const SpillFolder next;
    EXPECT_FALSE(std::filesystem::exists(left));
    for (const std::string& folder : {alive.path(), next.path(), starting, other}) {
      EXPECT_TRUE(std::filesystem::exists(folder)) << folder;
    }
  }
  ::unsetenv("TMPDIR");
}

TEST(SpilledEvents, SayThatThereIsNoFolderForThem) {
  const OwnFiles files;
  ::setenv("TMPDIR", files.path("nowhere").c_str(), 1);
  const std::string path = files.write("mixed.csv", mixed_table(90'000));
  ThreadPool pool(2);
  const std::string what = complaint([&] { load({{path}}, options_with(1), pool); });
  EXPECT_SAYS(what, "there is no folder for temporary files (");
  EXPECT_SAYS(what, "; name one with TMPDIR");
  ::unsetenv("TMPDIR");
}

}  // namespace
}  // namespace t2v::data
