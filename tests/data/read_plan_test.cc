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
  EXPECT_EQ(kinds("id,t\na,20210101\n")[1], CellKind::kFormatted);
  EXPECT_EQ(kinds("id,t\na,1 Jan 2000\na,5\na,2 Jan 2000\n")[1], CellKind::kFormatted);
  EXPECT_EQ(kinds("id,t\na,1600000000\n")[1], CellKind::kDecimalInstant);
  EXPECT_EQ(kinds("id,t\n")[1], CellKind::kInstant);
}

TEST(ReadPlan, RefusesNumbersOfAnotherUnitThanMostAndSaysHowMany) {
  const std::string text =
      "id,time\na,1600000000\nb,-\nb,1600000001000\na,1600000002\nb,1600000003.5e3\na,5\na,5\n";
  EXPECT_EQ(
      complaint([&] { start(text); }),
      "file:4:3: time '1600000001000' is of another unit than the others: most seem to be s since 1970, "
      "but 2 of the first 6 ms; bring them to one unit, leave such rows out (`on_error` skip), or read "
      "all as plain numbers (`time_unit` number)");
  TableOptions options;
  options.time_unit = "any";
  const TableStart any = start(text, options);
  EXPECT_EQ(any.plan.kinds[1], CellKind::kDecimal);
  EXPECT_EQ(
      any.choices[1],
      "time 'time': plain numbers, as most seem to be s since 1970, but 2 of the first 6 ms; bring them "
      "to one unit");
  options = {};
  options.skip_bad_rows = true;
  EXPECT_EQ(start(text, options).plan.unit, TimeUnit::kSeconds);
  options = {};
  options.time_unit = "s";
  EXPECT_EQ(start(text, options).plan.unit, TimeUnit::kSeconds);
}

TEST(ReadPlan, TakesAnyUnitAsItTakesAutoWhereAllAgree) {
  TableOptions options;
  options.time_unit = "any";
  const std::string text = "id,time\na,1600000000\nb,1500000000\n";
  EXPECT_EQ(start(text, options).choices, start(text).choices);
  EXPECT_EQ(start(text, options).plan.unit, TimeUnit::kSeconds);
}

TEST(ReadPlan, TakesNumbersForDatesIfAllAre) {
  const std::string dates = "time 't': dates; written as %Y%m%d, those without an offset are UTC";
  const std::string plain = "time 't': plain numbers, by the size of the numbers (`time_unit` changes it)";
  EXPECT_EQ(start("id,t\na,20240101\na,19991231\na,NA\n").choices[1], dates);
  EXPECT_EQ(start("id,t\na,20240101\na,20240132\n").choices[1], plain);
  EXPECT_EQ(start("id,t\na,20240101\na,202401011\n").choices[1], plain);
  EXPECT_EQ(start("id,t\na,20240229\na,21000101\n").choices[1], plain);
  TableOptions options;
  options.time_unit = "number";
  EXPECT_EQ(start("id,t\na,20240101\n", options).choices[1], "time 't': plain numbers");
}

TEST(ReadPlan, DoesNotGuessTheKindOfTimeWithoutOneAmongManyRows) {
  std::string text = "id,t\n";
  for (int i = 0; i < 2000; ++i) text += "a,NA\n";
  TableOptions options;
  options.skip_bad_rows = true;
  EXPECT_SAYS(complaint([&] { start(text, options); }),
              "file: none of the first 2,000 rows has a time that can be used, the first is 'NA'");
  EXPECT_EQ(start("id,t\na,NA\n", options).plan.kinds[1], CellKind::kInstant);  // may be the whole file
  EXPECT_EQ(start(text + "a,5\n", options).plan.kinds[1], CellKind::kDecimal);
  options.time_unit = "s";
  const ReadPlan plan = start(text, options).plan;
  EXPECT_EQ(plan.kinds[1], CellKind::kDecimalInstant);
  EXPECT_EQ(plan.unit, TimeUnit::kSeconds);
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
              "next: the columns differ from those of the first file: there is no 't'; the columns are 'ts', "
              "'id'; there:");
}

