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

DecimalChunk chunk_of(const std::vector<std::string>& texts) {
  DecimalChunk chunk;
  for (const std::string& text : texts) chunk.add(decimal_of(text));
  return chunk;
}

/// Ticks of one chunk, with the scale of that chunk.
std::vector<int64_t> ticks_of(const std::vector<std::string>& texts, TimeUnit unit) {
  const std::vector<DecimalChunk> chunks = {chunk_of(texts)};
  return all_ticks(chunks, unit, common_scale(chunks, unit));
}

TickFault fault_of(const std::vector<std::string>& texts, TimeUnit unit) {
  const std::vector<DecimalChunk> chunks = {chunk_of(texts)};
  std::vector<int64_t> ticks(texts.size());
  return to_ticks(chunks[0], unit, common_scale(chunks, unit), ticks);
}

void expect_fault(const std::vector<std::string>& texts, TimeUnit unit, TimeFault fault, int64_t index) {
  const TickFault found = fault_of(texts, unit);
  EXPECT_EQ(found.fault, fault) << texts[0];
  EXPECT_EQ(found.index, index) << texts[0];
}

std::string message_of(const std::vector<DecimalChunk>& chunks, TimeUnit unit) {
  try {
    all_ticks(chunks, unit, common_scale(chunks, unit));
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
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

TEST(CommonScale, IsNanosecondsForInstantsAndTheMostDecimalsForNumbers) {
  const std::vector<DecimalChunk> chunks = {chunk_of({"1", "2.5"}), {}, chunk_of({"1.125", "3.5"})};
  EXPECT_EQ(common_scale(chunks, TimeUnit::kNumber), (TickScale{false, 3}));
  for (const TimeUnit unit :
       {TimeUnit::kSeconds, TimeUnit::kMilliseconds, TimeUnit::kMicroseconds, TimeUnit::kNanoseconds}) {
    EXPECT_EQ(common_scale(chunks, unit), (TickScale{true, 9}));
  }
  EXPECT_EQ(common_scale({}, TimeUnit::kNumber), (TickScale{false, 0}));
  EXPECT_EQ(common_scale(std::vector<DecimalChunk>{chunk_of({"1e30"})}, TimeUnit::kNumber),
            (TickScale{false, 0}));
}

TEST(Ticks, AreNanosecondsOfInstants) {
  using Ticks = std::vector<int64_t>;
  EXPECT_EQ(ticks_of({"1609459200", "-1"}, TimeUnit::kSeconds), (Ticks{1609459200000000000, -1000000000}));
  EXPECT_EQ(ticks_of({"1609459200.123456789", "1.5"}, TimeUnit::kSeconds),
            (Ticks{1609459200123456789, 1500000000}));
  EXPECT_EQ(ticks_of({"1609459200123", "1.000001"}, TimeUnit::kMilliseconds),
            (Ticks{1609459200123000000, 1000001}));
  EXPECT_EQ(ticks_of({"1609459200123456", "1.001"}, TimeUnit::kMicroseconds),
            (Ticks{1609459200123456000, 1001}));
  EXPECT_EQ(ticks_of({"1609459200123456789", "1.0"}, TimeUnit::kNanoseconds),
            (Ticks{1609459200123456789, 1}));
  EXPECT_EQ(ticks_of({"0.00000000000000000000000000000"}, TimeUnit::kNanoseconds), (Ticks{0}));
  EXPECT_EQ(ticks_of({"1.5000000000000"}, TimeUnit::kSeconds), (Ticks{1500000000}));
}

TEST(Ticks, ArePlainNumbersWithTheMostDecimals) {
  using Ticks = std::vector<int64_t>;
  EXPECT_EQ(ticks_of({"1", "2", "3"}, TimeUnit::kNumber), (Ticks{1, 2, 3}));
  EXPECT_EQ(ticks_of({"1", "2.25", "-3.5"}, TimeUnit::kNumber), (Ticks{100, 225, -350}));
  EXPECT_EQ(ticks_of({"9223372036854775807", "-9223372036854775807"}, TimeUnit::kNumber),
            (Ticks{kMost, -kMost}));
  EXPECT_EQ(ticks_of({"0e30", "0.5"}, TimeUnit::kNumber), (Ticks{0, 5}));
  EXPECT_EQ(ticks_of({}, TimeUnit::kNumber), Ticks{});
  const std::vector<DecimalChunk> chunks = {
      chunk_of({"1", "2"}), {}, chunk_of({"1.5"}), chunk_of({"2", "0.25"})};
  EXPECT_EQ(all_ticks(chunks, TimeUnit::kNumber, common_scale(chunks, TimeUnit::kNumber)),
            (Ticks{100, 200, 150, 200, 25}));
}

TEST(Ticks, AgreeWithWideArithmetic) {
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
      DecimalChunk chunk;
      chunk.add({mantissa, decimals});
      int64_t tick = 0;
      ASSERT_EQ(to_ticks(chunk, unit, {true, 9}, {&tick, 1}).fault, expected) << mantissa << ' ' << decimals;
      if (expected == TimeFault::kNone) {
        ASSERT_EQ(tick, static_cast<int64_t>(exact));
      }
    }
  }
}

TEST(Ticks, EndWhereSixtyFourBitsEnd) {
  EXPECT_EQ(ticks_of({"9223372036.854775807", "-9223372036.854775807"}, TimeUnit::kSeconds),
            (std::vector<int64_t>{kMost, -kMost}));
  expect_fault({"9223372036.85477581"}, TimeUnit::kSeconds, TimeFault::kRange, 0);
  expect_fault({"0", "-9223372036854775808"}, TimeUnit::kNanoseconds, TimeFault::kRange, 1);
  expect_fault({"0", "1", "9223372037"}, TimeUnit::kSeconds, TimeFault::kRange, 2);
  expect_fault({"1.5", "1e30"}, TimeUnit::kSeconds, TimeFault::kRange, 1);
  expect_fault({"1.5", "1e19"}, TimeUnit::kNumber, TimeFault::kRange, 1);
  expect_fault({"0.1", "9223372036854775807"}, TimeUnit::kNumber, TimeFault::kRange, 1);
}

TEST(Ticks, AreNeverRounded) {
  expect_fault({"0.0000000001"}, TimeUnit::kSeconds, TimeFault::kTooFine, 0);
  expect_fault({"1", "1.0000001"}, TimeUnit::kMilliseconds, TimeFault::kTooFine, 1);
  expect_fault({"1.5", "1"}, TimeUnit::kNanoseconds, TimeFault::kTooFine, 0);
  expect_fault({"1e-90"}, TimeUnit::kSeconds, TimeFault::kTooFine, 0);
}

TEST(Ticks, AreRefusedWithTheNumberAndWhatToDo) {
  const std::string large =
      message_of({chunk_of({"1", "2"}), chunk_of({"0.00000000000000004", "1234.5"})}, TimeUnit::kNumber);
  for (const char* part : {"time 4 of the column", "'1234.5'", "1e-17", "round"}) {
    EXPECT_NE(large.find(part), std::string::npos) << large;
  }
  const std::string fine = message_of({chunk_of({"160945920.0000000001"})}, TimeUnit::kSeconds);
  EXPECT_EQ(
      fine,
      "time 1 of the column: '160945920.0000000001' as s since 1970 is finer than a nanosecond; round it "
      "to 9 decimals of a second");
}

}  // namespace
}  // namespace t2v::data
