#include "data/database_tables.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/duckdb_session.h"
#include "data/duckdb_table.h"
#include "data/file_kind.h"
#include "data/spill_folder.h"
#include "data/sql_files.h"
#include "data/sqlite_table.h"
#include "data/typed_table_reader.h"

namespace t2v::data {
namespace {

/// Beyond this DuckDB puts what it needs into files.
constexpr const char* kDuckdbMemory = "1GB";

std::string_view name_of(TableKind kind) {
  switch (kind) {
    case TableKind::kText:
      return "a table of text";
    case TableKind::kParquet:
      return "a Parquet file";
    case TableKind::kDuckdb:
      return "a DuckDB database";
    case TableKind::kSqlite:
      return "an SQLite database";
  }
  return "";
}

/// The name of a database within a path: shop of data/shop.duckdb.
std::string stem_of(const std::string& path) { return std::filesystem::path(path).stem().string(); }

/// Reads what DuckDB knows.
class DuckdbReading {
 public:
  DuckdbReading(const std::string& database, const ThreadPool& pool)
      : session_(std::make_unique<DuckdbSession>(database,
                                                 DuckdbSettings{{"threads", std::to_string(pool.threads())},
                                                                {"memory_limit", kDuckdbMemory},
                                                                {"temp_directory", spill_.file("spill")}})) {}

  DuckdbSession& session() { return *session_; }

  TypedSource parquet(const TableSource& source, const std::string& time) {
    const auto open = [this, path = source.path, time] {
      DuckdbTableSource table{path, parquet_source(path), false, time};
      table.types = parquet_types(path);
      return open_duckdb_table(*session_, std::move(table));
    };
    return {open, source.part};
  }

  /// A table of the database that is open.
  TypedSource table(const TableSource& source, const TableOptions& options) {
    const auto open = [this, path = source.path, name = options.table, time = options.time] {
      const auto [schema, table] = chosen_table(path, name);
      return open_duckdb_table(*session_, {fmt::format("{}, table '{}'", path, shown(table)),
                                           sql_name(schema) + "." + sql_name(table), false, time});
    };
    return {open, source.part};
  }

  TypedSource query(const TableOptions& options) {
    const auto open = [this, sql = options.sql, time = options.time] {
      return open_duckdb_table(*session_, {"the query", sql, true, time});
    };
    return {open};
  }

 private:
  /// Columns whose times DuckDB reads with fewer decimals than the file may have, and why.
  std::map<std::string, DuckdbColumnNote> parquet_types(const std::string& path) const {
    std::map<std::string, DuckdbColumnNote> notes;
    const auto named = [&](const std::string& where) {
      try {
        return session_->texts(fmt::format("SELECT name FROM parquet_schema({}) WHERE {}",
                                           sql_text(parquet_pattern(path)), where));
      } catch (const Error& error) {
        fail("{}: {}", path, error.what());
      }
    };
    for (const std::string& name : named("type = 'INT96'")) {
      notes[name].type_name = "TIMESTAMP (INT96, read to the microsecond)";
    }
    for (const std::string& name :
         named("type = 'INT64' AND logical_type LIKE '%isAdjustedToUTC=1%NANOS=NanoSeconds%'")) {
      notes[name].loses_time = fmt::format(
          "counts nanoseconds with a time zone, of which DuckDB {} keeps microseconds alone; write it "
          "without a "
          "zone or in microseconds, or give `time_unit` us to read it so",
          duckdb().library_version());
    }
    return notes;
  }

  /// Schema and name.
  std::pair<std::string, std::string> chosen_table(const std::string& path, const std::string& name) const {
    const std::string query =
        "SELECT {} FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', "
        "'pg_catalog') "
        "AND table_catalog = current_database() ORDER BY table_schema, table_name";
    const auto column = [&](std::string_view what) {
      return session_->texts(fmt::format(fmt::runtime(query), what));
    };
    const std::vector<std::string> schemas = column("table_schema");
    const std::vector<std::string> tables = column("table_name");
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      names.push_back(schemas[i] == "main" ? tables[i] : schemas[i] + "." + tables[i]);
      if (!name.empty() && (name == names[i] || name == schemas[i] + "." + tables[i]))
        return {schemas[i], tables[i]};
    }
    if (names.empty()) fail("{}: the database has no table", path);
    if (name.empty() && names.size() == 1) return {schemas[0], tables[0]};
    if (!name.empty()) fail("{}: there is no table '{}'; there are {}", path, shown(name), list_names(names));
    fail("{}: the database has {} tables; name one with `table`: {}", path, names.size(), list_names(names));
  }