std::string time_choice(std::string_view text, const TableOptions& options = {}) {
  const Texts choices = start(text, options).choices;
  for (const std::string& choice : choices) {
    if (choice.find("': guessed") == std::string::npos && choice.starts_with("time '")) return choice;
  }
  return "";
}

TEST(ReadPlan, SettlesHowDatesAreWritten) {
  const std::string utc = ", those without an offset are UTC";
  EXPECT_EQ(time_choice("id,t\na,Jan 1 2000\na,Feb 29 2000\n"), "time 't': dates; written as %b %d %Y" + utc);
  EXPECT_EQ(time_choice("id,t\na,01/02/2024\na,13/02/2024\n"), "time 't': dates; written as %d/%m/%Y" + utc);
  EXPECT_EQ(time_choice("id,t\na,01/02/2024\na,02/13/2024\n"), "time 't': dates; written as %m/%d/%Y" + utc);
  EXPECT_EQ(time_choice("id,t\na,31.01.2024 14:05\n"), "time 't': dates; written as %d.%m.%Y %H:%M" + utc);
  TableOptions options;
  options.time_format = "%Y.%d";
  EXPECT_EQ(time_choice("id,t\na,2024.5\n", options), "time 't': dates; written as %Y.%d" + utc);
  options.time_format = "%d";
  EXPECT_SAYS(complaint([&] { start("id,t\na,5\n", options); }),
              "file: `time_format` '%d' does not tell the year");
}

TEST(ReadPlan, AsksWhetherTheDayOrTheMonthIsFirst) {
  const std::string text = "id,t\na,\na,01/02/2024 3:04 PM\na,02/01/2024 3:04 PM\n";
  EXPECT_EQ(
      complaint([&] { start(text); }),
      "file:3:3: t '01/02/2024 3:04 PM' may have the day or the month first, and no time of the first 3 "
      "tells; give `day_first` as yes or no");
  TableOptions options;
  options.day_first = "yes";
  EXPECT_SAYS(time_choice(text, options), "written as %d/%m/%Y %I:%M %p");
  EXPECT_EQ(start(text, options).plan.day_first, "yes");
  options.day_first = "no";
  EXPECT_SAYS(time_choice(text, options), "written as %m/%d/%Y %I:%M %p");
  options.day_first = "maybe";
  EXPECT_SAYS(complaint([&] { start(text, options); }),
              "file: unknown day_first 'maybe'; use one of auto, yes, no");
}

TEST(ReadPlan, RefusesDatesOfBothOrders) {
  EXPECT_EQ(
      complaint([] { start("id,t\na,01/13/2024\na,02/02/2024\na,13/01/2024\n"); }),
      "file:4:3: t '13/01/2024' has the day first, but '01/13/2024' in 2:3 has the month first; write all "
      "in one way, such as 2024-01-31");
}

TEST(ReadPlan, KeepsTheOrderOfDayAndMonthThatTheTimesTold) {
  EXPECT_EQ(start("id,t\na,13/02/2024\n").plan.day_first, "yes");
  EXPECT_EQ(start("id,t\na,02/13/2024\n").plan.day_first, "no");
  EXPECT_EQ(start("id,t\na,2024-02-13\n").plan.day_first, "auto");
}

TEST(EncodingMark, IsTakenOffIfItIsThatOfUtf8) {
  EXPECT_EQ(encoding_mark("\xEF\xBB\xBFid", "file"), 3U);
  EXPECT_EQ(encoding_mark("id", "file"), 0U);
  EXPECT_EQ(encoding_mark("", "file"), 0U);
  EXPECT_SAYS(complaint([] { encoding_mark("\xFE\xFFx", "file"); }), "file: the file is UTF-16");
}

}  // namespace
}  // namespace t2v::data
