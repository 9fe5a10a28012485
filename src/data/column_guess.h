#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/column_sketch.h"
#include "data/table_schema.h"

namespace t2v::data {

/// Fewer sequences do not show that a column is the same in all rows of each.
inline constexpr int64_t kLeastGroups = 10;

/// A column that seems to have a role, and why.
struct Guess {
  std::size_t field;
  std::string why;
};

/// Guesses what columns are by the words of their names and what their first rows hold. A guess that two
/// columns fit equally well is a t2v::Error that names both and the option that decides, if the role is
/// needed; else none.
class ColumnGuesser {
 public:
  /// `names`: as columns are called in messages.
  ColumnGuesser(const std::vector<ColumnSketch>& columns, std::vector<std::string> names, bool has_header);

  /// A column that is taken is no candidate any more.
  void take(Role role, std::size_t field);

  /// Whether what a column holds speaks against a role that its name has.
  bool contradicts(Role role, std::size_t field) const;

  /// By its name: Case ID, machine.
  std::optional<Guess> id_by_words() const;
  /// The only column of dates, or of numbers since 1970, or else the only one whose name says elapsed time
  /// and whose numbers rise.
  std::optional<Guess> time() const;
  /// Beside a known time: what the rows are grouped by, or what tells rows of the same time apart.
  std::optional<Guess> id_beside_time() const;
  /// Both at once: the only column that the rows are grouped by and the only numbers that rise in its groups.
  std::optional<std::pair<Guess, Guess>> id_and_time() const;
  /// `needed`: there is nothing else to learn from.
  std::optional<Guess> event(bool needed) const;
  std::optional<Guess> value(bool needed) const;
  /// A column named as an outcome that is the same in all rows of each id.
  std::optional<Guess> label() const;

 private:
  using Fields = std::vector<std::size_t>;
  Fields free_where(const std::function<bool(std::size_t)>& is) const;
  std::optional<Guess> strongest(const std::vector<int>& strength, Role role, bool needed) const;
  std::optional<Guess> only(const Fields& fields, const std::string& why) const;
  Fields dates() const;
  Fields groups() const;
  Fields without_twins(const Fields& fields) const;
  bool may_be_id(std::size_t field) const;
  bool may_be_event(std::size_t field) const;
  bool is_code(std::size_t field) const;
  std::optional<Guess> event_of_one_sequence(const Fields& texts, bool needed) const;
  bool varies(std::size_t field) const;
  bool may_have_value() const;
  bool is_known(std::size_t field) const;
  const ColumnSketch* column_of(Role role) const;
  std::string names_of(const Fields& fields) const;
  [[noreturn]] void ask(const Fields& fields, const std::string& what) const;

  const std::vector<ColumnSketch>& columns_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> words_;  // of each name; none without a header
  bool has_header_;
  std::vector<std::optional<Role>> taken_;
};

}  // namespace t2v::data
