#include "data/time_column.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "t2v/error.h"

namespace t2v::data {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

Decimal decimal_of(std::string_view text) {
  Decimal number;
  EXPECT_EQ(parse_decimal(text, number), NumberFault::kNone) << text;
  return number;
}

std::vector<Decimal> decimals_of(const std::vector<std::string>& texts) {
  std::vector<Decimal> numbers;
  for (const std::string& text : texts) numbers.push_back(decimal_of(text));
  return numbers;
}

/// The nanoseconds of a number, which must have some.
int64_t nanoseconds_of(std::string_view text, TimeUnit unit) {
  int64_t nanoseconds = 0;
  EXPECT_EQ(to_nanoseconds(decimal_of(text), unit, nanoseconds), TimeFault::kNone) << text;
  return nanoseconds;
}

TimeFault fault_of(std::string_view text, TimeUnit unit) {
  int64_t nanoseconds = 0;
  return to_nanoseconds(decimal_of(text), unit, nanoseconds);
}

TEST(TimeUnit, HasAName) {
  for (const auto& [name, unit] :
       std::vector<std::pair<std::string, TimeUnit>>{{"s", TimeUnit::kSeconds},
                                                     {"ms", TimeUnit::kMilliseconds},
                                                     {"us", TimeUnit::kMicroseconds},
                                                     {"ns", TimeUnit::kNanoseconds},
                                                     {"number", TimeUnit::kNumber}}) {
    EXPECT_EQ(name_of(unit), name);
    EXPECT_EQ(time_unit_named(name), unit);
  }
  try {
    time_unit_named("minutes");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "unknown unit of time 'minutes'; use one of s, ms, us, ns, number");
  }
}

TEST(DetectUnit, GoesByTheMagnitudeWithExactLimits) {
  const std::vector<std::pair<std::string, TimeUnit>> limits = {
      {"0", TimeUnit::kNumber},
      {"0.001", TimeUnit::kNumber},
      {"99999999", TimeUnit::kNumber},
      {"99999999.9999999999", TimeUnit::kNumber},
      {"100000000", TimeUnit::kSeconds},
      {"1e8", TimeUnit::kSeconds},
      {"1609459200.123456789", TimeUnit::kSeconds},
      {"99999999999.9999999", TimeUnit::kSeconds},
      {"100000000000", TimeUnit::kMilliseconds},
      {"99999999999999", TimeUnit::kMilliseconds},
      {"100000000000000", TimeUnit::kMicroseconds},
      {"99999999999999999", TimeUnit::kMicroseconds},
      {"100000000000000000", TimeUnit::kNanoseconds},
      {"9223372036854775807", TimeUnit::kNanoseconds},
      {"1e30", TimeUnit::kNanoseconds},
  };
  for (const auto& [text, unit] : limits) {
    EXPECT_EQ(detect_unit(decimals_of({text})), unit) << text;
    EXPECT_EQ(detect_unit(decimals_of({"-" + text})), unit) << text;
  }
  EXPECT_EQ(detect_unit(decimals_of({"-9223372036854775808"})), TimeUnit::kNanoseconds);
}

TEST(DetectUnit, GoesByTheLowerMedian) {
  EXPECT_EQ(detect_unit({}), TimeUnit::kNumber);
  EXPECT_EQ(detect_unit(decimals_of({"0", "1609459200", "1609459201"})), TimeUnit::kSeconds);
  EXPECT_EQ(detect_unit(decimals_of({"1609459200", "0", "0"})), TimeUnit::kNumber);
  EXPECT_EQ(detect_unit(decimals_of({"1609459200", "0"})), TimeUnit::kNumber);
  EXPECT_EQ(detect_unit(decimals_of({"1609459200000", "1609459200", "1609459200000", "5"})),
            TimeUnit::kSeconds);
}

TEST(DetectUnit, SaysItsRule) {
  for (const char* part : {"1e8", "1e11", "1e14", "1e17"}) {
    EXPECT_NE(detection_rule().find(part), std::string::npos) << detection_rule();
  }
}

