#pragma once

#include <string>
#include <vector>

#include "data/duckdb_session.h"

namespace t2v::data {

/// The files and patterns that a query names: after FROM and JOIN, and in DuckDB's functions that read tables
/// (read_parquet, read_csv, read_json). Nothing where DuckDB does not take it for a query.
std::vector<std::string> files_named_in(const DuckdbSession& session, const std::string& query);

/// Lets the queries of a session read these files and patterns, and nothing else, for good: no other file, no
/// network, no extension, and its settings stay.
void confine(const DuckdbSession& session, const std::vector<std::string>& files);

}  // namespace t2v::data
