#include "data/plain_ticks.h"

#include <algorithm>
#include <cstddef>

#include "base/fail.h"

namespace t2v::data {
namespace {

constexpr int kInstantDecimals = 9;
constexpr int kMostTickDecimals = 18;
constexpr Decimal kFirstUnixSecond = {100'000'000, 0};

uint64_t power_of_ten(int exponent) { return kPowersOfTen[static_cast<std::size_t>(exponent)]; }

/// The number in ticks of 10^-decimals, rounded to the nearest (halves away from 0); false if it does not
/// fit.
bool in_ticks(Decimal number, int decimals, int64_t& ticks) {
  const int shift = decimals - number.decimals;
  if (number.mantissa == 0 || shift < -kMostTickDecimals - 1) {
    ticks = 0;
    return true;
  }
  if (shift < 0) {
    const uint64_t divisor = power_of_ten(-shift);
    const uint64_t size = number.mantissa < 0 ? 0 - static_cast<uint64_t>(number.mantissa)
                                              : static_cast<uint64_t>(number.mantissa);
    const auto rounded = static_cast<int64_t>(size / divisor + (size % divisor >= divisor / 2 ? 1 : 0));
    ticks = number.mantissa < 0 ? -rounded : rounded;
    return true;
  }
  if (shift > kMostTickDecimals) return false;
  return !__builtin_mul_overflow(number.mantissa, static_cast<int64_t>(power_of_ten(shift)), &ticks);
}

bool loses_digits(Decimal number, int decimals) {
  for (; number.decimals > decimals; --number.decimals) {
    if (number.mantissa % 10 != 0) return true;
    number.mantissa /= 10;
  }
  return false;
}

bool is_unix_second(Decimal number) {
  int64_t seconds = 0;
  return in_ticks(number, 0, seconds) && seconds >= kFirstUnixSecond.mantissa;
}

/// The most decimals, not above those wanted, that all numbers have room for; -1 if there are none.
int fitting_decimals(std::span<const Decimal> numbers, int wanted) {
  int64_t ticks = 0;
  for (const Decimal number : numbers) {
    while (wanted >= 0 && !in_ticks(number, wanted, ticks)) --wanted;
  }
  return wanted;
}

int plain_decimals(std::span<const Decimal> numbers) {
  int most = 0;
  for (const Decimal number : numbers) most = std::max(most, number.decimals);
  const int fitting = fitting_decimals(numbers, std::min(most, kMostTickDecimals));
  if (fitting < 0) fail("a time is beyond 9.2e18; use a larger unit");
  return fitting;
}

}  // namespace

void set_ticks(EventTable& table, std::span<const Decimal> numbers, NumberTimes kind) {
  const bool instants =
      kind == NumberTimes::kUnixSeconds ||
      (kind == NumberTimes::kByMagnitude && std::all_of(numbers.begin(), numbers.end(), is_unix_second));
  table.scale = {instants, instants ? kInstantDecimals : plain_decimals(numbers)};
  table.ticks.assign(numbers.size(), 0);
  int64_t rounded = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!in_ticks(numbers[i], table.scale.decimals, table.ticks[i])) {
      fail("time {} is not within the years 1678 to 2261 as seconds since 1970; read it as a plain number",
           to_text(numbers[i]));
    }
    if (loses_digits(numbers[i], table.scale.decimals)) ++rounded;
  }
  if (rounded > 0) {
    table.notes.push_back(fmt::format("{} times have more than {} decimals and are rounded to the nearest.",
                                      rounded, table.scale.decimals));
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
