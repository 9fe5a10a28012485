#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "data/chunk_reader.h"
#include "data/table_schema.h"

namespace t2v::data {

/// A unit of time as auto, but numbers of several units are read as plain ones rather than refused: for
/// looking at data.
inline constexpr std::string_view kAnyUnit = "any";

/// Where the cell of a column is, for messages: "3:5".
using PlaceOfCell = std::function<std::string(std::size_t column, std::size_t row)>;

/// The places of cells of a text that starts with line `first_line`; the cells must outlive it.
PlaceOfCell places_in_text(const CellChunk& cells, int64_t first_line);

/// Settles how the times of a plan's column are read, by the first rows; gives the choice in words. Throws
/// t2v::Error where the first rows do not tell.
std::string settle_time(ReadPlan& plan, std::size_t column, const CellChunk& cells,
                        const PlaceOfCell& place_of, const TableOptions& options);

}  // namespace t2v::data
