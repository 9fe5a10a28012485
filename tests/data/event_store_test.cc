#include "data/event_store.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "base/container.h"
#include "base/container_writer.h"
#include "data/batches.h"
#include "data/splits.h"
#include "importer_files.h"
#include "made_events.h"

namespace t2v::data {
namespace {

using Json = nlohmann::json;
using Sequences = std::vector<std::vector<int64_t>>;

template <class T>
void expect_same(std::span<const T> a, std::span<const T> b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  if (!a.empty()) {
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size_bytes()), 0) << what;
  }
}

void expect_same(const Strings& a, const Strings& b) {
  expect_same(a.bytes, b.bytes, "bytes");
  expect_same(a.offsets, b.offsets, "offsets");
}
void expect_same(const NumberColumn& a, const NumberColumn& b) {
  EXPECT_EQ(a.name, b.name);
  expect_same(a.values, b.values, a.name.c_str());
}
void expect_same(const CategoryColumn& a, const CategoryColumn& b) {
  EXPECT_EQ(a.name, b.name);
  expect_same(a.codes, b.codes, a.name.c_str());
  expect_same(a.names, b.names);
}
template <class Column>
void expect_same(const std::optional<Column>& a, const std::optional<Column>& b) {
  ASSERT_EQ(a.has_value(), b.has_value());
  if (a) expect_same(*a, *b);
}
template <class Column>
void expect_same(const std::vector<Column>& a, const std::vector<Column>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) expect_same(a[i], b[i]);
}

void expect_same(const Events& a, const Events& b) {
  expect_same(a.ids, b.ids);
  expect_same(a.offsets, b.offsets, "offsets");
  expect_same(a.ticks, b.ticks, "ticks");
  EXPECT_EQ(a.scale, b.scale);
  EXPECT_EQ(a.view.unit, b.view.unit);
  EXPECT_EQ(a.view.ticks_per_unit, b.view.ticks_per_unit);
  EXPECT_EQ(a.view.origin, b.view.origin);
  EXPECT_EQ(a.view.origin_tick, b.view.origin_tick);
  EXPECT_EQ(a.grid, b.grid);
  expect_same(a.event, b.event);
  expect_same(a.value, b.value);
  expect_same(a.interval, b.interval);
  expect_same(a.numbers, b.numbers);
  expect_same(a.categories, b.categories);
  expect_same(a.sequence_numbers, b.sequence_numbers);
  expect_same(a.sequence_categories, b.sequence_categories);
  expect_same(a.label, b.label);
  expect_same(a.target, b.target);
  expect_same(a.part, b.part, "part");
  EXPECT_EQ(a.provenance, b.provenance);
}

Events every_kind() {
  const double none = std::numeric_limits<double>::quiet_NaN();
  Events events = MadeEvents({{5, 5, 12}, {INT64_MIN + 1}, {INT64_MAX - 3, INT64_MAX}})
                      .types({"a", "b", "a", "", "ü", "a"})
                      .value({0.1, none, -0.0, 1e300, 5e-324, 3})
                      .interval({none, 1, 2, 3, 4, 5})
                      .number("price", {1, 2, 3, 4, 5, 6})
                      .number("", {none, none, none, none, none, none})
                      .category("shop", {"x", "x", "", "y", "x", "z"})
                      .sequence_number("age", {30, none, 50})
                      .sequence_category("town", {"Ulm", "Ulm", "Köln"})
                      .label({"no", "yes", "no"})
                      .target({1, 2, 3})
                      .part({Part::kTrain, Part::kValid, Part::kTest})
                      .events();
  events.provenance = R"({"source":"made","notes":[]})";
  events.grid = 1;
  return events;
}

class EventStoreFiles : public testing::Test {
 protected:
  /// Writes a store and gives its path.
  std::string written(const EventStore& store, const std::string& name = "a.events") const {
    write_store(FileSystem::real(), files_.path(name), store);
    return files_.path(name);
  }
  OwnFiles files_;
};

