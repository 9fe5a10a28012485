#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/decimal.h"
#include "data/event_table.h"
#include "data/time_column.h"

namespace t2v::data {

/// What numbers that stand for times are.
enum class NumberTimes : uint8_t {
  kByMagnitude,  // seconds since 1970 if all are at least 10^8, else plain
  kUnixSeconds,
  kPlain,
};

/// Sets scale and ticks of a table from exact numbers; of plain ones that have to be rounded (see PlainTicks)
/// a note says how many. Throws t2v::Error if a number does not fit at all, or is finer than a nanosecond; it
/// names the event by the table's sequences, which are there already, one after another.
void set_ticks(EventTable& table, std::span<const Decimal> numbers, NumberTimes kind);

/// The unit of numbers that are times, as tables have it by default: told by the first 1,000 of them.
TimeUnit unit_of_numbers(std::span<const Decimal> numbers);
/// The same of numbers of such a unit.
void set_ticks(EventTable& table, std::span<const Decimal> numbers, TimeUnit unit);

/// Whole numbers as categories: those there are, in ascending order.
Categories numbered_categories(std::string name, std::span<const int64_t> numbers);

}  // namespace t2v::data
