#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/event_table.h"
#include "data/names.h"
#include "data/table_schema.h"

namespace t2v::python {

/// A column of a table as it came, copied from the caller's memory. Nothing is rounded: whole numbers stay
/// whole, instants are nanoseconds.
struct Column {
  enum class Kind : uint8_t {
    kWhole,    // wholes
    kNumber,   // numbers, NaN for none
    kInstant,  // wholes: nanoseconds since 1970-01-01T00:00:00 UTC
    kName,     // names and codes; the empty name for none
    kOther,    // something that has no use here; an error once it is asked for
  };

  std::string name;
  Kind kind = Kind::kNumber;
  std::vector<int64_t> wholes = {};
  std::vector<double> numbers = {};
  std::string type = {};  // of whole numbers and floats as NumPy writes it; empty: the widest
  bool single = false;    // numbers were floats: their shortest decimals are those of a float
  data::Names names = {};
  std::vector<int32_t> codes = {};
  std::vector<bool> absent = {};  // of whole numbers and instants: where there is none; empty if nowhere
  std::string other = {};         // what it is instead, for a message
  int64_t other_rows = 0;

  int64_t rows() const;
  bool is_absent(std::size_t row) const { return !absent.empty() && absent[row]; }
  void add_absent(std::size_t row);
  /// The type of numbers as NumPy writes it; empty for all else.
  std::string number_type() const;
  /// A cell as the name of something; empty for none.
  std::string text(std::size_t row) const;
};

/// Throws t2v::Error for a column that has no use here.
void check_usable(const Column& column);
/// The column as numbers; NaN for none. Throws t2v::Error for names and instants.
data::Numbers to_numbers(const Column& column);
/// The column as names, numbered as they first come.
data::Categories to_categories(const Column& column);

/// Columns of equally many rows.
class Table {
 public:
  /// Throws t2v::Error for a name that is there, or another number of rows.
  void add(Column&& column);

  const std::vector<Column>& columns() const { return columns_; }
  std::vector<std::string> names() const;
  int64_t rows() const { return columns_.empty() ? 0 : columns_.front().rows(); }

 private:
  std::vector<Column> columns_;
};

/// Sets scale and ticks of a table of events from a column of times: instants, numbers, or either of them as
/// text; numbers and texts are read as those of a file are. Returns whether the day is first, as TableOptions
/// has it. Throws t2v::Error for rows without a time.
std::string set_times(data::EventTable& table, const Column& column, const data::TableOptions& options);

}  // namespace t2v::python