TEST_F(EventStoreFiles, GiveBackEveryKindOfColumnBitByBit) {
  const EventStore store{every_kind(), {}, {}};
  const EventStore read = open_store(written(store));
  read.events.check(0, read.events.size());
  expect_same(store.events, read.events);
  EXPECT_FALSE(read.split);
  EXPECT_FALSE(read.encoding);
}

TEST_F(EventStoreFiles, GiveBackTheLeastThatThereCanBe) {
  EventStore store{MadeEvents(Sequences{{7}}).instants().events(), {}, {}};
  set_unit(store.events, "w");
  set_origin(store.events, OriginKind::kInstant, INT64_MIN);
  const EventStore read = open_store(written(store));
  read.events.check(0, 1);
  expect_same(store.events, read.events);
}

TEST_F(EventStoreFiles, GiveBackSecondsThatAreNoInstants) {
  EventStore store{MadeEvents(Sequences{{0, 7}}).events(), {}, {}};
  store.events.scale = {.instants = false, .decimals = 3, .seconds = true};
  set_unit(store.events, "min");
  const EventStore read = open_store(written(store));
  expect_same(store.events, read.events);
  EXPECT_TRUE(read.events.scale.seconds);
}

TEST_F(EventStoreFiles, GiveBackEachOrigin) {
  EventStore store{every_kind(), {}, {}};
  for (const OriginKind kind : {OriginKind::kSequence, OriginKind::kDataSet, OriginKind::kInstant}) {
    set_origin(store.events, kind, -5);
    expect_same(store.events, open_store(written(store)).events);
  }
}

TEST_F(EventStoreFiles, GiveBackEachSplitAndItsEncoding) {
  for (const char* kind : {"given", "random", "time", "last", "head-tail", "none"}) {
    EventStore store{MadeEvents({{1, 2, 3, 4}, {2, 3, 5}, {4, 8}, {1, 9, 10}})
                         .types({"a", "b", "a", "c", "a", "b", "b", "d", "a", "a", "b", "b"})
                         .part({Part::kTrain, Part::kTrain, Part::kValid, Part::kTest})
                         .events(),
                     {},
                     {}};
    SplitCounts counts;
    SplitConfig config;
    config.kind = kind;
    config.test = 0.25;
    store.split = make_split(store.events, config, counts);
    store.encoding = learn_encoding(store.events, store.split->train, {});
    const EventStore read = open_store(written(store));
    ASSERT_TRUE(read.split);
    EXPECT_EQ(read.split->train, store.split->train) << kind;
    EXPECT_EQ(read.split->valid, store.split->valid) << kind;
    EXPECT_EQ(read.split->test, store.split->test) << kind;
    ASSERT_TRUE(read.encoding);
    EXPECT_EQ(to_json(*read.encoding), to_json(*store.encoding)) << kind;
  }
}

TEST_F(EventStoreFiles, AreTheSameBytesForTheSameData) {
  const auto bytes = [](const std::string& path) { return read_file(FileSystem::real(), path, 1 << 30); };
  const EventStore store{every_kind(), {}, {}};
  const std::string first = written(store, "a");
  EXPECT_EQ(bytes(first), bytes(written(store, "b")));
  EXPECT_EQ(bytes(first), bytes(written(open_store(first), "c")));
}

TEST_F(EventStoreFiles, RefuseNamesThatAreNotUtf8) {
  const EventStore store{MadeEvents(Sequences{{1}}).number("a\xff", {1}).events(), {}, {}};
  EXPECT_SAYS(complaint([&] { written(store); }), "a name in the data is not UTF-8");
  EXPECT_FALSE(std::filesystem::exists(files_.path("a.events")));
}

// --- damage ---

/// A million events of 1000 sequences, and where the bytes of each tensor are in their file.
class DamagedStore : public EventStoreFiles {
 protected:
  static constexpr int64_t kEvents = 1'000'000;

  void SetUp() override {
    static const std::string bytes = whole();
    path_ = files_.write("a.events", bytes);
  }

