// Lists of JSON objects through the reader: as JSON lines, whatever lines and pieces they are cut into.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/importer_files.h"
#include "data/line_blocks.h"
#include "data/table_reader.h"

namespace t2v::data {
namespace {

struct Read {
  EventTable table;
  ReadReport report;
};

Read read_text(const std::string& text, const TableOptions& options = {}) {
  static ThreadPool threads(2);
  const OwnFiles files;
  Read result;
  result.table = read_tables({{files.write("events", text)}}, options, threads, result.report);
  return result;
}

std::string wrong(const std::string& text) {
  const std::string what = complaint([&] { read_text(text); });
  return what.substr(what.find("events:") + std::string_view("events").size());
}

/// Objects with braces in strings and with nested values under other keys.
std::vector<std::string> objects(int count) {
  std::vector<std::string> all;
  for (int i = 0; i < count; ++i) {
    all.push_back(
        fmt::format(R"({{"user_id": "u{}", "time": {}, "event": "{}", "more": {{"a": [{}, "}}]"]}}}})", i % 7,
                    i, i % 3 == 0 ? "}{" : "b\\\"]", i));
  }
  return all;
}

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

void expect_same(const EventTable& a, const EventTable& b) {
  EXPECT_EQ(a.ticks, b.ticks);
  EXPECT_EQ(a.sequence, b.sequence);
  EXPECT_EQ(names_of(a.ids), names_of(b.ids));
  EXPECT_EQ(a.event->codes, b.event->codes);
  EXPECT_EQ(names_of(a.event->names), names_of(b.event->names));
}

TEST(JsonTable, IsReadFromAListAsFromLines) {
  const auto all = objects(80'000);  // several rounds of pieces, and more than a line may have
  const Read lines = read_text(joined(all, "\n"));
  EXPECT_EQ(lines.table.rows(), 80'000);
  expect_same(read_text("[" + joined(all, ", ") + "]").table, lines.table);
  expect_same(read_text("\xEF\xBB\xBF\r\n[\r\n" + joined(all, "\r\n,\r\n") + "\r\n]\r\n").table, lines.table);
}

TEST(JsonTable, IsReadFromAListOverManyLines) {
  const Read got = read_text("[\n  {\n    \"id\": \"a\",\n    \"t\": 5\n  },\n  {\"id\":\"b\",\n\"t\":6}\n]");
  EXPECT_EQ(got.table.ticks, (Ticks{5, 6}));
  EXPECT_EQ(names_of(got.table.ids), (Texts{"a", "b"}));
}

TEST(JsonTable, SaysWhereInAListSomethingIsWrong) {
  auto all = objects(40'000);
  all[30'000] = R"({"user_id": "u", "time": "soon", "event": "a"})";
  const std::string dense = "[" + joined(all, ",") + "]";
  EXPECT_SAYS(wrong(dense), fmt::format(":1:{}: time 'soon' is not a number", dense.find("soon") + 1));
  EXPECT_SAYS(wrong("[\n" + joined(all, ",\n") + "]"), ":30002:27: time 'soon' is not a number");
  all[30'000] = R"({"user_id": "u", "time": 1 "event": "a"})";
  EXPECT_SAYS(wrong("[" + joined(all, ",") + "]"), ": the object is not valid JSON");
  TableOptions skip;
  skip.skip_bad_rows = true;
  EXPECT_EQ(read_text("[" + joined(all, ",") + "]", skip).report.skipped, 1);
}

TEST(JsonTable, RefusesAListThatIsCutOffAnywhere) {
  const std::string text = "[" + joined(objects(5), ",") + "]";
  for (std::size_t size = 1; size < text.size(); ++size) {
    EXPECT_NE(complaint([&] { read_text(text.substr(0, size)); }), "") << size;
  }
}

TEST(JsonTable, RefusesAnObjectWithoutAnEnd) {
  EXPECT_SAYS(wrong("[{\"a\":\"" + std::string(2 * kMostRowBytes, 'x')),
              fmt::format(": an object has more than {} bytes; is this a table?", kMostRowBytes));
}

}  // namespace
}  // namespace t2v::data
