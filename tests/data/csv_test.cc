#include "data/csv.h"

#include <gtest/gtest.h>

#include "data/importer_files.h"

namespace t2v::data {
namespace {

using Rows = std::vector<Texts>;

WantedFields all_fields(std::size_t width) {
  WantedFields wanted;
  for (; wanted.count < width; ++wanted.count) wanted.column.push_back(static_cast<int>(wanted.count));
  return wanted;
}

Rows rows_of(const CellChunk& chunk) {
  Rows rows;
  for (std::size_t row = 0; row < static_cast<std::size_t>(chunk.rows()); ++row) {
    Texts& cells = rows.emplace_back();
    for (std::size_t column = 0; column < chunk.columns.size(); ++column) {
      cells.emplace_back(chunk.cell(column, row));
    }
  }
  return rows;
}

Rows read(std::string_view text, std::size_t width, char separator = ',') {
  CellChunk chunk;
  EXPECT_EQ(read_csv(chunk, text, separator, all_fields(width), true), text.size());
  EXPECT_TRUE(chunk.faults.empty()) << text;
  return rows_of(chunk);
}

TEST(Csv, EndsRowsAtEachKindOfLineEnd) {
  EXPECT_EQ(read("a,b\nc,d\r\ne,f\rg,h", 2), (Rows{{"a", "b"}, {"c", "d"}, {"e", "f"}, {"g", "h"}}));
}

TEST(Csv, KeepsEmptyFieldsAlsoAtTheVeryEnd) {
  EXPECT_EQ(read(",\n,x\ny,", 2), (Rows{{"", ""}, {"", "x"}, {"y", ""}}));
}

TEST(Csv, UnquotesFieldsAndDoubledQuotes) {
  EXPECT_EQ(read("\"a,b\",\"c\nd\"\n\"\"\"\",\"x\"\"y\"\"\"\n\"\",e\n", 2),
            (Rows{{"a,b", "c\nd"}, {"\"", "x\"y\""}, {"", "e"}}));
}

TEST(Csv, TakesAQuoteWithinAFieldAsACharacter) {
  EXPECT_EQ(read("a\"b\",5\"\n", 2), (Rows{{"a\"b\"", "5\""}}));
}

TEST(Csv, FindsSeparatorsWhereverTheyFallInABlock) {
  for (std::size_t length = 0; length < 200; ++length) {
    const std::string field(length, 'x');
    EXPECT_EQ(read(field + "|" + field + "\n" + field + "|", 2, '|'), (Rows{{field, field}, {field, ""}}));
  }
}

TEST(Csv, GivesTheWantedFieldsAlone) {
  CellChunk chunk;
  const WantedFields wanted{{1, -1, 0}, 2};
  read_csv(chunk, "a,b,c\n\"x\"\"\",\"y\"\"\",z\n", ',', wanted, true);
  EXPECT_EQ(rows_of(chunk), (Rows{{"c", "a"}, {"z", "x\""}}));
}

TEST(Csv, LeavesARowThatEndsWithinQuotesForTheNextPiece) {
  const std::string text = "a,b\nc,\"d\ne,f\n";
  CellChunk chunk;
  EXPECT_EQ(read_csv(chunk, text, ',', all_fields(2), false), 4U);
  EXPECT_EQ(rows_of(chunk), (Rows{{"a", "b"}}));
  EXPECT_TRUE(chunk.faults.empty());
  EXPECT_EQ(read_csv(chunk, text, ',', all_fields(2), true), text.size());
  ASSERT_EQ(chunk.faults.size(), 1U);
  EXPECT_EQ(chunk.faults[0].at, 6U);
  EXPECT_EQ(chunk.faults[0].begin, 4U);
}

TEST(Csv, SaysTheFirstThingThatIsWrongWithARow) {
  CellChunk chunk;
  read_csv(chunk, R"("a"b,"c)", ',', all_fields(2), true);
  ASSERT_EQ(chunk.faults.size(), 1U);
  EXPECT_EQ(
      explain_row(chunk.text, chunk.faults[0]),
      "1:4: there is text after a closing quote ('b,\"c'); double a quote that is meant as a character");
}

TEST(Csv, CanBeReadAgainIntoTheSameChunk) {
  CellChunk chunk;
  read_csv(chunk, "\"a\"\"\",b,c\nx\n", ',', all_fields(3), true);
  read_csv(chunk, "d\n", ',', all_fields(1), true);
  EXPECT_EQ(rows_of(chunk), (Rows{{"d"}}));
  EXPECT_TRUE(chunk.faults.empty());
}

TEST(CsvHeader, GivesTheFieldsAndWhereTheyEnd) {
  const HeaderRow header = read_header("\n\r\n\"a\"\"\n\",b,\r\nc\n", ',');
  EXPECT_EQ(header.fields, (Texts{"a\"\n", "b", ""}));
  EXPECT_EQ(header.next, 12U);
}

TEST(CsvHeader, HasAsManyFieldsAsATableMayHave) {
  EXPECT_EQ(read_header(std::string(kMostColumns - 1, ','), ',').fields.size(), kMostColumns);
  EXPECT_SAYS(complaint([] { read_header(std::string(400'000, ','), ','); }),
              "the first row has 400001 fields, and a table at most 16384; is this a table?");
}

TEST(CsvHeader, SaysWhatIsWrong) {
  EXPECT_SAYS(complaint([] { read_header("\r\n", ','); }), "there is no row");
  EXPECT_SAYS(complaint([] { read_header("\na,\"b\n", ','); }), "2:3: a quote is opened here");
  EXPECT_SAYS(complaint([] { read_header("\"a\" ,b\n", ','); }), "1:4: there is text after a closing quote");
}

TEST(CsvSeparator, IsTheOneThatOccursMostOutsideOfQuotes) {
  EXPECT_EQ(guess_separator("a,b;c;d\n,,,,,,"), ';');
  EXPECT_EQ(guess_separator("\r\n\n\"a,b,c,d\"\tx\n"), '\t');
  EXPECT_EQ(guess_separator("a|b"), '|');
  EXPECT_EQ(guess_separator("alone\na;b"), ',');
  EXPECT_EQ(guess_separator(""), ',');
}

TEST(CountLines, CountsAsAnEditorDoes) {
  EXPECT_EQ(count_lines("a\nb\r\nc\rd"), 3);
  EXPECT_EQ(count_lines("\r\r\n\n\r"), 4);
  EXPECT_EQ(count_lines(std::string(1000, '\n')), 1000);
  EXPECT_EQ(count_lines(""), 0);
}

TEST(PlaceInText, CountsLinesFromZeroAndBytesFromOne) {
  const TextPlace place = place_in("ab\r\ncd\re\n", 6);
  EXPECT_EQ(place.line, 1);
  EXPECT_EQ(place.column, 3);
  EXPECT_EQ(place_in("ab", 2).column, 3);
}

}  // namespace
}  // namespace t2v::data
