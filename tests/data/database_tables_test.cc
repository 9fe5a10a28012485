#include "data/database_tables.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "data/duckdb_here.h"
#include "data/duckdb_session.h"
#include "data/importer_files.h"
#include "data/load.h"

namespace t2v::data {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

LoadOptions load_options(const Options& given) {
  LoadOptions options;
  for (const auto& [name, text] : given) {
    const OptionTable table = options_of(options);
    const OptionTable::Entry* entry = table.find(name);
    if (is_list(*entry)) {
      table.set(name, text);
    } else {
      OptionTable::set(*entry, {text});
    }
  }
  return options;
}

/// Files that DuckDB writes, and what is read of them.
class DatabaseTables : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!no_duckdb().empty()) GTEST_SKIP() << no_duckdb();
  }

  /// The rows of a query as a Parquet file.
  std::string parquet(const std::string& query, const std::string& name = "t.parquet",
                      const std::string& how = "") const {
    const std::string path = files_.path(name);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    DuckdbSession session("", {});
    session.run("COPY (" + query + ") TO " + sql_text(path) + " (FORMAT parquet" + how + ")");
    return path;
  }
  /// A database of DuckDB that these statements make.
  std::string database(const std::vector<std::string>& statements,
                       const std::string& name = "shop.duckdb") const {
    const std::string path = files_.path(name);
    DuckdbSession session("", {});
    session.run("ATTACH " + sql_text(path) + " AS made");
    session.run("USE made");
    for (const std::string& statement : statements) session.run(statement);
    session.run("USE memory");
    session.run("DETACH made");
    return path;
  }

  static DataSet read(const std::vector<std::string>& paths, const Options& options = {}) {
    ThreadPool pool(2);
    std::vector<TableSource> sources;
    for (const std::string& path : paths) sources.push_back({path});
    return load(sources, load_options(options), pool);
  }
  static std::string refusal(const std::vector<std::string>& paths, const Options& options = {}) {
    return complaint([&] { read(paths, options); });
  }
  /// The ticks that a column of times of one expression has.
  Ticks ticks_of(const std::string& expression, const Options& options = {}) const {
    const DataSet data = read({parquet("SELECT " + expression + " AS time, 'x' AS event")}, options);
    return {data.store.events.ticks.begin(), data.store.events.ticks.end()};
  }
  /// The types of the events of an expression, as they are called.
  std::string event_of(const std::string& expression) const {
    const DataSet data = read({parquet("SELECT 1 AS time, " + expression + " AS event")});
    return std::string(data.store.events.event->names[0]);
  }
  double value_of(const std::string& expression) const {
    const DataSet data = read({parquet("SELECT 1 AS time, " + expression + " AS value")});
    return data.store.events.value->values[0];
  }

  OwnFiles files_;
};

constexpr const char* kShop =
    "SELECT * FROM (VALUES ('ann', TIMESTAMP '2024-03-30 22:15:00', 'open', NULL), "
    "('bob', TIMESTAMP '2024-03-30 09:00:00', 'open', 3.5), ('bob', TIMESTAMP '2024-03-30 08:00:00', 'look', "
    "NULL), "
    "('ann', TIMESTAMP '2024-03-31 02:30:00', 'buy', 19.9), (NULL_ID, TIMESTAMP '2024-04-02 10:00:00', NULL, "
    "1e-3)) "
    "t(user_id, ts, event, price)";

std::string shop(const std::string& last_id = "'cy'") {
  std::string query = kShop;
  return query.replace(query.find("NULL_ID"), 7, last_id);
}

std::vector<std::string> texts_of(const Strings& strings) {
  std::vector<std::string> texts;
  for (int64_t i = 0; i < strings.size(); ++i) texts.emplace_back(strings[i]);
  return texts;
}

std::vector<double> values_of(std::span<const double> values) {
  std::vector<double> filled(values.begin(), values.end());
  for (double& x : filled) x = std::isnan(x) ? -1 : x;
  return filled;
}

