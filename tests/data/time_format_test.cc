#include "data/time_format.h"

#include <gtest/gtest.h>

#include "data/importer_files.h"

namespace t2v::data {
namespace {

/// A time as ISO, with "(local)" if it has no offset, or what is wrong with it.
std::string read(const std::string& pattern, std::string_view text) {
  const TimeFormat format(pattern);
  IsoTime time;
  const TimeFault fault = format.parse(text, time);
  if (fault != TimeFault::kNone) return std::string(format.explain(fault));
  return format_iso(time.nanoseconds) + (time.has_offset ? "" : " (local)");
}

TEST(TimeFormat, ReadsDatesAndTimesOfDay) {
  EXPECT_EQ(read("%d/%m/%Y %H:%M:%S", "01/02/2024 14:05:09"), "2024-02-01T14:05:09Z (local)");
  EXPECT_EQ(read("%m/%d/%y", "1/2/69"), "1969-01-02T00:00:00Z (local)");
  EXPECT_EQ(read("%m/%d/%y", "1/2/68"), "2068-01-02T00:00:00Z (local)");
  EXPECT_EQ(read("%D %T", "12/31/99 23:59:59"), "1999-12-31T23:59:59Z (local)");
  EXPECT_EQ(read("%F %R", "2024-2-3 4:05"), "2024-02-03T04:05:00Z (local)");
  EXPECT_EQ(read("%Y%m%d%H%M%S", "20240229123456"), "2024-02-29T12:34:56Z (local)");
  EXPECT_EQ(read("%Y-%j", "2024-366"), "2024-12-31T00:00:00Z (local)");
  EXPECT_EQ(read("%Y-%m", "1949-03"), "1949-03-01T00:00:00Z (local)");
  EXPECT_EQ(read("%Y", "1949"), "1949-01-01T00:00:00Z (local)");
  EXPECT_EQ(read("%e.%m.%Y", " 1.12.2024"), "2024-12-01T00:00:00Z (local)");
  EXPECT_EQ(read("100%% %Y", "100% 2024"), "2024-01-01T00:00:00Z (local)");
}

TEST(TimeFormat, ReadsEnglishNamesInAnyCase) {
  EXPECT_EQ(read("%b %d %Y", "Jan 1 2000"), "2000-01-01T00:00:00Z (local)");
  EXPECT_EQ(read("%B %d, %Y", "SEPTEMBER 30, 2000"), "2000-09-30T00:00:00Z (local)");
  EXPECT_EQ(read("%b %d %Y", "sept 3 2000"), "2000-09-03T00:00:00Z (local)");
  EXPECT_EQ(read("%a, %d %b %Y %T %Z", "Mon, 03 Jan 2000 10:00:00 GMT"), "2000-01-03T10:00:00Z");
  EXPECT_EQ(read("%A %d %B %Y", "wednesday 5 may 2021"), "2021-05-05T00:00:00Z (local)");
}

TEST(TimeFormat, ReadsHoursOfTwelve) {
  EXPECT_EQ(read("%Y %I:%M %p", "2024 12:00 AM"), "2024-01-01T00:00:00Z (local)");
  EXPECT_EQ(read("%Y %I:%M %p", "2024 12:30 pm"), "2024-01-01T12:30:00Z (local)");
  EXPECT_EQ(read("%p %I %Y", "p.m. 3 2024"), "2024-01-01T15:00:00Z (local)");
  EXPECT_SAYS(read("%Y %I %p", "2024 13 PM"), "has a time of day that does not exist");
  EXPECT_SAYS(read("%Y %I %p", "2024 0 PM"), "has a time of day that does not exist");
}

TEST(TimeFormat, IsExactToTheNanosecond) {
  EXPECT_EQ(read("%Y-%m-%d %H:%M:%S.%f", "2024-01-31 00:00:00.123456789"),
            "2024-01-31T00:00:00.123456789Z (local)");
  EXPECT_EQ(read("%s.%f", "1700000000.5"), "2023-11-14T22:13:20.500Z");
  EXPECT_EQ(read("%s", "-1"), "1969-12-31T23:59:59Z");
  EXPECT_SAYS(read("%s.%f", "1.1234567891"), "is finer than a nanosecond");
  EXPECT_SAYS(read("%s", "9223372037"), "is outside of the years 1677 to 2262");
  EXPECT_SAYS(read("%s", "99999999999999999999"), "is not a time of the form '%s'");
}

TEST(TimeFormat, ReadsOffsets) {
  EXPECT_EQ(read("%d/%b/%Y:%H:%M:%S %z", "10/Oct/2000:13:55:36 -0700"), "2000-10-10T20:55:36Z");
  for (const char* offset : {"+01:30", "+0130"}) {
    EXPECT_EQ(read("%Y %H %z", std::string("2024 3 ") + offset), "2024-01-01T01:30:00Z") << offset;
  }
  EXPECT_EQ(read("%Y%z", "2024Z"), "2024-01-01T00:00:00Z");
  EXPECT_EQ(read("%Y%z", "2024-05"), "2024-01-01T05:00:00Z");
  EXPECT_SAYS(read("%Y%z", "2024+25"), "has an offset from UTC that does not exist");
  EXPECT_SAYS(read("%Y%z", "2024+01:"), "is not a time of the form");
  EXPECT_SAYS(read("%Y %Z", "2024 EST"), "is not a time of the form");
}

TEST(TimeFormat, SaysWhatIsWrong) {
  EXPECT_EQ(read("%d/%m/%Y", "2024-01-31"),
            "is not a time of the form '%d/%m/%Y'; correct it, or change `time_format`");
  EXPECT_EQ(read("%d/%m/%Y", "30/02/2024"), "has a date that does not exist; correct it");
  EXPECT_EQ(read("%Y-%j", "2023-366"), "has a date that does not exist; correct it");
  EXPECT_SAYS(read("%Y-%j", "2023-0"), "is not a time of the form");
  EXPECT_SAYS(read("%Y %H", "2023 24"), "has a time of day that does not exist");
  EXPECT_SAYS(read("%Y %T", "2023 23:59:60"), "is a leap second");
  EXPECT_SAYS(read("%Y", ""), "is empty");
  for (const char* wrong : {"31/01/2024x", "31/01", "31/01/24", "x", "31//2024", "-1/01/2024"}) {
    EXPECT_SAYS(read("%d/%m/%Y", wrong), "is not a time of the form") << wrong;
  }
}

TEST(TimeFormat, TakesAnyNumberOfBlanksForOne) {
  EXPECT_EQ(read("%b %d %Y", "Jan  \t1   2000"), "2000-01-01T00:00:00Z (local)");
  EXPECT_EQ(read("%b %d %Y", "Jan12000"),
            "is not a time of the form '%b %d %Y'; correct it, or change "
            "`time_format`");
}

TEST(TimeFormat, RefusesWhatItDoesNotKnow) {
  EXPECT_SAYS(complaint([] { TimeFormat("%Y %Q"); }), "`time_format` '%Y %Q' has the unknown directive '%Q'");
  EXPECT_SAYS(complaint([] { TimeFormat("%Y %"); }), "has the unknown directive '%'");
  EXPECT_SAYS(complaint([] { TimeFormat("%H:%M"); }), "`time_format` '%H:%M' does not tell the year");
  EXPECT_SAYS(complaint([] { TimeFormat("%%Y"); }), "does not tell the year");
}

}  // namespace
}  // namespace t2v::data
