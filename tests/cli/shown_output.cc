#include "shown_output.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

namespace t2v {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

enum class Kind { text, count, real, loss, ignored };

struct Token {
  Kind kind;
  std::string text;
  double value = 0.0;
  double rounding = 0.0;  // half a unit of the last digit that is shown
};

std::string with_single_blanks(const std::string& line) {
  std::string text;
  for (const char c : line) {
    if (c != ' ' || (!text.empty() && text.back() != ' ')) text += c;
  }
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

/// Where the digits that start at `at` end, with groups of thousands if they are such.
std::size_t end_of_digits(const std::string& line, std::size_t at) {
  const auto digits_from = [&](std::size_t from) {
    std::size_t end = from;
    while (end < line.size() && is_digit(line[end])) ++end;
    return end;
  };
  std::size_t end = digits_from(at);
  if (end - at > 3) return end;
  while (end < line.size() && line[end] == ',' && digits_from(end + 1) == end + 4) end += 4;
  return end;
}

std::size_t end_of_number(const std::string& line, std::size_t at) {
  std::size_t end = end_of_digits(line, at);
  if (end + 1 < line.size() && line[end] == '.' && is_digit(line[end + 1])) {
    for (++end; end < line.size() && is_digit(line[end]);) ++end;
  }
  if (end + 2 < line.size() && line[end] == 'e' && (line[end + 1] == '-' || line[end + 1] == '+') &&
      is_digit(line[end + 2])) {
    for (end += 2; end < line.size() && is_digit(line[end]);) ++end;
  }
  return end;
}

/// The word right before, past blanks, quotes and colons.
std::string word_before(const std::string& line, std::size_t at) {
  while (at > 0 && (line[at - 1] == ' ' || line[at - 1] == '"' || line[at - 1] == ':')) --at;
  std::size_t begin = at;
  while (begin > 0 && is_letter(line[begin - 1])) --begin;
  return line.substr(begin, at - begin);
}

/// The unit right behind, after one blank.
std::string word_after(const std::string& line, std::size_t at) {
  if (at >= line.size() || line[at] != ' ') return "";
  std::size_t end = at + 1;
  while (end < line.size() && line[end] != ' ' && line[end] != ',' && line[end] != ';' && line[end] != ')')
    ++end;
  return line.substr(at + 1, end - at - 1);
}

template <std::size_t N>
bool is_among(const std::array<const char*, N>& all, const std::string& word) {
  return std::ranges::find(all, word) != all.end();
}

Kind kind_of(const std::string& before, const std::string& after, bool whole) {
  static constexpr std::array<const char*, 8> kVarying = {"s",        "ms",     "µs",   "us",
                                                          "events/s", "rows/s", "MB/s", "bytes"};
  static constexpr std::array<const char*, 5> kLosses = {"loss", "valid", "RMSE", "MAE", "nats"};
  static constexpr std::array<const char*, 5> kSpans = {"min", "h", "d", "w", "y"};
  if (is_among(kVarying, after)) return Kind::ignored;
  if (is_among(kLosses, before)) return Kind::loss;
  return whole && !is_among(kSpans, after) ? Kind::count : Kind::real;
}

Token number_token(const std::string& line, std::size_t begin, std::size_t digits, std::size_t end) {
  std::string plain = line.substr(begin, end - begin);
  std::erase(plain, ',');
  const std::size_t point = plain.find('.');
  const std::size_t decimals =
      point == std::string::npos ? 0 : std::min(plain.find('e'), plain.size()) - point - 1;
  const bool whole = plain.find_first_of(".e") == std::string::npos;
  const double value = std::strtod(plain.c_str(), nullptr);
  const double rounding =
      plain.find('e') == std::string::npos ? 0.5 * std::pow(10.0, -static_cast<double>(decimals)) : 0.0;
  return {kind_of(word_before(line, digits), word_after(line, end), whole), line.substr(begin, end - begin),
          value, whole ? 0.0 : rounding};
}

/// A line in pieces: text without numbers, and numbers. Digits within a name, as in t2v, are text.
std::vector<Token> tokens_of(const std::string& given) {
  const std::string line = with_single_blanks(given);
  std::vector<Token> tokens;
  const auto add_text = [&](char c) {
    if (tokens.empty() || tokens.back().kind != Kind::text) tokens.push_back({Kind::text, ""});
    tokens.back().text += c;
  };
  for (std::size_t at = 0; at < line.size();) {
    const char before = at == 0 ? ' ' : line[at - 1];
    const bool within_name = is_letter(before) || is_digit(before) || before == '_';
    const bool sign = (line[at] == '-' || line[at] == '+') && !within_name;
    const std::size_t digits = at + (sign ? 1 : 0);
    if (within_name || digits >= line.size() || !is_digit(line[digits])) {
      add_text(line[at++]);
      continue;
    }
    const std::size_t end = end_of_number(line, digits);
    tokens.push_back(number_token(line, at, at, end));
    at = end;
  }
  return tokens;
}

double tolerance_of(const Token& shown, const Token& printed) {
  const double size = std::max(std::fabs(shown.value), std::fabs(printed.value));
  if (shown.kind == Kind::loss) return 0.02 * size + shown.rounding;
  return size <= 1.0 ? 0.02 : 0.02 * size + shown.rounding;
}

std::string token_fault(const Token& shown, const Token& printed) {
  if (shown.kind == Kind::text || printed.kind == Kind::text || shown.kind == Kind::ignored) {
    const bool same =
        shown.kind == printed.kind && (shown.kind == Kind::ignored || shown.text == printed.text);
    return same ? "" : "'" + shown.text + "' instead of '" + printed.text + "'";
  }
  const bool counts = shown.kind == Kind::count && printed.kind == Kind::count;
  const double tolerance = counts ? 0.0 : tolerance_of(shown, printed);
  if (std::fabs(shown.value - printed.value) <= tolerance) return "";
  return shown.text + " instead of " + printed.text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Lines of a page that stand together, without a `...` among them.
struct Run {
  std::vector<std::string> lines;
  bool at_start = false;  // nothing is left out before
  bool at_end = false;    // nor behind
};

std::vector<Run> runs_of(const std::string& shown) {
  std::vector<Run> runs(1);
  runs.front().at_start = true;
  for (const std::string& line : lines_of(shown)) {
    if (line != "...") {
      runs.back().lines.push_back(line);
    } else {
      runs.emplace_back();
    }
  }
  runs.back().at_end = true;
  std::erase_if(runs, [](const Run& run) { return run.lines.empty(); });
  return runs;
}

std::string fault_at(const Run& run, const std::vector<std::string>& printed, std::size_t at) {
  for (std::size_t i = 0; i < run.lines.size(); ++i) {
    const std::string fault = line_fault(run.lines[i], at + i < printed.size() ? printed[at + i] : "");
    if (!fault.empty()) return "shows\n" + run.lines[i] + "\nwith " + fault;
  }
  return "";
}

/// Letters and signs without digits: what stays of a line when its numbers change.
std::string shape_of(const std::string& line) {
  std::string shape;
  for (const Token& token : tokens_of(line)) shape += token.kind == Kind::text ? token.text : "#";
  return shape;
}

/// The share of the longer text that differs, as insertions, deletions and changes.
double distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({changed, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return static_cast<double>(row.back()) /
         static_cast<double>(std::max({a.size(), b.size(), std::size_t{1}}));
}

/// The printed line most like a shown one, from `from` on; of equal ones the nearest to `expected`.
std::optional<std::size_t> most_alike(const std::string& line, const std::vector<std::string>& printed,
                                      std::size_t from, std::size_t expected) {
  const auto away = [&](std::size_t at) { return at > expected ? at - expected : expected - at; };
  std::optional<std::size_t> best;
  double least = 0.5;
  for (std::size_t at = from; at < printed.size(); ++at) {
    const double far = distance(shape_of(line), shape_of(printed[at]));
    if (far < least || (best && far == least && away(at) < away(*best))) {
      least = far;
      best = at;
    }
  }
  return best;
}

struct Range {
  std::size_t begin, end;
};

std::optional<Range> range_of(const Run& run, const std::vector<std::string>& printed, std::size_t from) {
  const auto first =
      run.at_start ? std::optional<std::size_t>(0) : most_alike(run.lines.front(), printed, from, from);
  if (!first) return std::nullopt;
  const auto last = run.at_end ? std::optional<std::size_t>(printed.size() - 1)
                               : most_alike(run.lines.back(), printed, *first, *first + run.lines.size() - 1);
  if (!last) return std::nullopt;
  return Range{*first, *last + 1};
}

}  // namespace

std::string line_fault(const std::string& shown, const std::string& printed) {
  const std::vector<Token> a = tokens_of(shown);
  const std::vector<Token> b = tokens_of(printed);
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const std::string fault = token_fault(a[i], b[i]);
    if (!fault.empty()) return fault;
  }
  return a.size() == b.size() ? "" : "another end of the line";
}

std::string output_fault(const std::string& shown, const std::string& text) {
  const std::vector<std::string> printed = lines_of(text);
  std::size_t from = 0;
  for (const Run& run : runs_of(shown)) {
    const std::size_t size = run.lines.size();
    if (printed.size() < from + size) return "shows more lines than are printed: " + run.lines.front();
    const std::size_t last = run.at_start ? 0 : printed.size() - size;
    std::size_t at = run.at_end ? std::max(from, printed.size() - size) : from;
    if (run.at_start && run.at_end && printed.size() != size) return "leaves out lines without a '...'";
    if (run.at_start) at = 0;
    while (at < last && !fault_at(run, printed, at).empty()) ++at;
    const std::string fault = fault_at(run, printed, at);
    if (!fault.empty()) {
      const auto range = range_of(run, printed, from);
      const std::string nearer = range ? fault_at(run, printed, range->begin) : "";
      return nearer.empty() ? fault : nearer;
    }
    from = at + size;
  }
  return "";
}

std::string refreshed_output(const std::string& shown, const std::string& text) {
  const std::vector<std::string> printed = lines_of(text);
  if (shown.empty() || printed.empty()) return shown;
  std::string refreshed;
  std::size_t from = 0;
  for (const Run& run : runs_of(shown)) {
    const auto range = range_of(run, printed, from);
    if (!range) return shown;
    if (range->begin > from) refreshed += "...\n";
    for (std::size_t i = range->begin; i < range->end; ++i) refreshed += printed[i] + "\n";
    from = range->end;
  }
  if (from < printed.size()) refreshed += "...\n";
  return refreshed;
}

}  // namespace t2v
