#include "data/read_plan.h"

#include <gtest/gtest.h>

#include "data/importer_files.h"

namespace t2v::data {
namespace {

TableStart start(std::string_view text, const TableOptions& options = {}) {
  static const TimeZone utc = TimeZone::utc();
  return start_table(text, "file", options, utc);
}

std::vector<CellKind> kinds(std::string_view text, const Texts& features = {}) {
  TableOptions options;
  options.features = features;
  return start(text, options).plan.kinds;
}

using Kinds = std::vector<CellKind>;

TEST(ReadPlan, SettlesTheKindOfTimeByTheFirstThatIsOne) {
  EXPECT_EQ(kinds("id,t\na,\na,?\na,5\na,2021-01-01\n"), (Kinds{CellKind::kName, CellKind::kDecimal}));
  EXPECT_EQ(kinds("id,t\na,2021-01-01\na,5\n")[1], CellKind::kInstant);
  EXPECT_EQ(kinds("id,t\na,20210101\n")[1], CellKind::kDecimal);
  EXPECT_EQ(kinds("id,t\na,1600000000\n")[1], CellKind::kDecimalInstant);
  EXPECT_EQ(kinds("id,t\n")[1], CellKind::kInstant);
}

TEST(ReadPlan, TakesAFeatureForNumbersIfMostCellsAre) {
  EXPECT_EQ(kinds("id,t,f\na,1,5\na,2,x\na,3,6\n", {"f"})[2], CellKind::kNumber);  // x is then a fault
  EXPECT_EQ(kinds("id,t,f\na,1,5\na,2,\na,3,nan\na,4,\"1,5\"\n", {"f"})[2], CellKind::kNumber);
  EXPECT_EQ(kinds("id,t,f\na,1,5\na,2,x\n", {"f"})[2], CellKind::kName);
  EXPECT_EQ(kinds("id,t,f\na,1,0x5\n", {"f"})[2], CellKind::kName);
}

TEST(ReadPlan, SaysWhereRowsBegin) {
  EXPECT_EQ(start("\n\"id\",\"t\n\"\r\na,1\n",
                  [] {
                    TableOptions options;
                    options.time = "2";
                    return options;
                  }())
                .rows_begin,
            10U);
  EXPECT_EQ(start("{\"id\":1,\"t\":2}\n").rows_begin, 0U);
}

TEST(ReadPlan, WantsTheFieldsOfTheChosenColumns) {
  const ReadPlan plan = start("x;t;y;id\n1;2;3;4\n",
                              [] {
                                TableOptions options;
                                options.value = "-";
                                return options;
                              }())
                            .plan;
  EXPECT_EQ(plan.separator, ';');
  EXPECT_EQ(plan.wanted.column, (std::vector<int>{-1, 1, -1, 0}));
  EXPECT_EQ(plan.wanted.count, 2U);
}

TEST(ReadPlan, TakesJsonByItsFirstCharacterOrAsTold) {
  const ReadPlan plan = start("\n {\"t\":1,\"id\":2}\n").plan;
  EXPECT_TRUE(plan.json);
  EXPECT_EQ(plan.keys, (Texts{"id", "t"}));
  TableOptions csv;
  csv.format = "csv";
  EXPECT_FALSE(start("id,t,{x\n", csv).plan.json);
}

TEST(ReadPlan, RefusesWordsItDoesNotKnow) {
  TableOptions options;
  options.time_unit = "hours";
  EXPECT_SAYS(complaint([&] { start("id,t\na,2021-01-01\n", options); }),
              "file: unknown unit of time 'hours'");
  options = {};
  options.format = "xml";
  EXPECT_SAYS(complaint([&] { start("id,t\n", options); }),
              "file: unknown format 'xml'; use one of auto, csv");
  options = {};
  options.header = "none";
  EXPECT_SAYS(complaint([&] { start("id,t\n", options); }),
              "file: unknown header 'none'; use one of auto, yes");
}

TEST(ReadPlan, GoesOnWithTheSameKindsForAFurtherFile) {
  const TableStart first = start("id,t\na,1600000000\n");
  const TableStart next = continue_table("t,id\n5,b\n", "next", {}, first.plan);
  EXPECT_EQ(next.plan.kinds, first.plan.kinds);
  EXPECT_EQ(next.plan.unit, TimeUnit::kSeconds);
  EXPECT_EQ(next.plan.wanted.column, (std::vector<int>{1, 0}));
  EXPECT_SAYS(complaint([&] { continue_table("ts,id\n", "next", {}, first.plan); }),
              "next: the columns differ from those of the first file: id 'id', time 'ts'; there:");
}

TEST(EncodingMark, IsTakenOffIfItIsThatOfUtf8) {
  EXPECT_EQ(encoding_mark("\xEF\xBB\xBFid", "file"), 3U);
  EXPECT_EQ(encoding_mark("id", "file"), 0U);
  EXPECT_EQ(encoding_mark("", "file"), 0U);
  EXPECT_SAYS(complaint([] { encoding_mark("\xFE\xFFx", "file"); }), "file: the file is UTF-16");
}

}  // namespace
}  // namespace t2v::data
