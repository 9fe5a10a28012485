#include "data/table_reader.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "base/random.h"
#include "data/compressed.h"
#include "data/importer_files.h"
#include "data/iso_time.h"

namespace t2v::data {
namespace {

ThreadPool& pool() {
  static ThreadPool threads(2);
  return threads;
}

struct Read {
  EventTable table;
  ReadReport report;
};

Read read(const std::vector<TableSource>& sources, const TableOptions& options = {},
          ThreadPool& threads = pool()) {
  Read result;
  result.table = read_tables(sources, options, threads, result.report);
  return result;
}

Read read_text(const std::string& text, const TableOptions& options = {}) {
  const OwnFiles files;
  return read({{files.write("events", text)}}, options);
}

Texts cells_of(const Categories& column) {
  Texts cells;
  for (const int32_t code : column.codes) cells.emplace_back(column.names[code]);
  return cells;
}

Texts ids_of(const EventTable& table) {
  Texts cells;
  for (const int32_t sequence : table.sequence) cells.emplace_back(table.ids[sequence]);
  return cells;
}

/// NaN becomes -1, to be compared.
Doubles filled(Doubles values) {
  for (double& x : values) x = std::isnan(x) ? -1 : x;
  return values;
}

/// One character after another; good for well-formed text alone.
std::vector<Texts> parse_slowly(const std::string& text) {
  std::vector<Texts> rows(1, Texts(1));
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      rows.back().emplace_back();
    } else if (c == '\n' && !quoted) {
      rows.emplace_back(1);
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

/// Rows whose notes are quoted and hold line ends, separators and quotes, so that any cut is within one.
std::string quoted_rows(std::size_t bytes) {
  constexpr std::array<std::string_view, 6> kPieces = {"\n", ",", "\"\"", "note", "\n\n", "a,1,2\n"};
  Random random(7);
  std::string text = "id,time,event,note\n";
  while (text.size() < bytes) {
    text += "user" + std::to_string(random.below(500)) + "," + std::to_string(random.below(100000)) + ",\"e" +
            std::to_string(random.below(30)) + "\",\"";
    const auto pieces = random.below(random.below(50) == 0 ? 2000 : 12);
    for (uint64_t i = 0; i < static_cast<uint64_t>(pieces); ++i)
      text += kPieces[random.below(kPieces.size())];
    text += "\"\n";
  }
  return text;
}

TEST(TableReader, GivesTheSameForAnyNumberOfThreadsAsASlowParser) {
  const std::string text = quoted_rows(6'000'000);
  const std::vector<Texts> rows = parse_slowly(text);
  const OwnFiles files;
  const std::string path = files.write("events.csv", text);
  TableOptions options;
  options.features = {"note"};
  for (const int threads : {1, 2, 3}) {
    ThreadPool own(threads);
    const EventTable table = read({{path}}, options, own).table;
    ASSERT_EQ(table.rows() + 1, static_cast<int64_t>(rows.size())) << threads;
    Names ids;
    Names notes;
    for (std::size_t i = 0; i < table.ticks.size(); ++i) {
      const Texts& row = rows[i + 1];
      ASSERT_EQ(table.sequence[i], ids.add(row[0])) << i;
      ASSERT_EQ(std::to_string(table.ticks[i]), row[1]) << i;
      ASSERT_EQ(table.event->names[table.event->codes[i]], row[2]) << i;
      ASSERT_EQ(table.categories[0].codes[i], notes.add(row[3])) << i;
    }
    EXPECT_EQ(names_of(table.ids), names_of(ids));
    EXPECT_EQ(names_of(table.categories[0].names), names_of(notes));
  }
}

TEST(TableReader, ReadsEveryKindOfColumn) {
  TableOptions options;
  options.target = "y2";
  options.features = {"price", "colour", "code2"};
  options.sequence_features = {"age", "town"};
  options.categories = {"code2"};
  const Read got = read_text(
      "id,time,event,value,label,y2,price,colour,code2,age,town\n"
      "a,1,buy,1.5,x,,0.1,red,7,,Rome\n"
      "b,2,sell,,,3,,,8,41,\n"
      "a,3,,-2e3,x,9, 5 ,red,,30,Rome\n",
      options);
  const EventTable& table = got.table;
  EXPECT_EQ(ids_of(table), (Texts{"a", "b", "a"}));
  EXPECT_EQ(table.ticks, (Ticks{1, 2, 3}));
  EXPECT_EQ(table.scale, (TickScale{false, 0}));
  EXPECT_EQ(cells_of(*table.event), (Texts{"buy", "sell", ""}));
  EXPECT_EQ(filled(table.value->values), (Doubles{1.5, -1, -2000}));
  EXPECT_EQ(cells_of(*table.label), (Texts{"x", ""}));
  EXPECT_EQ(table.target->values, (Doubles{9, 3}));
  ASSERT_EQ(table.numbers.size(), 1U);
  EXPECT_EQ(filled(table.numbers[0].values), (Doubles{0.1, -1, 5}));
  ASSERT_EQ(table.categories.size(), 2U);
  EXPECT_EQ(table.categories[0].name, "colour");
  EXPECT_EQ(cells_of(table.categories[0]), (Texts{"red", "", "red"}));
  EXPECT_EQ(cells_of(table.categories[1]), (Texts{"7", "8", ""}));
  EXPECT_EQ(filled(table.sequence_numbers[0].values), (Doubles{30, 41}));
  EXPECT_EQ(cells_of(table.sequence_categories[0]), (Texts{"Rome", ""}));
  const std::string columns =
      "columns: id 'id', time 'time', event 'event', value 'value', label 'label', target 'y2', "
      "feature 'price', feature 'colour', feature 'code2', feature of the sequence 'age', feature "
      "of the sequence 'town'";
  EXPECT_EQ(got.report.choices,
            (Texts{columns, "time 'time': plain numbers, by the size of the numbers (`time_unit` changes it)",
                   "feature 'price': numbers", "feature 'colour': categories", "feature 'code2': categories",
                   "feature 'age': numbers", "feature 'town': categories"}));
}

TEST(TableReader, FindsColumnsByTypedNamesInAnyCaseAndByNumber) {
  const Read typed = read_text("user_id:token,item_id:token,timestamp:float\nu,i,5\n");
  EXPECT_EQ(typed.table.event->name, "item_id");
  EXPECT_EQ(read_text("User_ID,TIME,Colour\na,1,red\n").table.ids[0], "a");
  TableOptions by_case;
  by_case.features = {"COLOUR"};
  EXPECT_EQ(read_text("id,time,Colour\na,1,red\n", by_case).table.categories[0].name, "Colour");
  TableOptions by_number;
  by_number.id = "2";
  by_number.time = "1";
  by_number.features = {"3"};
  EXPECT_EQ(read_text("when,who,what\n5,a,x\n", by_number).table.categories[0].name, "what");
  const EventTable bare = read_text("5,a,x\n6,b,y\n", by_number).table;
  EXPECT_EQ(bare.ticks, (Ticks{5, 6}));
  EXPECT_EQ(bare.categories[0].name, "column 3");
  by_number.header = "yes";
  EXPECT_EQ(read_text("5,a,x\n6,b,y\n", by_number).table.ticks, (Ticks{6}));
}

TEST(TableReader, ReadsAllRowsAsOneSequenceIfAsked) {
  TableOptions options;
  options.id = "-";
  options.event = "-";
  const EventTable table = read_text("id,time,event\na,1,x\nb,2,y\n", options).table;
  EXPECT_EQ(ids_of(table), (Texts{"all", "all"}));
  EXPECT_FALSE(table.event.has_value());
}

TEST(TableReader, GuessesTheSeparatorOrTakesTheOneGiven) {
  for (const std::string separator : {",", ";", "|", "\t"}) {
    const std::string text = "id" + separator + "time\na" + separator + "1\n";
    EXPECT_EQ(read_text(text).table.ticks, (Ticks{1})) << separator;
  }
  TableOptions options;
  options.separator = "~";
  EXPECT_EQ(read_text("id~time~a,b;c|d\nx~1~,,,\n", options).table.ticks, (Ticks{1}));
  options.separator = "tab";
  EXPECT_EQ(read_text("id\ttime\tx,,,,\na\t1\t,\n", options).table.ticks, (Ticks{1}));
}

TEST(TableReader, TellsUnitsOfTimeByTheSizeOfNumbers) {
  const std::string why = ", by the size of the numbers (`time_unit` changes it)";
  const std::vector<std::pair<std::string, std::string>> cases = {{"1600000000", "s"},
                                                                  {"1600000000000", "ms"},
                                                                  {"1600000000000000", "us"},
                                                                  {"1600000000000000000", "ns"}};
  for (const auto& [number, unit] : cases) {
    const Read got = read_text("id,time\na," + number + "\n");
    EXPECT_EQ(got.table.ticks, (Ticks{1'600'000'000'000'000'000})) << unit;
    EXPECT_TRUE(got.table.scale.instants);
    EXPECT_EQ(got.report.choices[1], "time 'time': " + unit + " since 1970" + why);
  }
  const Read plain = read_text("id,time\na,1.25\nb,3\n");
  EXPECT_EQ(plain.table.ticks, (Ticks{125, 300}));
  EXPECT_EQ(plain.table.scale, (TickScale{false, 2}));
  TableOptions options;
  options.time_unit = "ms";
  const Read given = read_text("id,time\na,1.5\n", options);
  EXPECT_EQ(given.table.ticks, (Ticks{1'500'000}));
  EXPECT_EQ(given.report.choices[1], "time 'time': ms since 1970");
  options.time_unit = "number";
  EXPECT_EQ(read_text("id,time\na,1600000000\n", options).table.ticks, (Ticks{1'600'000'000}));
}

TEST(TableReader, ReadsDatesOfAZoneInAGapAndAFold) {
  TableOptions options;
  options.timezone = "Europe/Paris";
  const Read got = read_text(
      "id,time\na,2021-03-28 02:30:00\na,2021-10-31 02:30:00\na,2021-07-01 12:00\na,2021-07-01T12:00:00Z\n",
      options);
  Texts times;
  for (const int64_t tick : got.table.ticks) times.push_back(format_iso(tick));
  EXPECT_EQ(times, (Texts{"2021-03-28T01:30:00Z", "2021-10-31T00:30:00Z", "2021-07-01T10:00:00Z",
                          "2021-07-01T12:00:00Z"}));
  EXPECT_EQ(got.report.choices[1], "time 'time': dates; those without an offset are Europe/Paris");
}

TEST(TableReader, ReadsSeveralFilesWhoseColumnsStandInAnyOrder) {
  const OwnFiles files;
  const std::string one = files.write("one", "id,time,event\na,1,x\nb,2,y\n");
  const std::string two = files.write("two",
                                      "\xEF\xBB\xBF"
                                      "event;id;time;more\nz;b;3;0\nx;c;4;0\n");
  const EventTable table = read({{one}, {two}}).table;
  EXPECT_EQ(ids_of(table), (Texts{"a", "b", "b", "c"}));
  EXPECT_EQ(cells_of(*table.event), (Texts{"x", "y", "z", "x"}));
  EXPECT_EQ(table.source, one + ", " + two);
  EXPECT_TRUE(table.part.empty());
}

TEST(TableReader, KeepsTheSequencesOfPartsApart) {
  const OwnFiles files;
  const std::string train = files.write("train", "id,time\na,1\na (valid),2\n");
  const std::string valid = files.write("valid", "id,time\na,3\na (valid),4\na,5\n");
  const EventTable table = read({{train, Part::kTrain}, {valid, Part::kValid}}).table;
  EXPECT_EQ(ids_of(table),
            (Texts{"a", "a (valid)", "a (valid) (valid)", "a (valid) (valid) (valid)", "a (valid) (valid)"}));
  EXPECT_EQ(table.part, (std::vector<Part>{Part::kTrain, Part::kTrain, Part::kValid, Part::kValid}));
}

TEST(TableReader, ReadsCompressedFilesAndStandardInput) {
  const OwnFiles files;
  const std::string text = quoted_rows(2'500'000);
  const std::string plain = files.write("plain", text);
  const EventTable expected = read({{plain}}).table;
  for (const std::string& path : {files.write("gz", gzip(text)), files.write("zst", zstd(text))}) {
    EXPECT_EQ(read({{path}}).table.ticks, expected.ticks);
  }
  const int saved = dup(STDIN_FILENO);
  const int file = open(plain.c_str(), O_RDONLY);
  ASSERT_EQ(dup2(file, STDIN_FILENO), STDIN_FILENO);
  const EventTable piped = read({{"-"}}).table;
  dup2(saved, STDIN_FILENO);
  close(saved);
  close(file);
  EXPECT_EQ(piped.ticks, expected.ticks);
  EXPECT_EQ(piped.source, "standard input");
}

TEST(TableReader, ReadsJsonLinesWithEscapesAndMissingKeys) {
  const EventTable table = read_text(
                               "{\"id\":\"a\\n\\u00e9\",\"time\":1.50,\"event\":\"x\",\"value\":2}\n\n"
                               "{\"time\":12345678901234567890e-3,\"id\":7,\"other\":[{}],\"event\":true}\r\n"
                               "{\"id\":\"a\\n\\u00e9\",\"time\":2,\"value\":null}")
                               .table;
  EXPECT_EQ(ids_of(table), (Texts{"a\né", "7", "a\né"}));
  EXPECT_EQ(cells_of(*table.event), (Texts{"x", "true", ""}));
  EXPECT_EQ(filled(table.value->values), (Doubles{2, -1, -1}));
}

TEST(TableReader, LooksAsFarAsTheFirstRowOfDataReaches) {
  const std::string name(600000, 'x');
  const EventTable table = read_text("id,time,event\na,1," + name + "\na,2,y\n").table;
  EXPECT_EQ(table.ticks, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(read_text("id,time\n" + std::string(700000, '\n') + "a,5\n").table.ticks,
            (std::vector<int64_t>{5}));
}

TEST(TableReader, ReadsAJsonFileOfManyPieces) {
  std::string text;
  for (int i = 0; i < 60000; ++i) {
    text += R"({"id":"u)" + std::to_string(i % 97) + R"(","time":)" + std::to_string(i) + R"(,"event":"e)" +
            std::to_string(i % 5) + "\"}\n";
  }
  const EventTable table = read_text(text).table;
  ASSERT_EQ(table.rows(), 60000);
  for (int32_t i = 0; i < 60000; ++i) {
    const auto at = static_cast<std::size_t>(i);
    ASSERT_EQ(table.sequence[at], i % 97);
    ASSERT_EQ(table.ticks[at], i);
    ASSERT_EQ(table.event->codes[at], i % 5);
  }
}

TEST(TableReader, ReportsProgressAndBytes) {
  const OwnFiles files;
  const std::string text = quoted_rows(3'000'000);
  const std::string path = files.write("events", text);
  std::vector<ReadProgress> steps;
  ReadReport report;
  const EventTable table =
      read_tables({{path}}, {}, pool(), report, [&](const ReadProgress& now) { steps.push_back(now); });
  ASSERT_FALSE(steps.empty());
  EXPECT_EQ(steps.back().taken, static_cast<int64_t>(text.size()));
  EXPECT_EQ(steps.back().total, static_cast<int64_t>(text.size()));
  EXPECT_EQ(steps.back().rows, table.rows());
  EXPECT_EQ(report.bytes, static_cast<int64_t>(text.size() - std::string("id,time,event,note").size()));
}

}  // namespace
}  // namespace t2v::data