TEST_F(DatabaseTables, OfParquetAreThoseOfTheSameRowsAsText) {
  const Options options = {{"features", "price"}, {"timezone", "Europe/Paris"}};
  const DataSet typed = read({parquet(shop())}, options);
  const DataSet text = read({files_.write("t.csv",
                                          "user_id,ts,event,price\n"
                                          "ann,2024-03-30 22:15,open,\nbob,2024-03-30 09:00,open,3.5\n"
                                          "bob,2024-03-30 08:00,look,\nann,2024-03-31 02:30,buy,19.9\n"
                                          "cy,2024-04-02 10:00,,1e-3\n")},
                            options);
  EXPECT_EQ(digest_of(typed.store.events), digest_of(text.store.events));
  EXPECT_EQ(texts_of(typed.store.events.ids), (Texts{"ann", "bob", "cy"}));
  EXPECT_EQ(texts_of(typed.store.events.event->names), texts_of(text.store.events.event->names));
  EXPECT_EQ(values_of(typed.store.events.numbers.at(0).values),
            values_of(text.store.events.numbers.at(0).values));
  EXPECT_EQ(typed.counts.backward, 1);
  EXPECT_EQ(typed.notes.at(0), text.notes.at(0));
  EXPECT_EQ(typed.notes.at(1), "time 'ts': dates; TIMESTAMP, taken as Europe/Paris");
}

TEST_F(DatabaseTables, DoNotDependOnTheNumberOfThreads) {
  const std::string path = parquet(
      "SELECT i % 7919 AS user, 1700000000 + i * 37 AS ts, 'e' || (i * i % 101) AS event FROM range(400000) "
      "t(i)");
  std::vector<uint64_t> digests;
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    const DataSet data = load({{path}}, {}, pool);
    EXPECT_EQ(data.store.events.size(), 400'000);
    digests.push_back(digest_of(data.store.events));
  }
  EXPECT_EQ(digests[0], digests[1]);
  EXPECT_EQ(digests[0], digests[2]);
}

