#include "data/time_shape.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace t2v::data {
namespace {

bool is_time_shape_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// Writes a form down while it reads a text from left to right.
class Shape {
 public:
  explicit Shape(std::string_view text) : text_(text) {}

  std::vector<std::string> read() {
    constexpr std::size_t kLongest = 48;
    if (text_.size() > kLongest) return {};
    while (at_ < text_.size()) {
      const bool known = is_time_shape_digit(text_[at_]) ? take_digits()
                         : is_letter(text_[at_])         ? take_letters()
                                                         : take_mark();
      if (!known) return {};
    }
    return forms();
  }

 private:
  /// A number of one or two digits of the date, whose directive is not known yet.
  struct Open {
    std::size_t at;    // in the form
    std::size_t size;  // digits
    char before;       // the mark before it
  };

  bool take_digits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_time_shape_digit(text_[at_])) ++at_;
    const std::size_t size = at_ - begin;
    if (signed_) return take_offset(size);
    if (clock_ == 3 && mark_ == '.') return put("%f"), clock_ = 4, size <= 9;
    if (clock_ == 3 && mark_ == ',') return put("%f"), clock_ = 4, size <= 9;
    if (size == 4 && !year_) return put_year();
    if (size == 8 && !year_ && open_.empty()) return year_ = whole_date_ = true, put("%Y%m%d");
    if (size == 6 && whole_date_ && clock_ == 0) return clock_ = 3, put("%H%M%S");
    if (size > 2) return false;
    if (clock_ > 0 && clock_ < 3 && mark_ == ':') return put(++clock_ == 2 ? "%M" : "%S");
    if (clock_ == 0 && next_is_colon()) return clock_ = 1, hour_ = form_.size(), put("%H");
    return put_open(size);
  }
  bool next_is_colon() const {
    return at_ + 1 < text_.size() && text_[at_] == ':' && is_time_shape_digit(text_[at_ + 1]);
  }
  bool put_year() {
    year_ = true;
    year_place_ = open_.size();
    return put("%Y");
  }
  bool put_open(std::size_t size) {
    if (open_.size() == 3) return false;
    open_.push_back({form_.size(), size, mark_});
    return put("%?");
  }
  /// "+0100" or "+01:00", behind the time of day.
  bool take_offset(std::size_t size) {
    signed_ = false;
    if (size == 2 && next_is_colon()) {
      ++at_;
      const std::size_t begin = at_;
      while (at_ < text_.size() && is_time_shape_digit(text_[at_])) ++at_;
      size += at_ - begin;
    }
    return (size == 2 || size == 4) && put("%z");
  }

  bool take_letters() {
    const std::string_view rest = text_.substr(at_);
    std::size_t size = 0;
    while (size < rest.size() && is_letter(rest[size])) ++size;
    at_ += size;
    const std::string_view word = rest.substr(0, size);
    if (const NamedPart month = month_at(word); month.size == size && !month_) return month_ = put("%b");
    if (const NamedPart day = weekday_at(word); day.size == size) return put("%a");
    if (word == "AM" || word == "PM" || word == "am" || word == "pm") return put_half();
    if (word == "UTC" || word == "GMT") return clock_ > 0 && put("%Z");
    if (word == "Z") return clock_ > 0 && put("%z");
    return word == "T" && clock_ == 0 && put("T");
  }
  bool put_half() {
    if (clock_ == 0 || half_) return false;
    form_[hour_ + 1] = 'I';
    return half_ = put("%p");
  }

  bool take_mark() {
    const char c = text_[at_++];
    if (std::string_view(" /-.,:+[]").find(c) == std::string_view::npos) return false;
    const bool sign = (c == '+' || c == '-') && clock_ > 1;
    if (c == '+' && !sign) return false;
    signed_ = sign;
    mark_ = c;
    if (!sign && !(c == ' ' && form_.ends_with(' '))) form_ += c;
    return true;
  }

  bool put(std::string_view part) {
    form_ += part;
    mark_ = '\0';
    return true;
  }

  // What the numbers of the date are.

  std::string with(std::string_view directives) const {
    std::string form = form_;
    for (std::size_t i = 0; i < open_.size(); ++i) form[open_[i].at + 1] = directives[i];
    return form;
  }
  /// Whether the same mark, which dates have, is between all numbers of a date without a month's name.
  bool is_joined() const {
    const std::size_t first = form_.find_first_of("/-.");
    if (first == std::string::npos) return false;
    const std::size_t numbers = open_.size() + (year_ ? 1 : 0);
    const auto marks = std::ranges::count(std::string_view(form_).substr(0, date_end()), form_[first]);
    return static_cast<std::size_t>(marks) == numbers - 1;
  }
  std::size_t date_end() const { return std::min(form_.find_first_of(" T", form_.find('%')), form_.size()); }

  std::vector<std::string> forms() const {
    if (form_.ends_with('T')) return none();
    if (whole_date_) return open_.empty() && !month_ ? one(form_) : none();
    if (month_) return with_month_name();
    if (!is_joined()) return none();
    if (!year_) return short_year();
    if (year_place_ == 0) {
      return open_.size() == 2 ? one(with("md")) : open_.size() == 1 ? one(with("m")) : none();
    }
    if (year_place_ == 1 && open_.size() == 1) return one(with("m"));
    if (year_place_ != 2 || open_.size() != 2) return none();
    return {with("md"), with("dm")};
  }
  std::vector<std::string> with_month_name() const {
    if (year_) return open_.size() == 1 ? one(with("d")) : open_.empty() ? one(form_) : none();
    return open_.size() == 2 && open_[1].size == 2 ? one(with("dy")) : none();
  }
  /// 1/31/24; where something else than slashes is between, only if all numbers have two digits.
  std::vector<std::string> short_year() const {
    if (open_.size() != 3 || open_[2].size != 2) return none();
    const bool padded = open_[0].size == 2 && open_[1].size == 2;
    if (open_[1].before != '/' && !padded) return none();
    return {with("mdy"), with("dmy")};
  }
  static std::vector<std::string> one(std::string form) { return {std::move(form)}; }
  static std::vector<std::string> none() { return {}; }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string form_;
  std::vector<Open> open_;
  char mark_ = '\0';  // the one before the part that comes
  bool signed_ = false;
  bool year_ = false;
  bool month_ = false;
  bool whole_date_ = false;
  bool half_ = false;
  std::size_t year_place_ = 0;  // how many numbers of the date come before the year
  std::size_t hour_ = 0;        // where its directive is
  int clock_ = 0;               // parts of the time of day so far
};

