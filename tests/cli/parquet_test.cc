#include <nlohmann/json.hpp>
#include <sstream>

#include "data/duckdb_here.h"
#include "data/duckdb_session.h"
#include "data/parquet_writer.h"
#include "model/made_model.h"
#include "tool.h"

namespace t2v {
namespace {

using data::DuckdbSession;
using data::sql_text;

constexpr const char* kTimes =
    "user,time,event,price\n"
    "ann,2024-01-01T08:00:00.000000001Z,a,1.5\n"
    "ann,2024-01-02T08:00:00Z,b,2\n"
    "\"bob, jr\",2024-01-01T09:30:00Z,c,\n"
    "\"bob, jr\",2024-01-04T09:30:00Z,a,3\n"
    "cy,2024-01-05T00:00:00Z,d,2\n";

class ParquetFiles : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    if (!data::no_duckdb().empty()) GTEST_SKIP() << data::no_duckdb();
    put("shop.csv", kTimes);
    TrainedModel model = testing::made_model();
    model.parameters = nn::convert<float>(testing::made_parameters(Model(model.config), 1));
    write_model(FileSystem::real(), path("next.t2v"), model);
    make("COPY (SELECT * EXCLUDE time, time::TIMESTAMP_NS AS time FROM read_csv(" +
         sql_text(path("shop.csv")) + ", types = {'time': 'VARCHAR'})) TO " + sql_text(path("shop.parquet")));
  }
  static void make(const std::string& statement) { DuckdbSession("", {}).run(statement); }
  /// The rows of a query, as text.
  std::vector<std::string> rows(const std::string& what, const std::string& file) const {
    const DuckdbSession session("", {});
    return session.texts("SELECT " + what + " FROM read_parquet(" + sql_text(path(file)) + ")");
  }
  void expect_done(const std::string& arguments) const {
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.code, 0) << arguments << "\n" << ran.err;
  }
};

TEST_F(ParquetFiles, BecomeTheSameEventsAsTheirRowsAsText) {
  expect_done("import shop.csv --features price -o text.events");
  expect_done("import shop.parquet --features price -o parquet.events");
  expect_done("import --sql \"SELECT * FROM 'shop.parquet'\" --features price -o sql.events");
  const auto digest = [&](const std::string& name) {
    const Ran ran = run("inspect --json " + name);
    EXPECT_EQ(ran.code, 0) << ran.err;
    const std::size_t at = ran.out.find("digest");
    EXPECT_NE(at, std::string::npos) << ran.out;
    return ran.out.substr(at, 40);
  };
  EXPECT_EQ(digest("parquet.events"), digest("text.events"));
  EXPECT_EQ(digest("sql.events"), digest("text.events"));
}

TEST_F(ParquetFiles, AreReadByEveryCommandThatReadsTables) {
  EXPECT_HAS(run("doctor shop.parquet").out, "t2v train shop.parquet -o shop.t2v");
  EXPECT_EQ(run("predict next.t2v shop.parquet --csv").out, run("predict next.t2v shop.csv --csv").out);
  EXPECT_EQ(run("predict next.t2v 'sh*.parquet' --csv").out, run("predict next.t2v shop.csv --csv").out);
  EXPECT_EQ(run("evaluate next.t2v shop.parquet").out, run("evaluate next.t2v shop.csv").out);
  expect_done("train shop.parquet --epochs 1 --hidden 4 -o shop.t2v");
}

TEST_F(ParquetFiles, OfPredictionsHaveTheColumnsOfTheTableWithTypes) {
  expect_done("predict next.t2v shop.csv --top 2 -o next.parquet");
  EXPECT_EQ(rows("DISTINCT concat_ws(' ', typeof(id), typeof(time), typeof(rank), typeof(event), "
                 "typeof(probability))",
                 "next.parquet"),
            std::vector<std::string>{"VARCHAR TIMESTAMP_NS BIGINT VARCHAR DOUBLE"});
  std::istringstream table(run("predict next.t2v shop.csv --top 2 --csv").out);
  std::vector<std::string> lines;
  for (std::string line; std::getline(table, line);) lines.push_back(line);
  const auto ids = rows("id", "next.parquet");
  const auto events = rows("concat(',', rank, ',', event, ',')", "next.parquet");
  ASSERT_EQ(lines.size(), 1 + ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EXPECT_HAS(lines[i + 1], ids[i]);
    EXPECT_HAS(lines[i + 1], events[i]);
  }
  EXPECT_EQ(rows("CAST(epoch_ns(time) AS VARCHAR)", "next.parquet").at(0), "1704182400000000000");
}

TEST_F(ParquetFiles, OfPredictionsMayBeSeveral) {
  expect_done("predict next.t2v shop.csv --top 2 --rows-per-file 4 -o next.parquet");
  EXPECT_FALSE(exists("next.parquet"));
  EXPECT_EQ(rows("event", "next-00001.parquet").size(), 4U);
  EXPECT_EQ(rows("event", "next-00002.parquet").size(), 2U);
  EXPECT_FALSE(exists("next-00003.parquet"));
  expect_refused(
      "predict next.t2v shop.csv --rows-per-file 4 -o next.parquet",
      "next-00001.parquet: is there already; remove it, name another output, or overwrite it with --force");
  expect_done("predict next.t2v shop.csv --rows-per-file 4 --force -o next.parquet");
}

