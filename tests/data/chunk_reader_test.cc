#include "data/chunk_reader.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/importer_files.h"
#include "data/read_plan.h"

namespace t2v::data {
namespace {

ReadPlan plan_of(std::string_view text, const TableOptions& options = {}) {
  static const TimeZone utc = TimeZone::utc();
  return start_table(text, "file", options, utc).plan;
}

TEST(ChunkReader, ReadsColumnsByTheirKinds) {
  TableOptions options;
  options.value = "v";
  const ReadPlan plan = plan_of("id,time,v\na,1.5,2\n", options);
  ChunkReader chunk;
  chunk.read(plan, "a,1.5,2\nb, 20 ,\n\"a\",3,-1\n", true);
  EXPECT_TRUE(chunk.all_good());
  EXPECT_EQ(chunk.rows(), 3);
  EXPECT_EQ(chunk.lines(), 3);
  const auto& columns = chunk.columns();
  EXPECT_EQ(columns[0].codes, (Codes{~0, ~1, ~0}));
  EXPECT_EQ(columns[1].ticks, (Ticks{15, 20, 3}));
  EXPECT_EQ(columns[1].decimals, (std::vector<int8_t>{1, 0, 0}));
  EXPECT_EQ(columns[2].numbers[0], 2);
  EXPECT_TRUE(std::isnan(columns[2].numbers[1]));
}

TEST(ChunkReader, GivesKnownNamesTheirNumbersAlsoWhereCellsAreUnquoted) {
  ReadPlan plan = plan_of("id,time\na,1\n");
  Names known;
  known.add("x\"");
  known.add("y");
  plan.known = {&known, nullptr};
  ChunkReader chunk;
  for (int round = 0; round < 2; ++round) {
    chunk.read(plan, "\"x\"\"\",1\ny,2\n\"z\"\"\",3\n", true);
    EXPECT_EQ(chunk.columns()[0].codes, (Codes{0, 1, ~0}));
  }
}

TEST(ChunkReader, GivesOneFaultForARowThatHasSeveral) {
  TableOptions options;
  options.value = "v";
  const ReadPlan plan = plan_of("id,time,v\na,1,2\n", options);
  ChunkReader chunk;
  chunk.read(plan, ",x,y\na,1,2\n,\xFF,\xFF\n", true);
  EXPECT_EQ(chunk.faults().size(), 2U);
  EXPECT_FALSE(chunk.good(0));
  EXPECT_TRUE(chunk.good(1));
  EXPECT_FALSE(chunk.good(2));
  EXPECT_EQ(chunk.faults()[1].what, "a byte is not UTF-8");
}

TEST(ChunkReader, BlamesABadByteOnItsOwnRowAlone) {
  const ReadPlan plan = plan_of("id,time\na,1\n");
  ChunkReader chunk;
  chunk.read(plan, "\xFF\na,1\n\xFF\nb,2\n\"c\"\xFF,3\nd,4\n\"\xFF", true);
  EXPECT_EQ(chunk.rows(), 3);
  EXPECT_TRUE(chunk.all_good());
  EXPECT_EQ(chunk.faults().size(), 4U);
}

TEST(ChunkReader, RefusesPlainTimesThatDoNotFit) {
  const ReadPlan plan = plan_of("id,time\na,1\n");
  ChunkReader chunk;
  chunk.read(plan, "a,9e18\na,1e19\na,1e-100\n", true);
  ASSERT_EQ(chunk.faults().size(), 1U);
  EXPECT_EQ(chunk.faults()[0].seen, "1e19");
}

TEST(ChunkReader, PlacesCells) {
  const ReadPlan plan = plan_of("id,time\na,1\n");
  ChunkReader chunk;
  chunk.read(plan, "a,1\n\"b\"\"\",\"2\"\nc,", true);
  EXPECT_EQ(chunk.place_of_cell(1, 0), 2U);
  EXPECT_EQ(chunk.place_of_cell(0, 1), 4U);  // the row's: it does not stand there as it is meant
  EXPECT_EQ(chunk.place_of_cell(1, 1), 11U);
  EXPECT_EQ(chunk.place_of_cell(1, 2), chunk.cells().text.size());
}

TEST(ChunkReader, StopsBeforeARowThatIsNotFinished) {
  const ReadPlan plan = plan_of("id,time\na,1\n");
  ChunkReader chunk;
  chunk.read(plan, "a,1\nb,\"2\n\xFF", false);
  EXPECT_EQ(chunk.used(), 4U);
  EXPECT_EQ(chunk.lines(), 1);
  EXPECT_TRUE(chunk.faults().empty());
}

TEST(Trimmed, TakesBlanksOffBothEnds) {
  EXPECT_EQ(trimmed(" \ta b\t "), "a b");
  EXPECT_EQ(trimmed("  "), "");
}

}  // namespace
}  // namespace t2v::data
