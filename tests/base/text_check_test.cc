#include "base/text_check.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace t2v {
namespace {

using namespace std::string_literals;

TEST(FirstBadByte, IsTheSizeOfValidText) {
  for (const std::string& text :
       {""s, "a"s, "plain ascii text that is longer than a word"s, "Zürich"s, "日本語 and more"s, "😀"s,
        "a\xF4\x8F\xBF\xBF"s, "\xEE\x80\x80"s, "\x7F\t\r\n"s}) {
    EXPECT_EQ(first_bad_byte(text), text.size()) << text;
  }
}

TEST(FirstBadByte, FindsWhatIsNotUtf8WhereverItStands) {
  const std::vector<std::string> bad = {"\x80",
                                        "\xC0\x80",
                                        "\xC1\xBF",
                                        "\xC3",
                                        "\xC3(",
                                        "\xE0\x9F\xBF",
                                        "\xED\xA0\x80",
                                        "\xE2\x82",
                                        "\xF0\x8F\xBF\xBF",
                                        "\xF4\x90\x80\x80",
                                        "\xF5\x80\x80\x80",
                                        "\xFF",
                                        "\0"s};
  for (const std::string& bytes : bad) {
    for (std::size_t before = 0; before < 20; ++before) {
      EXPECT_EQ(first_bad_byte(std::string(before, 'x') + bytes + "and more text"), before);
      EXPECT_EQ(first_bad_byte(std::string(before, 'x') + bytes), before);
    }
  }
}

TEST(Shown, KeepsAtMostFortyBytesAndWholeCharacters) {
  EXPECT_EQ(shown("abc"), "abc");
  EXPECT_EQ(shown(std::string(40, 'x')), std::string(40, 'x'));
  EXPECT_EQ(shown(std::string(41, 'x')), std::string(40, 'x') + "...");
  EXPECT_EQ(shown(std::string(39, 'x') + "ü" + "y"), std::string(39, 'x') + "...");
  EXPECT_EQ(shown(std::string(38, 'x') + "ü" + "y"), std::string(38, 'x') + "ü...");
}

TEST(InQuotes, IsWhatIsShownBetweenQuotes) {
  EXPECT_EQ(in_quotes("a\tb"), "'a\\x09b'");
  EXPECT_EQ(in_quotes(std::string(41, 'x')), "'" + std::string(40, 'x') + "...'");
}

TEST(Shown, EscapesWhatCannotBePrinted) {
  EXPECT_EQ(shown("a\0b\n\xFF"s), "a\\x00b\\x0a\\xff");
  EXPECT_EQ(shown("ü\x80"), "ü\\x80");
}

TEST(Escaped, HasNothingThatATerminalObeys) {
  EXPECT_EQ(escaped("a\x1b[2Jb\x7f\n"), "a\\x1b[2Jb\\x7f\\x0a");
  EXPECT_EQ(escaped("\xc2\x9b\xc2\x80 \xc2\xa0\xc3\xa9"), "\\xc2\\x9b\\xc2\\x80 \xc2\xa0\xc3\xa9");
  EXPECT_EQ(escaped("\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8f\xe2\x82\xac"),
            "\\xe2\\x80\\xae\\xe2\\x81\\xa6\\xe2\\x80\\x8f\xe2\x82\xac");
  EXPECT_EQ(escaped("a\xff\xc3"), "a\\xff\\xc3");
}

TEST(Escaped, KeepsWhatIsToBeKept) { EXPECT_EQ(escaped("a\n\t\x1b", "\n\t"), "a\n\t\\x1b"); }

}  // namespace
}  // namespace t2v
