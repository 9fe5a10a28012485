#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace t2v::data {

/// The number mantissa * 10^-decimals, exactly.
struct Decimal {
  int64_t mantissa = 0;
  int decimals = 0;

  bool operator==(const Decimal&) const = default;
};

/// Decimals that parse_decimal gives are within -kMostDecimals .. kMostDecimals.
inline constexpr int kMostDecimals = 100;

enum class NumberFault : uint8_t {
  kNone,
  kEmpty,         // no text at all
  kSyntax,        // not a number, or something after it
  kDecimalComma,  // 1,5
  kHex,           // 0x1F
  kOverflow,      // too large or with too many digits to be kept
  kNotFinite,     // nan, inf, infinity
};

/// Reads a number exactly: an optional sign, digits with at most one point among them, an optional exponent
/// (1e5, 2.5E-3), and nothing else, so no blanks. Decimals are kept as written (1.50 has two), and are not
/// negative, if the mantissa then fits 64 bits; else zeros at the end are left out. kOverflow where the
/// digits without those zeros do not fit (all numbers of 18 digits do) or the decimals are out of bounds:
/// nothing is ever rounded. `out` is untouched on a fault.
NumberFault parse_decimal(std::string_view text, Decimal& out) noexcept;

/// Reads a number of the same form, rounded to the nearest double, ties to even. Too small ones become 0, too
/// large ones are kOverflow. `out` is untouched on a fault.
NumberFault parse_double(std::string_view text, double& out) noexcept;

/// What is wrong and what to do, to follow the quoted text: "is not a number". Empty for kNone.
const char* explain(NumberFault fault) noexcept;

/// The number written out: 1.50 for {150, 2}, 12e3 for {12, -3}.
std::string to_text(Decimal number);

/// 10^0 .. 10^19.
inline constexpr std::array<uint64_t, 20> kPowersOfTen = [] {
  std::array<uint64_t, 20> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

// Eight characters at once, in a word whose lowest byte is the first character.

static_assert(std::endian::native == std::endian::little);

/// The next eight characters; if fewer are left (but one at least), zero bytes follow them.
inline uint64_t load_characters(const char* begin, const char* end) noexcept {
  const auto count = static_cast<std::size_t>(end - begin);
  uint64_t word = 0;
  if (count >= 8) {
    std::memcpy(&word, begin, 8);
  } else if (count >= 4) {  // two halves that overlap
    uint32_t low = 0;
    uint32_t high = 0;
    std::memcpy(&low, begin, 4);
    std::memcpy(&high, end - 4, 4);
    word = low | uint64_t{high} << (8 * (count - 4));
  } else {
    const auto byte = [&](std::size_t i) {
      return uint64_t{static_cast<unsigned char>(begin[i])} << (8 * i);
    };
    word = byte(0) | byte(count / 2) | byte(count - 1);
  }
  return word;
}

/// The 1 to 8 characters of a text behind whose start eight bytes may be read; zero bytes follow them.
inline uint64_t load_short(std::string_view text) noexcept {
  uint64_t word = 0;
  std::memcpy(&word, text.data(), sizeof word);
  return word & (~uint64_t{0} >> (64 - 8 * text.size()));
}

/// How many characters of a word, from the first, are digits.
inline int leading_digits(uint64_t word) noexcept {
  const uint64_t x = word ^ 0x3030303030303030U;  // digits become 0..9
  const uint64_t others = (x | (x + 0x0606060606060606U)) & 0xF0F0F0F0F0F0F0F0U;
  return std::countr_zero(others) / 8;
}

/// Whether all eight characters are digits.
inline bool all_digits(uint64_t word) noexcept {
  const uint64_t x = word ^ 0x3030303030303030U;
  return ((x | (x + 0x0606060606060606U)) & 0xF0F0F0F0F0F0F0F0U) == 0;
}

/// The number that the first `count` characters, 1..8 digits, make.
inline uint64_t value_of_digits(uint64_t word, int count) noexcept {
  uint64_t x = (word ^ 0x3030303030303030U) << (64 - 8 * count);
  x = (x * (1 + (10ULL << 8)) >> 8) & 0x00FF00FF00FF00FFU;
  x = (x * (1 + (100ULL << 16)) >> 16) & 0x0000FFFF0000FFFFU;
  return x * (1 + (10000ULL << 32)) >> 32;
}

/// Appends the digits at `begin` to a value, and returns where they end. Of more than 19 digits in all the
/// value is meaningless.
inline const char* read_digits(const char* begin, const char* end, uint64_t& value) noexcept {
  while (begin < end) {
    const uint64_t word = load_characters(begin, end);
    const int count = leading_digits(word);
    if (count == 0) break;
    value = value * kPowersOfTen[static_cast<std::size_t>(count)] + value_of_digits(word, count);
    begin += count;
    if (count < 8) break;
  }
  return begin;
}

// The usual short forms, at one go. They are here to be compiled into the loops over cells.

/// Reads 9 to 16 digits, as times since 1970 have them: the first and the last eight characters, which
/// overlap. False for all else.
inline bool scan_whole(std::string_view text, uint64_t& value) noexcept {
  const std::size_t size = text.size();
  if (size < 9 || size > 16) return false;
  const char* const begin = text.data();
  const uint64_t first = load_characters(begin, begin + 8);
  const uint64_t last = load_characters(begin + size - 8, begin + size);
  if (!all_digits(first) || !all_digits(last)) return false;
  value = value_of_digits(first, static_cast<int>(size) - 8) * 100'000'000 + value_of_digits(last, 8);
  return true;
}

/// A number without its sign: value * 10^-decimals.
struct Magnitude {
  uint64_t value = 0;
  int64_t decimals = 0;
};

/// The nearest double of a number whose value is one; at most 19 decimals.
inline double to_double(Magnitude number) noexcept {
  const auto divisor = static_cast<double>(kPowersOfTen[static_cast<std::size_t>(number.decimals)]);
  return static_cast<double>(static_cast<int64_t>(number.value)) / divisor;  // rounded once
}

/// Reads digits with one point among them, `size` (2 to 8) characters of a word; those behind are zero bytes.
/// False for all else.
inline bool scan_word(uint64_t word, std::size_t size, Magnitude& out) noexcept {
  const int whole = leading_digits(word);
  if (whole > 7 || (word >> (8 * whole) & 0xFF) != '.') return false;
  const uint64_t before = (uint64_t{1} << (8 * whole)) - 1;
  const uint64_t digits = (word & before) | (word >> 8 & ~before);  // the point taken out
  const int count = static_cast<int>(size) - 1;
  if (leading_digits(digits) != count) return false;
  out = {value_of_digits(digits, count), count - whole};
  return true;
}

}  // namespace t2v::data
