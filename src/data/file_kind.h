#pragma once

#include <cstdint>
#include <string>

namespace t2v::data {

/// Who reads the tables of a file.
enum class TableKind : uint8_t { kText, kParquet, kDuckdb, kSqlite };

/// Told by the first bytes; what is not a regular file is text.
TableKind table_kind_of(const std::string& path);

/// Throws t2v::Error if a file, perhaps compressed, is known by its first bytes not to be a table: says what
/// it is and what to do. What is not a regular file is let through, since what is read of a pipe is gone.
void refuse_other_kinds(const std::string& path);

}  // namespace t2v::data
