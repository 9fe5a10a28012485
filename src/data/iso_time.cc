#include "data/iso_time.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "data/decimal.h"
#include "data/duration.h"

namespace t2v::data {
namespace {

constexpr int64_t kSecondsPerDay = 86400;
/// Of months 1..12 of a plain and of a leap year.
using Months = std::array<std::array<int, 13>, 2>;
constexpr Months kDaysIn = {{{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31},
                             {0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}}};
constexpr Months kDaysBefore = [] {
  Months before{};
  for (std::size_t leap = 0; leap < 2; ++leap) {
    for (std::size_t m = 2; m <= 12; ++m) before[leap][m] = before[leap][m - 1] + kDaysIn[leap][m - 1];
  }
  return before;
}();

/// The entry of a month; without branches, which random dates would make costly.
int of_month(const Months& months, int year, int month) noexcept {
  return months[is_leap_year(year) ? 1 : 0][static_cast<std::size_t>(month)];
}

/// Days from 0000-01-01 to the start of a year.
constexpr int64_t days_before_year(int64_t year) noexcept {
  const int64_t past = year + 399;  // the year before, 400 years later: not negative
  return past * 365 + past / 4 - past / 100 + past / 400 - (399 * 365 + 99 - 3);
}
constexpr int64_t kDaysBefore1970 = days_before_year(1970);

using Fields = TimeFields;

bool is_date(int year, int month, int day) noexcept {
  return month >= 1 && month <= 12 && day >= 1 && day <= days_in_month(year, month);
}

/// Since 1970-01-01T00:00:00 UTC, or of the clock that wrote it.
int64_t seconds_of(const Fields& f) noexcept {
  const int offset = f.offset_sign * (f.offset_hour * 60 + f.offset_minute);
  const int64_t day = days_since_1970(f.year, f.month, f.day);
  return day * kSecondsPerDay + (f.hour * 60 + f.minute - offset) * 60 + f.second;
}

// The common forms, by words of eight characters.

/// Checks a word against a pattern of 0 for digits, other characters for themselves and zero bytes for those
/// beyond its end, and puts at byte i of
/// `pairs` the two-digit number that starts at character i.
class Pattern {
 public:
  explicit constexpr Pattern(std::string_view pattern) {
    for (std::size_t i = 0; i < 8; ++i) {
      const char c = i < pattern.size() ? pattern[i] : '\0';
      const bool digit = c == '0';
      expected_ |= uint64_t{static_cast<unsigned char>(c)} << (8 * i);
      six_ |= uint64_t{digit ? 0x06U : 0U} << (8 * i);
      must_be_zero_ |= uint64_t{digit ? 0xF0U : 0xFFU} << (8 * i);
    }
  }
  bool read(uint64_t word, uint64_t& pairs) const noexcept {
    const uint64_t x = word ^ expected_;
    pairs = x * 10 + (x >> 8);
    return ((x | (x + six_)) & must_be_zero_) == 0;
  }

