#pragma once

#include <cstdint>
#include <string>

#include "data/event_table.h"

namespace t2v::data {

/// A period or a span of time in a few characters, rounded to nearest:
///   below a minute         3 significant digits of ns, us, ms or s, without zeros at the end: 90 ms, 1.5 s
///   below an hour, a day   whole units, the second one if it is not 0: 5 min 30 s, 23 h 56 min, 6 h
///   below 365.25 days      7.0 d, 29.5 d, 182 d; one decimal below 100
///   longer                 2.0 y, 584 y; one decimal below 100; a year is 365.25 days
/// What rounds up to the next unit is written in it: 59.99 s is 1 min. From a million years on as 1.5e+08 y.
/// "0 s" for zero, a minus before negative ones, "unknown" for NaN, "for ever" for infinity; below a
/// nanosecond 0.25 ns and so on.
std::string human_duration(double seconds);

/// 1,234,567; any 64-bit number.
std::string human_count(int64_t count);

/// A time as its source has it: a date in UTC, or the number.
std::string tick_text(const TickScale& scale, int64_t tick);

}  // namespace t2v::data
