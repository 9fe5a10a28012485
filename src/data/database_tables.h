#pragma once

#include <functional>
#include <vector>

#include "base/options.h"
#include "data/table_reader.h"
#include "data/table_schema.h"

namespace t2v::data {

/// Whether what is to be read is not text: a query, Parquet files or databases, which all sources then are.
/// Throws t2v::Error for a mixture.
bool reads_databases(const std::vector<TableSource>& sources, const TableOptions& options);

/// Reads events from Parquet files, from a table of a DuckDB or SQLite database, or from the rows of a query.
/// `given`: the options that were given. Throws t2v::Error as read_tables() does, with rows for lines, and
/// for what has no effect.
EventTable read_databases(const std::vector<TableSource>& sources, const TableOptions& options,
                          const GivenOptions& given, ThreadPool& pool, ReadReport& report,
                          const std::function<void(const ReadProgress&)>& progress = {});

}  // namespace t2v::data
