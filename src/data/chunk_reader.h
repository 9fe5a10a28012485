#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/cells.h"
#include "data/decimal.h"
#include "data/name_finder.h"
#include "data/names.h"
#include "data/read_rows.h"
#include "data/table_schema.h"
#include "data/time_column.h"
#include "data/time_format.h"
#include "data/time_zone.h"

namespace t2v::data {

/// How the cells of one column are read.
enum class CellKind { kName, kNumber, kInstant, kFormatted, kDecimalInstant, kDecimal };

/// How the rows of one file are read: settled before the first chunk, the same for all.
struct ReadPlan {
  bool json = false;
  bool json_list = false;  // [{...}, {...}], else one object a line
  bool has_header = true;
  char separator = ',';
  std::vector<ColumnChoice> columns;
  std::vector<CellKind> kinds;    // of each
  WantedFields wanted;            // csv
  std::vector<std::string> keys;  // json
  TimeUnit unit = TimeUnit::kNumber;
  std::shared_ptr<const TimeFormat> format;  // kFormatted
  std::string day_first = "auto";            // as in TableOptions, if the times told it
  const TimeZone* zone = nullptr;
  bool static_rows = false;         // typed tables: an event without a time stands before the others
  std::vector<const Names*> known;  // of each column: names with their codes, or nothing
};

/// The rows of a piece of a table's text, read. Memory is reused from piece to piece.
class ChunkReader final : public ReadRows {
 public:
  /// Reads text that starts with a row. `last`: nothing follows it.
  void read(const ReadPlan& plan, std::string_view text, bool last, FinderSets::Set& finders);
  void read(const ReadPlan& plan, std::string_view text, bool last) {
    FinderSets::Set finders;
    read(plan, text, last, finders);
  }

  /// Bytes used; fewer than given if the text ends within a row.
  std::size_t used() const { return used_; }
  int64_t lines() const { return lines_; }  // line ends among them
  /// Of all rows and cells, in the order of the text.
  const std::vector<Fault>& faults() const { return cells_.faults; }
  const CellChunk& cells() const { return cells_; }

  std::string_view cell(std::size_t column, std::size_t row) const { return cells_.cell(column, row); }
  /// Where a cell starts in the text, as well as that can be told.
  uint32_t place_of_cell(std::size_t column, std::size_t row) const;
  Fault fault_at(std::size_t column, std::size_t row, std::string_view what) const override;

 private:
  void read_column(const ReadPlan& plan, std::size_t column, NameFinder& finder);
  void read_names(std::size_t column, const Names* known, NameFinder& finder);
  template <class IsUsual, class Read>
  void read_each(std::size_t column, const IsUsual& is_usual, const Read& read);
  void check_bytes();
  void check_row_bytes(std::size_t row, std::size_t end);
  void add_fault(std::size_t column, std::size_t row, std::string_view what);

  CellChunk cells_;
  std::size_t used_ = 0;
  int64_t lines_ = 0;
};

/// The fault of a byte that first_bad_byte() found.
Fault byte_fault(std::string_view text, std::size_t at);

/// The text without blanks around it.
std::string_view trimmed(std::string_view text);

}  // namespace t2v::data
