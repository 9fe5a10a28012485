// What a person is told about a bad table: one line with the place, what was seen and what to do.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "data/bad_inputs.h"
#include "data/compressed.h"
#include "data/importer_files.h"
#include "data/table_reader.h"

namespace t2v::data {
namespace {

using namespace bad_inputs;

ThreadPool& pool() {
  static ThreadPool threads(2);
  return threads;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

/// Options in short: "features=a,b order=strict skip".
TableOptions options_of(const std::string& text) {
  TableOptions options;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    const std::string name = word.substr(0, word.find('='));
    const std::string value = word.substr(std::min(word.size(), name.size() + 1));
    if (name == "skip") options.skip_bad_rows = true;
    if (name == "order") options.order = Order::kStrict;
    if (name == "features") options.features = split(value);
    if (name == "sequence_features") options.sequence_features = split(value);
    if (name == "categories") options.categories = split(value);
    for (auto [option, field] : {std::pair{"id", &options.id},
                                 {"time", &options.time},
                                 {"value", &options.value},
                                 {"target", &options.target},
                                 {"zone", &options.timezone},
                                 {"unit", &options.time_unit},
                                 {"header", &options.header},
                                 {"format", &options.format},
                                 {"separator", &options.separator}}) {
      if (name == option) *field = value;
    }
  }
  return options;
}

EventTable read(const std::string& path, const std::string& options, ReadReport& report) {
  return read_tables({{path}}, options_of(options), pool(), report);
}

std::string message_of(const std::string& path, const std::string& options = "") {
  ReadReport report;
  return complaint([&] { read(path, options, report); });
}

class BadInput : public ::testing::TestWithParam<Case> {};

TEST_P(BadInput, IsExplainedInOneLine) {
  const OwnFiles files;
  const std::string path = files.write("events", GetParam().content);
  EXPECT_EQ(message_of(path, GetParam().options), path + GetParam().message + GetParam().advice);
}

TEST_P(BadInput, NeverEscapesAsAnythingElseWhenBadRowsAreSkipped) {
  const OwnFiles files;
  const std::string path = files.write("events", GetParam().content);
  const std::string message = message_of(path, std::string(GetParam().options) + " skip");
  for (const char c : message) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) << message;
}

INSTANTIATE_TEST_SUITE_P(Table, BadInput, ::testing::ValuesIn(kCases),
                         [](const auto& given) { return std::string(given.param.name); });

TEST(BadInput, HasManyCases) { EXPECT_GE(kCases.size(), 100U); }

/// Rows of events that fill several pieces.
std::string many_rows(std::size_t bytes) {
  std::string text = "id,time,value,f\n";
  for (int i = 0; text.size() < bytes; ++i) text += "u" + std::to_string(i % 7) + ",1,2,3\n";
  return text;
}

TEST(BadInputFarIntoTheFile, HasTheRightLine) {
  const OwnFiles files;
  const std::string rows = many_rows(5'000'000);
  const auto line = std::to_string(1 + std::ranges::count(rows, '\n'));
  const std::string path = files.write("far", rows + "a,1,abc,1\n");
  EXPECT_EQ(message_of(path), path + ":" + line + ":5: value 'abc' " + kNotANumber);
  const std::string feature = files.write("feature", rows + "a,1,2,red\n");
  EXPECT_EQ(message_of(feature, "features=f"),
            feature + ":" + line +
                ":7: f 'red' is not a number; correct it, leave it empty, or name its column as a category");
  const std::string order = files.write("order", rows + "u1,0.5,2,3\n");
  EXPECT_EQ(message_of(order, "order=strict"), order + ":" + line + ":4: time '0.5' " + kBackwards);
}

TEST(BadInputFarIntoTheFile, CountsLinesOfLoneCarriageReturns) {
  const OwnFiles files;
  std::string rows = many_rows(3'000'000);
  const auto line = std::to_string(1 + std::ranges::count(rows, '\n'));
  std::ranges::replace(rows, '\n', '\r');
  const std::string path = files.write("far", rows + "a,1,abc,1\r");
  EXPECT_EQ(message_of(path), path + ":" + line + ":5: value 'abc' " + kNotANumber);
}

TEST(UnclosedQuote, IsPlacedWhereItOpensHoweverMuchFollows) {
  const OwnFiles files;
  const std::string rows = many_rows(3'000'000);
  const std::string path = files.write("quote", "id,time,value,f\n\"a,1,2,3\n" + rows.substr(16));
  EXPECT_EQ(message_of(path),
            path + ":2:1: a quote is opened here that is never closed ('\"a,1,2,3'); " + kUnclosed);
  ReadReport report;
  const std::string late = files.write("late", rows + "b,\"1,2,3\n" + rows.substr(16));
  EXPECT_EQ(read(late, "skip", report).rows(), std::ranges::count(rows, '\n') - 1);
  EXPECT_EQ(report.skipped, 1);
}

TEST(BadFile, IsNamedWithTheReason) {
  const OwnFiles files;
  const std::string rows = many_rows(100'000);
  const std::string zst = zstd(rows);
  const std::string cut_gz = files.write("cut.gz", gzip(rows).substr(0, 300));
  EXPECT_EQ(message_of(cut_gz),
            cut_gz + ": the gzip data ends early; the file is cut off, fetch or compress it again");
  const std::string cut_zst = files.write("cut.zst", zst.substr(0, zst.size() - 5));
  EXPECT_EQ(message_of(cut_zst),
            cut_zst + ": the zstd data ends early; the file is cut off, fetch or compress it again");
  std::string damaged = gzip(rows);
  damaged[damaged.size() - 6] ^= 1;
  const std::string damaged_gz = files.write("damaged.gz", damaged);
  EXPECT_SAYS(message_of(damaged_gz), damaged_gz + ": the gzip data is damaged");
  EXPECT_EQ(message_of(files.path("")), files.path("") + ": this is a folder; name the files in it");
  EXPECT_EQ(message_of(files.path("none")), files.path("none") + ": cannot open: No such file or directory");
  EXPECT_SAYS(message_of(files.write("x", "id,time\na,1\n"), "zone=Europe/Pariss"),
              "unknown time zone 'Europe/Pariss'; did you mean Europe/Paris");
}

TEST(SeveralFiles, AreRefusedWhereTheyDiffer) {
  const OwnFiles files;
  const std::string one = files.write("one", "id,time,value\na,1,2\n");
  const std::string two = files.write("two", "id,time\na,1\n");
  const std::string bad = files.write("bad", "time,id,value\n1,a,2\n1,b,x\n");
  ReadReport report;
  const auto message = [&](const std::vector<TableSource>& sources) {
    return complaint([&] { read_tables(sources, {}, pool(), report); });
  };
  EXPECT_EQ(message({{one}, {two}}),
            two +
                ": the columns differ from those of the first file: there is no 'value'; "
                "the columns are 'id', 'time'; there: id 'id', time 'time', value "
                "'value'");
  EXPECT_EQ(message({{one}, {bad}}), bad + ":3:5: value 'x' " + kNotANumber);
  EXPECT_EQ(
      message({{one, Part::kTrain}, {one}}),
      one + ": this file has no part, but others have; give all files a part (train, valid, test) or none");
  EXPECT_EQ(message({}), "no file was given; name one, or - for standard input");
}

TEST(SkippedRows, AreCountedByReasonAndLeaveNothingBehind) {
  const OwnFiles files;
  const std::string path = files.write("events",
                                       "id,time,event,value,label,g\n"
                                       "a,1,buy,1,x,\n"
                                       "b,2,only-bad,abc,bad-class,9\n"  // value
                                       "c,soon,only-bad,1,y,\n"          // time
                                       "a,2,sell,2,z,7\n"                // label
                                       "a,0,late,2,,8\n"                 // order
                                       ",3,buy,1,x,\n"                   // id
                                       "d,4\n"                           // fields
                                       "a,3,sell,\xFF,x,\n"              // bytes
                                       "a,4,buy,,x,5\n"
                                       "e\"\xFF,1\n"  // fields; its bad byte is its own
                                       "a,5,sell,4,,\n");
  ReadReport report;
  const EventTable table = read(path, "skip order=strict sequence_features=g", report);
  EXPECT_EQ(table.rows(), 3);
  EXPECT_EQ(names_of(table.ids), (Texts{"a"}));
  EXPECT_EQ(table.ticks, (Ticks{1, 4, 5}));
  EXPECT_EQ(names_of(table.event->names), (Texts{"buy", "sell"}));
  EXPECT_EQ(table.event->codes, (Codes{0, 0, 1}));
  EXPECT_EQ(names_of(table.label->names), (Texts{"x"}));
  EXPECT_EQ(table.sequence_numbers[0].values, (Doubles{5}));
  EXPECT_EQ(report.skipped, 8);
  const std::map<std::string, int64_t> reasons = {
      {"value is not a number", 1},
      {"time is not a number, as the first time is", 1},
      {"label differs from an earlier row of the same sequence", 1},
      {"time runs backwards within its sequence", 1},
      {"id is empty", 1},
      {"the row has too few fields", 2},
      {"a byte is not UTF-8", 1},
  };
  EXPECT_EQ(report.skipped_by_reason, reasons);
}

TEST(SkippedRows, MayBeTheFirstLinesOfJson) {
  const OwnFiles files;
  const std::string path = files.write("events", "{broken\n{\"id\":\"a\",\"time\":1}\n[]\n");
  ReadReport report;
  EXPECT_EQ(read(path, "skip format=jsonl", report).rows(), 1);
  EXPECT_EQ(report.skipped, 2);
}

}  // namespace
}  // namespace t2v::data
