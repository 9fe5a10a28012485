#include "data/number_times.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/plain_ticks.h"
#include "data/time_column.h"

namespace t2v::data {
namespace {

/// Which of the times it is, for a message.
std::string place_of(const EventTable& table, std::size_t i) {
  if (i >= table.sequence.size()) return fmt::format("time {}", i + 1);
  const auto first = std::ranges::find(table.sequence, table.sequence[i]) - table.sequence.begin();
  return fmt::format("event {} of sequence '{}'", static_cast<int64_t>(i) - first + 1,
                     shown(table.ids[table.sequence[i]]));
}

/// What is wrong with a time that should be seconds since 1970.
std::string_view explain_seconds(TimeFault fault) {
  if (fault != TimeFault::kRange) return explain(fault);
  return "is outside of the years 1677 to 2262; if times are not seconds since 1970, set times=plain";
}

void set_instants(EventTable& table, std::span<const Decimal> numbers, TimeUnit unit) {
  table.scale = {.instants = true, .decimals = 9};
  table.ticks.resize(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const TimeFault fault = to_nanoseconds(numbers[i], unit, table.ticks[i]);
    if (fault != TimeFault::kNone) {
      fail("{}: time '{}' {}", place_of(table, i), to_text(numbers[i]), explain_seconds(fault));
    }
  }
}

void set_plain(EventTable& table, std::span<const Decimal> numbers) {
  std::vector<int64_t> mantissa;
  std::vector<int8_t> decimals;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Decimal number = numbers[i];
    if (number.decimals < 0) {
      fail("{}: time '{}' is beyond 9.2e18; use a larger unit", place_of(table, i), to_text(number));
    }
    mantissa.push_back(number.mantissa);
    decimals.push_back(static_cast<int8_t>(number.decimals));
  }
  PlainTicks ticks;
  ticks.add(mantissa, decimals);
  table.scale = {.instants = false, .decimals = ticks.decimals()};
  table.ticks = std::move(ticks.ticks());
  if (ticks.rounded() > 0) table.notes.push_back(ticks.note());
}

}  // namespace

void set_ticks(EventTable& table, std::span<const Decimal> numbers, NumberTimes kind) {
  const bool instants = kind == NumberTimes::kUnixSeconds ||
                        (kind == NumberTimes::kByMagnitude && detect_unit(numbers) == TimeUnit::kSeconds);
  set_ticks(table, numbers, instants ? TimeUnit::kSeconds : TimeUnit::kNumber);
}

TimeUnit unit_of_numbers(std::span<const Decimal> numbers) {
  constexpr std::size_t kSampleRows = 1000;
  return detect_unit(numbers.first(std::min(kSampleRows, numbers.size())));
}

void set_ticks(EventTable& table, std::span<const Decimal> numbers, TimeUnit unit) {
  if (unit == TimeUnit::kNumber) {
    set_plain(table, numbers);
  } else {
    set_instants(table, numbers, unit);
  }
}

Categories numbered_categories(std::string name, std::span<const int64_t> numbers) {
  std::vector<int64_t> distinct(numbers.begin(), numbers.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  Categories categories{std::move(name), {}, {}};
  for (const int64_t number : distinct) categories.names.add(std::to_string(number));
  for (const int64_t number : numbers) {
    const auto place = std::lower_bound(distinct.begin(), distinct.end(), number);
    categories.codes.push_back(static_cast<int32_t>(place - distinct.begin()));
  }
  return categories;
}

}  // namespace t2v::data
