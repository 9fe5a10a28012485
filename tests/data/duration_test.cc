#include "data/duration.h"

#include <gtest/gtest.h>

#include <string>

#include "t2v/error.h"

namespace t2v::data {
namespace {

constexpr int64_t kSecond = kNanosecondsPerSecond;

std::string refusal_of(const char* text) {
  try {
    parse_duration(text, "`at`");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Duration, IsReadExactlyInEveryUnit) {
  EXPECT_EQ(parse_duration("7 ns", "it"), 7);
  EXPECT_EQ(parse_duration("2us", "it"), 2'000);
  EXPECT_EQ(parse_duration("0.5 ms", "it"), 500'000);
  EXPECT_EQ(parse_duration("1.000000001 s", "it"), kSecond + 1);
  EXPECT_EQ(parse_duration("36h", "it"), 129'600 * kSecond);
  EXPECT_EQ(parse_duration("2.5 min", "it"), 150 * kSecond);
  EXPECT_EQ(parse_duration("1 d", "it"), 86'400 * kSecond);
  EXPECT_EQ(parse_duration("2 w", "it"), 1'209'600 * kSecond);
  EXPECT_EQ(parse_duration("1 y", "it"), 31'557'600 * kSecond);
}

TEST(Duration, HasSeveralTermsAndASign) {
  EXPECT_EQ(parse_duration("1 h 30 min", "it"), 5'400 * kSecond);
  EXPECT_EQ(parse_duration("1h30min", "it"), 5'400 * kSecond);
  EXPECT_EQ(parse_duration("-1 h 30 min", "it"), -5'400 * kSecond);
  EXPECT_EQ(parse_duration(" 3 d", "it"), 259'200 * kSecond);
}

TEST(Duration, SaysWhatIsNone) {
  for (const char* wrong : {"", "d", "1", "1 x", "1 d 2", "1,5 h", "--1 d", "one day", "1 D"}) {
    EXPECT_NE(refusal_of(wrong).find("is not a duration; write numbers with ns"), std::string::npos) << wrong;
  }
  EXPECT_EQ(refusal_of("0.5 ns"), "`at` '0.5 ns' is finer than a nanosecond");
  EXPECT_EQ(refusal_of("300 y"), "`at` '300 y' exceeds the limit of 292 years");
  EXPECT_EQ(refusal_of("9223372037 s"), "`at` '9223372037 s' exceeds the limit of 292 years");
}

TEST(Duration, IsToldFromNumbersAndDates) {
  EXPECT_TRUE(looks_like_duration("3 d"));
  EXPECT_TRUE(looks_like_duration("-12h"));
  EXPECT_FALSE(looks_like_duration("12"));
  EXPECT_FALSE(looks_like_duration("2024-01-01"));
  EXPECT_FALSE(looks_like_duration(""));
}

}  // namespace
}  // namespace t2v::data
