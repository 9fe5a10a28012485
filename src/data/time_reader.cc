#include "data/time_reader.h"

#include <span>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/decimal.h"
#include "data/duration.h"
#include "data/iso_time.h"
#include "data/time_shape.h"

namespace t2v::data {

int64_t TimeReader::tick_of(std::string_view text, std::string_view what) const {
  return scale_.instants ? instant_of(text, what) : plain_of(text, what);
}

int64_t TimeReader::span_of(std::string_view text, std::string_view what) const {
  if (text.starts_with('+')) text.remove_prefix(1);
  const int64_t span = scale_.instants ? parse_duration(text, what) : plain_of(text, what);
  if (span < 0) fail("{} {} is not a duration after an event: it is negative", what, in_quotes(text));
  return span;
}

void TimeReader::read_as(const std::string& format, const std::string& day_first, bool alone) {
  if (!format.empty()) {
    if (!scale_.instants) fail("`time_format` is for dates, but the times are plain numbers; leave it out");
    format_.emplace(format);
    format_alone_ = alone;
  }
  if (!day_first.empty()) day_first_ = day_first;
}

int64_t TimeReader::utc_of(const IsoTime& time) const {
  return time.has_offset ? time.nanoseconds : zone_.to_utc(time.nanoseconds);
}

bool TimeReader::read_by_shape(std::string_view text, std::string_view what, IsoTime& time) const {
  const FoundFormat found = find_time_format({text}, day_first_);
  if (found.pattern.empty()) return false;
  if (found.undecided) {
    fail("{} {} may have the day or the month first; give `day_first` as yes or no", what, in_quotes(text));
  }
  const TimeFormat format(found.pattern);
  const TimeFault fault = format.parse(text, time);
  if (fault != TimeFault::kNone) fail("{} {} {}", what, in_quotes(text), format.explain(fault));
  return true;
}

int64_t TimeReader::instant_of(std::string_view text, std::string_view what) const {
  IsoTime time;
  if (format_) {
    const TimeFault fault = format_->parse(text, time);
    if (fault == TimeFault::kNone) return utc_of(time);
    if (format_alone_) fail("{} {} {}", what, in_quotes(text), format_->explain(fault));
  }
  const auto check = [&](TimeFault fault) {
    if (fault != TimeFault::kNone) fail("{} {} {}", what, in_quotes(text), explain(fault));
  };
  Decimal number;
  if (parse_decimal(text, number) == NumberFault::kNone) {
    const TimeUnit unit = unit_.value_or(detect_unit(std::span(&number, 1)));
    if (unit == TimeUnit::kNumber) {
      fail("{} {} is a plain number, but the times are dates; write a date, or name the unit", what,
           in_quotes(text));
    }
    int64_t tick = 0;
    check(to_nanoseconds(number, unit, tick));
    return tick;
  }
  const TimeFault fault = parse_iso(text, time);
  if (fault != TimeFault::kSyntax || !read_by_shape(text, what, time)) check(fault);
  return utc_of(time);
}

int64_t TimeReader::plain_of(std::string_view text, std::string_view what) const {
  Decimal number;
  const NumberFault fault = parse_decimal(text, number);
  if (fault != NumberFault::kNone) {
    fail("{} {} {}; the times are plain numbers", what, in_quotes(text), explain(fault));
  }
  for (; number.decimals > scale_.decimals; --number.decimals) {
    if (number.mantissa % 10 != 0) {
      fail("{} {} is finer than the times of the data, which have {} decimals; round it", what,
           in_quotes(text), scale_.decimals);
    }
    number.mantissa /= 10;
  }
  for (; number.mantissa != 0 && number.decimals < scale_.decimals; ++number.decimals) {
    if (__builtin_mul_overflow(number.mantissa, int64_t{10}, &number.mantissa)) {
      fail("{} {} is out of range beside the times of the data", what, in_quotes(text));
    }
  }
  return number.mantissa;
}

void check_date_or_number(std::string_view text, std::string_view what) {
  IsoTime time;
  Decimal number;
  const TimeFault no_date = parse_iso(text, time);
  const NumberFault no_number = parse_decimal(text, number);
  if (no_date == TimeFault::kNone || no_number == NumberFault::kNone) return;
  if (no_date != TimeFault::kSyntax) fail("{} {} {}", what, in_quotes(text), explain(no_date));
  if (no_number != NumberFault::kSyntax) fail("{} {} {}", what, in_quotes(text), explain(no_number));
  fail("{} {} is neither a date, such as 2021-03-28 or 2021-03-28T14:05:09Z, nor a number", what,
       in_quotes(text));
}

}  // namespace t2v::data
