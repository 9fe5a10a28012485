#include "data/json_lines.h"

#include <gtest/gtest.h>

#include "data/importer_files.h"

namespace t2v::data {
namespace {

using Rows = std::vector<Texts>;

const Texts kKeys = {"id", "t"};

Rows rows_of(const CellChunk& chunk) {
  Rows rows;
  for (std::size_t row = 0; row < static_cast<std::size_t>(chunk.rows()); ++row) {
    rows.push_back({std::string(chunk.cell(0, row)), std::string(chunk.cell(1, row))});
  }
  return rows;
}

/// What the only fault of a text says, without the advice.
std::string fault_of(std::string_view text) {
  CellChunk chunk;
  read_json_lines(chunk, text, kKeys);
  if (chunk.faults.size() != 1) return std::to_string(chunk.faults.size()) + " faults";
  const std::string what = explain_row(text, chunk.faults[0]);
  return what.substr(0, what.find("; write one object a line"));
}

TEST(JsonLines, KeepValuesAsTheyAreWritten) {
  CellChunk chunk;
  read_json_lines(
      chunk,
      "{\"id\":\"a\\\"\\u00e9\",\"t\":1.50}\n \t\r\n{\"t\":123456789012345678901234567890,\"x\":{}}\r\n"
      "{\"id\":null,\"t\":false}\n{\"id\":-7,\"t\":1e5}",
      kKeys);
  EXPECT_TRUE(chunk.faults.empty());
  EXPECT_EQ(rows_of(chunk),
            (Rows{{"a\"é", "1.50"}, {"", "123456789012345678901234567890"}, {"", "false"}, {"-7", "1e5"}}));
}

TEST(JsonLines, LeaveOutLinesThatAreNoObjectsOfSingleValues) {
  EXPECT_EQ(fault_of("{\"id\":1,}"), "1:9: the line is not valid JSON ('}')");
  EXPECT_EQ(fault_of("\n[]"), "2:1: the line is not a JSON object ('[]')");
  EXPECT_EQ(fault_of("\"x\""), "1:1: the line is not a JSON object ('\"x\"')");
  EXPECT_EQ(fault_of("not json"), "1:1: the line is not valid JSON ('not json')");
  EXPECT_EQ(fault_of("{\"id\":trap}"), "1:7: the line is not valid JSON ('trap}')");
  EXPECT_EQ(fault_of("{\"id\":\"trap\\q\"}"), "1:13: the line is not valid JSON ('q\"}')");
  EXPECT_EQ(fault_of("{\"id\":1}{}"), "1:9: the line is not valid JSON ('{}')");
  EXPECT_EQ(fault_of("{\"t\":[]}"),
            "1:6: the line has a list or an object where a single value is needed ('[]}')");
  EXPECT_EQ(fault_of("{\"t\":1,\"t\":1}"), "1:8: the line has a key twice ('\"t\":1}')");
  EXPECT_EQ(fault_of("{\"x\":-1e999}"), "1:6: the line has a number that is too large ('-1e999}')");
  EXPECT_EQ(fault_of("{\"x\":1,\"x\":{\"t\":[1]}}"), "0 faults");
}

TEST(JsonLines, KeepNothingOfALineThatIsLeftOut) {
  CellChunk chunk;
  read_json_lines(chunk, "{\"id\":\"bad\",\"t\":[]}\n{\"t\":2}\n{\"id\":\"bad\" 1}\n{}\n", kKeys);
  EXPECT_EQ(rows_of(chunk), (Rows{{"", "2"}, {"", ""}}));
  EXPECT_EQ(chunk.faults.size(), 2U);
  EXPECT_EQ(chunk.faults[1].begin, 28U);
}

TEST(JsonLines, KeepThePlacesOfValuesThatStandInTheText) {
  const std::string text =
      "\n{\"t\": 1.50 ,\"id\":\"ab\"}\n{\"id\":null,\"t\":false}\n{\"id\":12,\"t\":\"\"}\n";
  CellChunk chunk;
  read_json_lines(chunk, text, kKeys);
  ASSERT_EQ(chunk.rows(), 3);
  EXPECT_TRUE(chunk.changed.empty());
  const auto begin = [&](std::size_t column, std::size_t row) { return chunk.columns[column][row].begin; };
  EXPECT_EQ(begin(1, 0), text.find("1.50"));
  EXPECT_EQ(begin(0, 0), text.find("ab"));
  EXPECT_EQ(begin(0, 1), text.find("null"));
  EXPECT_EQ(begin(1, 1), text.find("false"));
  EXPECT_EQ(begin(0, 2), text.find("12"));
  EXPECT_EQ(begin(1, 2), text.rfind("\"}"));
  EXPECT_EQ(rows_of(chunk), (Rows{{"ab", "1.50"}, {"", "false"}, {"12", ""}}));
}

TEST(JsonLines, KeepValuesThatAreWrittenInAnotherWay) {
  CellChunk chunk;
  read_json_lines(chunk, "{\"id\":\"\\\\\\\\\",\"t\":-0}\n{\"id\":\"a\\/b\",\"t\":1}\n{\"t\":2}\n", kKeys);
  EXPECT_EQ(rows_of(chunk), (Rows{{"\\\\", "0"}, {"a/b", "1"}, {"", "2"}}));
}

TEST(JsonLines, StandDeepNesting) {
  const std::string deep = "{\"x\":" + std::string(100000, '[');
  EXPECT_SAYS(fault_of(deep), "the line is nested too deeply");
}

TEST(JsonKeys, ComeInTheirOrder) {
  EXPECT_EQ(read_json_keys("{\"b\":1,\"a\":{\"c\":2},\"b\":3}"), (Texts{"b", "a", "b"}));
  EXPECT_EQ(complaint([] { read_json_keys("[1]"); }), "the line is not a JSON object");
  EXPECT_EQ(complaint([] { read_json_keys("{"); }), "the line is not valid JSON");
}

}  // namespace
}  // namespace t2v::data
