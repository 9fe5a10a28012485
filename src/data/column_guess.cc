#include "data/column_guess.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/column_relations.h"
#include "data/column_words.h"

namespace t2v::data {
namespace {

/// Fewer rows tell nothing beside kinds.
constexpr int64_t kLeastRows = 5;
constexpr int64_t kLeastGroupedRows = 10;

}  // namespace

ColumnGuesser::ColumnGuesser(const std::vector<ColumnSketch>& columns, std::vector<std::string> names,
                             bool has_header)
    : columns_(columns), names_(std::move(names)), has_header_(has_header), taken_(columns.size()) {
  for (const std::string& name : names_) {
    words_.push_back(has_header ? words_of(name) : std::vector<std::string>());
  }
}

void ColumnGuesser::take(Role role, std::size_t field) { taken_[field] = role; }

const ColumnSketch* ColumnGuesser::column_of(Role role) const {
  const auto found = std::ranges::find(taken_, role);
  return found == taken_.end() ? nullptr : &columns_[static_cast<std::size_t>(found - taken_.begin())];
}

bool ColumnGuesser::is_known(std::size_t field) const {
  return columns_[field].is_known() && columns_[field].rows() >= kLeastRows;
}

ColumnGuesser::Fields ColumnGuesser::free_where(const std::function<bool(std::size_t)>& is) const {
  Fields fields;
  for (std::size_t field = 0; field < columns_.size(); ++field) {
    if (!taken_[field] && is(field)) fields.push_back(field);
  }
  return fields;
}

std::string ColumnGuesser::names_of(const Fields& fields) const {
  std::vector<std::string> names;
  for (const std::size_t field : fields) names.push_back(names_[field]);
  return list_names(names);
}

void ColumnGuesser::ask(const Fields& fields, const std::string& what) const {
  fail("{}{} {}", fields.size() == 2 ? "both " : "", names_of(fields), what);
}

std::optional<Guess> ColumnGuesser::only(const Fields& fields, const std::string& why) const {
  if (fields.size() != 1) return std::nullopt;
  return Guess{fields[0], why};
}

/// Columns that tell the same rows apart are one choice: the first of them.
ColumnGuesser::Fields ColumnGuesser::without_twins(const Fields& fields) const {
  Fields kept;
  for (const std::size_t field : fields) {
    const auto is_twin = [&](std::size_t other) { return split_alike(columns_[field], columns_[other]); };
    if (!columns_[field].is_known() || std::ranges::none_of(kept, is_twin)) kept.push_back(field);
  }
  return kept;
}

// What speaks against a name.

/// Whether a column is different within most sequences.
bool ColumnGuesser::varies(std::size_t field) const {
  const ColumnSketch* id = column_of(Role::kId);
  if (id == nullptr || !columns_[field].is_known()) return false;
  const Constancy how = constancy(columns_[field], *id);
  return how.varying > how.constant;
}

bool ColumnGuesser::contradicts(Role role, std::size_t field) const {
  constexpr int64_t kManyRows = 50;
  const ColumnSketch& column = columns_[field];
  if (role == Role::kId && column.rows() >= kLeastRows && column.empty * 2 > column.rows()) return true;
  if (!is_known(field)) return false;
  if (role == Role::kId) {  // named just id, it may number the rows
    const bool plain = words_[field] == std::vector<std::string>{"id"};
    return plain && column.distinct == column.rows() && column.rows() >= kManyRows;
  }
  if (role == Role::kTime) {
    const bool none = column.dates + column.clocks + column.whole + column.fractions == 0;
    return none && !dates().empty();
  }
  if (role == Role::kValue) return holds_text(column);
  const bool never_again = column.distinct == column.rows() && column.rows() >= kManyRows;
  if (role == Role::kEvent && never_again && holds_text(column)) return true;
  if (column_of(Role::kId) == nullptr) return false;
  const Constancy how = constancy(column, *column_of(Role::kId));
  if (role == Role::kLabel) return how.varying >= 3 && how.varying > how.constant;
  if (role != Role::kEvent) return false;
  return how.constant >= kLeastGroups && how.varying == 0 && column.distinct > 1;
}

// The id.

std::optional<Guess> ColumnGuesser::strongest(const std::vector<int>& strength, Role role,
                                              bool needed) const {
  const int most = *std::ranges::max_element(strength);
  if (most == 0) return std::nullopt;
  const Fields best = without_twins(free_where([&](std::size_t field) { return strength[field] == most; }));
  const std::string_view word = word_of(role);
  if (best.size() == 1) return Guess{best[0], "by its name"};
  if (!needed) return std::nullopt;
  ask(best, fmt::format("have a name of {} {}; name the one with `{}`",
                        role == Role::kEvent || role == Role::kId ? "an" : "a", word, option_of(role)));
}

std::optional<Guess> ColumnGuesser::id_by_words() const {
  std::vector<int> strength(columns_.size(), 0);
  for (std::size_t field = 0; field < columns_.size(); ++field) {
    const ColumnSketch& column = columns_[field];
    const bool fits = !taken_[field] && !holds_dates(column) && !column.counts_rows &&
                      (column.fractions == 0 || !holds_numbers(column));
    const bool counts = is_known(field) && holds_numbers(column) && !may_be_id(field);  // cases, not a case
    if (!fits) continue;
    strength[field] = says_id(words_[field]);
    if (strength[field] == 1 && counts) strength[field] = 0;
  }
  return strongest(strength, Role::kId, true);
}

/// Whether a column's values come back often enough to be sequences.
bool ColumnGuesser::may_be_id(std::size_t field) const {
  constexpr int64_t kThousands = 1000;
  const ColumnSketch& column = columns_[field];
  if (!is_known(field) || column.rows() < kLeastGroupedRows || column.distinct < 2) return false;
  if (holds_dates(column) || column.fractions > 0 || column.counts_rows || column.empty > 0) return false;
  const bool number = holds_numbers(column);
  if (number && (column.negative > 0 || holds_times_since_1970(column))) return false;
  if (number && column.distinct > kThousands && rows_per_value(column) < 10) return false;
  return rows_per_value(column) >= (number ? 3 : 2);
}

/// Columns that the rows are grouped by.
ColumnGuesser::Fields ColumnGuesser::groups() const {
  return free_where([&](std::size_t field) { return may_be_id(field) && is_grouped(columns_[field]); });
}

std::optional<Guess> ColumnGuesser::id_beside_time() const {
  const ColumnSketch* time = column_of(Role::kTime);
  if (time == nullptr || !time->is_known()) return std::nullopt;
  Fields found = groups();
  std::erase_if(found, [&](std::size_t field) { return !is_sorted_within(*time, columns_[field]); });
  std::string why = "the rows are grouped by it";
  if (found.empty()) {
    found = free_where([&](std::size_t field) {
      return may_be_id(field) && !holds_plain_numbers(columns_[field]) && is_panel(columns_[field], *time);
    });
    why = "it tells rows of the same time apart";
  }
  found = without_twins(found);
  if (found.size() > 1) ask(found, "may say whose event it is; name the id with `id`");
  return only(found, why);
}

std::optional<std::pair<Guess, Guess>> ColumnGuesser::id_and_time() const {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const std::size_t id : groups()) {
    const auto rising = free_where([&](std::size_t field) {
      return field != id && is_known(field) && holds_plain_numbers(columns_[field]) &&
             is_sorted_within(columns_[field], columns_[id]);
    });
    for (const std::size_t time : rising) pairs.emplace_back(id, time);
  }
  if (pairs.size() != 1) return std::nullopt;
  const auto [id, time] = pairs[0];
  return {{Guess{id, "the rows are grouped by it"},
           Guess{time, fmt::format("its numbers rise within '{}'", shown(names_[id]))}}};
}

