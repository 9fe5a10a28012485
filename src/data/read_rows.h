#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "data/cells.h"
#include "data/names.h"

namespace t2v::data {

/// The number among a chunk's new names that a code below 0 stands for.
inline int32_t new_name(int32_t code) { return ~code; }

/// One column of a chunk, in the form of its kind.
struct ChunkColumn {
  Names names;                   // kName: those that are not among the plan's known ones
  std::vector<int32_t> codes;    // kName: known ones; ~i for number i of the new ones
  std::vector<double> numbers;   // kNumber
  std::vector<int64_t> ticks;    // kInstant, kFormatted, kDecimalInstant: nanoseconds; kDecimal: mantissas
  std::vector<int8_t> decimals;  // kDecimal
};

/// Rows of a table, read into columns, whatever they were read from: what RowCollector makes a table of
/// events of.
class ReadRows {
 public:
  virtual ~ReadRows() = default;

  int64_t rows() const { return rows_; }
  const std::vector<ChunkColumn>& columns() const { return columns_; }
  /// Whether a row has no fault.
  bool good(std::size_t row) const { return bad_.empty() || !bad_[row]; }
  bool all_good() const { return bad_.empty(); }
  /// The fault of a cell that is wrong beside other rows.
  virtual Fault fault_at(std::size_t column, std::size_t row, std::string_view what) const = 0;
  /// The name in a cell of a column that the plan knows no names of.
  std::string_view name_at(std::size_t column, std::size_t row) const {
    return columns_[column].names[new_name(columns_[column].codes[row])];
  }

 protected:
  ReadRows() = default;
  ReadRows(const ReadRows&) = default;
  ReadRows(ReadRows&&) = default;
  ReadRows& operator=(const ReadRows&) = default;
  ReadRows& operator=(ReadRows&&) = default;

  /// Marks a row that has a fault; false if it has one already, which is enough.
  bool mark_bad(std::size_t row) {
    if (bad_.empty()) bad_.resize(static_cast<std::size_t>(rows_));
    const bool first = !bad_[row];
    bad_[row] = true;
    return first;
  }

  int64_t rows_ = 0;
  std::vector<ChunkColumn> columns_;
  std::vector<bool> bad_;  // empty: none
};

}  // namespace t2v::data