TEST_F(DatabaseTables, KeepTimesOfAllTypesExactly) {
  constexpr int64_t kNine = 1'700'000'000'123'456'789;
  EXPECT_EQ(ticks_of("make_timestamp_ns(1700000000123456789)"), Ticks{kNine});
  EXPECT_EQ(ticks_of("make_timestamp(1700000000123456)"), Ticks{kNine - 789});
  EXPECT_EQ(ticks_of("make_timestamp_ms(1700000000123)"), Ticks{kNine - 456'789});
  EXPECT_EQ(ticks_of("make_timestamp_ms(1700000000123)::TIMESTAMP_MS"), Ticks{kNine - 456'789});
  EXPECT_EQ(ticks_of("make_timestamp_ms(1700000000123)::TIMESTAMP_S"), Ticks{1'700'000'000'000'000'000});
  EXPECT_EQ(ticks_of("TIMESTAMPTZ '2023-11-15 00:13:20.123456+02'", {{"timezone", "Asia/Tokyo"}}),
            Ticks{kNine - 789});
  EXPECT_EQ(ticks_of("DATE '2023-11-14'"), Ticks{1'699'920'000'000'000'000});
  EXPECT_EQ(ticks_of("DATE '2023-11-14'", {{"timezone", "Europe/Paris"}}), Ticks{1'699'916'400'000'000'000});
  EXPECT_EQ(ticks_of("DATE '1677-09-22'"), Ticks{-9'223'286'400'000'000'000});
}

TEST_F(DatabaseTables, KeepTimesThatAreNumbersOrTextsExactly) {
  EXPECT_EQ(ticks_of("1700000000"), Ticks{1'700'000'000'000'000'000});
  EXPECT_EQ(ticks_of("1700000000123456789"), Ticks{1'700'000'000'123'456'789});
  EXPECT_EQ(ticks_of("1700000000123456789::UBIGINT"), Ticks{1'700'000'000'123'456'789});
  EXPECT_EQ(ticks_of("1700000000.123456789::DECIMAL(38,9)"), Ticks{1'700'000'000'123'456'789});
  EXPECT_EQ(ticks_of("1700000000.123456::DECIMAL(18,6)"), Ticks{1'700'000'000'123'456'000});
  EXPECT_EQ(ticks_of("1700000000.25::DOUBLE"), Ticks{1'700'000'000'250'000'000});
  EXPECT_EQ(ticks_of("2.5::FLOAT"), Ticks{25});
  EXPECT_EQ(ticks_of("7::TINYINT"), Ticks{7});
  EXPECT_EQ(ticks_of("'2023-11-14T22:13:20.123456789Z'"), Ticks{1'700'000'000'123'456'789});
  EXPECT_EQ(ticks_of("'31.01.2024'"), Ticks{1'706'659'200'000'000'000});
  EXPECT_EQ(ticks_of("20240131"), Ticks{1'706'659'200'000'000'000});
}

TEST_F(DatabaseTables, NameTypesOfEventsAsTextWould) {
  EXPECT_EQ(event_of("(-128)::TINYINT"), "-128");
  EXPECT_EQ(event_of("18446744073709551615::UBIGINT"), "18446744073709551615");
  EXPECT_EQ(event_of("1.50::DECIMAL(5,2)"), "1.50");
  EXPECT_EQ(event_of("0.1::FLOAT"), "0.1");
  EXPECT_EQ(event_of("0.1::DOUBLE"), "0.1");
  EXPECT_EQ(event_of("true"), "true");
  EXPECT_EQ(event_of("'b'::ENUM('a', 'b')"), "b");
  EXPECT_EQ(event_of("'\xC3\xA9t\xC3\xA9, \"quoted\" and long'"), "\xC3\xA9t\xC3\xA9, \"quoted\" and long");
  EXPECT_EQ(event_of("'text'::BLOB"), "text");
  EXPECT_EQ(event_of("DATE '2024-02-29'"), "2024-02-29T00:00:00");
  EXPECT_EQ(event_of("'4ac7a9e9-607c-4c8a-84f3-843f0191e3fd'::UUID"), "4ac7a9e9-607c-4c8a-84f3-843f0191e3fd");
  EXPECT_EQ(event_of("NULL::VARCHAR"), "");
}

TEST_F(DatabaseTables, KeepNumbersOfAllTypes) {
  EXPECT_EQ(value_of("200::UTINYINT"), 200);
  EXPECT_EQ(value_of("(-30000)::SMALLINT"), -30000);
  EXPECT_EQ(value_of("4000000000::UINTEGER"), 4e9);
  EXPECT_EQ(value_of("9007199254740993::BIGINT"), 9007199254740992);  // the nearest, ties to even
  EXPECT_EQ(value_of("12345678901234567890::UBIGINT"), 12345678901234567890.0);
  EXPECT_EQ(value_of("0.1::DECIMAL(18,10)"), 0.1);
  EXPECT_EQ(value_of("0.123456789012345678901234567890::DECIMAL(38,30)"), 0.12345678901234568);
  EXPECT_EQ(value_of("999999999999999.999::DECIMAL(18,3)"), 999999999999999.999);
  EXPECT_EQ(value_of("0.1::FLOAT"), static_cast<double>(0.1F));
  EXPECT_EQ(value_of("0.1::DOUBLE"), 0.1);
  EXPECT_EQ(value_of("true"), 1);
  EXPECT_EQ(value_of("'2.5'"), 2.5);
  EXPECT_TRUE(std::isnan(value_of("NULL::DOUBLE")));
  EXPECT_TRUE(std::isnan(value_of("'nan'::DOUBLE")));
}

TEST_F(DatabaseTables, RefuseTypesThatHaveNoMeaningThere) {
  const std::string interval = parquet("SELECT INTERVAL 1 DAY AS time, 'x' AS event");
  EXPECT_SAYS(refusal({interval}, {{"time", "time"}}),
              interval + ": the time 'time' is of the type INTERVAL, which cannot be used; ");
  const std::string map = parquet("SELECT 1 AS time, MAP {'a': 1} AS event");
  EXPECT_SAYS(refusal({map}, {{"event", "event"}}),
              "the event 'event' is of the type MAP, which cannot be used");
  const std::string date = parquet("SELECT 1 AS time, DATE '2024-01-01' AS value");
  EXPECT_SAYS(refusal({date}, {{"time", "time"}, {"value", "value"}}),
              "the value 'value' is of the type DATE, but a number is needed");
  const std::string other = parquet("SELECT INTERVAL 1 DAY AS wait, 1 AS time, 'x' AS event");
  EXPECT_EQ(read({other}).store.events.size(), 1);
}

TEST_F(DatabaseTables, MakeEventsOfTheEntriesOfLists) {
  const std::string path = parquet(
      "SELECT * FROM (VALUES (7, [0.5, 1.25, 4], [3, 1, 3]), (8, [], []), (9, [2.0], [1])) t(id, timestamps, "
      "labels)");
  const DataSet data = read({path});
  EXPECT_EQ(texts_of(data.store.events.ids), (Texts{"7", "9"}));
  EXPECT_EQ(Ticks(data.store.events.ticks.begin(), data.store.events.ticks.end()),
            (Ticks{50, 125, 400, 200}));
  EXPECT_EQ(data.store.events.event->name, "labels");
  EXPECT_EQ(texts_of(data.store.events.event->names), (Texts{"3", "1"}));
  const std::string uneven = parquet("SELECT 1 AS id, [1.0, 2.0] AS timestamps, [1] AS labels", "u.parquet");
  EXPECT_SAYS(refusal({uneven}), uneven + ": ");
  EXPECT_SAYS(refusal({uneven}),
              "the list 'labels' has 1 entries, but 'timestamps' has 2; both need one for each event");
}

TEST_F(DatabaseTables, HaveTheFieldsOfStructsAsColumns) {
  const DataSet data =
      read({parquet("SELECT 1 AS id, [{'time': 5, 'what': {'event': 'x'}}, {'time': 6, 'what': "
                    "{'event': 'y'}}] AS times")},
           {{"time", "times.time"}, {"event", "times.what.event"}});
  EXPECT_EQ(data.store.events.size(), 2);
  EXPECT_EQ(texts_of(data.store.events.event->names), (Texts{"x", "y"}));
}

TEST_F(DatabaseTables, OfMedsHaveWhatIsKnownBeforehandFirst) {
  const std::string path = parquet(
      "SELECT * FROM (VALUES (1, TIMESTAMP '2024-01-02', 'HR', 80.0), (1, NULL, 'SEX//F', NULL), "
      "(1, TIMESTAMP '2024-01-01', 'ADMIT', NULL), (2, NULL, 'SEX//M', NULL)) t(subject_id, time, code, "
      "numeric_value)");
  const DataSet data = read({path});
  const Events& events = data.store.events;
  EXPECT_EQ(texts_of(events.ids), Texts{"1"});
  ASSERT_EQ(events.size(), 3);
  EXPECT_EQ(events.event->names[events.event->codes[0]], "SEX//F");
  EXPECT_EQ(events.event->names[events.event->codes[1]], "ADMIT");
  EXPECT_EQ(events.tick(0), events.tick(1));
  EXPECT_EQ(values_of(events.value->values), (Doubles{-1, -1, 80}));
  EXPECT_EQ(data.notes.back(), "1 sequence without any time was left out");
}

TEST_F(DatabaseTables, SayWhereACellIsWrong) {
  const auto other = [&](const std::string& query) { return parquet(query, "other.parquet"); };
  const std::string time = parquet(
      "SELECT 1 AS id, CASE WHEN i = 70000 THEN NULL ELSE i END AS time, 'x' AS event FROM "
      "range(100000) t(i)");
  EXPECT_EQ(refusal({time}), time + ": row 70001: time '' is empty; a time is needed here");
  const std::string id = parquet(shop("NULL"), "id.parquet");
  EXPECT_EQ(refusal({id}), id + ": row 5: user_id '' is empty; every event needs the id of its sequence");
  const std::string text =
      other("SELECT i AS time, CASE WHEN i = 3 THEN 'many' ELSE '1' END AS value FROM range(9) t(i)");
  EXPECT_EQ(refusal({text}), text + ": row 4: value 'many' is not a number; correct it or leave it empty");
  const std::string far = other("SELECT TIMESTAMP '2500-01-01' AS time, 'x' AS event");
  EXPECT_SAYS(refusal({far}), far + ": row 1: time 'year 2500' is outside of the years 1677 to 2262");
  const std::string for_ever = other("SELECT 'infinity'::TIMESTAMP_NS AS time, 'x' AS event");
  EXPECT_SAYS(refusal({for_ever}), "row 1: time 'infinity' is outside");
  const std::string infinite = other("SELECT 1 AS time, 'inf'::DOUBLE AS value");
  EXPECT_SAYS(refusal({infinite}), ": row 1: value 'inf' is not a finite number");
  const std::string bytes = other("SELECT 1 AS time, '\\xFF'::BLOB AS event");
  EXPECT_SAYS(refusal({bytes}), ": row 1: event '\\xff' has a NUL byte or a byte that is not UTF-8");
  const DataSet skipped = read({time}, {{"on_error", "skip"}});
  EXPECT_EQ(skipped.store.events.size(), 99'999);
  EXPECT_EQ(skipped.notes.back(), "  1 time is empty");
}

TEST_F(DatabaseTables, AreOneTableOfSeveralFilesFoldersAndPatterns) {
  const std::string a =
      parquet("SELECT 'a' AS id, i AS time, 'x' AS event FROM range(3) t(i)", "ev/day=1/a.parquet");
  const std::string b =
      parquet("SELECT i AS time, 'y' AS event, 'b' AS id FROM range(3) t(i)", "ev/day=2/b.parquet");
  const Options features = {{"features", "day"}};
  const DataSet both = read({a, b}, features);
  EXPECT_EQ(both.store.events.size(), 6);
  EXPECT_EQ(texts_of(both.store.events.ids), (Texts{"a", "b"}));
  EXPECT_EQ(texts_of(both.store.events.categories.at(0).names), (Texts{"1", "2"}));
  for (const std::string& pattern :
       {files_.path("ev/*/*.parquet"), files_.path("ev/**/?.parquet"), files_.path("ev")}) {
    EXPECT_EQ(digest_of(read({pattern}, features).store.events), digest_of(both.store.events)) << pattern;
  }
  EXPECT_SAYS(refusal({files_.path("ev/*.parquet")}), "ev/*.parquet: no file matches");
  EXPECT_SAYS(refusal({a, a}), "is given twice");
  const std::string odd = parquet("SELECT 'a' AS id, 5 AS time, 'x' AS event", "ev/[1] *.parquet");
  EXPECT_EQ(read({odd}).store.events.size(), 1);
}

TEST_F(DatabaseTables, OfOtherTypesOrKindsAreRefused) {
  const std::string a = parquet("SELECT 'a' AS id, 1 AS time, 'x' AS event", "a.parquet");
  const std::string text = parquet("SELECT 'a' AS id, '2' AS time, 'x' AS event", "b.parquet");
  EXPECT_EQ(refusal({a, text}), text +
                                    ": the column 'time' is of the type VARCHAR, but of the type INTEGER in "
                                    "the first file; convert one of "
                                    "them");
  const std::string wide = parquet("SELECT 'a' AS id, 2::BIGINT AS time, 'x' AS event", "b.parquet");
  EXPECT_EQ(read({a, wide}).store.events.size(), 2);
  const std::string fewer = parquet("SELECT 'a' AS id, 2 AS time", "c.parquet");
  EXPECT_SAYS(refusal({a, fewer}),
              fewer + ": the columns differ from those of the first file: there is no 'event'; ");
  const std::string csv = files_.write("t.csv", "id,time,event\na,1,x\na,2,y\n");
  EXPECT_EQ(refusal({a, csv}),
            a + " is a Parquet file, but " + csv + " is a table of text; give files of one kind");
}

TEST_F(DatabaseTables, OfParquetThatIsDamagedAreRefused) {
  const std::string whole =
      parquet("SELECT i % 10 AS id, i AS time, hash(i)::VARCHAR AS event FROM range(50000) t(i)");
  std::string bytes;
  {
    std::ifstream file(whole, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  const std::string cut = files_.write("cut.parquet", bytes.substr(0, bytes.size() / 2));
  EXPECT_TRUE(refusal({cut}).starts_with(cut + ": ")) << refusal({cut});
  std::string corrupt = bytes;
  for (std::size_t i = 2000; i < bytes.size() - 4000; ++i) corrupt[i] = static_cast<char>(corrupt[i] ^ 0x5a);
  const std::string bad = files_.write("bad.parquet", corrupt);
  EXPECT_TRUE(refusal({bad}).starts_with(bad + ": ")) << refusal({bad});
}

TEST_F(DatabaseTables, RefuseOptionsThatHaveNoEffect) {
  const std::string path = parquet(shop());
  EXPECT_SAYS(refusal({path}, {{"separator", ";"}}),
              "`separator` is for tables of text, and has no effect with Parquet, databases and queries");
  EXPECT_SAYS(refusal({path}, {{"time_unit", "ms"}}), "`time_unit` is for times that are numbers or texts");
  EXPECT_SAYS(refusal({path}, {{"time_format", "%Y"}}),
              "`time_format` is for times that are numbers or texts");
  EXPECT_SAYS(refusal({path}, {{"table", "x"}}), "`table` is for databases");
  EXPECT_SAYS(refusal({path}, {{"id", "nobody"}}), "there is no column 'nobody'");
}

TEST_F(DatabaseTables, AreFoundInADatabase) {
  const std::string one = database({"CREATE TABLE clicks AS " + shop()});
  EXPECT_EQ(read({one}).store.events.size(), 5);
  const std::string two = database({"CREATE TABLE clicks AS " + shop(), "CREATE SCHEMA old",
                                    "CREATE VIEW old.\"first half\" AS SELECT * FROM "
                                    "main.clicks LIMIT 3"},
                                   "two.duckdb");
  EXPECT_EQ(refusal({two}),
            two + ": the database has 2 tables; name one with `table`: 'clicks' and 'old.first half'");
  EXPECT_EQ(read({two}, {{"table", "clicks"}}).store.events.size(), 5);
  EXPECT_EQ(read({two}, {{"table", "old.first half"}}).store.events.size(), 3);
  EXPECT_SAYS(refusal({two}, {{"table", "cliks"}}), two + ": there is no table 'cliks'; there are 'clicks'");
  EXPECT_SAYS(refusal({database({}, "none.duckdb")}), "the database has no table");
}

TEST_F(DatabaseTables, KeepNumbersOf128Bits) {
  const DataSet data =
      read({}, {{"sql",
                 "SELECT 1700000000123456789::HUGEINT AS time, (-170141183460469231731687303715884105727)"
                 "::HUGEINT AS event, 340282366920938463463374607431768211455::UHUGEINT AS value"}});
  EXPECT_EQ(data.store.events.tick(0), 1'700'000'000'123'456'789);
  EXPECT_EQ(data.store.events.event->names[0], "-170141183460469231731687303715884105727");
  EXPECT_EQ(data.store.events.value->values[0], 340282366920938463463374607431768211455.0);
}

TEST_F(DatabaseTables, AreTheRowsOfAQuery) {
  const std::string path = parquet(shop());
  const std::string from = " FROM " + sql_text(path);
  const DataSet data =
      read({}, {{"sql", "SELECT user_id, ts, event" + from + " WHERE event IS NOT NULL -- some;\n"}});
  EXPECT_EQ(data.store.events.size(), 4);
  EXPECT_EQ(read({path}, {{"sql", "SELECT user_id AS user, ts" + from + " ORDER BY ts DESC LIMIT 2"}})
                .store.events.size(),
            2);
  EXPECT_EQ(refusal({}, {{"sql", "SELECT user_id" + from + " WHERE false"}}), "the query: there is no row");
  const DataSet many =
      read({}, {{"sql", "SELECT i % 7 AS id, i::UBIGINT AS time, 'x' AS event FROM range(100000) t(i)"}});
  EXPECT_EQ(many.store.events.size(), 100'000);
  const std::string base = database({"CREATE TABLE clicks AS " + shop()});
  EXPECT_EQ(read({base}, {{"sql", "SELECT * FROM clicks WHERE price > 1"}}).store.events.size(), 2);
  EXPECT_EQ(read({path, base}, {{"sql", "SELECT * FROM shop.clicks UNION ALL" + from}}).store.events.size(),
            10);
}

TEST_F(DatabaseTables, OfAQueryShowWhereItIsWrong) {
  const std::string what = refusal({}, {{"sql", "SELECT usr FROM range(3) t(user)"}});
  EXPECT_SAYS(what, "the query: Binder Error: Referenced column \"usr\" not found");
  EXPECT_SAYS(what, "\nLINE 1: SELECT usr FROM range(3) t(user)\n               ^");
  EXPECT_SAYS(refusal({}, {{"sql", "SELECT FROM"}}), "the query: Parser Error: ");
  EXPECT_SAYS(refusal({}, {{"sql", "SELECT 1; SELECT 2"}}), "the query: ");
  EXPECT_SAYS(refusal({}, {{"sql", "SELECT 1 AS time, error('stop here') AS event"}}), "stop here");
  EXPECT_SAYS(refusal({}, {{"sql", "SELECT 1"}, {"table", "x"}}), "`table` and `sql` contradict each other");
  EXPECT_SAYS(refusal({}, {{"sql_unsafe", "true"}, {"separator", ";"}}), "no file was given");
}

TEST_F(DatabaseTables, OfAQueryReachNothingButTheFilesThatAreNamed) {
  const std::string path = parquet(shop());
  const std::string secret = parquet("SELECT 1 AS id, 1 AS time, 'secret' AS event", "secret.parquet");
  const std::string out = files_.path("out.csv");
  const auto refused = [&](const std::vector<std::string>& paths, const std::string& query) {
    const std::string what = refusal(paths, {{"sql", query}});
    EXPECT_TRUE(what.starts_with("the query: ")) << query << " -> " << what;
    EXPECT_FALSE(std::filesystem::exists(out)) << query;
    EXPECT_FALSE(std::filesystem::exists(files_.path("new.duckdb"))) << query;
  };
  refused({path}, "SELECT * FROM " + sql_text(secret));
  refused({path}, "SELECT * FROM " + sql_text(path) + " UNION ALL FROM " + sql_text(secret));
  refused({}, "SELECT * FROM (SELECT content AS event, 1 AS time FROM read_text(" + sql_text(secret) + "))");
  refused({}, "SELECT * FROM glob('/*')");
  refused({}, "COPY (SELECT 1) TO " + sql_text(out));
  refused({}, "ATTACH " + sql_text(files_.path("new.duckdb")));
  refused({}, "SET memory_limit = '1TB'");
  refused({}, "INSTALL httpfs");
  refused({}, "CREATE TABLE t AS SELECT 1");
  refused({}, "PRAGMA database_list");
  refused({}, "SELECT * FROM 'http://127.0.0.1:9/x.parquet'");
  refused({}, "SELECT * FROM query('COPY (SELECT 1) TO ''" + out + "''')");
  // What it names itself it may read, but a pattern only as it stands.
  EXPECT_EQ(read({}, {{"sql", "SELECT * FROM " + sql_text(files_.path("s*.parquet"))}}).store.events.size(),
            1);
  EXPECT_EQ(read({}, {{"sql", "SELECT * FROM read_parquet([" + sql_text(secret) + "])"}}).store.events.size(),
            1);
  const Options unsafe = {
      {"sql", "SELECT * FROM read_parquet(" + sql_text(files_.path("sec")) + " || 'ret.parquet')"},
      {"sql_unsafe", "true"}};
  EXPECT_EQ(read({}, unsafe).store.events.size(), 1);
  refused({}, unsafe.at(0).second);
}

TEST_F(DatabaseTables, SayWhereTimesWouldLoseNanoseconds) {
  // Written by hand, as DuckDB has no such type: one column of INT64 that counts nanoseconds in UTC.
  const std::string path = parquet("SELECT make_timestamp_ns(1700000000123456789) AS time, 'x' AS event");
  std::string bytes;
  {
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  // In the footer, of Thrift's compact protocol: TIMESTAMP {1: isAdjustedToUTC false, 2: unit {3: NANOS}}.
  const std::string local("\x8c\x12\x1c\x3c", 4);
  const std::string utc("\x8c\x11\x1c\x3c", 4);
  const std::size_t at = bytes.rfind(local);
  ASSERT_NE(at, std::string::npos);
  const std::string zoned = files_.write("zoned.parquet", bytes.replace(at, utc.size(), utc));
  EXPECT_SAYS(refusal({zoned}),
              zoned + ": the time 'time' counts nanoseconds with a time zone, of which DuckDB ");
  EXPECT_SAYS(refusal({zoned}), "or give `time_unit` us to read it so");
  const DataSet data = read({zoned}, {{"time_unit", "us"}});
  EXPECT_EQ(data.store.events.tick(0), 1'700'000'000'123'456'000);
}

}  // namespace
}  // namespace t2v::data