 private:
  uint64_t expected_ = 0;
  uint64_t six_ = 0;
  uint64_t must_be_zero_ = 0;
};

int byte_of(uint64_t pairs, int i) noexcept { return static_cast<int>(pairs >> (8 * i) & 0xFF); }

/// Reads +HH:MM to the end.
bool read_common_offset(const char* at, const char* end, Fields& f) noexcept {
  constexpr Pattern kOffset("00:00");
  uint64_t offset = 0;
  if (end - at != 6 || !kOffset.read(load_characters(at + 1, end), offset)) return false;
  f.has_offset = true;
  f.offset_sign = *at == '-' ? -1 : 1;
  f.offset_hour = byte_of(offset, 0);
  f.offset_minute = byte_of(offset, 3);
  return (*at == '+' || *at == '-') && f.offset_hour <= 23 && f.offset_minute <= 59;
}

/// Reads what may follow the seconds: a fraction of at most 9 digits, Z or +HH:MM.
bool read_common_end(const char* at, const char* end, Fields& f) noexcept {
  if (at != end && *at == '.') {
    uint64_t fraction = 0;
    const char* const after = read_digits(at + 1, end, fraction);
    const int64_t digits = after - at - 1;
    if (digits < 1 || digits > 9) return false;
    f.nanosecond = static_cast<int64_t>(fraction * kPowersOfTen[static_cast<std::size_t>(9 - digits)]);
    at = after;
  }
  if (at == end) return true;
  f.has_offset = *at == 'Z' || *at == 'z';
  return f.has_offset ? at + 1 == end : read_common_offset(at, end, f);
}

/// Reads YYYY-MM-DD at the start of ten characters or more.
bool read_common_date(const char* at, Fields& f) noexcept {
  constexpr Pattern kYearMonth("0000-00-");
  uint64_t date = 0;
  if (!kYearMonth.read(load_characters(at, at + 8), date)) return false;
  const unsigned tens = static_cast<unsigned char>(at[8]) - unsigned{'0'};
  const unsigned ones = static_cast<unsigned char>(at[9]) - unsigned{'0'};
  f.year = byte_of(date, 0) * 100 + byte_of(date, 2);
  f.month = byte_of(date, 5);
  f.day = static_cast<int>(tens * 10 + ones);
  const bool far_from_limits = f.year >= 1678 && f.year <= 2261;
  return tens <= 9 && ones <= 9 && far_from_limits && is_date(f.year, f.month, f.day);
}

bool read_common_clock(const char* at, Fields& f) noexcept {
  constexpr Pattern kClock("00:00:00");
  uint64_t clock = 0;
  if (!kClock.read(load_characters(at, at + 8), clock)) return false;
  f.hour = byte_of(clock, 0);
  f.minute = byte_of(clock, 3);
  f.second = byte_of(clock, 6);
  return f.hour <= 23 && f.minute <= 59 && f.second <= 59;
}

/// Reads YYYY-MM-DD and YYYY-MM-DD HH:MM:SS[.F][Z or +HH:MM]. False for all else: faults, years near the
/// limits, and rarer forms.
bool parse_common(std::string_view text, IsoTime& out) noexcept {
  const char* const at = text.data();
  if (text.size() != 10 && text.size() < 19) return false;
  Fields f;
  if (!read_common_date(at, f)) return false;
  if (text.size() > 10) {
    const bool separated = at[10] == ' ' || at[10] == 'T' || at[10] == 't';
    if (!separated || !read_common_clock(at + 11, f)) return false;
    if (!read_common_end(at + 19, at + text.size(), f)) return false;
  }
  out = {seconds_of(f) * kNanosecondsPerSecond + f.nanosecond, f.has_offset};
  return true;
}

// All forms, and what is wrong with others.

class Text {
 public:
  explicit Text(std::string_view text) : rest_(text) {}

