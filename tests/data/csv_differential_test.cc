// The CSV reader against Python's csv module, on random texts. Where the two are meant to differ, a test says
// so.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "build_paths.h"
#include "data/csv.h"
#include "data/importer_files.h"

namespace t2v::data {
namespace {

constexpr const char* kPython = "/usr/bin/python3";
constexpr int kCases = 12000;

using Rows = std::vector<Texts>;

struct Result {
  Rows rows;
  std::vector<std::string> faults;
};

WantedFields all_fields(std::size_t width) {
  WantedFields wanted;
  for (; wanted.count < width; ++wanted.count) wanted.column.push_back(static_cast<int>(wanted.count));
  return wanted;
}

Result read(std::string_view text, char separator, std::size_t width) {
  CellChunk chunk;
  EXPECT_EQ(read_csv(chunk, text, separator, all_fields(width), true), text.size());
  Result result;
  for (std::size_t row = 0; row < static_cast<std::size_t>(chunk.rows()); ++row) {
    Texts& cells = result.rows.emplace_back();
    for (std::size_t field = 0; field < width; ++field) cells.emplace_back(chunk.cell(field, row));
  }
  for (const Fault& fault : chunk.faults) result.faults.emplace_back(fault.what);
  return result;
}

/// How often the intended differences occur.
struct Differences {
  int blank_lines = 0;  // Python gives a row without fields; here they are no rows
  int ragged = 0;       // Python takes rows of any width; here they are faults
  int goes_on = 0;      // Python stops at an error; here the row is left out and reading goes on
};

/// Python's rows as they are read here, and how many of them are ragged.
Rows expected_rows(const Rows& python, std::size_t width, std::size_t& ragged, Differences& seen) {
  Rows rows;
  for (const Texts& row : python) {
    if (row.empty()) {
      ++seen.blank_lines;
    } else if (row.size() != width) {
      ++seen.ragged;
      ++ragged;
    } else {
      rows.push_back(row);
    }
  }
  return rows;
}

std::string kind_of(const std::string& error) {
  return error == "unexpected end of data" ? "a quote is opened here that is never closed"
                                           : "there is text after a closing quote";
}

void compare(const nlohmann::json& test, Differences& seen) {
  const auto text = test["text"].get<std::string>();
  const char separator = test["separator"].get<std::string>()[0];
  const auto python = test["rows"].get<Rows>();
  const auto first = std::ranges::find_if(python, [](const Texts& row) { return !row.empty(); });
  if (first == python.end()) {
    const std::string what = complaint([&] { read_header(text, separator); });
    EXPECT_SAYS(what, test.contains("error") ? kind_of(test["error"]) : "there is no row");
    return;
  }
  EXPECT_EQ(read_header(text, separator).fields, *first);
  std::size_t ragged = 0;
  const Rows expected = expected_rows(python, first->size(), ragged, seen);
  const Result result = read(text, separator, first->size());
  if (!test.contains("error")) {
    EXPECT_EQ(result.rows, expected);
    EXPECT_EQ(result.faults.size(), ragged);
    for (const std::string& fault : result.faults)
      EXPECT_TRUE(fault.starts_with("the row has too ")) << fault;
    return;
  }
  ASSERT_GT(result.faults.size(), ragged);
  EXPECT_EQ(result.faults[ragged], kind_of(test["error"]));
  ASSERT_GE(result.rows.size(), expected.size());
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), result.rows.begin()));
  if (result.rows.size() > expected.size()) ++seen.goes_on;
}

TEST(CsvDifferential, AgreesWithPythonOnRandomTexts) {
  if (access(kPython, X_OK) != 0) GTEST_SKIP() << "there is no " << kPython;
  const OwnFiles files;
  const std::string path = files.path("cases.jsonl");
  const std::string command = std::string(kPython) + " " + source_path("tests/data/csv_differential.py") +
                              " " + path + " " + std::to_string(kCases);
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream stream(path);
  Differences seen;
  int count = 0;
  for (std::string line; std::getline(stream, line); ++count) {
    compare(nlohmann::json::parse(line), seen);
    ASSERT_FALSE(HasFailure()) << line;
  }
  EXPECT_EQ(count, kCases);
  EXPECT_GT(seen.blank_lines, 100);
  EXPECT_GT(seen.ragged, 100);
  EXPECT_GT(seen.goes_on, 100);
}

// The intended differences, one by one.

TEST(CsvDifference, BlankLinesAreNoRows) {
  EXPECT_EQ(read("\n\na,b\n\r\n\rc,d\n\n", ',', 2).rows, (Rows{{"a", "b"}, {"c", "d"}}));
}

TEST(CsvDifference, RaggedRowsAreFaults) {
  const Result result = read("a,b\nc\nd,e\nf,g,h\n", ',', 2);
  EXPECT_EQ(result.rows, (Rows{{"a", "b"}, {"d", "e"}}));
  EXPECT_EQ(result.faults, (Texts{"the row has too few fields", "the row has too many fields"}));
}

TEST(CsvDifference, ReadingGoesOnAfterARowThatIsNotWellFormed) {
  const Result result = read("a,b\n\"c\"x,d\ne,f\n", ',', 2);
  EXPECT_EQ(result.rows, (Rows{{"a", "b"}, {"e", "f"}}));
  EXPECT_EQ(result.faults, (Texts{"there is text after a closing quote"}));
}

TEST(CsvDifference, ANulByteIsACharacterHereAndIsRefusedLater) {
  using namespace std::string_view_literals;
  EXPECT_EQ(read("a\0,b\n"sv, ',', 2).rows, (Rows{{std::string("a\0", 2), "b"}}));
}

TEST(CsvDifference, LinesEndInEachWayWithinOneText) {
  EXPECT_EQ(read("a\rb\nc\r\nd", ',', 1).rows, (Rows{{"a"}, {"b"}, {"c"}, {"d"}}));
}

}  // namespace
}  // namespace t2v::data
