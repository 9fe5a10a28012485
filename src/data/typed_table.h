#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace t2v::data {

/// What the cells of a column are, where its source has types.
enum class CellType : uint8_t {
  kWhole,      // wholes
  kBool,       // wholes: 0 or 1
  kDecimal,    // wholes: mantissas
  kNumber,     // numbers
  kSingle,     // numbers: their shortest decimals are those of a float
  kInstant,    // wholes: counts since 1970 of UTC
  kLocalTime,  // wholes: counts since 1970 of clocks of some zone
  kText,       // texts
  kDigits,     // texts: whole numbers and decimals that 64 bits do not hold
  kOther,      // something that has no use here; an error once it is asked for
};

struct TypedColumn {
  std::string name;
  CellType type = CellType::kOther;
  int decimals = 0;             // kDecimal
  int64_t nanoseconds = 1;      // kInstant, kLocalTime: of a count
  std::string type_name = {};   // as its source has it
  std::string loses_time = {};  // kInstant, kLocalTime: why its source gives fewer decimals than it holds
};

/// Cells of a column; of those that are absent the values mean nothing.
struct TypedCells {
  std::vector<int64_t> wholes = {};
  std::vector<double> numbers = {};
  std::vector<std::string_view> texts = {};
  std::vector<uint8_t> absent = {};  // 1 where there is none; empty: nowhere

  bool is_absent(std::size_t row) const { return !absent.empty() && absent[row] != 0; }
  void clear();
};

/// Some rows of a table, of the columns that are read.
struct TypedPiece {
  int64_t rows = 0;
  int64_t first_row = 1;  // of the source, from 1
  std::vector<TypedCells> columns;
  std::vector<std::shared_ptr<const void>> owners;  // of texts

  void clear(std::size_t columns_wanted);
};

/// A table whose columns have types: a seam between what knows files, databases or memory, and what makes
/// events of their cells. All methods throw t2v::Error.
class TypedTable {
 public:
  virtual ~TypedTable() = default;

  /// What it is, for messages: a path, or that of a database with a table.
  virtual const std::string& name() const = 0;
  virtual const std::vector<TypedColumn>& columns() const = 0;
  /// The column of times, where they were a list whose entries are events; else empty.
  virtual std::string list_of_times() const { return ""; }
  /// Rows of it, as far as that is known without reading it; else 0.
  virtual int64_t rows() = 0;
  /// The first rows of all columns, `most` at most. To be called before start().
  virtual void first_rows(TypedPiece& piece, int64_t most) = 0;
  /// Begins to read these columns from the first row on.
  virtual void start(const std::vector<std::size_t>& fields) = 0;
  /// The next rows; false if there are none.
  virtual bool next(TypedPiece& piece) = 0;
};

/// A cell as text, exactly: as a table of text would have it; empty if there is none. Of texts a view of
/// them, else of the buffer.
std::string_view text_of(const TypedColumn& column, const TypedCells& cells, std::size_t row,
                         std::string& buffer);

}  // namespace t2v::data
