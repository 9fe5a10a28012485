#include "data/column_sketch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/column_relations.h"
#include "data/importer_files.h"

namespace t2v::data {
namespace {

ColumnSketch sketch(const Texts& cells, const std::string& format = "") {
  SketchBuilder builder("x");
  for (const std::string& cell : cells) builder.add(cell);
  return builder.finish(format);
}

TEST(ColumnSketch, CountsCellsByKind) {
  const ColumnSketch column =
      sketch({"", "NA", " 5 ", "-2.5", "2024-01-31", "1 Feb 2024", "14:05", "word", "word", "1700000000"});
  EXPECT_EQ(column.rows(), 10);
  EXPECT_EQ(column.empty, 2);
  EXPECT_EQ(column.whole, 2);
  EXPECT_EQ(column.fractions, 1);
  EXPECT_EQ(column.negative, 1);
  EXPECT_EQ(column.since_1970, 1);
  EXPECT_EQ(column.dates, 2);
  EXPECT_EQ(column.clocks, 1);
  EXPECT_EQ(column.text, 2);
  EXPECT_EQ(column.distinct, 7);
  EXPECT_EQ(column.codes[7], column.codes[8]);
  EXPECT_EQ(column.codes[0], -1);
  EXPECT_EQ(column.sizes[5] - column.sizes[4], 86400);
}

TEST(ColumnSketch, IsOfTheKindOfMostCells) {
  Texts cells(18, "7");
  cells.push_back("oops");
  EXPECT_TRUE(holds_whole_numbers(sketch(cells)));
  cells.insert(cells.end(), 2, "oops");
  EXPECT_FALSE(holds_numbers(sketch(cells)));
  EXPECT_FALSE(holds_text(sketch(cells)));
  EXPECT_FALSE(holds_dates(ColumnSketch{.name = "x"}));
  EXPECT_TRUE(holds_dates(sketch({"Jan 1 2000", "Feb 2 2000"})));
  EXPECT_TRUE(holds_dates(sketch({"01/02/2024", "02/01/2024"})));
  EXPECT_TRUE(holds_times_since_1970(sketch({"1700000000", "1700000000.25"})));
  EXPECT_TRUE(holds_times_since_1970(sketch({"1700000000000"})));
  EXPECT_FALSE(holds_times_since_1970(sketch({"17000"})));
  EXPECT_TRUE(holds_clocks(sketch({"14:05", "2:05 PM"})));
}

TEST(ColumnSketch, TakesNumbersForDatesOfAGivenForm) {
  EXPECT_TRUE(holds_dates(sketch({"20240131", "20240201"}, "%Y%m%d")));
  EXPECT_FALSE(holds_numbers(sketch({"20240131", "20240201"}, "%Y%m%d")));
}

TEST(ColumnSketch, KnowsWhatNumbersRows) {
  EXPECT_TRUE(sketch({"0", "1", "2"}).counts_rows);
  EXPECT_FALSE(sketch({"1", "2", "4"}).counts_rows);
  EXPECT_FALSE(sketch({"100", "101", "102"}).counts_rows);
  EXPECT_FALSE(sketch({"a", "b", "c"}).counts_rows);
}

TEST(ColumnSketch, IsTheSameOfTypedCells) {
  SketchBuilder builder("x");
  builder.add_number(5, true);
  builder.add_number(2.5, false);
  builder.add_number(std::nan(""), false);
  builder.add_date(1.7e9);
  builder.add_text("1 Feb 2024");
  builder.add_empty();
  const ColumnSketch column = builder.finish();
  EXPECT_EQ(column.whole, 1);
  EXPECT_EQ(column.fractions, 1);
  EXPECT_EQ(column.empty, 2);
  EXPECT_EQ(column.dates, 2);
  EXPECT_EQ(column.distinct, 4);
  builder.start("y");
  builder.add_text("a");
  EXPECT_EQ(builder.finish().distinct, 1);
}

TEST(ColumnRelations, SayHowRowsAreGrouped) {
  EXPECT_TRUE(is_grouped(sketch({"a", "a", "b"})));
  EXPECT_FALSE(is_grouped(sketch({"a", "b", "a"})));
  EXPECT_FALSE(is_grouped(sketch({"a", "", "b"})));
  EXPECT_TRUE(split_alike(sketch({"a", "b", "a"}), sketch({"1", "2", "1"})));
  EXPECT_FALSE(split_alike(sketch({"a", "b", "a"}), sketch({"1", "2", "2"})));
  EXPECT_DOUBLE_EQ(rows_per_value(sketch({"a", "b", "a", ""})), 1.5);
}

TEST(ColumnRelations, SayWhatIsConstant) {
  const Constancy how =
      constancy(sketch({"x", "x", "y", "z", "x", ""}), sketch({"a", "a", "b", "b", "c", "c"}));
  EXPECT_EQ(how.constant, 1);
  EXPECT_EQ(how.varying, 1);
}

TEST(ColumnRelations, SayWhatRises) {
  const ColumnSketch id = sketch({"a", "a", "b", "b", "c", "c"});
  const ColumnSketch time = sketch({"1", "9", "2", "8", "3", "7"});
  EXPECT_TRUE(rises_within(time, id));
  EXPECT_FALSE(rises(time));
  EXPECT_TRUE(is_sorted_within(time, id));
  EXPECT_TRUE(is_sorted_within(sketch({"9", "1", "8", "2", "7", "3"}), id));
  EXPECT_FALSE(is_sorted_within(sketch({"9", "1", "2", "8", "7", "3"}), id));
  EXPECT_TRUE(rises(sketch({"1", "1", "2"})));
  EXPECT_FALSE(rises(sketch({"1", "1"})));
  EXPECT_FALSE(is_sorted_within(sketch({"1", "2", "3", "4", "5", "6"}), id));
}

TEST(ColumnRelations, KnowPanels) {
  const ColumnSketch day = sketch({"1", "1", "2", "2"});
  EXPECT_TRUE(is_panel(sketch({"a", "b", "b", "a"}), day));
  EXPECT_FALSE(is_panel(sketch({"a", "a", "b", "a"}), day));
  EXPECT_FALSE(is_panel(sketch({"a", "b", "b", "a"}), sketch({"1", "2", "3", "4"})));
}

}  // namespace
}  // namespace t2v::data
