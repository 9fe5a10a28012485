#pragma once

#include <map>
#include <memory>
#include <string>

#include "data/duckdb_session.h"
#include "data/typed_table.h"

namespace t2v::data {

/// What is known of a column beside its type.
struct DuckdbColumnNote {
  std::string type_name = {};
  std::string loses_time = {};  // as in TypedColumn
};

/// What DuckDB reads as a table: a Parquet file, a table of a database, or a query, whose rows are made once.
/// One level of lists is unnested where a list holds the times: each entry is an event. Fields of structs are
/// columns of their own, "place.city".
///
/// `name`: for messages. `from`: as after FROM; of a query all of it. `time`: the option for the column of
/// times, which may be a list. The session must outlive the table.
struct DuckdbTableSource {
  std::string name;
  std::string from;
  bool is_query = false;
  std::string time;
  std::map<std::string, DuckdbColumnNote> types = {};  // of columns by name, where there is more to say
};
std::unique_ptr<TypedTable> open_duckdb_table(DuckdbSession& session, DuckdbTableSource source);

/// The pattern that matches a file alone, whatever characters its path has; and what reads it as Parquet, as
/// after FROM.
std::string parquet_pattern(const std::string& path);
std::string parquet_source(const std::string& path);

}  // namespace t2v::data
