#include "data/time_format.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/duration.h"

namespace t2v::data {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"january",   "february", "march",    "april",
                                                      "may",       "june",     "july",     "august",
                                                      "september", "october",  "november", "december"};
constexpr std::array<std::string_view, 7> kWeekdays = {"monday", "tuesday",  "wednesday", "thursday",
                                                       "friday", "saturday", "sunday"};
constexpr std::string_view kDirectives = "YymdejbBaAHIMSfpzZs%";

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_time_format_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::size_t same_letters(std::string_view text, std::string_view word) {
  std::size_t same = 0;
  while (same < text.size() && same < word.size() && lower(text[same]) == word[same]) ++same;
  return same;
}

/// Short names have three letters; of September four are usual, too.
template <std::size_t N>
NamedPart name_at(std::string_view text, const std::array<std::string_view, N>& names) noexcept {
  constexpr std::size_t kShort = 3;
  for (std::size_t i = 0; i < N; ++i) {
    const std::size_t same = same_letters(text, names[i]);
    if (same < kShort) continue;
    const bool sept = names[i].starts_with("sept") && same >= 4;
    const std::size_t size = same == names[i].size() ? same : sept ? 4 : kShort;
    return {static_cast<int>(i) + 1, size};
  }
  return {};
}

/// What a pattern has told so far beside the fields.
struct Parts {
  TimeFields fields{.month = 1, .day = 1};
  int hour_of_12 = -1;
  int half = -1;  // 0: AM
  int day_of_year = 0;
  bool since_1970 = false;
  int64_t seconds = 0;
};

/// Takes parts off the start of a text.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) {
    if (same_letters(rest_, word) < word.size()) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  /// A number of at least `least` and at most `most` digits.
  bool number(std::size_t least, std::size_t most, int& value) {
    std::size_t digits = 0;
    int read = 0;
    for (; digits < most && digits < rest_.size() && is_time_format_digit(rest_[digits]); ++digits) {
      read = read * 10 + (rest_[digits] - '0');
    }
    if (digits < least) return false;
    rest_.remove_prefix(digits);
    value = read;
    return true;
  }
  bool whole(int64_t& value) {
    const bool negative = take('-');
    std::size_t digits = 0;
    int64_t read = 0;
    for (; digits < rest_.size() && is_time_format_digit(rest_[digits]); ++digits) {
      if (__builtin_mul_overflow(read, int64_t{10}, &read)) return false;
      if (__builtin_add_overflow(read, int64_t{rest_[digits] - '0'}, &read)) return false;
    }
    rest_.remove_prefix(digits);
    value = negative ? -read : read;
    return digits > 0;
  }
  bool fraction(TimeFields& f) {
    int digits = 0;
    for (; !rest_.empty() && is_time_format_digit(rest_.front()); rest_.remove_prefix(1), ++digits) {
      if (digits < 9) f.nanosecond = f.nanosecond * 10 + (rest_.front() - '0');
      f.too_fine |= digits >= 9 && rest_.front() != '0';
    }
    for (int i = digits; i < 9; ++i) f.nanosecond *= 10;
    return digits > 0;
  }
  int named(NamedPart (*find)(std::string_view) noexcept) {
    const NamedPart found = find(rest_);
    rest_.remove_prefix(found.size);
    return found.number;
  }

 private:
  std::string_view rest_;
};

bool take_offset(Cursor& text, TimeFields& f) {
  f.has_offset = true;
  if (text.take('Z') || text.take('z')) return true;
  f.offset_sign = text.take('-') ? -1 : 1;
  if (f.offset_sign > 0 && !text.take('+')) return false;
  if (!text.number(2, 2, f.offset_hour)) return false;
  const bool colon = text.take(':');
  return text.number(2, 2, f.offset_minute) || !colon;
}

bool take_zone(Cursor& text, TimeFields& f) {
  f.has_offset = true;
  return text.take_word("utc") || text.take_word("gmt");
}

bool take_half(Cursor& text, Parts& parts) {
  parts.half = text.take('A') || text.take('a') ? 0 : text.take('P') || text.take('p') ? 1 : -1;
  if (parts.half < 0) return false;
  const bool points = text.take('.');
  return (text.take('M') || text.take('m')) && (!points || text.take('.'));
}

bool take_short_year(Cursor& text, TimeFields& f) {
  constexpr int kFirst = 69;
  if (!text.number(2, 2, f.year)) return false;
  f.year += f.year < kFirst ? 2000 : 1900;
  return true;
}

