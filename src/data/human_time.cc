#include "data/human_time.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "data/decimal.h"
#include "data/iso_time.h"

namespace t2v::data {
namespace {

constexpr int64_t kMinute = 60;
constexpr int64_t kHour = 60 * kMinute;
constexpr int64_t kDay = 24 * kHour;
constexpr double kDaysOfYear = 365.25;

/// To 3 significant digits.
double rounded(double x) { return std::strtod(fmt::format("{:.2e}", x).c_str(), nullptr); }

/// "5 min 30 s" of whole numbers of the smaller unit.
std::string two_units(int64_t count, int64_t ratio, const char* larger, const char* smaller) {
  const std::string text = fmt::format("{} {}", count / ratio, larger);
  return count % ratio == 0 ? text : text + fmt::format(" {} {}", count % ratio, smaller);
}

/// One decimal below 100.
std::string long_unit(double count, const char* name) {
  if (count >= 1e6) return fmt::format("{:.3g} {}", count, name);
  return fmt::format("{:.{}f} {}", count, count < 99.95 ? 1 : 0, name);
}

/// Below a minute; empty if it rounds to one.
std::string short_duration(double seconds) {
  struct Unit {
    const char* name;
    double per_second;
    double limit;
  };
  constexpr std::array<Unit, 4> kUnits = {
      {{"ns", 1e9, 1e3}, {"us", 1e6, 1e3}, {"ms", 1e3, 1e3}, {"s", 1, 60}}};
  for (const Unit& unit : kUnits) {
    const double count = rounded(seconds * unit.per_second);
    if (count < unit.limit) return fmt::format("{:.3g} {}", count, unit.name);
  }
  return "";
}

std::string positive_duration(double seconds) {
  if (std::string text = short_duration(seconds); !text.empty()) return text;
  if (seconds < kDay) {
    const int64_t whole_seconds = std::llround(seconds);
    if (whole_seconds < kHour) return two_units(whole_seconds, 60, "min", "s");
    const int64_t whole_minutes = std::llround(seconds / kMinute);
    if (whole_minutes < kDay / kMinute) return two_units(whole_minutes, 60, "h", "min");
  }
  const double days = seconds / kDay;
  return days < kDaysOfYear ? long_unit(days, "d") : long_unit(days / kDaysOfYear, "y");
}

}  // namespace

std::string human_duration(double seconds) {
  if (std::isnan(seconds)) return "unknown";
  if (seconds == 0) return "0 s";
  const std::string text = std::isinf(seconds) ? "for ever" : positive_duration(std::abs(seconds));
  return seconds < 0 ? "-" + text : text;
}

std::string human_count(int64_t count) {
  std::string text = fmt::format("{}", count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string tick_text(const TickScale& scale, int64_t tick) {
  if (scale.instants) return format_iso(tick);
  Decimal number{tick, scale.decimals};
  while (number.decimals > 0 && number.mantissa % 10 == 0) {
    number = {number.mantissa / 10, number.decimals - 1};
  }
  return to_text(number);
}

}  // namespace t2v::data
