#include "data/sqlite_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "data/importer_files.h"
#include "data/load.h"
#include "data/sqlite_library.h"

namespace t2v::data {
namespace {

/// A database that these statements make, which is held open for writing as long as it lives.
class MadeDatabase {
 public:
  MadeDatabase(const std::string& path, const std::vector<std::string>& statements) {
    constexpr int kReadWriteCreate = 2 | 4;
    EXPECT_EQ(sqlite().open_v2(path.c_str(), &database_, kReadWriteCreate, nullptr), kSqliteOk);
    for (const std::string& statement : statements) run(statement);
  }
  ~MadeDatabase() { sqlite().close_v2(database_); }
  MadeDatabase(const MadeDatabase&) = delete;
  MadeDatabase& operator=(const MadeDatabase&) = delete;

  void run(const std::string& statement) const {
    SqliteHandle handle = nullptr;
    const int size = static_cast<int>(statement.size());
    ASSERT_EQ(sqlite().prepare_v2(database_, statement.c_str(), size, &handle, nullptr), kSqliteOk)
        << statement;
    EXPECT_EQ(sqlite().step(handle), kSqliteDone) << sqlite().errmsg(database_);
    sqlite().finalize(handle);
  }

 private:
  SqliteHandle database_ = nullptr;
};

class SqliteTables : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      sqlite();
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }

  std::string made(const std::vector<std::string>& statements,
                   const std::string& name = "shop.sqlite") const {
    const MadeDatabase database(files_.path(name), statements);
    return files_.path(name);
  }
  static DataSet read(const std::string& path,
                      const std::vector<std::pair<std::string, std::string>>& given = {}) {
    ThreadPool pool(2);
    LoadOptions options;
    for (const auto& [name, text] : given) OptionTable::set(*options_of(options).find(name), {text});
    return load({{path}}, options, pool);
  }
  static std::string refusal(const std::string& path,
                             const std::vector<std::pair<std::string, std::string>>& given = {}) {
    return complaint([&] { read(path, given); });
  }

  OwnFiles files_;
};

const std::vector<std::string> kClicks = {
    "CREATE TABLE clicks (user_id INTEGER, ts, event TEXT, value REAL, note)",
    "INSERT INTO clicks VALUES (9007199254740993, '2024-01-02 10:00:00', 'buy', 0.1, 1)",
    "INSERT INTO clicks VALUES (2, '2024-01-01', 'open', NULL, 2.5)",
    "INSERT INTO clicks VALUES (2, '2024-01-01T00:00:00.000000001', NULL, 2.0, NULL)",
};

TEST_F(SqliteTables, AreReadWithTheTypesOfTheirCells) {
  const DataSet data = read(made(kClicks), {{"features", "note"}});
  const Events& events = data.store.events;
  ASSERT_EQ(events.size(), 3);
  EXPECT_EQ(events.ids[0], "9007199254740993");
  EXPECT_EQ(events.event->names[events.event->codes[2]], "");
  EXPECT_EQ(events.value->values[0], 0.1);
  EXPECT_TRUE(std::isnan(events.value->values[1]));
  EXPECT_EQ(events.tick(2) - events.tick(1), 1);
  EXPECT_EQ(events.numbers.at(0).values[1], 2.5);
  EXPECT_TRUE(std::isnan(events.numbers.at(0).values[2]));
}

TEST_F(SqliteTables, CountTimesExactly) {
  const DataSet data =
      read(made({"CREATE TABLE t (time, event)", "INSERT INTO t VALUES (1700000000123456789, 'x')",
                 "INSERT INTO t VALUES (1700000000123456790, 'x')"}));
  EXPECT_EQ(data.store.events.tick(0), 1'700'000'000'123'456'789);
  EXPECT_EQ(data.store.events.tick(1), 1'700'000'000'123'456'790);
}

TEST_F(SqliteTables, AreChosenByName) {
  std::vector<std::string> statements = kClicks;
  statements.emplace_back("CREATE VIEW \"of 2\" AS SELECT * FROM clicks WHERE user_id = 2");
  const std::string path = made(statements);
  EXPECT_EQ(refusal(path), path + ": the database has 2 tables; name one with `table`: 'clicks' and 'of 2'");
  EXPECT_EQ(read(path, {{"table", "of 2"}}).store.events.size(), 2);
  EXPECT_EQ(refusal(path, {{"table", "of 3"}}),
            path + ": there is no table 'of 3'; there are 'clicks' and 'of 2'");
  EXPECT_EQ(refusal(made({}, "empty.sqlite")), files_.path("empty.sqlite") + ": the file is empty");
}

TEST_F(SqliteTables, AreTheRowsOfAQueryThatOnlyReads) {
  const std::string path = made(kClicks);
  EXPECT_EQ(read(path, {{"sql", "SELECT user_id, ts FROM clicks WHERE value IS NULL OR value > 1;"}})
                .store.events.size(),
            2);
  EXPECT_EQ(refusal(path, {{"sql", "SELECT user_id FROM click"}}), path + ": SQLite: no such table: click");
  EXPECT_SAYS(refusal(path, {{"sql", "DELETE FROM clicks"}}), "this is not one query that only reads");
  EXPECT_SAYS(refusal(path, {{"sql", "SELECT 1; DELETE FROM clicks"}}),
              "this is not one query that only reads");
  EXPECT_SAYS(refusal(path, {{"sql", "ATTACH '" + files_.path("x.db") + "' AS x"}}), ": ");
  EXPECT_FALSE(std::filesystem::exists(files_.path("x.db")));
  EXPECT_EQ(refusal(path, {{"sql", "SELECT user_id, ts FROM clicks WHERE false"}}),
            path + ", the query: there is no row");
  EXPECT_EQ(read(path).store.events.size(), 3);
}

TEST_F(SqliteTables, SayWhereACellIsOfAnotherType) {
  std::vector<std::string> statements = {"CREATE TABLE t (time, event)"};
  statements.emplace_back(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000) INSERT INTO t SELECT "
      "CASE WHEN i = "
      "69999 THEN 'late' ELSE i END, 'x' FROM n");
  const std::string path = made(statements);
  EXPECT_EQ(refusal(path),
            path +
                ", table 't': row 69999: time 'late' is of another type than the cells before, which are "
                "INTEGER; convert the column");
}

TEST_F(SqliteTables, ThatAreBeingWrittenAreSaidToBeLocked) {
  const std::string path = files_.path("busy.sqlite");
  const MadeDatabase writer(path, kClicks);
  writer.run("BEGIN EXCLUSIVE");
  EXPECT_EQ(refusal(path), path + ": SQLite: database is locked");
}

TEST_F(SqliteTables, ThatAreDamagedAreRefused) {
  std::string bytes = "SQLite format 3";
  bytes.append(1, '\0').append(4000, '\x11');
  const std::string path = files_.write("bad.sqlite", bytes);
  EXPECT_TRUE(refusal(path).starts_with(path + ": SQLite: ")) << refusal(path);
}

}  // namespace
}  // namespace t2v::data
