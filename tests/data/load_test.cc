#include "data/load.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/importer_files.h"
#include "data/provenance.h"

namespace t2v::data {
namespace {

constexpr const char* kDatedRows =
    "id,time,event\n"
    "a,2024-01-01T10:00:00Z,x\na,2024-01-01T12:00:00Z,y\nb,2024-01-02T00:00:00Z,x\nb,2024-01-02T01:30:00Z,"
    "x\n";
constexpr const char* kPlain = "id,time,event\na,0.25,x\na,1.5,y\na,3,x\n";

DataSet read(const std::vector<TableSource>& sources, const LoadOptions& options = {}) {
  ThreadPool pool(2);
  return load(sources, options, pool);
}

std::string refusal(const std::vector<TableSource>& sources, const LoadOptions& options = {}) {
  try {
    read(sources, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

LoadOptions with(const std::string& name, const std::string& text) {
  LoadOptions options;
  options_of(options).set(name, text);
  return options;
}

TEST(Load, ReadsATableWithItsUnitOriginAndRecord) {
  const OwnFiles files;
  const DataSet data = read({{files.write("t.csv", kDatedRows)}});
  EXPECT_EQ(data.store.events.sequences(), 2);
  EXPECT_EQ(data.store.events.view.unit, "h");
  EXPECT_EQ(data.store.events.view.origin, OriginKind::kSequence);
  EXPECT_FALSE(data.origin_given);
  const auto record = nlohmann::json::parse(data.store.events.provenance);
  EXPECT_EQ(record.at("columns").at("id"), "id");
  EXPECT_EQ(record.at("columns").at("label"), "-");
  EXPECT_FALSE(data.notes.empty());
}

TEST(Load, TakesADateOrANumberAsOrigin) {
  const OwnFiles files;
  const DataSet dates = read({{files.write("t.csv", kDatedRows)}}, with("origin", "2024-01-01"));
  EXPECT_TRUE(dates.origin_given);
  EXPECT_EQ(dates.store.events.view.origin, OriginKind::kInstant);
  EXPECT_EQ(dates.store.events.view.origin_tick, 1'704'067'200'000'000'000);
  const DataSet numbers = read({{files.write("n.csv", kPlain)}}, with("origin", "0.5"));
  EXPECT_EQ(numbers.store.events.view.origin_tick, 50);
  EXPECT_EQ(refusal({{files.path("n.csv")}}, with("origin", "0.125")),
            "`origin` '0.125' is finer than the times of the data, which have 2 decimals; round it");
  EXPECT_EQ(
      refusal({{files.path("n.csv")}}, with("origin", "yesterday")),
      "`origin` 'yesterday' is neither a date, such as 2021-03-28 or 2021-03-28T14:05:09Z, nor a number");
}

TEST(Load, ReadsDatesOfTheOriginInTheZone) {
  const OwnFiles files;
  LoadOptions options = with("origin", "2024-01-01");
  options_of(options).set("timezone", "Europe/Paris");
  const DataSet data = read({{files.write("t.csv", kDatedRows)}}, options);
  EXPECT_EQ(data.store.events.view.origin_tick, 1'704'063'600'000'000'000);
}

TEST(Load, KeepsTheSplitAndTheEncodingOfAStore) {
  const OwnFiles files;
  DataSet data = read({{files.write("t.csv", kDatedRows)}});
  data.store.split = Split{{{0, 0, 2, 0}}, {}, {{1, 2, 4, 2}}};
  data.store.encoding = learn_encoding(data.store.events, data.store.split->train, {});
  write_store(FileSystem::real(), files.path("t.events"), data.store);
  const DataSet opened = read({{files.path("t.events")}});
  EXPECT_TRUE(opened.from_store);
  ASSERT_TRUE(opened.store.split);
  EXPECT_EQ(opened.store.split->test, data.store.split->test);
  EXPECT_EQ(opened.store.encoding, data.store.encoding);
}

TEST(Load, GivesModelsEqualRecordsOfEqualData) {
  const OwnFiles files;
  const DataSet csv = read({{files.write("t.csv", kPlain)}});
  const DataSet lines = read({{files.write(
      "t.jsonl",
      "{\"id\":\"a\",\"time\":0.25,\"event\":\"x\"}\n{\"id\":\"a\",\"time\":1.5,\"event\":\"y\"}\n"
      "{\"id\":\"a\",\"time\":3,\"event\":\"x\"}\n")}});
  const auto record = [](const DataSet& data) {
    return record_for_model(nlohmann::json::parse(data.store.events.provenance));
  };
  EXPECT_EQ(record(csv), record(lines));
  EXPECT_FALSE(record(csv).contains("source"));
}

TEST(Load, MakesPlainTimesAsFineAsAModelNeedsThem) {
  const OwnFiles files;
  LoadOptions options;
  options.table.least_decimals = 4;
  const Events events = read({{files.write("n.csv", kPlain)}}, options).store.events;
  EXPECT_EQ(events.scale.decimals, 4);
  EXPECT_EQ(events.tick(1), 15'000);
  files.write("large.csv", "id,time,event\na,1,x\na,922337203685477580,y\n");
  EXPECT_EQ(refusal({{files.path("large.csv")}}, options),
            "a time is too large to be told to 4 decimals, as those that the model was trained on");
}

TEST(Load, RefusesOptionsThatHaveNoEffect) {
  const OwnFiles files;
  DataSet data = read({{files.write("t.csv", kDatedRows)}});
  const std::string store = files.path("t.events");
  write_store(FileSystem::real(), store, data.store);
  EXPECT_EQ(refusal({{store}}, with("id", "user")),
            "`id` is for tables alone, and has no effect with an event store; leave it out");
  EXPECT_EQ(
      refusal({{store}}, with("timezone", "Europe/Paris")),
      "`timezone` is for dates without an offset, and none is given beside the event store; leave it out");
  EXPECT_EQ(refusal({{store}, {files.path("t.csv")}}),
            store + ": an event store must be the only file, and without `train`, `valid` and `test`");
  EXPECT_EQ(refusal({{files.path("t.csv")}}, with("set", "a=b")),
            "`set` is for formats; name one with `format`");
  EXPECT_EQ(refusal({{files.path("t.csv")}}, with("time_unit", "s")),
            "`time_unit` s is for times that are numbers, but these are dates; leave it out");
  EXPECT_EQ(refusal({}), "no file was given; name one, or - for standard input");
}

TEST(Load, ExplainsATimeOfDay) {
  const OwnFiles files;
  const std::string said = refusal({{files.write("t.csv", "id,time,event\na,8:05,x\n")}});
  EXPECT_NE(said.find("time '8:05' is a time of day without its date"), std::string::npos) << said;
}

}  // namespace
}  // namespace t2v::data