struct Candidate {
  std::vector<std::string> forms;
  int64_t count = 0;  // texts that one of the forms reads
};

bool reads(const std::optional<TimeFormat>& format, std::string_view text) {
  IsoTime time;
  return format && format->parse(text, time) == TimeFault::kNone;
}

std::optional<TimeFormat> format_of(const std::vector<std::string>& forms, std::size_t i) {
  return i < forms.size() ? std::optional<TimeFormat>(forms[i]) : std::nullopt;
}

int64_t count_read(const std::vector<std::string>& forms, const std::vector<std::string_view>& texts) {
  const auto first = format_of(forms, 0);
  const auto second = format_of(forms, 1);
  return std::ranges::count_if(
      texts, [&](std::string_view text) { return reads(first, text) || reads(second, text); });
}

/// The forms of the first texts that most of all texts have.
Candidate best_forms(const std::vector<std::string_view>& texts) {
  constexpr std::size_t kTried = 8;
  Candidate best;
  std::vector<std::vector<std::string>> tried;
  for (std::size_t i = 0; i < std::min(kTried, texts.size()); ++i) {
    std::vector<std::string> forms = time_shapes(texts[i]);
    if (forms.empty() || std::ranges::find(tried, forms) != tried.end()) continue;
    tried.push_back(forms);
    const int64_t count = count_read(forms, texts);
    if (count > best.count) best = {std::move(forms), count};
  }
  return best;
}

}  // namespace

std::vector<std::string> time_shapes(std::string_view text) { return Shape(text).read(); }

FoundFormat find_time_format(const std::vector<std::string_view>& texts, std::string_view day_first) {
  const Candidate best = best_forms(texts);
  FoundFormat found;
  if (best.count == 0) return found;
  found.pattern = best.forms[0];
  found.count = best.count;
  if (best.forms.size() == 1) return found;
  const auto month_first = format_of(best.forms, 0);
  const auto other = format_of(best.forms, 1);
  for (const std::string_view text : texts) {
    const bool as_month_first = reads(month_first, text);
    const bool as_day_first = reads(other, text);
    if (as_day_first && !as_month_first && found.day_first.empty()) found.day_first = text;
    if (as_month_first && !as_day_first && found.day_last.empty()) found.day_last = text;
  }
  found.swapped = best.forms[1];
  const bool points = found.pattern.find("%m.%d") != std::string::npos;
  const bool told = found.day_first.empty() != found.day_last.empty();
  found.is_day_first = day_first != "auto" ? day_first == "yes" : told ? !found.day_first.empty() : points;
  if (found.is_day_first) std::swap(found.pattern, found.swapped);
  found.undecided = day_first == "auto" && !told && !points && found.day_first.empty();
  return found;
}

}  // namespace t2v::data
