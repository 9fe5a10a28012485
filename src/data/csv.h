#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/cells.h"

namespace t2v::data {

/// Reads rows of comma-separated values, or of values separated by another character.
///   - A row ends with \n, \r\n or \r; an empty line is no row.
///   - A field that starts with " ends at the next " that is not doubled, and may hold separators and line
///     ends; after it comes a separator or the end of the row. Elsewhere " is a character like others.
///   - Every row has as many fields as are wanted or skipped (`wanted.fields()`).
/// A row that breaks a rule becomes a fault and is left out.
///
/// Returns how many bytes were used: all, or, if `last` is false and the text ends within a quoted field,
/// those before that row.
std::size_t read_csv(CellChunk& chunk, std::string_view text, char separator, const WantedFields& wanted,
                     bool last);

/// A table has no more columns: each takes memory while it is read.
inline constexpr std::size_t kMostColumns = 16'384;

/// The fields of the first row, unquoted, and where the next row starts. Throws t2v::Error, "line:column:
/// ...", without the file's name, if that row is not well formed, not closed within the text or has too many
/// fields.
struct HeaderRow {
  std::vector<std::string> fields;
  std::size_t next = 0;
};
HeaderRow read_header(std::string_view text, char separator);

/// The separator that a first line seems to have: the one of tab, comma, semicolon and vertical bar that
/// occurs most often outside of quotes; comma if none does.
char guess_separator(std::string_view text);

}  // namespace t2v::data
