#pragma once

#include <cstdint>
#include <string>

#include "data/chunk_reader.h"
#include "data/table_schema.h"

namespace t2v::data {

/// A unit of time as auto, but numbers of several units are read as plain ones rather than refused: for
/// looking at data.
inline constexpr std::string_view kAnyUnit = "any";

/// Settles how the times of a plan's column are read, by the first rows, whose text starts with line
/// `first_line`; gives the choice in words. Throws t2v::Error where the first rows do not tell.
std::string settle_time(ReadPlan& plan, std::size_t column, const CellChunk& cells, int64_t first_line,
                        const TableOptions& options);

}  // namespace t2v::data
