#include "report/html.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/number_text.h"

namespace t2v::report {

std::string escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string capitalised(std::string_view text) {
  if (text.empty() || text[0] < 'a' || text[0] > 'z') return std::string(text);
  std::string result(1, static_cast<char>(text[0] - 'a' + 'A'));
  return result.append(text.substr(1));
}

std::string number_html(double value, std::string_view text) {
  if (std::isnan(value)) return escaped(text);
  return fmt::format("<data value=\"{}\">{}</data>", exact_text(value), escaped(text));
}

std::string json_html(const nlohmann::json& document) {
  const std::string text = document.dump();
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      result += "\\u003c";  // so neither </script> nor <!-- can occur
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace t2v::report
