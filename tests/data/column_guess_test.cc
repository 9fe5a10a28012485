#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/importer_files.h"
#include "data/read_plan.h"

namespace t2v::data {
namespace {

TableStart start(const std::string& text, const TableOptions& options = {}) {
  static const TimeZone utc = TimeZone::utc();
  return start_table(text, "file", options, utc);
}

/// The columns that a table is read by, or the question that is asked.
std::string choice(const std::string& text, const TableOptions& options = {}) {
  std::string chosen;
  const std::string question = complaint([&] { chosen = describe(start(text, options).plan.columns); });
  return question.empty() ? chosen : question;
}

std::string why(const std::string& text, Role role) {
  for (const ColumnChoice& column : start(text).plan.columns) {
    if (column.role == role) return column.why;
  }
  return "not chosen";
}

/// Rows of sequences one after another; a cell is written by a function of the sequence and the step.
template <class Cells>
std::string grouped(const std::string& header, Cells cells, int sequences = 12, int steps = 8) {
  std::string text = header;
  for (int sequence = 0; sequence < sequences; ++sequence) {
    for (int step = 0; step < steps; ++step) text += cells(sequence, step) + "\n";
  }
  return text;
}

/// The same rows, sorted by the step.
template <class Cells>
std::string interleaved(const std::string& header, Cells cells, int sequences = 12, int steps = 8) {
  return grouped(
      header, [&](int step, int sequence) { return cells(sequence, step); }, steps, sequences);
}

std::string day(int number) { return fmt::format("2024-{:02}-{:02}", number / 28 + 1, number % 28 + 1); }
std::string letter(int number) { return std::string(1, static_cast<char>('a' + number % 3)); }
double wave(int a, int b) { return (a * 7 + b * 13) % 11 + 0.5; }

TEST(ColumnGuess, TakesTheOnlyColumnOfDatesForTheTime) {
  const auto cells = [](int s, int i) { return fmt::format("{},{},{}", s, letter(s + i * i), day(i)); };
  const std::string text = interleaved("CaseID,ActivityID,CompleteTimestamp\n", cells);
  EXPECT_EQ(choice(text), "id 'CaseID', time 'CompleteTimestamp', event 'ActivityID'");
  EXPECT_EQ(why(text, Role::kTime), "the only column of dates");
  EXPECT_EQ(why(text, Role::kId), "by its name");
  EXPECT_EQ(start(text).choices[2],
            "time 'CompleteTimestamp': guessed (the only column of dates); `time` changes it");
}

TEST(ColumnGuess, AsksWhichOfTwoColumnsOfDatesIsTheTime) {
  const auto cells = [](int s, int i) { return fmt::format("{},{},{}", s, day(i), day(i + 2)); };
  EXPECT_EQ(choice(grouped("user,created,closed\n", cells)),
            "file: both 'created' and 'closed' are dates; name the time with `time`");
  EXPECT_EQ(choice(grouped("user,created,timestamp\n", cells)), "id 'user', time 'timestamp'");
}

TEST(ColumnGuess, PassesOverDatesThatAreThoseOfASequence) {
  const auto cells = [](int s, int i) { return fmt::format("{},{},{}", s, day(s), day(i)); };
  EXPECT_EQ(choice(grouped("patient,born,seen\n", cells)), "id 'patient', time 'seen'");
  const auto counted = [](int s, int i) { return fmt::format("{},{},{}", s, day(s), i * 5); };
  EXPECT_EQ(choice(grouped("patient,born,minutes\n", counted)), "id 'patient', time 'minutes'");
  const auto alone = [](int s, int i) { return fmt::format("{},{},{}", s, day(s), letter(i)); };
  EXPECT_EQ(choice(grouped("session_id,eventdate,item\n", alone)),
            "id 'session_id', time 'eventdate', event 'item'");
}

TEST(ColumnGuess, TakesNumbersSince1970ForTheTimeWhereThereAreNoDates) {
  const auto cells = [](int s, int i) {
    return fmt::format("{},{},{}", s, letter(i), 1600000000000 + i * 60);
  };
  EXPECT_EQ(choice(grouped("user,what,at\n", cells)), "id 'user', time 'at', event 'what'");
  EXPECT_EQ(why(grouped("user,what,at\n", cells), Role::kTime),
            "the only numbers that look like times since 1970");
  EXPECT_SAYS(choice(grouped("user,what,phone_no\n", cells)), "no column for the time was found");
}

TEST(ColumnGuess, TakesNumbersThatCountTimeByTheirName) {
  const auto cells = [](int s, int i) { return fmt::format("{},{},{},{}", s, i * 5, letter(i), wave(s, i)); };
  EXPECT_EQ(choice(grouped("id,minutes,parameter,value\n", cells)),
            "id 'id', time 'minutes', event 'parameter', value 'value'");
  EXPECT_SAYS(
      choice(grouped("id,duration_minutes,parameter,y\n",
                     [](int s, int i) { return fmt::format("{},{},{},{}", s, wave(s, i), letter(i), s); })),
      "no column for the time was found; the columns are 'id', 'duration_minutes', 'parameter', 'y'; "
      "name one with `time`");
}

TEST(ColumnGuess, FindsIdTimeAndEventWithoutAHeader) {
  const auto dated = [](int s, int i) { return fmt::format("n{},{}T10:00,{}", s, day(i), letter(i)); };
  EXPECT_EQ(choice(grouped("", dated)), "id 'column 1', time 'column 2', event 'column 3'");
  const auto counted = [](int s, int i) {
    return fmt::format("{},{},{}", s, (s * 5 + i * i) % 20, i * 60 + s);
  };
  EXPECT_EQ(choice(grouped("", counted)), "id 'column 1', time 'column 3', event 'column 2'");
  EXPECT_EQ(why(grouped("", counted), Role::kTime), "its numbers rise within 'column 1'");
  const auto unix_times = [](int s, int i) {
    return fmt::format("{}\t{}\t{}", s, (s * 5 + i * i) % 20, 828441691 + i * 60 + s);
  };
  EXPECT_EQ(choice(grouped("", unix_times)), "id 'column 1', time 'column 3', event 'column 2'");
}

TEST(ColumnGuess, TakesWhatRowsAreGroupedByForTheId) {
  const auto cells = [](int s, int i) { return fmt::format("m{},{},{}", s, day(i), wave(s, i)); };
  EXPECT_EQ(choice(grouped("rig,date,heat\n", cells)), "id 'rig', time 'date', value 'heat'");
  EXPECT_EQ(why(grouped("rig,date,heat\n", cells), Role::kId), "the rows are grouped by it");
}

TEST(ColumnGuess, TakesGroupsInWhichTimeRunsBackwardsForTheIdAsWell) {
  const auto cells = [](int s, int i) {
    return fmt::format("{}\t{}\t30.{}\t{}", s, day(20 - i), i, s * i % 9 + 70);
  };
  EXPECT_EQ(choice(grouped("", cells)), "id 'column 1', time 'column 2', event 'column 4'");
}

TEST(ColumnGuess, AsksWhatNumbersWithoutNamesAre) {
  const auto cells = [](int s, int i) {
    return fmt::format("{},{},{}", s, (s * 5 + i * i) % 20, 900000000 + s * i % 7);
  };
  EXPECT_EQ(
      choice(interleaved("", cells)),
      "file: both 'column 1' and 'column 2' are numbers without names; name whose event it is with `id`, "
      "what happened with `event`, and a measure with `value`");
}

TEST(ColumnGuess, PassesOverAnIdThatIsMostlyEmpty) {
  const auto cells = [](int s, int i) {
    return fmt::format("{},{},p{},{}", s < 0 ? "7" : "NA", day(i), s, letter(i));
  };
  EXPECT_EQ(choice(grouped("userId,eventdate,sessionId,event\n", cells)),
            "id 'sessionId', time 'eventdate', event 'event'");
}

TEST(ColumnGuess, TakesWhatTellsRowsOfATimeApartForTheId) {
  const auto cells = [](int s, int i) { return fmt::format("{},r{},{}", day(i), s, wave(s, i)); };
  EXPECT_EQ(choice(interleaved("date,region,cases\n", cells)), "id 'region', time 'date', value 'cases'");
  EXPECT_EQ(why(interleaved("date,region,cases\n", cells), Role::kId),
            "it tells rows of the same time apart");
}

TEST(ColumnGuess, DoesNotTakeANumberOfManyValuesForAnId) {
  const auto cells = [](int s, int i) {
    return fmt::format("{},{},{}", day(i % 28), s * 3 + i / 2, wave(s, i));
  };
  EXPECT_SAYS(choice(grouped("date,number,heat\n", cells, 1000, 4)), "both 'number' and 'heat' are numbers");
}

TEST(ColumnGuess, PassesOverAnIdThatNamesRows) {
  int row = 0;
  const auto cells = [&](int s, int i) {
    return fmt::format("{},{},p{},{}", 7 * row++, day(i), s, wave(s, i));
  };
  const std::string text = grouped("id,date,pump,flow\n", cells);
  EXPECT_EQ(choice(text), "id 'pump', time 'date', value 'flow'");
  EXPECT_EQ(start(text).choices[3],
            "'id' is different in each row, so it names rows, not sequences (`id` changes it)");
}

TEST(ColumnGuess, AsksWhichOfTwoNamesOfAnIdIsMeant) {
  const auto cells = [](int s, int i) { return fmt::format("{},{},{}", s, (s + i) % 5, day(i)); };
  EXPECT_EQ(choice(grouped("CaseID,Machine ID,date\n", cells)),
            "file: both 'CaseID' and 'Machine ID' have a name of an id; name the one with `id`");
  EXPECT_EQ(choice(grouped("case,Machine ID,date\n", cells)), "id 'Machine ID', time 'date', value 'case'");
}

TEST(ColumnGuess, AsksWhetherATextIsTheIdOrTheEvent) {
  const auto cells = [](int s, int i) {
    return fmt::format("{}T{:02}:00,{},{}", day(s), i, letter(s * i), wave(s, i));
  };
  EXPECT_EQ(choice(grouped("when,rack,cpu\n", cells)),
            "file: 'rack' is text that comes back; name it with `id` if it says whose event it is, or with "
            "`event` if it says what happened");
  const auto two = [](int s, int i) {
    return fmt::format("{}T{:02}:00,{},x{}", day(s), i, letter(s * i), wave(s, i));
  };
  EXPECT_EQ(
      choice(grouped("when,rack,state of it\n", two)),
      "file: 'rack' and 'state of it' are texts that come back; name it with `id` if it says whose event "
      "it is, or with `event` if it says what happened");
  const auto one = [](int s, int i) { return fmt::format("{}T{:02}:00,{}", day(s), i, letter(s * i)); };
  EXPECT_EQ(choice(grouped("when,alarm\n", one)), "time 'when', event 'alarm'");
  EXPECT_EQ(choice(grouped("when,colour\n", one)), "time 'when', event 'colour'");
}

TEST(ColumnGuess, TakesTheOnlyTextForTheEventUnlessNumbersAreCodes) {
  const auto text = [](int s, int i) { return fmt::format("{},{},{},{}", s, day(i), letter(i), wave(s, i)); };
  EXPECT_EQ(choice(grouped("customer,date,channel,amount\n", text)),
            "id 'customer', time 'date', event 'channel'");
  const auto code = [](int s, int i) { return fmt::format("{},{},{},{}", s, day(i), letter(i), 50 + i % 3); };
  EXPECT_EQ(choice(grouped("customer,date,channel,zone_no\n", code)),
            "file: both 'channel' and 'zone_no' may say what happened; name the type with `event`");
  EXPECT_EQ(choice(grouped("customer,date,uom,ITEMID\n", code)),
            "id 'customer', time 'date', event 'ITEMID'");
}

TEST(ColumnGuess, PassesOverAnEventThatIsNeverTheSame) {
  int row = 0;
  const auto cells = [&](int s, int i) {
    return fmt::format("{},{},place {},{}", s, day(i), row++, letter(i));
  };
  EXPECT_EQ(choice(grouped("user,date,place,mood\n", cells)), "id 'user', time 'date', event 'mood'");
}

TEST(ColumnGuess, TakesTheOnlyNumberForTheValueAndAsksWhichOfSeveral) {
  const auto one = [](int s, int i) { return fmt::format("{},{}", day(s * 8 + i), wave(s, i)); };
  EXPECT_EQ(choice(grouped("date,visitors\n", one)), "time 'date', value 'visitors'");
  EXPECT_EQ(why(grouped("date,visitors\n", one), Role::kValue), "the only other column of numbers");
  const auto two = [](int s, int i) {
    return fmt::format("{},{},{}", day(s * 8 + i), wave(s, i), wave(i, s));
  };
  EXPECT_EQ(
      choice(grouped("date,HUFL,OT\n", two)),
      "file: both 'HUFL' and 'OT' are numbers; name the one to learn with `value`, and others as inputs "
      "with `features`");
  EXPECT_EQ(choice(grouped("date,battery,reading\n", two)), "time 'date', value 'reading'");
  TableOptions options;
  options.value = "-";
  EXPECT_EQ(choice(grouped("date,HUFL,OT\n", two), options), "time 'date'");
  options = {};
  options.features = {"HUFL"};
  EXPECT_EQ(choice(grouped("date,HUFL,OT\n", two), options), "time 'date', value 'OT', feature 'HUFL'");
}

TEST(ColumnGuess, TakesWhatIsMeasuredForTheValueBesideItsName) {
  const auto cells = [](int s, int i) {
    return fmt::format("{},{},{},{},{}", s, i, letter(i), wave(s, i), wave(i, s));
  };
  EXPECT_EQ(choice(grouped("patient,hours,item,reading,price\n", cells)),
            "id 'patient', time 'hours', event 'item', value 'reading'");
  EXPECT_EQ(choice(grouped("patient,hours,variable,a,b\n", cells)),
            "id 'patient', time 'hours', event 'variable'");
  const auto one = [](int s, int i) { return fmt::format("{},{},{},{}", s, i, letter(i), wave(s, i)); };
  EXPECT_EQ(choice(grouped("patient,hours,variable,a\n", one)),
            "id 'patient', time 'hours', event 'variable', value 'a'");
}

TEST(ColumnGuess, TakesNoOtherValueBesideAnEvent) {
  const auto cells = [](int s, int i) {
    return fmt::format("{},{},{},{}", s, s * i % 50, wave(s, i), 1600000000 + i);
  };
  EXPECT_EQ(choice(grouped("userId,movieId,rating,timestamp\n", cells)),
            "id 'userId', time 'timestamp', event 'movieId'");
}

TEST(ColumnGuess, TakesAnOutcomeThatEachSequenceHasForTheLabel) {
  const auto cells = [](int s, int i) { return fmt::format("{},{},{},{}", s, day(i), letter(i), s % 2); };
  const std::string text = grouped("patient,date,event,died\n", cells);
  EXPECT_EQ(choice(text), "id 'patient', time 'date', event 'event', label 'died'");
  EXPECT_EQ(why(text, Role::kLabel), "its name is that of an outcome, and each id has one");
  EXPECT_EQ(choice(grouped("patient,date,event,ward\n", cells)), "id 'patient', time 'date', event 'event'");
  const auto varying = [](int s, int i) { return fmt::format("{},{},{},{}", s, day(i), letter(i), i % 2); };
  EXPECT_EQ(choice(grouped("patient,date,event,died\n", varying)),
            "id 'patient', time 'date', event 'event'");
  EXPECT_EQ(choice(grouped("patient,date,event,class\n", varying)),
            "id 'patient', time 'date', event 'event'");
  EXPECT_EQ(choice(grouped("patient,date,event,died\n", cells, 3)),
            "id 'patient', time 'date', event 'event'");
}

TEST(ColumnGuess, IsNotMadeForAModelBeyondItsColumns) {
  const auto cells = [](int s, int i) { return fmt::format("{},{},{},{}", s, day(i), letter(i), s % 2); };
  TableOptions options;
  options.known = {{Role::kId, "CaseID"}, {Role::kTime, "closed"}};
  EXPECT_EQ(choice(grouped("CaseID,closed,Activity Name,died\n", cells), options),
            "id 'CaseID', time 'closed'");
  options.known[Role::kTime] = "finished";
  EXPECT_EQ(choice(grouped("CaseID,closed,Activity Name,died\n", cells), options),
            "id 'CaseID', time 'closed'");
  options.known[Role::kId] = "user";
  EXPECT_SAYS(choice(grouped("CaseID,closed,Activity Name,died\n", cells), options),
              "the id was 'user' in training, but there is no such column");
}

TEST(ColumnGuess, KeepsWhatIsGiven) {
  const auto cells = [](int s, int i) { return fmt::format("{},{},{}", s, letter(s + i), day(i)); };
  TableOptions options;
  options.id = "-";
  options.event = "CaseID";
  EXPECT_EQ(choice(grouped("CaseID,ActivityID,CompleteTimestamp\n", cells), options),
            "time 'CompleteTimestamp', event 'CaseID'");
}

}  // namespace
}  // namespace t2v::data
