#include "data/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

namespace t2v::data {
namespace {

constexpr uint64_t kLargest = std::numeric_limits<int64_t>::max();

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Letters as small ones.
char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equals_lower(std::string_view text, std::string_view small) noexcept {
  return std::equal(text.begin(), text.end(), small.begin(), small.end(),
                    [](char a, char b) { return lower(a) == b; });
}

/// Removes a sign; true if it was a minus.
bool take_sign(std::string_view& text) noexcept {
  const bool minus = text.starts_with('-');
  if (minus || text.starts_with('+')) text.remove_prefix(1);
  return minus;
}

bool has_decimal_comma(std::string_view unsigned_text) noexcept {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t comma = unsigned_text.find_first_not_of(kDigits);
  if (comma == std::string_view::npos || unsigned_text[comma] != ',') return false;
  const std::string_view fraction = unsigned_text.substr(comma + 1);
  const std::size_t end = fraction.find_first_not_of(kDigits);
  if (end == std::string_view::npos) return !fraction.empty();
  return end > 0 && lower(fraction[end]) == 'e';
}

/// Why a text is not a number of the form that is read here.
NumberFault fault_of(std::string_view text) noexcept {
  if (text.empty()) return NumberFault::kEmpty;
  take_sign(text);
  if (text.starts_with("0x") || text.starts_with("0X")) return NumberFault::kHex;
  for (const std::string_view name : {"nan", "inf", "infinity"}) {
    if (equals_lower(text, name)) return NumberFault::kNotFinite;
  }
  return has_decimal_comma(text) ? NumberFault::kDecimalComma : NumberFault::kSyntax;
}

/// Reads digits with one point among them, in 8 characters at most. False for all else.
bool scan_point(std::string_view text, Magnitude& out) noexcept {
  if (text.size() < 2 || text.size() > 8) return false;
  return scan_word(load_characters(text.data(), text.data() + text.size()), text.size(), out);
}

/// Reads the usual short form: digits, perhaps a point, in 19 characters at most. False for all else.
bool scan_short(std::string_view unsigned_text, Magnitude& out) noexcept {
  if (unsigned_text.size() > 19) return false;
  if (scan_point(unsigned_text, out) || scan_whole(unsigned_text, out.value)) return true;
  const char* const begin = unsigned_text.data();
  const char* const end = begin + unsigned_text.size();
  uint64_t value = 0;
  const char* at = read_digits(begin, end, value);
  if (at == end) {
    out = {value, 0};
    return at != begin;
  }
  if (*at != '.') return false;
  const char* const point = at;
  at = read_digits(point + 1, end, value);
  out = {value, at - point - 1};
  return at == end && at - begin > 1;
}

/// Any form, as value * 10^(zeros - decimals + exponent): zeros at the end of the digits are counted apart.
struct Scan {
  uint64_t value = 0;
  int64_t zeros = 0;
  int64_t decimals = 0;
  int64_t exponent = 0;
  bool overflow = false;  // the value without those zeros has more than 64 bits
};

void add_digit(Scan& scan, unsigned digit) noexcept {
  if (digit == 0) {
    scan.zeros += scan.value > 0 ? 1 : 0;
    return;
  }
  const auto shift = static_cast<std::size_t>(scan.value > 0 ? scan.zeros + 1 : 0);
  scan.zeros = 0;
  if (shift >= kPowersOfTen.size() || __builtin_mul_overflow(scan.value, kPowersOfTen[shift], &scan.value) ||
      __builtin_add_overflow(scan.value, digit, &scan.value)) {
    scan.overflow = true;
    scan.value = 1;
  }
}

/// Reads "e-12" at the start of a text and removes it; false if there is an e without a number.
bool take_exponent(std::string_view& text, int64_t& exponent) noexcept {
  constexpr int64_t kMost = 1'000'000'000;  // as good as any larger one
  if (text.empty() || lower(text.front()) != 'e') return true;
  text.remove_prefix(1);
  const bool minus = take_sign(text);
  if (text.empty() || !is_digit(text.front())) return false;
  for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1)) {
    exponent = std::min(exponent * 10 + (text.front() - '0'), kMost);
  }
  if (minus) exponent = -exponent;
  return true;
}

/// False if the text is not a number.
bool scan_any(std::string_view unsigned_text, Scan& scan) noexcept {
  bool digits = false;
  bool point = false;
  while (!unsigned_text.empty()) {
    const char c = unsigned_text.front();
    if (is_digit(c)) {
      digits = true;
      scan.decimals += point ? 1 : 0;
      add_digit(scan, static_cast<unsigned>(c - '0'));
    } else if (c == '.' && !point) {
      point = true;
    } else {
      break;
    }
    unsigned_text.remove_prefix(1);
  }
  return digits && take_exponent(unsigned_text, scan.exponent) && unsigned_text.empty();
}

