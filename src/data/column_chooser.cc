#include <algorithm>
#include <array>
#include <optional>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/column_finder.h"
#include "data/column_guess.h"
#include "data/table_schema.h"

namespace t2v::data {
namespace {

std::vector<std::string> header_of(const std::vector<ColumnSketch>& columns) {
  std::vector<std::string> header;
  for (const ColumnSketch& column : columns) header.push_back(column.name);
  return header;
}

bool is_of_sequence(Role role) {
  return role == Role::kLabel || role == Role::kTarget || role == Role::kSequenceFeature;
}

/// Gives columns of a table to roles, one after another.
class Chooser {
 public:
  Chooser(const std::vector<ColumnSketch>& columns, bool has_header, const TableOptions& options)
      : options_(options),
        finder_(header_of(columns), has_header),
        guesser_(columns, finder_.names(), has_header),
        has_rows_(std::ranges::any_of(columns, &ColumnSketch::is_known)) {}

  std::vector<ColumnChoice> choose() {
    take_given();
    take_known();
    find_id_by_name();
    take_usual(Role::kTime);
    for (const Role role : {Role::kLabel, Role::kEvent, Role::kValue}) take_usual(role);
    find_time();
    if (may_guess(Role::kId)) take_guess(Role::kId, guesser_.id_beside_time());
    find_targets();
    if (options_.id.empty()) check_needs_no_id();
    mark_categories();
    std::ranges::stable_sort(columns_, {}, &ColumnChoice::role);
    return std::move(columns_);
  }

 private:
  bool is_taken(std::size_t field) const {
    return std::ranges::find(columns_, field, &ColumnChoice::field) != columns_.end();
  }
  bool is_chosen(Role role) const {
    return std::ranges::find(columns_, role, &ColumnChoice::role) != columns_.end();
  }
  bool is_open(Role role) const { return std::ranges::find(open_, role) != open_.end(); }

  void take(Role role, std::size_t field, std::string why = "") {
    const auto taken = std::ranges::find(columns_, field, &ColumnChoice::field);
    if (taken != columns_.end()) {
      fail("the column '{}' is taken as {} and as {}; give it one of them", shown(finder_.name_of(field)),
           word_of(taken->role), word_of(role));
    }
    columns_.push_back({role, field, finder_.name_of(field), false, std::move(why)});
    guesser_.take(role, field);
    std::erase(open_, role);
  }

  void take_given() {
    const std::array<std::pair<Role, const std::string*>, 6> single = {{{Role::kId, &options_.id},
                                                                        {Role::kTime, &options_.time},
                                                                        {Role::kEvent, &options_.event},
                                                                        {Role::kValue, &options_.value},
                                                                        {Role::kLabel, &options_.label},
                                                                        {Role::kTarget, &options_.target}}};
    for (const auto& [role, name] : single) {
      if (name->empty()) {
        open_.push_back(role);
      } else if (*name != "-") {
        take(role, finder_.given(*name, role));
      }
    }
    const auto take_all = [&](Role role, const std::vector<std::string>& names) {
      for (const std::string& name : names) take(role, finder_.given(name, role));
    };
    take_all(Role::kFeature, options_.features);
    take_all(Role::kSequenceFeature, options_.sequence_features);
  }

  void take_known() {
    for (const auto& [role, name] : options_.known) {
      if (!is_open(role) || name.empty()) continue;
      if (name == "-" && role != Role::kTime) {
        std::erase(open_, role);
      } else if (const auto field = finder_.named(name); field && !is_taken(*field)) {
        take(role, *field);
      }
    }
  }

  bool is_known(Role role) const {
    const auto known = options_.known.find(role);
    return known != options_.known.end() && !known->second.empty();
  }
  /// For a model only what it knows is looked for beyond the usual names.
  bool may_guess(Role role) const {
    return is_open(role) && has_rows_ && (options_.known.empty() || is_known(role));
  }
  void take_guess(Role role, const std::optional<Guess>& guess) {
    if (guess) take(role, guess->field, guess->why);
  }

