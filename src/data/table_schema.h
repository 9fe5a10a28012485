#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/events.h"

namespace t2v::data {

enum class Role { kId, kTime, kEvent, kValue, kLabel, kTarget, kFeature, kSequenceFeature };

/// How a table is to be read. Columns are given by name, or by number from 1; an empty name stands for the
/// usual ones (see usual_names).
struct TableOptions {
  std::string id;      // sequence that the event belongs to; "-", or none found: all rows are one sequence
  std::string time;    // when
  std::string event;   // type of the event; "-": none, although there is a column of a usual name
  std::string value;   // number of the event; "-" likewise
  std::string label;   // class of the sequence; "-" likewise
  std::string target;  // number of the sequence; none unless given
  /// For roles above that are empty: the names, as in ColumnChoice, that are looked for before the usual
  /// ones; "-" as above. A known id must be found by one of them.
  std::map<Role, std::string> known;
  std::vector<std::string> features;           // further columns of events, numbers or categories
  std::vector<std::string> sequence_features;  // further columns that are the same in all rows of a sequence
  std::vector<std::string> categories;  // those of them that are categories although they look like numbers

  std::string format = "auto";     // csv (any separator) or jsonl
  std::string separator = "auto";  // one character, or tab
  std::string header = "auto";     // yes or no
  std::string time_unit = "auto";  // s, ms, us, ns since 1970, or number; any: auto, mixed ones as numbers
  std::string timezone = "UTC";    // of times without an offset
  Order order = Order::kSort;
  bool skip_bad_rows = false;
};

/// The id of the sequence that all rows of a table without ids are.
inline constexpr std::string_view kOneSequence = "all";

/// The role in a word: "id".
std::string_view word_of(Role role);

/// Whether a column of this role is a number or a category, as its cells say.
bool is_feature(Role role);

/// The names that a role's column usually has, best first.
const std::vector<std::string>& usual_names(Role role);

/// A column of the table that is read.
struct ColumnChoice {
  Role role;
  std::size_t field;  // from 0
  std::string name;   // without blanks around it and a type as in "user_id:token"; "column 3" if it has none
  bool category = false;  // features: a category even if it looks like a number
};

/// Which columns are read and as what. Throws t2v::Error that lists the columns there are where one is
/// missing, unknown or taken twice. A name is found as it is written, else in any case and without blanks
/// around it. Without a header the columns are given by number.
std::vector<ColumnChoice> choose_columns(const std::vector<std::string>& header, bool has_header,
                                         const TableOptions& options);

/// The field, from 0, of a column without a name: 2 for "column 3".
std::optional<std::size_t> field_without_name(std::string_view name);

/// The choice in words: "id 'user_id', time 'ts', event 'action', features 'price', 'qty'".
std::string describe(const std::vector<ColumnChoice>& columns);

}  // namespace t2v::data
