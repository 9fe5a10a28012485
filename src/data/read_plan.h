#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/chunk_reader.h"
#include "data/table_schema.h"
#include "data/typed_table.h"

namespace t2v::data {

/// What the start of a table tells: how it is to be read, and where its rows start.
struct TableStart {
  ReadPlan plan;
  std::size_t rows_begin = 0;        // byte of the text where the first row of data is
  std::vector<std::string> choices;  // what was chosen and why, a line each, for people
};

/// Settles how a table is read from its first bytes (a whole number of rows, or all there is) and the
/// options. Throws t2v::Error whose message starts with the source's name.
TableStart start_table(std::string_view text, const std::string& source, const TableOptions& options,
                       const TimeZone& zone);

/// The same for a further file of the same table: its columns may stand in another order, but are read in the
/// same way.
TableStart continue_table(std::string_view text, const std::string& source, const TableOptions& options,
                          const ReadPlan& first);

/// The same of a table whose columns have types, by its first rows, which are of all columns.
TableStart start_typed_table(const std::vector<TypedColumn>& columns, const TypedPiece& first,
                             const std::string& source, const TableOptions& options, const TimeZone& zone);
TableStart continue_typed_table(const std::vector<TypedColumn>& columns, const std::string& source,
                                const ReadPlan& first, const std::vector<TypedColumn>& first_types);

/// Bytes of a mark at the start that say the text is UTF-8. Throws t2v::Error for marks of other encodings.
std::size_t encoding_mark(std::string_view text, const std::string& source);

}  // namespace t2v::data
