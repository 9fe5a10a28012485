#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace t2v {

/// XXH3, 64 bits, seed 0: finds damage by accident, not by intent.
uint64_t checksum(std::span<const std::byte> bytes);
/// The checksum of pieces that lie one after another, as if they were one.
uint64_t checksum(std::span<const std::span<const std::byte>> pieces);

inline constexpr std::size_t kChecksumDigits = 16;

/// Sixteen lower-case hexadecimal digits, the highest first.
std::string checksum_text(uint64_t sum);
/// The way back; nothing if the text is not exactly that.
std::optional<uint64_t> parse_checksum(std::string_view text);

}  // namespace t2v
