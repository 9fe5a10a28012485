#include "base/json_text.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/text_check.h"

namespace t2v {
namespace {

constexpr int kDeepest = 64;
constexpr std::size_t kLongestWord = 64;
constexpr std::size_t kLongText = std::size_t{1} << 16;

/// The number that four hexadecimal digits after \u are; -1 if a text does not start so.
int unit_of(std::string_view text) {
  if (text.size() < 6 || !text.starts_with("\\u")) return -1;
  int unit = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + 6, unit, 16);
  return error == std::errc() && end == text.data() + 6 && text[2] != '-' ? unit : -1;
}

/// The bytes of the escape with which a text starts; 0 if it is none. Half of a character alone is none.
std::size_t escape_length(std::string_view text) {
  if (text.size() < 2) return 0;
  if (text[1] != 'u') return std::string_view("\"\\/bfnrt").find(text[1]) == std::string_view::npos ? 0 : 2;
  const int unit = unit_of(text);
  if (unit < 0 || (unit >= 0xDC00 && unit <= 0xDFFF)) return 0;
  if (unit < 0xD800 || unit > 0xDFFF) return 6;
  const int second = unit_of(text.substr(6));
  return second >= 0xDC00 && second <= 0xDFFF ? 12 : 0;
}

/// Whether a text is neither too deep nor too long. Of what is not JSON it may say anything.
bool is_bounded(std::string_view text, std::size_t most) {
  int depth = 0;
  std::size_t entries = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\') ++i;
    if (quoted) continue;
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    entries += c == ',' || c == '[' || c == '{' ? 1 : 0;
    if (depth > kDeepest || entries > most) return false;
  }
  return true;
}

}  // namespace

bool has_sound_tokens(std::string_view text) {
  if (text.size() <= kLongText) return true;
  if (first_bad_byte(text) != text.size()) return false;
  bool quoted = false;
  std::size_t word = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!quoted) {
      quoted = c == '"';
      word = std::string_view(" \t\r\n,:[]{}\"").find(c) != std::string_view::npos ? 0 : word + 1;
      if (word > kLongestWord) return false;
    } else if (c == '\\') {
      const std::size_t length = escape_length(text.substr(i));
      if (length == 0) return false;
      i += length - 1;
    } else if (static_cast<unsigned char>(c) < ' ') {
      return false;
    } else {
      quoted = c != '"';
    }
  }
  return !quoted;
}

nlohmann::json parse_json_text(std::string_view text, std::size_t most) {
  if (!is_bounded(text, most) || !has_sound_tokens(text)) return nlohmann::json::value_t::discarded;
  return nlohmann::json::parse(text, nullptr, false);
}

}  // namespace t2v
