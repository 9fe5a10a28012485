#include "data/row_collector.h"

#include <gtest/gtest.h>

#include "data/importer_files.h"
#include "data/read_plan.h"

namespace t2v::data {
namespace {

/// Collects rows of one table, chunk by chunk.
class Collected {
 public:
  explicit Collected(std::string_view start, const TableOptions& options = {})
      : zone_(TimeZone::utc()),
        plan_(start_table(start, "file", options, zone_).plan),
        collector_(options.order) {
    collector_.start(plan_);
  }

  void add(const std::string& text, std::optional<Part> part = {}) {
    plan_.known.assign(plan_.columns.size(), nullptr);
    for (std::size_t i = 0; i < plan_.known.size(); ++i)
      plan_.known[i] = collector_.known(i, part.has_value());
    chunk_.read(plan_, text, true);
    collector_.add(chunk_, part, faults);
  }
  EventTable finish() { return collector_.finish(); }

  std::vector<Fault> faults;

 private:
  TimeZone zone_;
  ReadPlan plan_;
  RowCollector collector_;
  ChunkReader chunk_;
};

TEST(RowCollector, NumbersNamesInTheOrderOfTheTable) {
  Collected rows("id,time,event\na,1,x\n");
  rows.add("b,1,x\na,2,y\n");
  rows.add("c,3,z\nb,4,y\n");
  const EventTable table = rows.finish();
  EXPECT_EQ(names_of(table.ids), (Texts{"b", "a", "c"}));
  EXPECT_EQ(table.sequence, (Codes{0, 1, 2, 0}));
  EXPECT_EQ(table.event->codes, (Codes{0, 1, 2, 1}));
  EXPECT_EQ(names_of(table.event->names), (Texts{"x", "y", "z"}));
}

TEST(RowCollector, KeepsNoNamesOfBadRows) {
  Collected rows("id,time,event\na,1,x\n");
  rows.add("bad,?,bad\na,1,x\nbad\n");
  const EventTable table = rows.finish();
  EXPECT_EQ(names_of(table.ids), (Texts{"a"}));
  EXPECT_EQ(names_of(table.event->names), (Texts{"x"}));
}

TEST(RowCollector, TakesNothingOfARowThatDoesNotFit) {
  TableOptions options;
  options.order = Order::kStrict;
  options.sequence_features = {"g", "h"};
  Collected rows("id,time,g,h,label\na,1,1,x,l\n", options);
  rows.add("a,5,,x,\na,6,7,y,no\na,4,8,x,no\na,6,9,x,yes\n");
  EXPECT_EQ(rows.faults.size(), 2U);
  const EventTable table = rows.finish();
  EXPECT_EQ(table.ticks, (Ticks{5, 6}));
  EXPECT_EQ(table.sequence_numbers[0].values, (Doubles{9}));
  EXPECT_EQ(names_of(table.label->names), (Texts{"yes"}));
}

TEST(RowCollector, ComparesTimesExactlyAcrossChunks) {
  TableOptions options;
  options.order = Order::kStrict;
  Collected rows("id,time\na,1\n", options);
  rows.add("a,9000000000000000000\nb,-1e-30\n");
  rows.add("a,8999999999999999999\nb,-1\nb,0\nb,-1e-99\nb,1e-99\nb,1\n");
  EXPECT_EQ(rows.faults.size(), 3U);
  EXPECT_EQ(rows.finish().rows(), 5);
}

TEST(RowCollector, TakesEqualTimesInAnyOrder) {
  TableOptions options;
  options.order = Order::kStrict;
  Collected rows("id,time\na,1\n", options);
  rows.add("a,1.50\na,1.5\na,1.500\n");
  EXPECT_TRUE(rows.faults.empty());
}

TEST(RowCollector, FillsWhatASequenceHasFromAnyOfItsRows) {
  TableOptions options;
  options.target = "y";
  Collected rows("id,time,label,y\na,1,x,2\n", options);
  rows.add("a,1,,\nb,1,,\nc,1,,\n");
  rows.add("c,2,z,5\na,2,x,4\n");
  const EventTable table = rows.finish();
  EXPECT_EQ(table.label->names[table.label->codes[0]], "x");
  EXPECT_EQ(table.label->names[table.label->codes[1]], "");
  EXPECT_EQ(table.label->names[table.label->codes[2]], "z");
  EXPECT_EQ(table.target->values[2], 5);
  EXPECT_NE(table.target->values[1], table.target->values[1]);
}

TEST(RowCollector, TellsTheSameIdOfSeveralPartsApart) {
  Collected rows("id,time\na,1\n");
  rows.add("a,1\nb,1\n", Part::kTrain);
  rows.add("a,2\na (test),2\n", Part::kTest);
  rows.add("a,3\n", Part::kTest);
  const EventTable table = rows.finish();
  EXPECT_EQ(names_of(table.ids), (Texts{"a", "b", "a (test)", "a (test) (test)"}));
  EXPECT_EQ(table.sequence, (Codes{0, 1, 2, 3, 2}));
  EXPECT_EQ(table.part, (std::vector<Part>{Part::kTrain, Part::kTrain, Part::kTest, Part::kTest}));
}

TEST(RowCollector, BringsPlainTimesToOneScaleAndNotesRounding) {
  Collected rows("id,time\na,1\n");
  rows.add("a,9000000000000000000\na,1.25\n");
  rows.add("a,2\n");
  const EventTable table = rows.finish();
  EXPECT_EQ(table.scale.decimals, 0);
  EXPECT_EQ(table.ticks, (Ticks{9'000'000'000'000'000'000, 1, 2}));
  EXPECT_TRUE(any_note(table, "1 times have more than the 0 decimals"));
}

}  // namespace
}  // namespace t2v::data