/// Writes a magnitude with more decimals, if its value then is within the limit.
bool raise_decimals(Magnitude& number, int64_t decimals, uint64_t limit) noexcept {
  const int64_t shift = decimals - number.decimals;
  if (shift > 19) return false;
  uint64_t value = 0;
  if (__builtin_mul_overflow(number.value, kPowersOfTen[static_cast<std::size_t>(shift)], &value))
    return false;
  if (value > limit) return false;
  number = {value, decimals};
  return true;
}

NumberFault parse_long(std::string_view text, Decimal& out) noexcept {
  std::string_view rest = text;
  const bool minus = take_sign(rest);
  const uint64_t limit = kLargest + (minus ? 1 : 0);
  Scan scan;
  if (!scan_any(rest, scan)) return fault_of(text);
  if (scan.overflow || scan.value > limit) return NumberFault::kOverflow;
  const int64_t written = scan.decimals - scan.exponent;
  Magnitude number{scan.value, written - scan.zeros};
  if (number.value == 0) {
    number.decimals = written < 0 || written > kMostDecimals ? 0 : written;
  } else if (!raise_decimals(number, std::max<int64_t>(written, 0), limit) && number.decimals < 0) {
    raise_decimals(number, 0, limit);
  }
  if (number.decimals < -kMostDecimals || number.decimals > kMostDecimals) return NumberFault::kOverflow;
  out.mantissa = static_cast<int64_t>(minus ? 0 - number.value : number.value);
  out.decimals = static_cast<int>(number.decimals);
  return NumberFault::kNone;
}

/// Whether a number that is out of the range of doubles is too large, not too small.
bool is_large(std::string_view unsigned_text) noexcept {
  Scan scan;
  if (!scan_any(unsigned_text, scan) || scan.value == 0) return false;
  const std::size_t leading = unsigned_text.find_first_of("123456789");
  const std::size_t units = std::min(unsigned_text.find_first_of(".eE"), unsigned_text.size());
  return static_cast<int64_t>(units) - static_cast<int64_t>(leading) + scan.exponent > 0;
}

}  // namespace

NumberFault parse_decimal(std::string_view text, Decimal& out) noexcept {
  std::string_view rest = text;
  const bool minus = take_sign(rest);
  Magnitude number;
  if (!scan_short(rest, number) || number.value > kLargest) return parse_long(text, out);
  const auto value = static_cast<int64_t>(number.value);
  out = {minus ? -value : value, static_cast<int>(number.decimals)};
  return NumberFault::kNone;
}

NumberFault parse_double(std::string_view text, double& out) noexcept {
  constexpr uint64_t kExact = uint64_t{1} << 53;
  std::string_view rest = text;
  const bool minus = take_sign(rest);
  Magnitude number;
  if (scan_short(rest, number) && number.value <= kExact) {
    const double value = to_double(number);
    out = minus ? -value : value;
    return NumberFault::kNone;
  }
  if (rest.empty() || (!is_digit(rest.front()) && rest.front() != '.')) return fault_of(text);
  double value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (end != rest.data() + rest.size() || error == std::errc::invalid_argument) return fault_of(text);
  if (error == std::errc::result_out_of_range) {
    if (is_large(rest)) return NumberFault::kOverflow;
    value = 0;
  }
  out = minus ? -value : value;
  return NumberFault::kNone;
}

const char* explain(NumberFault fault) noexcept {
  switch (fault) {
    case NumberFault::kNone:
      return "";
    case NumberFault::kEmpty:
      return "is empty; a number is needed here";
    case NumberFault::kSyntax:
      return "is not a number";
    case NumberFault::kDecimalComma:
      return "has a decimal comma; write a point, and no separators of thousands";
    case NumberFault::kHex:
      return "is hexadecimal; write it as a decimal number";
    case NumberFault::kOverflow:
      return "is too large or has more digits than can be kept; round it, or use a larger unit";
    case NumberFault::kNotFinite:
      return "is not a finite number; leave it empty if there is no value";
  }
  return "";
}

std::string to_text(Decimal number) {
  if (number.decimals < 0) return fmt::format("{}e{}", number.mantissa, -number.decimals);
  const bool minus = number.mantissa < 0;
  const uint64_t value =
      minus ? 0 - static_cast<uint64_t>(number.mantissa) : static_cast<uint64_t>(number.mantissa);
  std::string text = fmt::format("{:0{}}", value, number.decimals + 1);
  if (number.decimals > 0) text.insert(text.size() - static_cast<std::size_t>(number.decimals), 1, '.');
  return minus ? "-" + text : text;
}

}  // namespace t2v::data
