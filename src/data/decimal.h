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

/// How many characters of a word, from the first, are digits.
inline int leading_digits(uint64_t word) noexcept {
  const uint64_t x = word ^ 0x3030303030303030U;  // digits become 0..9
  const uint64_t others = (x | (x + 0x0606060606060606U)) & 0xF0F0F0F0F0F0F0F0U;
  return std::countr_zero(others) / 8;
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

}  // namespace t2v::data
