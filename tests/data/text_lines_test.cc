#include "data/text_lines.h"

#include "importer_files.h"

namespace t2v::data {
namespace {

Texts lines_of(const std::string& path) {
  TextLines lines(path);
  Texts all;
  for (std::string_view line; lines.next(line);) all.emplace_back(line);
  EXPECT_EQ(lines.number(), static_cast<int64_t>(all.size()));
  return all;
}

TEST(TextLines, GiveEachLineWithoutItsEnd) {
  const OwnFiles files;
  EXPECT_EQ(lines_of(files.write("a", "x y\r\n\n\tz\n")), (Texts{"x y", "", "\tz"}));
  EXPECT_EQ(lines_of(files.write("b", "one\ntwo")), (Texts{"one", "two"}));
  EXPECT_EQ(lines_of(files.write("c", "")), Texts{});
  EXPECT_EQ(lines_of(files.write("d", "\n")), Texts{""});
}

TEST(TextLines, LeaveOutAByteOrderMarkAtTheStartAlone) {
  const OwnFiles files;
  EXPECT_EQ(lines_of(files.write("a", "\xEF\xBB\xBFx\n\xEF\xBB\xBFy\n")), (Texts{"x", "\xEF\xBB\xBFy"}));
}

TEST(TextLines, MayBeLongerThanTheBufferAndCrossItsEnd) {
  const OwnFiles files;
  Texts expected;
  std::string text;
  for (const std::size_t size : {100'000U, 300'000U, 5U, 262'144U, 262'143U, 1'000'000U, 0U, 77U}) {
    expected.emplace_back(size, static_cast<char>('a' + expected.size()));
    text += expected.back() + "\n";
  }
  EXPECT_EQ(lines_of(files.write("a", text)), expected);
}

TEST(TextLines, SayThatAFileIsMissing) {
  const OwnFiles files;
  const std::string what = complaint([&] { const TextLines lines(files.path("none")); });
  EXPECT_SAYS(what, files.path("none") + ": cannot open: No such file");
}

TEST(TextLines, NameTheColumnOfAPart) {
  const OwnFiles files;
  TextLines lines(files.write("a", "\n12 3x\n"));
  std::string_view line;
  lines.next(line);
  lines.next(line);
  EXPECT_EQ(integer_of(lines, line, line.substr(0, 2)), 12);
  EXPECT_SAYS(complaint([&] { integer_of(lines, line, line.substr(3)); }),
              files.path("a") + ":2:4: '3x' is not a whole number of 64 bits; write it as 12");
  EXPECT_SAYS(complaint([&] { decimal_of(lines, line, line.substr(3)); }),
              ":2:4: '3x' is not a number; write it as 12 or 12.5");
  EXPECT_SAYS(complaint([&] { instant_of(lines, line, line.substr(3)); }), ":2:4: '3x' ");
}

TEST(TextLines, NameThePlaceOfANumberThatIsTooLarge) {
  const OwnFiles files;
  TextLines lines(files.write("a", "1e18 1e19\n"));
  std::string_view line;
  lines.next(line);
  EXPECT_EQ(decimal_of(lines, line, line.substr(0, 4)), (Decimal{1'000'000'000'000'000'000, 0}));
  EXPECT_SAYS(complaint([&] { decimal_of(lines, line, line.substr(5)); }), ":1:6: '1e19' is too large");
}

TEST(SplitFields, KeepsEmptyOnesAndSplitWordsDoesNot) {
  std::vector<std::string_view> parts;
  split_fields("a||b|", '|', parts);
  EXPECT_EQ(parts, (std::vector<std::string_view>{"a", "", "b", ""}));
  split_words("  a \tbc  d ", parts);
  EXPECT_EQ(parts, (std::vector<std::string_view>{"a", "bc", "d"}));
  split_words("  ", parts);
  EXPECT_TRUE(parts.empty());
}

}  // namespace
}  // namespace t2v::data
