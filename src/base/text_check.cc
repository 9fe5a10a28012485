#include "base/text_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace t2v {
namespace {

/// Whether eight bytes are ASCII and none is NUL.
bool plain_word(const char* bytes) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  constexpr uint64_t kOnes = 0x0101010101010101U;
  constexpr uint64_t kHighs = 0x8080808080808080U;
  // Subtracting 1 from each byte borrows into the highest bit where a byte was 0.
  return ((word | (word - kOnes)) & kHighs) == 0;
}

constexpr std::size_t kBlock = 64;

/// The same of kBlock bytes, without a branch, which vectors like.
bool plain_block(const char* bytes) {
  unsigned char least = 0x7F;
  unsigned char all = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    least = std::min(least, byte);
    all |= byte;
  }
  return least > 0 && all < 0x80;
}

/// The length of the valid character at `at`, 0 if there is none (Unicode 15, table 3-7).
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first == 0) return 0;
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80;   // no longer form than needed
    const unsigned high = first == 0xED ? 0x9F : 0xBF;  // no surrogates
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xF4 ? 0x8F : 0xBF;  // up to U+10FFFF
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

/// Whether a character moves a terminal's cursor, changes its state or the direction of what follows.
bool is_control(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0) < 0x20 || byte(0) == 0x7F;
  if (character.size() == 2) return (byte(0) == 0xC2 && byte(1) < 0xA0) || character == "\u061C";
  if (character == "\uFEFF") return true;  // a byte order mark, which is not seen
  if (character.size() != 3 || byte(0) != 0xE2) return false;
  const bool marks = byte(1) == 0x80 && (byte(2) == 0x8E || byte(2) == 0x8F);
  const bool lines_and_embeddings = byte(1) == 0x80 && byte(2) >= 0xA8 && byte(2) <= 0xAE;
  const bool isolates = byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9;
  return marks || lines_and_embeddings || isolates;
}

}  // namespace

std::size_t first_bad_byte(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (at + kBlock <= text.size() && plain_block(text.data() + at)) {
      at += kBlock;
      continue;
    }
    if (at + 8 <= text.size() && plain_word(text.data() + at)) {
      at += 8;
      continue;
    }
    const std::size_t length = character_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return text.size();
}

std::string escaped(std::string_view text, std::string_view kept) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    const std::string_view character = text.substr(at, std::max<std::size_t>(length, 1));
    if (length > 0 && (!is_control(character) || kept.find(character) != std::string_view::npos)) {
      result += character;
    } else {
      for (const char byte : character) result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
    at += character.size();
  }
  return result;
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string_view part = text.substr(0, kMost);
  // Not half a character.
  while (part.size() < text.size() && !part.empty() &&
         (static_cast<unsigned char>(text[part.size()]) & 0xC0) == 0x80 && part.size() + 3 > kMost) {
    part.remove_suffix(1);
  }
  const std::string result = escaped(part);
  return part.size() < text.size() ? result + "..." : result;
}

}  // namespace t2v