  bool empty() const { return rest_.empty(); }
  bool take(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }
  /// The next character if it is one of these, else 0.
  char take_one_of(std::string_view some) {
    if (rest_.empty() || some.find(rest_.front()) == std::string_view::npos) return 0;
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  char take_digit() { return take_one_of("0123456789"); }
  /// A number of exactly so many digits.
  bool take_number(int digits, int& value) {
    value = 0;
    for (; digits > 0; --digits) {
      const char c = take_digit();
      if (c == 0) return false;
      value = value * 10 + (c - '0');
    }
    return true;
  }

 private:
  std::string_view rest_;
};

/// Reads a fraction's digits, at least one.
bool take_fraction(Text& text, Fields& f) {
  int digits = 0;
  for (char c = text.take_digit(); c != 0; c = text.take_digit()) {
    if (digits < 9) f.nanosecond = f.nanosecond * 10 + (c - '0');
    f.too_fine |= digits >= 9 && c != '0';
    ++digits;
  }
  for (int i = digits; i < 9; ++i) f.nanosecond *= 10;
  return digits > 0;
}

/// Reads hours, minutes, and seconds if they are there, with colons between or without.
bool take_clock(Text& text, std::string_view colon, Fields& f) {
  if (!text.take_number(2, f.hour) || !text.take(colon) || !text.take_number(2, f.minute)) return false;
  const bool seconds = colon.empty() ? Text(text).take_digit() != 0 : text.take(colon);
  if (!seconds) return true;
  if (!text.take_number(2, f.second)) return false;
  return text.take_one_of(".,") == 0 || take_fraction(text, f);
}

/// Reads an offset, if there is one.
bool take_offset(Text& text, Fields& f) {
  f.has_offset = !text.empty();
  if (!f.has_offset || text.take(" UTC") || text.take_one_of("Zz") != 0) return true;
  const char sign = text.take_one_of("+-");
  f.offset_sign = sign == '-' ? -1 : 1;
  if (sign == 0 || !text.take_number(2, f.offset_hour)) return false;
  if (text.empty()) return true;
  text.take(":");
  return text.take_number(2, f.offset_minute);
}

bool take_all(Text& text, Fields& f) {
  if (!text.take_number(4, f.year)) return false;
  const char hyphen = text.take_one_of("-/");
  const std::string_view between = hyphen == '-' ? "-" : hyphen == '/' ? "/" : "";
  if (!text.take_number(2, f.month) || !text.take(between) || !text.take_number(2, f.day)) return false;
  const bool basic = hyphen == 0;
  if (text.empty()) return !basic;
  if (text.take_one_of(basic ? "Tt" : "Tt ") == 0) return false;
  return take_clock(text, basic ? "" : ":", f) && take_offset(text, f) && text.empty();
}

TimeFault fault_of(const Fields& f) noexcept {
  if (!is_date(f.year, f.month, f.day)) return TimeFault::kNoSuchDate;
  if (f.hour > 23 || f.minute > 59 || f.second > 60) return TimeFault::kNoSuchTime;
  if (f.second == 60) return TimeFault::kLeapSecond;
  if (f.offset_hour > 23 || f.offset_minute > 59) return TimeFault::kNoSuchOffset;
  return f.too_fine ? TimeFault::kTooFine : TimeFault::kNone;
}

TimeFault parse_any(std::string_view text, IsoTime& out) noexcept {
  if (text.empty()) return TimeFault::kEmpty;
  Fields f;
  Text rest(text);
  return take_all(rest, f) ? time_of(f, out) : TimeFault::kSyntax;
}

}  // namespace

bool is_leap_year(int year) noexcept {
  return (year & (year % 25 == 0 ? 15 : 3)) == 0;  // divisible by 400 if by 100, else by 4
}

int days_in_month(int year, int month) noexcept { return of_month(kDaysIn, year, month); }

int64_t days_since_1970(int year, int month, int day) noexcept {
  return days_before_year(year) - kDaysBefore1970 + of_month(kDaysBefore, year, month) + day - 1;
}

int year_of(int64_t days) noexcept {
  const int64_t since_0 = days + kDaysBefore1970;
  auto year = static_cast<int>(since_0 * 400 / 146097);  // 146097 days are 400 years; at most one off
  while (days_before_year(year) > since_0) --year;
  while (days_before_year(year + 1) <= since_0) ++year;
  return year;
}

TimeFault time_of(const TimeFields& fields, IsoTime& out) noexcept {
  if (const TimeFault fault = fault_of(fields); fault != TimeFault::kNone) return fault;
  __extension__ using Wide = __int128;  // the limits are within a second
  const Wide exact = Wide{seconds_of(fields)} * kNanosecondsPerSecond + fields.nanosecond;
  constexpr int64_t kLimit = std::numeric_limits<int64_t>::max();
  if (exact > kLimit || exact < -kLimit) return TimeFault::kRange;
  out = {static_cast<int64_t>(exact), fields.has_offset};
  return TimeFault::kNone;
}

TimeFault parse_iso(std::string_view text, IsoTime& out) noexcept {
  return parse_common(text, out) ? TimeFault::kNone : parse_any(text, out);
}

const char* explain(TimeFault fault) noexcept {
  switch (fault) {
    case TimeFault::kNone:
      return "";
    case TimeFault::kEmpty:
      return "is empty; a time is needed here";
    case TimeFault::kSyntax:
      return "is not a time; write it as 2021-03-28 14:05:09.250, with Z or +01:00 after it if need be, or "
             "as a number, or say how times are written with `time_format`";
    case TimeFault::kNoSuchDate:
      return "has a date that does not exist; the order is year, month, day";
    case TimeFault::kNoSuchTime:
      return "has a time of day that does not exist; hours go from 00 to 23, minutes and seconds to 59";
    case TimeFault::kLeapSecond:
      return "is a leap second, which Unix time does not count; write second 59 or the next second 00";
    case TimeFault::kTooFine:
      return "is finer than a nanosecond; round it to 9 decimals of a second";
    case TimeFault::kRange:
      return "is outside of the years 1677 to 2262, which 64 bits of nanoseconds hold; is the unit right "
             "(`time_unit`)?";
    case TimeFault::kNoSuchOffset:
      return "has an offset from UTC that does not exist; offsets go from -23:59 to +23:59";
  }
  return "";
}

std::string format_iso(int64_t nanoseconds) {
  int64_t fraction = nanoseconds % kNanosecondsPerSecond;
  if (fraction < 0) fraction += kNanosecondsPerSecond;
  const int64_t seconds =
      nanoseconds / kNanosecondsPerSecond - (nanoseconds % kNanosecondsPerSecond < 0 ? 1 : 0);
  int64_t clock = seconds % kSecondsPerDay;
  if (clock < 0) clock += kSecondsPerDay;
  const int64_t days = (seconds - clock) / kSecondsPerDay;
  const int year = year_of(days);
  int month = 12;
  while (days_since_1970(year, month, 1) > days) --month;
  const int64_t day = days - days_since_1970(year, month, 1) + 1;
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", year, month, day, clock / 3600,
                                 clock / 60 % 60, clock % 60);
  int digits = fraction == 0 ? 0 : 9;
  for (; digits > 3 && fraction % 1000 == 0; digits -= 3) fraction /= 1000;
  if (digits > 0) text += fmt::format(".{:0{}}", fraction, digits);
  return text + "Z";
}

}  // namespace t2v::data