  SpillFolder spill_;
  std::unique_ptr<DuckdbSession> session_;
};

// --- queries ---

/// Opens the databases that are given beside a query, so that it finds their tables.
void attach(DuckdbSession& session, const std::vector<TableSource>& sources) {
  std::string first;
  for (const TableSource& source : sources) {
    if (table_kind_of(source.path) != TableKind::kDuckdb) continue;
    const std::string name = sql_name(stem_of(source.path));
    try {
      session.run(fmt::format("ATTACH {} AS {} (READ_ONLY)", sql_text(source.path), name));
    } catch (const Error& error) {
      fail("{}: {}", source.path, error.what());
    }
    if (first.empty()) session.run("USE " + name);
    first = name;
  }
}

EventTable read_query(const std::vector<TableSource>& sources, const TableOptions& options, ThreadPool& pool,
                      ReadReport& report, const std::function<void(const ReadProgress&)>& progress) {
  DuckdbReading reading("", pool);
  DuckdbSession& session = reading.session();
  attach(session, sources);
  if (!options.sql_unsafe) {
    std::vector<std::string> files;
    for (const TableSource& source : sources) files.push_back(source.path);
    confine(session, sources.empty() ? files_named_in(session, options.sql) : files);
  }
  return read_typed_tables({reading.query(options)}, options, pool, report, progress);
}

// --- options ---

void refuse_text_options(const GivenOptions& given) {
  for (const char* name : {"separator", "header"}) {
    if (given.contains(name)) {
      fail("`{}` is for tables of text, and has no effect with Parquet, databases and queries; leave it out",
           name);
    }
  }
}

void refuse_time_options(const GivenOptions& given, const ReadReport& report) {
  for (const char* name : {"time_unit", "time_format", "day_first"}) {
    if (!report.times_have_type || !given.contains(name)) continue;
    fail("`{}` is for times that are numbers or texts, but these are dates; leave it out", name);
  }
}

TableKind common_kind(const std::vector<TableSource>& sources) {
  const TableKind kind = table_kind_of(sources.front().path);
  for (const TableSource& source : sources) {
    const TableKind other = table_kind_of(source.path);
    if (other == kind) continue;
    fail("{} is {}, but {} is {}; give files of one kind", sources.front().path, name_of(kind), source.path,
         name_of(other));
  }
  return kind;
}

void check_parts(const std::vector<TableSource>& sources) {
  const auto has_part = [](const TableSource& source) { return source.part.has_value(); };
  if (std::ranges::none_of(sources, has_part) || std::ranges::all_of(sources, has_part)) return;
  fail("{}: this file has no part, but others have; give all files a part (train, valid, test) or none",
       std::ranges::find_if_not(sources, has_part)->path);
}

}  // namespace

namespace {

EventTable read_any(const std::vector<TableSource>& sources, const TableOptions& options, ThreadPool& pool,
                    ReadReport& report, const std::function<void(const ReadProgress&)>& progress) {
  const TableKind kind = sources.empty() ? TableKind::kText : common_kind(sources);
  if (kind == TableKind::kSqlite) {
    return read_typed_tables(sqlite_sources(sources, options), options, pool, report, progress);
  }
  std::vector<std::unique_ptr<DuckdbReading>> readings;
  std::vector<TypedSource> tables;
  for (const TableSource& source : sources) {
    if (readings.empty() || kind == TableKind::kDuckdb) {
      readings.push_back(
          std::make_unique<DuckdbReading>(kind == TableKind::kDuckdb ? source.path : "", pool));
    }
    tables.push_back(kind == TableKind::kDuckdb ? readings.back()->table(source, options)
                                                : readings.back()->parquet(source, options.time));
  }
  return read_typed_tables(tables, options, pool, report, progress);
}

}  // namespace

bool reads_databases(const std::vector<TableSource>& sources, const TableOptions& options) {
  return !options.sql.empty() || (!sources.empty() && common_kind(sources) != TableKind::kText);
}

EventTable read_databases(const std::vector<TableSource>& sources, const TableOptions& options,
                          const GivenOptions& given, ThreadPool& pool, ReadReport& report,
                          const std::function<void(const ReadProgress&)>& progress) {
  refuse_text_options(given);
  check_parts(sources);
  const bool is_sqlite = !sources.empty() && table_kind_of(sources.front().path) == TableKind::kSqlite;
  if (!options.sql.empty() && !sources.empty() && sources.front().part) {
    fail("`sql` makes one table; leave `train`, `valid` and `test` out");
  }
  if (!options.table.empty() && !is_sqlite && table_kind_of(sources.front().path) == TableKind::kParquet) {
    fail("`table` is for databases, and {} is a Parquet file; leave it out", sources.front().path);
  }
  EventTable table = options.sql.empty() || is_sqlite ? read_any(sources, options, pool, report, progress)
                                                      : read_query(sources, options, pool, report, progress);
  refuse_time_options(given, report);
  return table;
}

}  // namespace t2v::data
