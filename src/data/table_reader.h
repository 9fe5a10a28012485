#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/thread_pool.h"
#include "data/event_table.h"
#include "data/table_schema.h"

namespace t2v::data {

/// A file of a table, "-" for standard input.
struct TableSource {
  std::string path;
  std::optional<Part> part = {};  // what its sequences are for, if that is given by files
  FileSystem* files = &FileSystem::real();
};

/// How far reading has come.
struct ReadProgress {
  int64_t taken;  // bytes of the source; 0: not known
  int64_t total;  // 0: not known
  int64_t rows;
};

/// What was done, for people.
struct ReadReport {
  std::vector<std::string> choices;  // a line each
  std::vector<ColumnChoice> columns;
  std::string day_first = "auto";  // as in TableOptions, if the times told it
  bool times_have_type = false;    // of typed tables: neither numbers nor texts
  int64_t bytes = 0;               // of text
  int64_t skipped = 0;
  std::map<std::string, int64_t> skipped_by_reason;
};

/// Reads events from tables: CSV with any separator, JSON lines, or a JSON list of objects; plain, gzip or
/// zstd; one event a row. All threads of the pool parse; the result does not depend on their number. Memory
/// beside the result stays below 256 MiB, whatever the source; a line or row has at most 4 MiB.
///
/// Throws t2v::Error, "file:line:column: ...", for the first row that is malformed, unless bad rows are to be
/// skipped; and for anything else that cannot be used.
EventTable read_tables(const std::vector<TableSource>& sources, const TableOptions& options, ThreadPool& pool,
                       ReadReport& report, const std::function<void(const ReadProgress&)>& progress = {});

}  // namespace t2v::data
