#include "data/time_column.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/fail.h"
#include "base/named.h"

namespace t2v::data {
namespace {

struct UnitName {
  std::string_view name;
  TimeUnit unit;
  int decimals;  // of a second, so that one is a nanosecond * 10^(9 - decimals); none for kNumber
};

constexpr std::array<UnitName, 5> kUnits = {{
    {"s", TimeUnit::kSeconds, 0},
    {"ms", TimeUnit::kMilliseconds, 3},
    {"us", TimeUnit::kMicroseconds, 6},
    {"ns", TimeUnit::kNanoseconds, 9},
    {"number", TimeUnit::kNumber, 0},
}};

const UnitName& entry_of(TimeUnit unit) noexcept { return kUnits[static_cast<std::size_t>(unit)]; }

uint64_t magnitude_of(int64_t number) noexcept {
  return number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
}

/// The e for which 10^e <= |number| < 10^(e+1); very small for 0.
int power_of(Decimal number) noexcept {
  const uint64_t magnitude = magnitude_of(number.mantissa);
  if (magnitude == 0) return std::numeric_limits<int>::min();
  const auto* const above = std::upper_bound(kPowersOfTen.begin(), kPowersOfTen.end(), magnitude);
  return static_cast<int>(above - kPowersOfTen.begin()) - 1 - number.decimals;
}

/// mantissa * 10^power, exactly.
TimeFault scaled(int64_t mantissa, int power, int64_t& tick) noexcept {
  constexpr int kMost = 18;
  const auto factor =
      static_cast<int64_t>(kPowersOfTen[static_cast<std::size_t>(std::min(std::abs(power), kMost))]);
  if (mantissa == 0) {
    tick = 0;
    return TimeFault::kNone;
  }
  if (power < 0) {
    if (power < -kMost || mantissa % factor != 0) return TimeFault::kTooFine;
    tick = mantissa / factor;
    return TimeFault::kNone;
  }
  const bool fits = power <= kMost && !__builtin_mul_overflow(mantissa, factor, &tick);
  return fits && tick != std::numeric_limits<int64_t>::min() ? TimeFault::kNone : TimeFault::kRange;
}

}  // namespace

std::string_view name_of(TimeUnit unit) noexcept { return entry_of(unit).name; }

TimeUnit time_unit_named(std::string_view name) { return find_named(kUnits, name, "unit of time").unit; }

TimeUnit detect_unit(std::span<const Decimal> sample) {
  if (sample.empty()) return TimeUnit::kNumber;
  std::vector<int> powers(sample.size());
  std::transform(sample.begin(), sample.end(), powers.begin(), power_of);
  const auto middle = powers.begin() + static_cast<std::ptrdiff_t>((powers.size() - 1) / 2);
  std::nth_element(powers.begin(), middle, powers.end());
  if (*middle >= kNanosecondsFrom) return TimeUnit::kNanoseconds;
  if (*middle >= kMicrosecondsFrom) return TimeUnit::kMicroseconds;
  if (*middle >= kMillisecondsFrom) return TimeUnit::kMilliseconds;
  return *middle >= kSecondsFrom ? TimeUnit::kSeconds : TimeUnit::kNumber;
}

std::string detection_rule() {
  return fmt::format(
      "Numbers whose median magnitude, in the first 1,000 rows, is below 1e{} are plain numbers; from there "
      "they count since "
      "1970-01-01 UTC: "
      "seconds, from 1e{} milliseconds, from 1e{} microseconds, from 1e{} nanoseconds.",
      kSecondsFrom, kMillisecondsFrom, kMicrosecondsFrom, kNanosecondsFrom);
}

TimeFault to_nanoseconds(Decimal number, TimeUnit unit, int64_t& nanoseconds) noexcept {
  constexpr int kDecimals = 9;
  return scaled(number.mantissa, kDecimals - entry_of(unit).decimals - number.decimals, nanoseconds);
}

}  // namespace t2v::data