TEST_F(ParquetFiles, ThatAreNotOursAreNotOverwritten) {
  const std::string before = get("shop.parquet");
  expect_refused("predict next.t2v shop.csv -o shop.parquet",
                 "is there already and is not a file of predictions");
  expect_refused("predict next.t2v shop.parquet -o shop.parquet", "shop.parquet");
  EXPECT_TRUE(get("shop.parquet") == before);
  expect_done("predict next.t2v shop.csv -o next.parquet");
  EXPECT_EQ(data::parquet_kind(path("next.parquet")), "predictions");
  expect_done("predict next.t2v shop.csv -o next.parquet");
}

TEST_F(ParquetFiles, RefuseOptionsThatContradictThem) {
  expect_refused("predict next.t2v shop.csv --csv -o next.parquet",
                 "is Parquet by its name; leave --csv out");
  expect_refused("predict next.t2v shop.csv --rows-per-file 5", "--rows-per-file is for Parquet");
  expect_refused("import shop.parquet --header no -o s.events", "--header is for tables of text");
  expect_refused("import shop.parquet shop.csv -o s.events", "give files of one kind");
  expect_refused("import 'no*.parquet' -o s.events", "no*.parquet: no file matches");
  expect_refused("import --sql-unsafe shop.parquet -o s.events", "--sql-unsafe is for --sql");
}

TEST_F(ParquetFiles, OfAQueryShowItsMistakes) {
  const Ran ran = run("import --sql \"SELECT usr FROM 'shop.parquet'\" -o s.events");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(ran.err.starts_with("t2v: the query: Binder Error: ")) << ran.err;
  EXPECT_HAS(ran.err, "\nLINE 1: SELECT usr FROM 'shop.parquet'\n               ^\n");
  EXPECT_FALSE(exists("s.events"));
}

TEST_F(ParquetFiles, OfADatabaseThatIsBeingWrittenAreSaidToBeLocked) {
  const DuckdbSession writer("", {});
  writer.run("ATTACH " + sql_text(path("shop.duckdb")) + " AS held");
  writer.run("CREATE TABLE held.clicks AS SELECT 1 AS id, 2 AS time, 'x' AS event");
  expect_refused("import shop.duckdb -o s.events", "shop.duckdb: IO Error: Could not set lock on file");
  writer.run("DETACH held");
  expect_done("import shop.duckdb -o s.events");
}

TEST_F(ParquetFiles, HoldVectorsAndStates) {
  expect_done("encode next.t2v 0 1.5 '3 h' -o times.parquet");
  EXPECT_EQ(rows("time", "times.parquet"), (std::vector<std::string>{"0", "1.5", "3 h"}));
  EXPECT_EQ(rows("CAST(tau AS VARCHAR)", "times.parquet").at(1), "1.5");
  std::istringstream text(run("encode next.t2v 1.5").out);
  std::string word;
  text >> word >> word;
  EXPECT_EQ(std::stof(rows("CAST(v0 AS VARCHAR)", "times.parquet").at(1)), std::stof(word));
  expect_done("encode next.t2v --states shop.parquet -o states.parquet");
  EXPECT_EQ(rows("id", "states.parquet"), (std::vector<std::string>{"ann", "bob, jr", "cy"}));
  expect_refused("encode next.t2v 0 -o vectors.txt", "is for Parquet, by a name that ends in .parquet");
  expect_refused("encode next.t2v 0 --json -o x.parquet", "leave --json out");
}

TEST_F(ParquetFiles, HoldTheMeasuresOfSequences) {
  expect_done("evaluate next.t2v shop.csv --part all --per-sequence each.csv");
  std::istringstream lines(get("each.csv"));
  std::string header;
  std::string ann;
  std::getline(lines, header);
  std::getline(lines, ann);
  EXPECT_EQ(header, "id,predictions,loss,MRR");
  EXPECT_TRUE(ann.starts_with("ann,1,")) << ann;
  EXPECT_HAS(get("each.csv"), "\n\"bob, jr\",1,");
  EXPECT_HAS(get("each.csv"), "\ncy,0,,\n");
  expect_done("evaluate next.t2v shop.csv --part all --per-sequence each.parquet");
  EXPECT_EQ(rows("concat_ws(' ', id, predictions, loss IS NULL)", "each.parquet"),
            (std::vector<std::string>{"ann 1 false", "bob, jr 1 false", "cy 0 true"}));
  expect_refused("evaluate next.t2v shop.csv --per-sequence -", "--per-sequence is a file");
  expect_refused("evaluate next.t2v shop.csv --per-sequence shop.csv", "shop.csv");
}

TEST_F(ParquetFiles, AreReadOnlyWhereDuckdbIs) {
  const Ran ran = bash("T2V_DUCKDB=/nowhere/libduckdb.so $T import shop.parquet -o s.events");
  EXPECT_EQ(ran.code, 2);
  EXPECT_HAS(
      ran.err,
      "t2v: Parquet, databases and SQL need DuckDB's /nowhere/libduckdb.so, which cannot be loaded; get it");
  EXPECT_FALSE(exists("s.events"));
  EXPECT_EQ(bash("T2V_DUCKDB=/nowhere/libduckdb.so $T import shop.csv -o s.events").code, 0);
}

}  // namespace
}  // namespace t2v