  static std::string whole() {
    Sequences ticks(1000, std::vector<int64_t>(kEvents / 1000));
    for (auto& sequence : ticks) std::iota(sequence.begin(), sequence.end(), 0);
    MadeEvents made(ticks);
    made.value(std::vector<double>(kEvents, 2.5)).types(std::vector<std::string>(kEvents, "x"));
    EventStore store{made.events(), {}, {}};
    SplitCounts counts;
    store.split = make_split(store.events, {.kind = "none"}, counts);
    store.encoding = learn_encoding(store.events, store.split->train, {});
    const OwnFiles files;
    write_store(FileSystem::real(), files.path("a"), store);
    const std::vector<std::byte> bytes = read_file(FileSystem::real(), files.path("a"), 1 << 30);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  /// Spoils byte `at` of a tensor.
  void spoil(const std::string& tensor, int64_t at) const {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    uint64_t length = 0;
    file.read(reinterpret_cast<char*>(&length), 8);
    std::string header(length, ' ');
    file.read(header.data(), static_cast<std::streamsize>(length));
    const int64_t begin = Json::parse(header).at(tensor).at("data_offsets").at(0).get<int64_t>();
    const auto place = static_cast<std::streamoff>(8 + static_cast<int64_t>(length) + begin + at);
    char byte = 0;
    file.seekg(place).get(byte);
    file.seekp(place).put(static_cast<char>(byte ^ 0x40));
  }
  std::string path_;
};

TEST_F(DamagedStore, OpensAndSaysWhereItIsDamagedOnceThatIsUsed) {
  const std::vector<std::pair<std::string, int64_t>> places = {
      {"ticks", 8}, {"value", 8}, {"event.codes", 4}};
  for (const auto& [tensor, size] : places) {
    SetUp();
    spoil(tensor, 600'000 * size);
    const Events events = open_store(path_).events;
    events.check(0, 200'000);
    events.check(900'000, kEvents);
    events.check(600'000, 600'000);
    for (int again = 0; again < 2; ++again) {
      const std::string what = complaint([&] { events.check(600'000, 600'001); });
      EXPECT_SAYS(what, path_ + ": tensor '");
      EXPECT_SAYS(what, "the file is damaged");
      EXPECT_SAYS(complaint([&] { events.check(0, kEvents); }), path_);
    }
    EXPECT_SAYS(complaint([&] { write_store(FileSystem::real(), files_.path("b"), open_store(path_)); }),
                path_);
    EXPECT_FALSE(std::filesystem::exists(files_.path("b")));
  }
}

TEST_F(DamagedStore, DoesNotOpenIfWhatBelongsToSequencesIsDamaged) {
  for (const char* tensor : {"offsets", "ids.bytes", "ids.offsets", "split.train", "event.names.bytes"}) {
    SetUp();
    spoil(tensor, 0);
    const std::string what = complaint([&] { open_store(path_); });
    EXPECT_SAYS(what, path_ + ": tensor '");
    EXPECT_SAYS(what, "the file is damaged");
  }
}

TEST_F(DamagedStore, IsFoundByBatchesBeforeTheyUseIt) {
  spoil("event.codes", 600'000 * 4 + 3);
  const EventStore store = open_store(path_);
  Batches batches(store.events, store.split->train, *store.encoding, {.batch = 1});
  EXPECT_EQ(batches.make(0).view().events.size(), 1000U);
  EXPECT_EQ(batches.make(999).view().events.size(), 1000U);
  EXPECT_SAYS(complaint([&] { batches.make(600); }), path_ + ": tensor '");
}

TEST_F(DamagedStore, IsFoundByBatchesThatLookForUnknownTypes) {
  spoil("event.codes", 600'000 * 4 + 3);
  const EventStore store = open_store(path_);
  Encoding other = *store.encoding;
  other.event->names = {"y"};
  other.event->unknown = false;
  EXPECT_SAYS(complaint([&] { Batches(store.events, {store.split->train[600]}, other, {}); }),
              path_ + ": tensor '");
}

TEST_F(DamagedStore, IsReportedIfItShrinksWhileBatchesReadIt) {
  const EventStore store = open_store(path_);
  Batches batches(store.events, store.split->train, *store.encoding, {.batch = 10});
  batches.make(0);
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) / 2);
  for (const int64_t i : {0, 50, 99}) {  // also what was checked before, and may still be in memory
    EXPECT_SAYS(complaint([&] { batches.make(i); }), "became shorter while it was read");
  }
  EXPECT_SAYS(complaint([&] { store.events.check_intact(); }), "became shorter while it was read");
  EXPECT_SAYS(complaint([&] { write_store(FileSystem::real(), files_.path("b"), store); }), "became shorter");
  EXPECT_FALSE(std::filesystem::exists(files_.path("b")));
}

TEST_F(DamagedStore, IsReportedIfItIsWrittenToWhileBatchesReadIt) {
  const EventStore store = open_store(path_);
  Batches batches(store.events, store.split->train, *store.encoding, {.batch = 10});
  batches.make(0);
  spoil("event.codes", 3);  // of what was checked before
  std::filesystem::last_write_time(path_, std::filesystem::last_write_time(path_) + std::chrono::seconds(1));
  EXPECT_SAYS(complaint([&] { batches.make(0); }), path_ + ": was written to while it was read; leave it");
  EXPECT_SAYS(complaint([&] { store.events.check_intact(); }), "was written to while it was read");
}

TEST_F(DamagedStore, IsCheckedByManyThreadsAtOnce) {
  const Events events = open_store(path_).events;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back([&] { events.check(0, kEvents); });
  for (std::thread& thread : threads) thread.join();
}

TEST_F(DamagedStore, KeepsItsIndicesWhenTheFileIsCutOff) {
  const Events events = open_store(path_).events;
  const int64_t sequences = events.sequences();
  std::filesystem::resize_file(path_, 0);
  int64_t sum = 0;
  for (int64_t s = 0; s < sequences; ++s)
    sum += events.length(s) + static_cast<int64_t>(events.ids[s].size());
  EXPECT_GT(sum, kEvents);
  EXPECT_SAYS(complaint([&] { events.check_intact(); }), "shorter");
}

TEST_F(DamagedStore, RefusesRangesThatItDoesNotHave) {
  const Events events = open_store(path_).events;
  for (const auto& range : {std::pair<int64_t, int64_t>{-1, 5}, {0, kEvents + 1}, {5, 4}}) {
    EXPECT_SAYS(complaint([&] { events.check(range.first, range.second); }),
                "there are 1000000 events, but [");
  }
}

TEST_F(EventStoreFiles, AreToldFromOthersByTheirFirstBytes) {
  EXPECT_TRUE(is_store(written({every_kind(), {}, {}}, "a.csv")));
  ContainerWriter("model").write(FileSystem::real(), files_.path("m"));
  EXPECT_TRUE(is_store(files_.path("m")));  // a file of ours; opening it says which
  EXPECT_FALSE(is_store(files_.write("t", "user,time,event\na,1,x\n")));
  EXPECT_FALSE(is_store(files_.write("j", "{\"user\": 1}\n")));
  EXPECT_FALSE(is_store(files_.write("short", "{")));
  EXPECT_FALSE(is_store(files_.write("zeros", std::string_view("\0\0\0\0\0\0\0\0", 8))));
  EXPECT_FALSE(is_store(files_.write("empty", "")));
  EXPECT_FALSE(is_store(files_.path("missing")));
  EXPECT_FALSE(is_store("-"));
  EXPECT_FALSE(is_store("/tmp"));
}

TEST_F(EventStoreFiles, OpenQuicklyWithAMillionSequences) {
  const std::vector<std::vector<int64_t>> ticks(1'000'000, {3});
  const std::string path = written({MadeEvents(ticks).events(), {}, {}});
  const auto start = std::chrono::steady_clock::now();
  const EventStore read = open_store(path);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(read.events.sequences(), 1'000'000);
  EXPECT_LT(seconds, 0.5);  // about 0.02 on an idle machine
}

}  // namespace
}  // namespace t2v::data
