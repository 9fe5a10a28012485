#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/column_sketch.h"
#include "data/events.h"

namespace t2v::data {

enum class Role { kId, kTime, kEvent, kValue, kLabel, kTarget, kFeature, kSequenceFeature };

/// How a table is to be read. Columns are given by name, or by number from 1; those with an empty name are
/// found (see choose_columns).
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
  std::string time_format;         // of strptime, see TimeFormat; empty: ISO, or as the first rows tell
  std::string day_first = "auto";  // yes, no: whether 01/02/2024 is the 1st of February, not January 2nd
  std::string timezone = "UTC";    // of times without an offset
  int least_decimals = 0;          // of plain times
  std::string table;               // of a database: which one
  std::string sql;                 // a query whose rows are the table, instead of a file or over one
  bool sql_unsafe = false;         // whether it may read any file and reach whatever DuckDB reaches
  int64_t memory = 512;            // MB of events beyond which they are kept in temporary files; 0: no limit
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
  std::string why = {};   // what a guess rests on, for people; empty where a name says it
};

/// Which columns are read and as what. Throws t2v::Error that lists the columns there are where one is
/// missing, unknown or taken twice. A name is found as it is written, else in any case and without blanks
/// around it. Without a header the columns are given by number.
///
/// Roles that are not given are settled by what is known, then by the usual names, then, where the sketches
/// hold rows, by what the columns hold (see column_guess.h); with known columns only those that are among
/// them. Where two columns are equally likely for what is needed, t2v::Error asks which.
std::vector<ColumnChoice> choose_columns(const std::vector<ColumnSketch>& columns, bool has_header,
                                         const TableOptions& options);
/// The same by names alone.
std::vector<ColumnChoice> choose_columns(const std::vector<std::string>& header, bool has_header,
                                         const TableOptions& options);

/// The field, from 0, of a column without a name: 2 for "column 3".
std::optional<std::size_t> field_without_name(std::string_view name);

/// The name of the option that gives a role its column: `sequence_features`, without the quotes.
std::string_view option_of(Role role);

/// Names in quotes, the first of many: "'a', 'b' and 3 more".
std::string list_names(const std::vector<std::string>& names, std::size_t most = 5);

/// The choice in words: "id 'user_id', time 'ts', event 'action', features 'price', 'qty'".
std::string describe(const std::vector<ColumnChoice>& columns);

}  // namespace t2v::data
