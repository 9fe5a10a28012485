#include "data/duration.h"

#include <algorithm>
#include <optional>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/decimal.h"

namespace t2v::data {
namespace {

__extension__ using Wide = __int128;
constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kNumeric = "0123456789.";

/// Takes the characters that belong, and the blanks behind them, off the front of a text.
template <class Belongs>
std::string_view take(std::string_view& text, Belongs belongs) {
  const auto* const end = std::ranges::find_if_not(text, belongs);
  const std::string_view taken = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(taken.size());
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return taken;
}

/// A number and its unit.
struct Term {
  Decimal number;
  const UnitOfTime* unit;
};

std::optional<Term> take_term(std::string_view& text) {
  Term term{};
  const std::string_view number =
      take(text, [](char c) { return kNumeric.find(c) != std::string_view::npos; });
  if (parse_decimal(number, term.number) != NumberFault::kNone) return std::nullopt;
  const std::string_view name = take(text, [](char c) { return c >= 'a' && c <= 'z'; });
  const auto* const unit = std::ranges::find(kUnitsOfTime, name, &UnitOfTime::name);
  if (unit == kUnitsOfTime.end()) return std::nullopt;
  term.unit = unit;
  return term;
}

/// In nanoseconds; nothing if it is finer. A number of fewer than 0 decimals is too large for any unit.
std::optional<Wide> nanoseconds_of(const Term& term) {
  Wide all = Wide{term.number.mantissa} * term.unit->nanoseconds;
  for (int i = 0; i < term.number.decimals && all != 0; ++i) {
    if (all % 10 != 0) return std::nullopt;
    all /= 10;
  }
  return term.number.decimals < 0 ? Wide{INT64_MAX} + 1 : all;
}

}  // namespace

bool looks_like_duration(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t+-"), text.size()));
  return take_term(text).has_value();
}

int64_t parse_duration(std::string_view text, std::string_view what) {
  std::string_view rest = text;
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  const bool negative = rest.starts_with('-');
  if (negative) rest.remove_prefix(1);
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  Wide sum = 0;
  do {
    const std::optional<Term> term = take_term(rest);
    if (!term) {
      fail(
          "{} {} is not a duration; write numbers with ns, us, ms, s, min, h, d, w or y, such as '1 h 30 "
          "min'",
          what, in_quotes(text));
    }
    const std::optional<Wide> nanoseconds = nanoseconds_of(*term);
    if (!nanoseconds) fail("{} {} is finer than a nanosecond", what, in_quotes(text));
    sum += *nanoseconds;
    if (sum > INT64_MAX) fail("{} {} exceeds the limit of 292 years", what, in_quotes(text));
  } while (!rest.empty());
  return static_cast<int64_t>(negative ? -sum : sum);
}

}  // namespace t2v::data
