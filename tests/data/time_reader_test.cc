#include "data/time_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "t2v/error.h"

namespace t2v::data {
namespace {

const TimeReader kDates({true, 9}, std::nullopt, TimeZone::utc());
const TimeReader kPlain({false, 2}, std::nullopt, TimeZone::utc());

std::string message_of(const TimeReader& reader, const char* text) {
  try {
    reader.tick_of(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TimeReader, ReadsDatesAndNumbersOfSeconds) {
  EXPECT_EQ(kDates.tick_of("2024-01-01T00:00:00Z"), 1'704'067'200'000'000'000);
  EXPECT_EQ(kDates.tick_of("2024-01-01"), 1'704'067'200'000'000'000);
  EXPECT_EQ(kDates.tick_of("2024-01-01T02:00:00.000000001+02:00"), 1'704'067'200'000'000'001);
  EXPECT_EQ(kDates.tick_of("1704067200.5"), 1'704'067'200'500'000'000);
  EXPECT_EQ(kDates.tick_of("1704067200500"), 1'704'067'200'500'000'000);
  EXPECT_EQ(kDates.tick_of("1704067200000000007"), 1'704'067'200'000'000'007);
}

TEST(TimeReader, ReadsDatesOfOtherFormsByTheirShape) {
  constexpr int64_t kFebruary = 1'706'745'600'000'000'000;
  EXPECT_EQ(kDates.tick_of("Feb 1 2024"), kFebruary);
  EXPECT_NE(message_of(kDates, "01/02/2024").find("may have the day or the month first; give `day_first`"),
            std::string::npos);
  TimeReader reader = kDates;
  reader.read_as("", "yes", false);
  EXPECT_EQ(reader.tick_of("01/02/2024"), kFebruary);
  EXPECT_NE(message_of(reader, "01/13/2024"), "");
  reader.read_as("", "no", false);
  EXPECT_EQ(reader.tick_of("02/01/2024"), kFebruary);
}

TEST(TimeReader, ReadsDatesOfAFormatThatIsNamed) {
  TimeReader reader = kDates;
  reader.read_as("%d/%m/%Y", "auto", false);
  EXPECT_EQ(reader.tick_of("01/02/2024"), reader.tick_of("2024-02-01"));
  reader.read_as("%d/%m/%Y", "auto", true);
  EXPECT_NE(message_of(reader, "2024-02-01").find("is not a time of the form '%d/%m/%Y'"), std::string::npos);
  TimeReader plain = kPlain;
  EXPECT_THROW(plain.read_as("%d/%m/%Y", "auto", true), Error);
}

TEST(TimeReader, TakesNumbersInTheUnitThatIsNamed) {
  const TimeReader seconds({true, 9}, TimeUnit::kSeconds, TimeZone::utc());
  EXPECT_EQ(seconds.tick_of("12.5"), 12'500'000'000);
  EXPECT_NE(message_of(kDates, "12.5").find("'12.5' is a plain number, but the times"), std::string::npos);
}

TEST(TimeReader, ReadsDatesWithoutAnOffsetInTheZone) {
  const TimeReader paris({true, 9}, std::nullopt, TimeZone::find("Europe/Paris"));
  EXPECT_EQ(paris.tick_of("2024-01-01 01:00"), kDates.tick_of("2024-01-01"));
  EXPECT_EQ(paris.tick_of("2024-01-01T00:00Z"), kDates.tick_of("2024-01-01"));
}

TEST(TimeReader, ReadsPlainNumbersExactly) {
  EXPECT_EQ(kPlain.tick_of("7"), 700);
  EXPECT_EQ(kPlain.tick_of("-7.25"), -725);
  EXPECT_EQ(kPlain.tick_of("7.2500"), 725);
  EXPECT_EQ(kPlain.tick_of("1e3"), 100'000);
  EXPECT_EQ(kPlain.tick_of("0"), 0);
  EXPECT_EQ(kPlain.tick_of("92233720368547758.07"), INT64_MAX);
}

TEST(TimeReader, RefusesWhatDoesNotFit) {
  EXPECT_NE(message_of(kPlain, "7.255").find("'7.255' is finer than"), std::string::npos);
  EXPECT_NE(message_of(kPlain, "92233720368547759").find("out of range"), std::string::npos);
  EXPECT_NE(message_of(kPlain, "1e80").find("'1e80'"), std::string::npos);
  EXPECT_NE(message_of(kPlain, "2024-01-01").find("plain numbers"), std::string::npos);
  EXPECT_NE(message_of(kPlain, "").find("plain numbers"), std::string::npos);
  EXPECT_NE(message_of(kDates, "yesterday").find("'yesterday'"), std::string::npos);
  EXPECT_NE(message_of(kDates, "2024-02-30").find("'2024-02-30'"), std::string::npos);
}

}  // namespace
}  // namespace t2v::data
