#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/decimal.h"
#include "data/event_table.h"
#include "data/iso_time.h"

namespace t2v::data {

/// What a number in a column of times counts.
enum class TimeUnit : uint8_t {
  kSeconds,  // since 1970-01-01T00:00:00 UTC; also the next three
  kMilliseconds,
  kMicroseconds,
  kNanoseconds,
  kNumber,  // whatever the source means: not an instant
};

/// s, ms, us, ns, number.
std::string_view name_of(TimeUnit unit) noexcept;
/// Throws t2v::Error that lists the names.
TimeUnit time_unit_named(std::string_view name);

// Which unit a number is taken for: seconds from 10^8 (in 1973) to 10^11 (in 5138), and so on.
inline constexpr int kSecondsFrom = 8;
inline constexpr int kMillisecondsFrom = 11;
inline constexpr int kMicrosecondsFrom = 14;
inline constexpr int kNanosecondsFrom = 17;

/// The unit that the median magnitude of some numbers speaks for; of an even number of them, the lower of the
/// two in the middle. Below 10^8, and without numbers, kNumber.
TimeUnit detect_unit(std::span<const Decimal> sample);
/// That rule in a sentence, for people.
std::string detection_rule();

/// Some numbers of a column, as they were written. Chunks can be filled by several threads, one each.
struct DecimalChunk {
  std::vector<int64_t> mantissa;
  std::vector<int8_t> decimals;
  int8_t most_decimals = std::numeric_limits<int8_t>::min();
  int8_t fewest_decimals = std::numeric_limits<int8_t>::max();

  static_assert(kMostDecimals <= std::numeric_limits<int8_t>::max());
  void add(Decimal number) {
    const auto places = static_cast<int8_t>(number.decimals);
    mantissa.push_back(number.mantissa);
    decimals.push_back(places);
    most_decimals = places > most_decimals ? places : most_decimals;
    fewest_decimals = places < fewest_decimals ? places : fewest_decimals;
  }
  int64_t size() const { return static_cast<int64_t>(mantissa.size()); }
  Decimal operator[](int64_t i) const {
    return {mantissa[static_cast<std::size_t>(i)], decimals[static_cast<std::size_t>(i)]};
  }
};

/// The scale of a whole column: nanoseconds for instants; for plain numbers as many decimals as the one with
/// most of them, and at least 0.
TickScale common_scale(std::span<const DecimalChunk> chunks, TimeUnit unit);

/// The first number of a chunk that has no tick.
struct TickFault {
  TimeFault fault = TimeFault::kNone;  // or kTooFine, of instants alone, or kRange
  int64_t index = 0;                   // within the chunk
};

/// Turns the numbers of a chunk into ticks of a scale that common_scale gave for this unit, exactly. Ticks
/// are within +-(2^63 - 1). After a fault the ticks from its index on are undefined.
TickFault to_ticks(const DecimalChunk& chunk, TimeUnit unit, TickScale scale,
                   std::span<int64_t> ticks) noexcept;

/// What is wrong with a number and what to do: "'0.1234567891' is finer than a nanosecond; ...".
std::string explain(TimeFault fault, Decimal number, TimeUnit unit, TickScale scale);

/// All chunks one after another. Throws t2v::Error that says which number has no tick and why.
std::vector<int64_t> all_ticks(std::span<const DecimalChunk> chunks, TimeUnit unit, TickScale scale);

}  // namespace t2v::data
