#pragma once

#include <vector>

#include "data/table_reader.h"
#include "data/table_schema.h"
#include "data/typed_table_reader.h"

namespace t2v::data {

/// The tables of SQLite databases that the options name, or the rows of their query, to be opened in turn.
/// Databases are opened read-only, and a query can attach no other. A column is of the type that its first
/// cells have: SQLite itself keeps a type with each cell.
std::vector<TypedSource> sqlite_sources(const std::vector<TableSource>& sources, const TableOptions& options);

}  // namespace t2v::data
