#include "report/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace t2v::report {
namespace {

struct Format {
  bool sign = false;
  bool groups = false;
  int precision = -1;  // -1: not said
  char type = 'g';
};

std::optional<Format> parsed(std::string_view text) {
  Format format;
  const auto take = [&](char c) {
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
  };
  format.sign = take('+');
  format.groups = take(',');
  if (take('.')) {
    format.precision = 0;
    std::size_t digits = 0;
    for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
      format.precision = 10 * format.precision + (text[digits] - '0');
    }
    if (digits == 0 || digits > 2) return std::nullopt;
    text.remove_prefix(digits);
  }
  if (text.size() > 1 ||
      (!text.empty() && std::string_view("fegd%").find(text[0]) == std::string_view::npos)) {
    return std::nullopt;
  }
  if (!text.empty()) format.type = text[0];
  return format;
}

/// "12345.5" as "12,345.5".
std::string grouped(std::string digits) {
  const std::size_t begin = std::min(digits.find_first_of("0123456789"), digits.size());
  std::size_t at = std::min(digits.find_first_not_of("0123456789", begin), digits.size());
  while (at > begin + 3) digits.insert(at -= 3, ",");
  return digits;
}

std::string plain_text(double value) {
  const double size = std::abs(value);
  if (size < 1e15 && value == std::round(value)) return fmt::format("{:.0f}", value == 0 ? 0 : value);
  if (size >= 1e5 && size < 1e15) return fmt::format("{:.0f}", value);
  return fmt::format("{:.5g}", value);
}

std::string typed_text(double value, const Format& format) {
  const int precision = format.precision < 0 ? 6 : format.precision;
  switch (format.type) {
    case 'f':
      return fmt::format("{:.{}f}", value, precision);
    case 'e':
      return fmt::format("{:.{}e}", value, precision);
    case '%':
      return fmt::format("{:.{}f} %", 100 * value, precision);
    case 'd':
      return fmt::format("{:.0f}", value);
    default:
      return fmt::format("{:.{}g}", value, std::max(precision, 1));
  }
}

}  // namespace

bool is_number_format(std::string_view format) { return parsed(format).has_value(); }

std::string number_text(double value, std::string_view format) {
  if (std::isnan(value)) return "–";
  if (format.empty()) return plain_text(value);
  const Format parts = parsed(format).value_or(Format());
  std::string result = typed_text(value, parts);
  if (parts.groups) result = grouped(std::move(result));
  return parts.sign && value >= 0 ? "+" + result : result;
}

std::string exact_text(double value) {
  if (value == std::round(value) && std::abs(value) < 1e15)
    return fmt::format("{:.0f}", value == 0 ? 0 : value);
  return nlohmann::json(value).dump();
}

}  // namespace t2v::report
