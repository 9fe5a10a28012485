#include "data/iso_time.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "data/duration.h"

namespace t2v::data {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kSecond = kNanosecondsPerSecond;

/// From memory of its own, so that a sanitizer sees reads beyond the end.
TimeFault parse(std::string_view text, IsoTime& out) {
  const std::vector<char> bytes(text.begin(), text.end());
  return parse_iso({bytes.data(), bytes.size()}, out);
}

void expect_time(std::string_view text, int64_t nanoseconds, bool has_offset) {
  IsoTime time{-77, !has_offset};
  ASSERT_EQ(parse(text, time), TimeFault::kNone) << text;
  EXPECT_EQ(time, (IsoTime{nanoseconds, has_offset})) << text;
}

void expect_fault(std::string_view text, TimeFault fault) {
  IsoTime time{-77, true};
  EXPECT_EQ(parse(text, time), fault) << text << ": " << explain(fault);
  EXPECT_EQ(time, (IsoTime{-77, true})) << text;
}

/// Calls with year, month, day and the days since 1970, for every day of the years, counted one by one.
template <class Visit>
void each_day(int first_year, int last_year, Visit visit) {
  int64_t days = 0;
  for (int year = first_year; year < 1970; ++year) {
    days -= year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365;
  }
  for (int year = first_year; year <= last_year; ++year) {
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    for (int month = 1; month <= 12; ++month) {
      const int length = month == 2                                              ? (leap ? 29 : 28)
                         : month == 4 || month == 6 || month == 9 || month == 11 ? 30
                                                                                 : 31;
      for (int day = 1; day <= length; ++day) visit(year, month, day, days++);
    }
  }
}

TEST(IsoTime, KnowsEveryDayThatSixtyFourBitsHold) {
  each_day(1678, 2261, [](int year, int month, int day, int64_t days) {
    const std::string text = fmt::format("{:04}-{:02}-{:02}", year, month, day);
    IsoTime time;
    ASSERT_EQ(parse_iso(text, time), TimeFault::kNone) << text;
    ASSERT_EQ(time.nanoseconds, days * 86400 * kSecond) << text;
    ASSERT_EQ(format_iso(time.nanoseconds), text + "T00:00:00Z");
    ASSERT_EQ(format_iso(time.nanoseconds + 86400 * kSecond - 1), text + "T23:59:59.999999999Z");
    ASSERT_EQ(days_since_1970(year, month, day), days);
    ASSERT_EQ(year_of(days), year);
  });
}

TEST(IsoTime, CountsDaysOfOtherCenturiesToo) {
  each_day(0, 400, [](int year, int month, int day, int64_t days) {
    ASSERT_EQ(days_since_1970(year, month, day), days) << year << '-' << month << '-' << day;
  });
  EXPECT_EQ(days_since_1970(9999, 12, 31), 2932896);
  EXPECT_EQ(year_of(2932896), 9999);
  EXPECT_EQ(year_of(2932897), 10000);
  EXPECT_EQ(year_of(days_since_1970(1, 1, 1)), 1);
}

TEST(IsoTime, RefusesDatesThatDoNotExist) {
  for (int year : {1900, 2000, 2019, 2020, 2021, 2024, 2100}) {
    for (int month = 0; month <= 99; ++month) {
      for (int day = 0; day <= 99; ++day) {
        const bool exists = month >= 1 && month <= 12 && day >= 1 && day <= days_in_month(year, month);
        IsoTime time;
        for (const char* rest : {"", " 12:30:45", "T12:30"}) {
          const std::string text = fmt::format("{:04}-{:02}-{:02}{}", year, month, day, rest);
          ASSERT_EQ(parse_iso(text, time), exists ? TimeFault::kNone : TimeFault::kNoSuchDate) << text;
        }
      }
    }
  }
  EXPECT_EQ(days_in_month(1900, 2), 28);
  EXPECT_EQ(days_in_month(2000, 2), 29);
  EXPECT_EQ(days_in_month(2023, 2), 28);
  EXPECT_EQ(days_in_month(2024, 2), 29);
  EXPECT_EQ(days_in_month(2024, 4), 30);
  EXPECT_EQ(days_in_month(2024, 8), 31);
}

TEST(IsoTime, KnowsEveryMinuteAndSecondOfADay) {
  for (int hour = 0; hour <= 25; ++hour) {
    for (int minute = 0; minute <= 61; ++minute) {
      for (int second : {0, 1, 9, 10, 30, 58, 59, 60, 61, 99}) {
        const bool exists = hour < 24 && minute < 60;
        const TimeFault fault = !exists || second > 60 ? TimeFault::kNoSuchTime
                                : second == 60         ? TimeFault::kLeapSecond
                                                       : TimeFault::kNone;
        IsoTime time;
        const std::string text = fmt::format("1970-01-02 {:02}:{:02}:{:02}", hour, minute, second);
        ASSERT_EQ(parse_iso(text, time), fault) << text;
        if (fault == TimeFault::kNone) {
          ASSERT_EQ(time.nanoseconds, (86400 + hour * 3600 + minute * 60 + second) * kSecond) << text;
        }
      }
    }
  }
}

TEST(IsoTime, HasManyForms) {
  const int64_t day = 18714 * 86400 * kSecond;  // 2021-03-28
  const int64_t minute = day + (14 * 3600 + 5 * 60) * kSecond;
  const int64_t second = minute + 9 * kSecond;
  expect_time("2021-03-28", day, false);
  expect_time("2021/03/28", day, false);
  expect_time("2021-03-28T14:05", minute, false);
  expect_time("2021-03-28 14:05", minute, false);
  expect_time("2021-03-28t14:05Z", minute, true);
  expect_time("2021-03-28 14:05 UTC", minute, true);
  for (const char* date :
       {"2021-03-28 14:05:09", "2021-03-28T14:05:09", "2021-03-28t14:05:09", "2021/03/28 14:05:09",
        "2021/03/28T14:05:09", "20210328T140509", "20210328t140509"}) {
    const std::string text = date;
    expect_time(text, second, false);
    expect_time(text + "Z", second, true);
    expect_time(text + "z", second, true);
    expect_time(text + " UTC", second, true);
    expect_time(text + "+00:00", second, true);
    expect_time(text + "-00:00", second, true);
    expect_time(text + "+01:00", second - 3600 * kSecond, true);
    expect_time(text + "-0330", second + 12600 * kSecond, true);
    expect_time(text + "+23:59", second - 86340 * kSecond, true);
    expect_time(text + "-12", second + 12 * 3600 * kSecond, true);
    expect_time(text + ".5", second + 500000000, false);
    expect_time(text + ",25", second + 250000000, false);
    expect_time(text + ".123456789Z", second + 123456789, true);
    expect_time(text + ".000001+05:45", second + 1000 - 20700 * kSecond, true);
    expect_time(text + ".250000000000000 UTC", second + 250000000, true);
    expect_time(text + ",123-05", second + 123000000 + 5 * 3600 * kSecond, true);
    expect_fault(text + "+24:00", TimeFault::kNoSuchOffset);
    expect_fault(text + "+01:60", TimeFault::kNoSuchOffset);
    expect_fault(text + "-2400", TimeFault::kNoSuchOffset);
    expect_fault(text + "+99", TimeFault::kNoSuchOffset);
    expect_fault(text + ".1234567891", TimeFault::kTooFine);
    expect_fault(text + ".0000000000001Z", TimeFault::kTooFine);
    for (const char* rest :
         {".",      ",",       ".Z",     "ZZ",    "Z ",   " Z",    " ",    "  UTC",   " utc",    " UTC ",
          "UTC",    "+",       "+1",     "+1:00", "+01:", "+01:0", "+010", "+01:000", "+01:00Z", "+01-00",
          "*01:00", " +01:00", "+0a:00", ".5.5",  ".5 ",  ":00",   "x",    ".x",      "+01:0x"}) {
      expect_fault(text + rest, TimeFault::kSyntax);
    }
  }
  expect_time("20210328T1405", minute, false);
  expect_time("20210328T1405Z", minute, true);
  expect_time("20210328T1405+0200", minute - 7200 * kSecond, true);
}

TEST(IsoTime, HasFractionsToTheNanosecond) {
  Random random(7);
  for (int digits = 1; digits <= 9; ++digits) {
    int64_t scale = 1;
    for (int i = digits; i < 9; ++i) scale *= 10;
    for (int i = 0; i < 200; ++i) {
      const auto fraction = static_cast<int64_t>(random.below(static_cast<uint64_t>(kSecond / scale)));
      const std::string text = fmt::format("1969-12-31T23:59:59.{:0{}}Z", fraction, digits);
      expect_time(text, fraction * scale - kSecond, true);
      expect_time(text.substr(0, text.size() - 1) + "0000000000000", fraction * scale - kSecond, false);
    }
  }
}

TEST(IsoTime, EndsAtTheLimitsOfSixtyFourBits) {
  expect_time("2262-04-11T23:47:16.854775807Z", kMost, true);
  expect_time("2262-04-11 23:47:16.854775807", kMost, false);
  expect_time("2262-04-12T00:47:16.854775807+01:00", kMost, true);
  expect_time("1677-09-21T00:12:43.145224193Z", -kMost, true);
  expect_time("1677-09-20T23:12:43.145224193-01:00", -kMost, true);
  expect_fault("2262-04-11T23:47:16.854775808Z", TimeFault::kRange);
  expect_fault("2262-04-11T23:47:16.854775807-00:01", TimeFault::kRange);
  expect_fault("1677-09-21T00:12:43.145224192Z", TimeFault::kRange);
  expect_fault("1677-09-21T00:12:43.145224193+00:01", TimeFault::kRange);
  for (const char* text :
       {"0000-01-01", "0001-01-01T00:00:00Z", "1677-09-20", "2262-04-12", "9999-12-31 23:59:59"}) {
    expect_fault(text, TimeFault::kRange);
  }
  expect_time("1677-12-31 23:59:59", (days_since_1970(1678, 1, 1) * 86400 - 1) * kSecond, false);
  expect_time("2262-01-01 00:00:00", days_since_1970(2262, 1, 1) * 86400 * kSecond, false);
}

TEST(IsoTime, NamesTheFirstFaultInOrder) {
  expect_fault("", TimeFault::kEmpty);
  expect_fault("9999-02-30T25:00:60.0000000001+24:00x", TimeFault::kSyntax);
  expect_fault("9999-02-30T25:00:60.0000000001+24:00", TimeFault::kNoSuchDate);
  expect_fault("9999-02-28T25:00:60.0000000001+24:00", TimeFault::kNoSuchTime);
  expect_fault("9999-02-28T23:00:60.0000000001+24:00", TimeFault::kLeapSecond);
  expect_fault("9999-02-28T23:00:59.0000000001+24:00", TimeFault::kNoSuchOffset);
  expect_fault("9999-02-28T23:00:59.0000000001+23:00", TimeFault::kTooFine);
  expect_fault("9999-02-28T23:00:59.000000000+23:00", TimeFault::kRange);
}

TEST(IsoTime, RefusesWhatIsNoneOfItsForms) {
  for (const char* text : {"2021",
                           "2021-03",
                           "20210328",
                           "2021-3-28",
                           "2021-03-8",
                           "2021-087",
                           "2021-W12-7",
                           "2021W127",
                           "28.03.2021",
                           "03/28/2021",
                           "28/03/2021",
                           "2021-03/28",
                           "2021/03-28",
                           "2021-0328",
                           "202103-28",
                           "-2021-03-28",
                           "+2021-03-28",
                           "12021-03-28",
                           " 2021-03-28",
                           "2021-03-28 ",
                           "2021-03-28Z",
                           "2021-03-28+01:00",
                           "2021-03-28T",
                           "2021-03-28T14",
                           "2021-03-28T14:",
                           "2021-03-28T14:5",
                           "2021-03-28T1405",
                           "2021-03-28T140509",
                           "2021-03-28T14:0509",
                           "2021-03-28T14:05:9",
                           "2021-03-28T14:05.5",
                           "2021-03-28  14:05",
                           "2021-03-28_14:05:09",
                           "2021-03-28T14-05-09",
                           "20210328 140509",
                           "20210328T14:05:09",
                           "20210328T14",
                           "20210328T140",
                           "20210328T14050",
                           "now",
                           "nan",
                           "1616940309",
                           "2021-03-28T14:05:0x",
                           "2o21-03-28 14:05:09",
                           "2021-03-28 1a:05:09"}) {
    expect_fault(text, TimeFault::kSyntax);
  }
}

TEST(IsoTime, RefusesEveryOtherByteInEveryPlaceOfTheCommonForms) {
  for (const std::string& good :
       {std::string("2021-03-21T14:05:09Z"), std::string("2021-03-21 14:05:09.123Z"),
        std::string("2021-03-21T14:05:09+01:00"), std::string("2021-03-21")}) {
    for (std::size_t place = 0; place < good.size(); ++place) {
      const bool digit = good[place] >= '0' && good[place] <= '9';
      for (int c = 0; c < 256; ++c) {
        std::string text = good;
        text[place] = static_cast<char>(c);
        IsoTime time;
        const TimeFault fault = parse_iso(text, time);
        if (digit) {
          ASSERT_EQ(fault == TimeFault::kSyntax, c < '0' || c > '9') << text;
        } else if (fault == TimeFault::kNone) {
          const std::string_view others = place == 10 ? "Tt " : place >= 19 ? "Zz.,+-:0123456789" : "-:";
          ASSERT_NE(others.find(text[place]), std::string_view::npos) << text;
        }
      }
    }
  }
}

TEST(IsoTime, SurvivesTheWayThroughText) {
  Random random(11);
  for (int i = 0; i < 50000; ++i) {
    const auto nanoseconds = static_cast<int64_t>(random.next64());
    if (nanoseconds == -kMost - 1) continue;
    IsoTime time;
    const std::string text = format_iso(nanoseconds);
    ASSERT_EQ(parse_iso(text, time), TimeFault::kNone) << text;
    ASSERT_EQ(time.nanoseconds, nanoseconds) << text;
  }
}

TEST(FormatIso, TrimsZerosInGroupsOfThree) {
  EXPECT_EQ(format_iso(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(format_iso(500000000), "1970-01-01T00:00:00.500Z");
  EXPECT_EQ(format_iso(1000), "1970-01-01T00:00:00.000001Z");
  EXPECT_EQ(format_iso(1), "1970-01-01T00:00:00.000000001Z");
  EXPECT_EQ(format_iso(-1), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(format_iso(-kSecond), "1969-12-31T23:59:59Z");
  EXPECT_EQ(format_iso(1616940309 * kSecond), "2021-03-28T14:05:09Z");
  EXPECT_EQ(format_iso(kMost), "2262-04-11T23:47:16.854775807Z");
  EXPECT_EQ(format_iso(-kMost - 1), "1677-09-21T00:12:43.145224192Z");
}

TEST(TimeFault, IsExplainedWithWhatToDo) {
  EXPECT_STREQ(explain(TimeFault::kNone), "");
  for (const TimeFault fault :
       {TimeFault::kEmpty, TimeFault::kSyntax, TimeFault::kNoSuchDate, TimeFault::kNoSuchTime,
        TimeFault::kLeapSecond, TimeFault::kTooFine, TimeFault::kNoSuchOffset}) {
    EXPECT_NE(std::string(explain(fault)).find("; "), std::string::npos);
  }
  EXPECT_NE(std::string(explain(TimeFault::kRange)).find("1677 to 2262"), std::string::npos);
}

}  // namespace
}  // namespace t2v::data
