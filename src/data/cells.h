#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace t2v::data {

/// Counts line ends as an editor does: \n, \r\n, or \r alone.
int64_t count_lines(std::string_view text);

/// What is wrong with a row of a table. `what` and `advice` are texts that live as long as the program
/// or the plan by which it is read.
struct Fault {
  uint32_t row = 0;         // of the chunk; for a fault of reading rows, the row that would come next
  uint32_t at = 0;          // byte of the chunk's text
  std::string_view what;    // what is wrong: of a cell, "is not a number; ..." with what to do
  std::string_view advice;  // of a row: what to do
  std::string_view seen;    // what stands there, of the chunk
  int column = -1;          // of a cell: the wanted column
  uint32_t begin = 0;       // where the row starts
};

/// Which fields of a row are wanted: column[f] is the wanted column that field f fills, -1 for none.
struct WantedFields {
  std::vector<int> column;
  std::size_t count = 0;  // wanted columns

  std::size_t fields() const { return column.size(); }
};

/// The fields of a text in which every line is a row of equally many fields, as they stand: no quotes, no
/// empty lines. Field f of row r lies between ends r * fields + f and the next one.
struct FieldGrid {
  std::size_t fields = 0;  // of a row, also those not wanted; 0 if the text is not like that
  std::size_t rows = 0;
  std::vector<uint32_t> ends;         // [1 + rows * fields, or more]; the first stands before the text
  std::vector<std::size_t> field_of;  // [wanted columns]
};

/// The cells of some rows of a table, of the columns that are wanted, as views of its text. A chunk has less
/// than 2^32 bytes. The cells are either in the grid or, each on its own, in the columns.
struct CellChunk {
  struct Cell {
    uint32_t begin;  // of the text; from the text's size + 1 on, of `changed`
    uint32_t size;
  };

  std::string_view text;
  FieldGrid grid;
  std::string changed;                     // cells that do not stand in the text as they are meant (escapes)
  std::vector<std::vector<Cell>> columns;  // [wanted columns][room, or more]
  std::size_t room = 0;                    // rows that the columns have room for
  std::vector<uint32_t> row_begin;         // [rows] where each row starts in the text
  std::vector<Fault> faults;               // of rows that are left out
  int64_t lines = 0;                       // line ends of the text

  int64_t rows() const { return static_cast<int64_t>(grid.fields > 0 ? grid.rows : row_begin.size()); }
  /// Where a row starts in the text.
  uint32_t begin_of(std::size_t row) const {
    return grid.fields > 0 ? grid.ends[row * grid.fields] + 1 : row_begin[row];
  }
  Cell place(std::size_t column, std::size_t row) const {
    if (grid.fields == 0) return columns[column][row];
    const uint32_t* ends = grid.ends.data() + row * grid.fields + grid.field_of[column];
    return {ends[0] + 1, ends[1] - ends[0] - 1};
  }
  std::string_view cell(std::size_t column, std::size_t row) const { return view(place(column, row)); }
  std::string_view view(Cell at) const {
    if (stands(at)) return {text.data() + at.begin, at.size};
    return {changed.data() + (at.begin - text.size() - 1), at.size};
  }
  /// Whether a cell stands in the text as it is meant; an empty one may stand at its very end.
  bool stands(Cell at) const { return at.begin <= text.size(); }
  /// Up to where the bytes behind the start of a cell may be read.
  const char* readable(Cell at) const {
    return stands(at) ? text.data() + text.size() : changed.data() + changed.size();
  }
  /// Where the next cell of `changed` begins.
  uint32_t next_changed() const { return static_cast<uint32_t>(text.size() + 1 + changed.size()); }
  /// Starts rows whose cells are each on their own.
  void start(std::string_view chunk_text, std::size_t wanted) {
    text = chunk_text;
    grid.fields = 0;
    lines = count_lines(text);
    changed.clear();
    columns.resize(wanted);
    room = 0;
    row_begin.clear();
    faults.clear();
  }
  /// Makes room for the cells of another row. Rows are not as many as lines where quotes hold line ends.
  void make_room() {
    if (row_begin.size() < room) return;
    room = std::max<std::size_t>(2 * room, columns.size() < 64 ? 1024 : 1);
    for (auto& column : columns) column.resize(std::max(column.size(), room));
  }
  /// Gives the ends of the grid, which are there, their meaning.
  void start_grid(std::string_view chunk_text, const WantedFields& wanted, std::size_t fields,
                  std::size_t grid_rows) {
    text = chunk_text;
    changed.clear();
    faults.clear();
    grid.fields = fields;
    grid.rows = grid_rows;
    columns.resize(wanted.count);
    grid.field_of.resize(wanted.count);
    for (std::size_t field = 0; field < wanted.fields(); ++field) {
      if (wanted.column[field] >= 0) grid.field_of[static_cast<std::size_t>(wanted.column[field])] = field;
    }
  }
};

/// Line (from 0) and column (in bytes, from 1) of a byte of a text.
struct TextPlace {
  int64_t line;
  int64_t column;
};
TextPlace place_in(std::string_view text, std::size_t at);

/// A fault of a row in words, "line:column: what ('seen'); what to do". The text starts with line
/// `first_line`, of which `bytes_before` bytes come before it.
std::string explain_row(std::string_view text, const Fault& fault, int64_t first_line = 1,
                        int64_t bytes_before = 0);

}  // namespace t2v::data