// The time.

/// Columns of dates, but for those that are the same in all rows of a sequence, as a birthday is.
ColumnGuesser::Fields ColumnGuesser::dates() const {
  Fields fields = free_where([&](std::size_t field) { return holds_dates(columns_[field]); });
  const ColumnSketch* id = column_of(Role::kId);
  if (id == nullptr) return fields;
  const auto is_of_sequence = [&](std::size_t field) {
    const Constancy how = constancy(columns_[field], *id);
    return how.constant >= 3 && how.varying == 0;
  };
  std::erase_if(fields, is_of_sequence);
  return fields;
}

std::optional<Guess> ColumnGuesser::time() const {
  const Fields written = dates();
  if (written.size() > 1) ask(written, "are dates; name the time with `time`");
  if (!written.empty()) return Guess{written[0], "the only column of dates"};
  const Fields counted = free_where([&](std::size_t field) {
    return holds_times_since_1970(columns_[field]) && columns_[field].distinct > 1 &&
           !says_code(words_[field]) && says_id(words_[field]) == 0;
  });
  if (counted.size() > 1) ask(counted, "look like times since 1970; name the time with `time`");
  if (!counted.empty()) return Guess{counted[0], "the only numbers that look like times since 1970"};
  const ColumnSketch* id = column_of(Role::kId);
  const Fields elapsed = free_where([&](std::size_t field) {
    const ColumnSketch& column = columns_[field];
    return says_elapsed(words_[field]) && holds_plain_numbers(column) &&
           (id == nullptr ? rises(column) : rises_within(column, *id));
  });
  if (elapsed.size() > 1) ask(elapsed, "may be times; name the time with `time`");
  if (!elapsed.empty()) return Guess{elapsed[0], "its numbers rise, and its name counts time"};
  if (id == nullptr) return std::nullopt;
  const Fields rising = free_where([&](std::size_t field) {
    return is_known(field) && holds_plain_numbers(columns_[field]) && !says_code(words_[field]) &&
           is_sorted_within(columns_[field], *id);
  });
  if (rising.size() == 1) return Guess{rising[0], "the only numbers that rise within each id"};
  return only(free_where([&](std::size_t field) { return holds_dates(columns_[field]); }),
              "the only column of dates");
}

}  // namespace t2v::data
