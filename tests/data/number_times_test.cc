#include "data/number_times.h"

#include "importer_files.h"

namespace t2v::data {
namespace {

EventTable ticks_of(const Texts& texts, NumberTimes kind) {
  std::vector<Decimal> numbers;
  for (const std::string& text : texts) {
    Decimal number;
    EXPECT_EQ(parse_decimal(text, number), NumberFault::kNone) << text;
    numbers.push_back(number);
  }
  EventTable table;
  set_ticks(table, numbers, kind);
  return table;
}

TEST(NumberTimes, HaveAsManyDecimalsAsTheLongestNumber) {
  const EventTable table = ticks_of({"0", "1.5", "-2.25", "3e2", "7.250"}, NumberTimes::kByMagnitude);
  EXPECT_EQ(table.scale, (TickScale{false, 3}));
  EXPECT_EQ(table.ticks, (Ticks{0, 1500, -2250, 300'000, 7250}));
  EXPECT_TRUE(table.notes.empty());
}

TEST(NumberTimes, AreInstantsWhereTheMedianIsThatOfUnixSeconds) {
  const EventTable table = ticks_of({"1328917389.137", "100000000"}, NumberTimes::kByMagnitude);
  EXPECT_EQ(table.scale, (TickScale{true, 9}));
  EXPECT_EQ(table.ticks, (Ticks{1'328'917'389'137'000'000, 100'000'000'000'000'000}));
  EXPECT_FALSE(ticks_of({"1328917389.137", "99999999"}, NumberTimes::kByMagnitude).scale.instants);
  EXPECT_TRUE(
      ticks_of({"1328917389.137", "99999999", "1328917390"}, NumberTimes::kByMagnitude).scale.instants);
  EXPECT_FALSE(ticks_of({"1328917389.137"}, NumberTimes::kPlain).scale.instants);
  EXPECT_EQ(ticks_of({"-1.5"}, NumberTimes::kUnixSeconds).ticks, Ticks{-1'500'000'000});
}

TEST(NumberTimes, RoundWhatDoesNotFitAndSayHowMany) {
  const EventTable table = ticks_of(
      {"1403.25", "0.0000000000000005", "0.0000000000000004", "0.000000000000000600", "-0.0000000000000005"},
      NumberTimes::kPlain);
  EXPECT_EQ(table.scale, (TickScale{false, 15}));                          // 1403.25 has no room for 16
  EXPECT_EQ(table.ticks, (Ticks{1'403'250'000'000'000'000, 0, 0, 1, 0}));  // halves to even
  EXPECT_TRUE(any_note(table, "4 times have more than the 15 decimals"));
  EXPECT_EQ(ticks_of({"1e9", "0.0000000001"}, NumberTimes::kPlain).scale.decimals, 9);
}

TEST(NumberTimes, RefuseNumbersBeyondSixtyFourBits) {
  EXPECT_SAYS(complaint([] {
                ticks_of({"1", "1e19"}, NumberTimes::kPlain);
              }),
              "time 2: time '1e19' is beyond 9.2e18");
  EXPECT_SAYS(
      complaint([] { ticks_of({"1e18"}, NumberTimes::kUnixSeconds); }),
      "time 1: time '1000000000000000000' is outside of the years 1677 to 2262; if times are not seconds "
      "since 1970, set times=plain");
  EXPECT_SAYS(complaint([] { ticks_of({"1.0000000001"}, NumberTimes::kUnixSeconds); }),
              "finer than a nanosecond");
}

TEST(NumberTimes, NameTheEventThatDoesNotFit) {
  EventTable table;
  table.ids.add("a");
  table.ids.add("b");
  table.sequence = {0, 0, 1, 1, 1};
  const std::vector<Decimal> numbers = {{1, 0}, {2, 0}, {1, 0}, {1, -20}, {2, 0}};
  EXPECT_SAYS(complaint([&] { set_ticks(table, numbers, NumberTimes::kPlain); }),
              "event 2 of sequence 'b': time '1e20' is beyond");
  EXPECT_SAYS(complaint([&] { set_ticks(table, numbers, NumberTimes::kUnixSeconds); }),
              "event 2 of sequence 'b': time '1e20' is outside of the years");
}

TEST(NumberedCategories, AreInAscendingOrder) {
  const std::vector<int64_t> numbers = {10, 9, -1, 10, 3};
  const Categories categories = numbered_categories("x", numbers);
  EXPECT_EQ(names_of(categories.names), (Texts{"-1", "3", "9", "10"}));
  EXPECT_EQ(categories.codes, (Codes{3, 2, 0, 3, 1}));
}

}  // namespace
}  // namespace t2v::data
