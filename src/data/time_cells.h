#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "data/chunk_reader.h"
#include "data/decimal.h"
#include "data/iso_time.h"
#include "data/time_column.h"
#include "data/time_format.h"
#include "data/time_zone.h"

namespace t2v::data {

/// What is wrong with a number where a time is needed, to follow the quoted text.
inline std::string_view explain_time(NumberFault fault) {
  if (fault == NumberFault::kEmpty) return explain(TimeFault::kEmpty);
  if (fault == NumberFault::kNotFinite) return "is not a finite number; a time is needed here";
  if (fault != NumberFault::kSyntax) return explain(fault);
  return "is not a number, as the first time is; write all times in the same way";
}

/// Reads times of the kinds of a plan, from texts without blanks around them or from numbers. Each gives
/// nothing, or what is wrong, to follow the quoted text. The plan must outlive it.
class TimeCells {
 public:
  explicit TimeCells(const ReadPlan& plan) : plan_(plan), clock_(*plan.zone) {}

  std::string_view instant(std::string_view text, int64_t& tick) {
    IsoTime time;
    const TimeFault fault = parse_iso(text, time);
    return fault == TimeFault::kNone ? to_tick(time, tick) : explain(fault);
  }
  std::string_view formatted(std::string_view text, int64_t& tick) {
    IsoTime time;
    const TimeFault fault = plan_.format->parse(text, time);
    return fault == TimeFault::kNone ? to_tick(time, tick) : plan_.format->explain(fault);
  }
  std::string_view decimal_instant(std::string_view text, int64_t& tick) const {
    Decimal number;
    const NumberFault fault = parse_decimal(text, number);
    return fault == NumberFault::kNone ? decimal_instant(number, tick) : explain_time(fault);
  }
  std::string_view decimal_instant(Decimal number, int64_t& tick) const {
    const TimeFault fault = to_nanoseconds(number, plan_.unit, tick);
    return fault == TimeFault::kNone ? "" : explain(fault);
  }
  static std::string_view decimal(std::string_view text, int64_t& mantissa, int8_t& decimals) {
    Decimal number;
    NumberFault fault = parse_decimal(text, number);
    if (fault == NumberFault::kNone && number.decimals < 0) fault = NumberFault::kOverflow;
    if (fault != NumberFault::kNone) return explain_time(fault);
    mantissa = number.mantissa;
    decimals = static_cast<int8_t>(number.decimals);
    return {};
  }
  /// A count of `nanoseconds` each since 1970: of UTC, or of clocks of the plan's zone.
  std::string_view counted(int64_t count, int64_t nanoseconds, bool local, int64_t& tick) {
    int64_t time = 0;
    constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();  // also stands for infinity
    if (__builtin_mul_overflow(count, nanoseconds, &time) || time >= kLargest || time <= -kLargest) {
      return explain(TimeFault::kRange);
    }
    if (local) return explain(clock_.to_utc(time, tick));
    tick = time;
    return {};
  }

 private:
  std::string_view to_tick(const IsoTime& time, int64_t& tick) {
    tick = time.nanoseconds;
    return time.has_offset ? std::string_view() : explain(clock_.to_utc(time.nanoseconds, tick));
  }

  const ReadPlan& plan_;
  TimeZone::Cursor clock_;
};

}  // namespace t2v::data