TEST(ToNanoseconds, CountsTheUnitExactly) {
  EXPECT_EQ(nanoseconds_of("1609459200", TimeUnit::kSeconds), 1609459200000000000);
  EXPECT_EQ(nanoseconds_of("-1", TimeUnit::kSeconds), -1000000000);
  EXPECT_EQ(nanoseconds_of("1609459200.123456789", TimeUnit::kSeconds), 1609459200123456789);
  EXPECT_EQ(nanoseconds_of("1609459200123", TimeUnit::kMilliseconds), 1609459200123000000);
  EXPECT_EQ(nanoseconds_of("1.000001", TimeUnit::kMilliseconds), 1000001);
  EXPECT_EQ(nanoseconds_of("1609459200123456", TimeUnit::kMicroseconds), 1609459200123456000);
  EXPECT_EQ(nanoseconds_of("1.001", TimeUnit::kMicroseconds), 1001);
  EXPECT_EQ(nanoseconds_of("1609459200123456789", TimeUnit::kNanoseconds), 1609459200123456789);
  EXPECT_EQ(nanoseconds_of("0.00000000000000000000000000000", TimeUnit::kNanoseconds), 0);
  EXPECT_EQ(nanoseconds_of("1.5000000000000", TimeUnit::kSeconds), 1500000000);
}

TEST(ToNanoseconds, AgreesWithWideArithmetic) {
  __extension__ using Wide = __int128;
  Random random(5);
  for (const TimeUnit unit :
       {TimeUnit::kSeconds, TimeUnit::kMilliseconds, TimeUnit::kMicroseconds, TimeUnit::kNanoseconds}) {
    const int finest = 9 - 3 * static_cast<int>(unit);
    for (int i = 0; i < 5000; ++i) {
      const auto mantissa = static_cast<int64_t>(random.next64()) >> random.below(63);
      const int decimals = static_cast<int>(random.below(14));
      Wide exact = mantissa;
      for (int k = decimals; k < finest; ++k) exact *= 10;
      bool fine = false;
      for (int k = finest; k < decimals; ++k) {
        fine |= exact % 10 != 0;
        exact /= 10;
      }
      const TimeFault expected = fine                              ? TimeFault::kTooFine
                                 : exact > kMost || exact < -kMost ? TimeFault::kRange
                                                                   : TimeFault::kNone;
      int64_t tick = 0;
      ASSERT_EQ(to_nanoseconds({mantissa, decimals}, unit, tick), expected) << mantissa << ' ' << decimals;
      if (expected == TimeFault::kNone) {
        ASSERT_EQ(tick, static_cast<int64_t>(exact));
      }
    }
  }
}

TEST(ToNanoseconds, EndsWhereSixtyFourBitsEnd) {
  EXPECT_EQ(nanoseconds_of("9223372036.854775807", TimeUnit::kSeconds), kMost);
  EXPECT_EQ(nanoseconds_of("-9223372036.854775807", TimeUnit::kSeconds), -kMost);
  EXPECT_EQ(fault_of("9223372036.85477581", TimeUnit::kSeconds), TimeFault::kRange);
  EXPECT_EQ(fault_of("-9223372036854775808", TimeUnit::kNanoseconds), TimeFault::kRange);
  EXPECT_EQ(fault_of("9223372037", TimeUnit::kSeconds), TimeFault::kRange);
  EXPECT_EQ(fault_of("1e30", TimeUnit::kSeconds), TimeFault::kRange);
}

TEST(ToNanoseconds, NeverRounds) {
  EXPECT_EQ(fault_of("0.0000000001", TimeUnit::kSeconds), TimeFault::kTooFine);
  EXPECT_EQ(fault_of("1.0000001", TimeUnit::kMilliseconds), TimeFault::kTooFine);
  EXPECT_EQ(fault_of("1.5", TimeUnit::kNanoseconds), TimeFault::kTooFine);
  EXPECT_EQ(fault_of("1e-90", TimeUnit::kSeconds), TimeFault::kTooFine);
}

}  // namespace
}  // namespace t2v::data