  /// The first column of a usual name that is free and holds what it should.
  void take_usual(Role role) {
    if (!is_open(role)) return;
    for (const std::size_t field : finder_.usual(role)) {
      if (is_taken(field) || guesser_.contradicts(role, field)) continue;
      return take(role, field);
    }
  }

  void find_id_by_name() {
    if (!is_open(Role::kId)) return;
    refuse_taken_id();
    take_usual(Role::kId);
    if (may_guess(Role::kId) && !is_known(Role::kId)) take_guess(Role::kId, guesser_.id_by_words());
    if (is_open(Role::kId)) refuse_lost_id();
  }

  /// The best column for the id has another role: that may be a mistake.
  void refuse_taken_id() const {
    const auto usual = finder_.usual(Role::kId);
    if (usual.empty() || !std::ranges::all_of(usual, [&](std::size_t field) { return is_taken(field); }))
      return;
    fail("no column for the id was found; {}; name one with `id` (or `id` - if all rows are one sequence)",
         finder_.list());
  }

  /// Without the ids of training, sequences that a model knows apart would become one.
  void refuse_lost_id() const {
    if (!is_known(Role::kId)) return;
    fail(
        "the id was '{}' in training, but there is no such column, nor another usual one; {}; name it with "
        "`id` (or `id` - if all rows are one sequence)",
        shown(options_.known.at(Role::kId)), finder_.list());
  }

  void find_time() {
    if (may_guess(Role::kTime)) take_guess(Role::kTime, guesser_.time());
    if (may_guess(Role::kTime) && may_guess(Role::kId)) {
      if (const auto both = guesser_.id_and_time()) {
        take_guess(Role::kId, both->first);
        take_guess(Role::kTime, both->second);
      }
    }
    if (!is_open(Role::kTime)) return;
    fail("no column for the time was found; {}; name one with `time`", finder_.list());
  }

  /// Whether nothing is chosen yet that could be learned.
  bool needs_more() const {
    return std::ranges::all_of(columns_, [](const ColumnChoice& column) {
      return column.role == Role::kId || column.role == Role::kTime;
    });
  }

  void find_targets() {
    if (may_guess(Role::kLabel)) take_guess(Role::kLabel, guesser_.label());
    if (may_guess(Role::kEvent)) take_guess(Role::kEvent, guesser_.event(needs_more()));
    if (may_guess(Role::kValue)) take_guess(Role::kValue, guesser_.value(needs_more()));
  }

  /// Throws t2v::Error if a column is one of sequences, and there is nothing that tells them apart.
  void check_needs_no_id() const {
    if (is_chosen(Role::kId)) return;
    for (const ColumnChoice& column : columns_) {
      if (!is_of_sequence(column.role)) continue;
      fail(
          "the {} '{}' is one of each sequence, but no column for the id was found; {}; name one with `id`{}",
          word_of(column.role), shown(column.name), finder_.list(),
          column.role == Role::kLabel ? ", or give `label` - if it is none" : "");
    }
  }

  void mark_categories() {
    for (const std::string& name : options_.categories) {
      const std::size_t field = finder_.given(name, Role::kFeature);
      const auto column = std::ranges::find(columns_, field, &ColumnChoice::field);
      if (column == columns_.end() || !is_feature(column->role)) {
        fail("the category '{}' is not among the features; name it there too", shown(name));
      }
      column->category = true;
    }
  }

  const TableOptions& options_;
  ColumnFinder finder_;
  ColumnGuesser guesser_;
  bool has_rows_;
  std::vector<ColumnChoice> columns_;
  std::vector<Role> open_;  // roles whose column is not settled
};

}  // namespace

std::vector<ColumnChoice> choose_columns(const std::vector<ColumnSketch>& columns, bool has_header,
                                         const TableOptions& options) {
  if (options.time == "-") fail("every event needs a time, but `time` is '-'; name a column");
  return Chooser(columns, has_header, options).choose();
}

std::vector<ColumnChoice> choose_columns(const std::vector<std::string>& header, bool has_header,
                                         const TableOptions& options) {
  return choose_columns(sketches_of_names(header), has_header, options);
}

}  // namespace t2v::data
