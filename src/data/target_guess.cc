// What of a table's columns happens, is measured or comes of it: the part of ColumnGuesser for what is
// learned.

#include <algorithm>

#include "base/fail.h"
#include "data/column_guess.h"
#include "data/column_relations.h"
#include "data/column_words.h"

namespace t2v::data {

bool ColumnGuesser::may_be_event(std::size_t field) const {
  const ColumnSketch& column = columns_[field];
  if (!is_known(field) || column.distinct < 2 || column.counts_rows || holds_dates(column)) return false;
  if (column.distinct * 2 > column.filled()) return false;
  const ColumnSketch* id = column_of(Role::kId);
  return id == nullptr || constancy(column, *id).groups() == 0 || varies(field);
}

std::optional<Guess> ColumnGuesser::event(bool needed) const {
  std::vector<int> strength(columns_.size(), 0);
  for (std::size_t field = 0; field < columns_.size(); ++field) {
    const ColumnSketch& column = columns_[field];
    const bool fits = !taken_[field] && column.is_known() && column.fractions == 0 && !column.counts_rows &&
                      !holds_dates(column) && !contradicts(Role::kEvent, field);
    if (fits) strength[field] = says_event(words_[field]);
  }
  if (const auto named = strongest(strength, Role::kEvent, needed)) return named;
  if (std::ranges::any_of(strength, [](int s) { return s > 0; })) return std::nullopt;
  const bool has_id = column_of(Role::kId) != nullptr;
  const Fields texts = without_twins(
      free_where([&](std::size_t field) { return may_be_event(field) && holds_text(columns_[field]); }));
  if (!has_id) return event_of_one_sequence(texts, needed);
  Fields all = texts;
  const Fields codes = free_where([&](std::size_t field) { return is_code(field) && varies(field); });
  all.insert(all.end(), codes.begin(), codes.end());
  if (all.size() > 1 && needed) ask(all, "may say what happened; name the type with `event`");
  if (!texts.empty()) return only(all, "the only text that comes back");
  return only(all, has_header_ ? "the only other number that stands for a thing"
                               : "whole numbers; name it with `value` if it is a measure");
}

/// Whole numbers that may stand for things: by their name, or, without one, if they come back.
bool ColumnGuesser::is_code(std::size_t field) const {
  const ColumnSketch& column = columns_[field];
  if (!is_known(field) || column.counts_rows || column.distinct < 2 || column.negative > 0) return false;
  return holds_whole_numbers(column) && column.distinct < column.filled() &&
         (!has_header_ || says_code(words_[field]));
}

/// Beside numbers a text may as well be the id.
std::optional<Guess> ColumnGuesser::event_of_one_sequence(const Fields& texts, bool needed) const {
  const bool numbers =
      !free_where([&](std::size_t field) { return holds_plain_numbers(columns_[field]); }).empty();
  if (texts.size() == 1 && !numbers) return Guess{texts[0], "the only text that comes back"};
  if (texts.empty() || !needed) return std::nullopt;
  fail("{} {}; name it with `id` if it says whose event it is, or with `event` if it says what happened",
       names_of(texts), texts.size() == 1 ? "is text that comes back" : "are texts that come back");
}

/// Beside an event that says what is measured the numbers are its values, beside another only what is named
/// as one.
bool ColumnGuesser::may_have_value() const {
  const auto event = std::ranges::find(taken_, Role::kEvent);
  return event == taken_.end() || says_measure(words_[static_cast<std::size_t>(event - taken_.begin())]);
}

std::optional<Guess> ColumnGuesser::value(bool needed) const {
  const auto is_number = [&](std::size_t field) {
    const ColumnSketch& column = columns_[field];
    return is_known(field) && holds_plain_numbers(column) && column.distinct > 1 && !column.counts_rows &&
           !says_code(words_[field]) && words_[field] != std::vector<std::string>{"id"};
  };
  const Fields numbers = free_where(is_number);
  if (numbers.size() == 1 && may_have_value()) return Guess{numbers[0], "the only other column of numbers"};
  const Fields named = free_where([&](std::size_t f) { return is_number(f) && says_value(words_[f]); });
  if (named.size() == 1) return Guess{named[0], "by its name"};
  if (numbers.size() > 1 && needed && !has_header_ && column_of(Role::kId) == nullptr) {
    ask(numbers,
        "are numbers without names; name whose event it is with `id`, what happened with `event`, and a "
        "measure with `value`");
  }
  if (!numbers.empty() && needed) {
    ask(numbers, "are numbers; name the one to learn with `value`, and others as inputs with `features`");
  }
  return std::nullopt;
}

std::optional<Guess> ColumnGuesser::label() const {
  constexpr int64_t kMostClasses = 20;
  const ColumnSketch* id = column_of(Role::kId);
  if (id == nullptr) return std::nullopt;
  return only(free_where([&](std::size_t field) {
                const ColumnSketch& column = columns_[field];
                if (!is_known(field) || !says_outcome(words_[field])) return false;
                if (column.distinct > kMostClasses) return false;
                const Constancy how = constancy(column, *id);
                return how.varying == 0 &&
                       how.constant >= (column.distinct > 1 ? kLeastGroups / 2 : kLeastGroups);
              }),
              "its name is that of an outcome, and each id has one");
}

}  // namespace t2v::data