/// Takes what a directive stands for.
bool take_part(char directive, Cursor& text, Parts& parts) {
  TimeFields& f = parts.fields;
  switch (directive) {
    case 'Y':
      return text.number(4, 4, f.year);
    case 'y':
      return take_short_year(text, f);
    case 'm':
      return text.number(1, 2, f.month);
    case 'd':
    case 'e':
      text.skip_blanks();
      return text.number(1, 2, f.day);
    case 'j':
      return text.number(1, 3, parts.day_of_year) && parts.day_of_year > 0;
    case 'b':
    case 'B':
      return (f.month = text.named(month_at)) > 0;
    case 'a':
    case 'A':
      return text.named(weekday_at) > 0;
    case 'H':
      return text.number(1, 2, f.hour);
    case 'I':
      return text.number(1, 2, parts.hour_of_12);
    case 'M':
      return text.number(1, 2, f.minute);
    case 'S':
      return text.number(1, 2, f.second);
    case 'f':
      return text.fraction(f);
    case 'p':
      return take_half(text, parts);
    case 'z':
      return take_offset(text, f);
    case 'Z':
      return take_zone(text, f);
    case 's':
      return parts.since_1970 = text.whole(parts.seconds);
    default:
      return text.take(directive);
  }
}

bool take_all(std::string_view steps, Cursor& text, Parts& parts) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (is_blank(steps[i])) {
      text.skip_blanks();
    } else if (steps[i] != '%') {
      if (!text.take(steps[i])) return false;
    } else if (!take_part(steps[++i], text, parts)) {
      return false;
    }
  }
  return text.at_end();
}

/// The hour of 24 by that of 12; false if there is no such hour.
bool settle_hour(Parts& parts) {
  constexpr int kHalf = 12;
  if (parts.hour_of_12 < 0) return true;
  if (parts.hour_of_12 < 1 || parts.hour_of_12 > kHalf) return false;
  parts.fields.hour = parts.hour_of_12 % kHalf + (parts.half == 1 ? kHalf : 0);
  return true;
}

/// Month and day by the day of the year; false if the year has no such day.
bool settle_day(Parts& parts) {
  if (parts.day_of_year == 0) return true;
  TimeFields& f = parts.fields;
  int day = parts.day_of_year;
  for (f.month = 1; f.month <= 12 && day > days_in_month(f.year, f.month); ++f.month) {
    day -= days_in_month(f.year, f.month);
  }
  f.day = day;
  return f.month <= 12;
}

TimeFault time_since_1970(const Parts& parts, IsoTime& out) {
  if (parts.fields.too_fine) return TimeFault::kTooFine;
  int64_t nanoseconds = 0;
  if (__builtin_mul_overflow(parts.seconds, kNanosecondsPerSecond, &nanoseconds) ||
      __builtin_add_overflow(nanoseconds, parts.fields.nanosecond, &nanoseconds) ||
      nanoseconds == std::numeric_limits<int64_t>::min()) {
    return TimeFault::kRange;
  }
  out = {nanoseconds, true};
  return TimeFault::kNone;
}

/// The pattern with the directives that stand for several written out.
std::string written_out(std::string_view pattern) {
  std::string steps;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char next = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    const std::string_view several = next == 'T'   ? "%H:%M:%S"
                                     : next == 'R' ? "%H:%M"
                                     : next == 'F' ? "%Y-%m-%d"
                                     : next == 'D' ? "%m/%d/%y"
                                                   : "";
    steps += several.empty() ? pattern.substr(i, next == '\0' ? 1 : 2) : several;
    if (next != '\0') ++i;
  }
  return steps;
}

void check_directives(std::string_view steps, const std::string& pattern) {
  bool year = false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] != '%') continue;
    const std::string_view directive = steps.substr(i++, 2);
    if (directive.size() < 2 || kDirectives.find(directive[1]) == std::string_view::npos) {
      fail(
          "`time_format` '{}' has the unknown directive '{}'; known are %Y %y %m %d %e %j %b %B %a %A %H %I "
          "%M %S %f %p %z %Z %s %T %R %F %D %%",
          shown(pattern), shown(directive));
    }
    year = year || directive == "%Y" || directive == "%y" || directive == "%s";
  }
  if (!year) {
    fail("`time_format` '{}' does not tell the year; write it as %Y or %y, or seconds since 1970 as %s",
         shown(pattern));
  }
}

}  // namespace

NamedPart month_at(std::string_view text) noexcept { return name_at(text, kMonths); }
NamedPart weekday_at(std::string_view text) noexcept { return name_at(text, kWeekdays); }

TimeFormat::TimeFormat(std::string pattern)
    : pattern_(std::move(pattern)),
      steps_(written_out(pattern_)),
      mismatch_(fmt::format("is not a time of the form '{}'; correct it, or change `time_format`",
                            shown(pattern_))) {
  check_directives(steps_, pattern_);
}

TimeFault TimeFormat::parse(std::string_view text, IsoTime& out) const noexcept {
  if (text.empty()) return TimeFault::kEmpty;
  Cursor cursor(text);
  Parts parts;
  if (!take_all(steps_, cursor, parts)) return TimeFault::kSyntax;
  if (parts.since_1970) return time_since_1970(parts, out);
  if (!settle_hour(parts)) return TimeFault::kNoSuchTime;
  if (!settle_day(parts)) return TimeFault::kNoSuchDate;
  return time_of(parts.fields, out);
}

std::string_view TimeFormat::explain(TimeFault fault) const noexcept {
  if (fault == TimeFault::kSyntax) return mismatch_;
  if (fault == TimeFault::kNoSuchDate) return "has a date that does not exist; correct it";
  return data::explain(fault);
}

}  // namespace t2v::data
