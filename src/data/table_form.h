#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "data/column_sketch.h"
#include "data/table_schema.h"

namespace t2v::data {

/// How the rows of a table stand in its text.
struct TableForm {
  bool json = false;
  bool json_list = false;  // [{...}, {...}], else one object a line
  bool has_header = true;
  char separator = ',';
  std::vector<std::string> header;  // without one the cells of the first row
  std::size_t rows_begin = 0;       // byte of the text where the first row of data is
  std::vector<ColumnSketch> columns;
};

/// Settles the form by the first bytes of a table (whole rows) and the options. A first row whose cells are
/// of the kinds of those below is data, not names. Throws t2v::Error without the source's name.
TableForm read_form(std::string_view text, const TableOptions& options);

}  // namespace t2v::data
