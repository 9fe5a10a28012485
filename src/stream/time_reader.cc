#include "stream/time_reader.h"

#include <span>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/decimal.h"
#include "data/iso_time.h"

namespace t2v {
namespace {

using data::Decimal;
using data::NumberFault;
using data::TimeFault;
using data::TimeUnit;

void check(TimeFault fault, std::string_view text) {
  if (fault != TimeFault::kNone) fail("the time {} {}", in_quotes(text), data::explain(fault));
}

}  // namespace

int64_t TimeReader::tick_of(std::string_view text) const {
  return scale_.instants ? instant_of(text) : plain_of(text);
}

int64_t TimeReader::instant_of(std::string_view text) const {
  Decimal number;
  if (data::parse_decimal(text, number) == NumberFault::kNone) {
    const TimeUnit unit = unit_.value_or(data::detect_unit(std::span(&number, 1)));
    if (unit == TimeUnit::kNumber) {
      fail(
          "the time {} is a plain number, but the model was trained on dates; write a date, or name the unit",
          in_quotes(text));
    }
    int64_t tick = 0;
    check(data::to_nanoseconds(number, unit, tick), text);
    return tick;
  }
  data::IsoTime time;
  check(data::parse_iso(text, time), text);
  return time.has_offset ? time.nanoseconds : zone_.to_utc(time.nanoseconds);
}

int64_t TimeReader::plain_of(std::string_view text) const {
  Decimal number;
  const NumberFault fault = data::parse_decimal(text, number);
  if (fault != NumberFault::kNone) {
    fail("the time {} {}; the model was trained on plain numbers", in_quotes(text), data::explain(fault));
  }
  for (; number.decimals > scale_.decimals; --number.decimals) {
    if (number.mantissa % 10 != 0) {
      fail("the time {} is finer than those that the model was trained on, which have {} decimals; round it",
           in_quotes(text), scale_.decimals);
    }
    number.mantissa /= 10;
  }
  for (; number.mantissa != 0 && number.decimals < scale_.decimals; ++number.decimals) {
    if (__builtin_mul_overflow(number.mantissa, int64_t{10}, &number.mantissa)) {
      fail("the time {} is out of range for the model's times", in_quotes(text));
    }
  }
  return number.mantissa;
}

}  // namespace t2v
