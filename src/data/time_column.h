#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "data/decimal.h"
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

/// A number of such a unit, which is not kNumber, in nanoseconds, exactly: kTooFine if it is finer than a
/// nanosecond, kRange beyond +-(2^63 - 1). `nanoseconds` is then undefined.
TimeFault to_nanoseconds(Decimal number, TimeUnit unit, int64_t& nanoseconds) noexcept;

}  // namespace t2v::data
