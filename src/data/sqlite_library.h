#pragma once

#include <cstdint>

namespace t2v::data {

// What is used of SQLite's C interface (libsqlite3.so.0), which has not changed for decades; declared here so
// that its headers are not needed.
using SqliteHandle = void*;  // a database or a statement

inline constexpr int kSqliteOk = 0;
inline constexpr int kSqliteRow = 100;
inline constexpr int kSqliteDone = 101;
inline constexpr int kSqliteOpenReadOnly = 1;
inline constexpr int kSqliteLimitAttached = 7;

/// What a cell holds.
enum class SqliteType : int { kInteger = 1, kReal = 2, kText = 3, kBlob = 4, kNull = 5 };

/// The library, loaded when it is first needed.
struct Sqlite {
  int (*open_v2)(const char* path, SqliteHandle* database, int flags, const char* vfs);
  int (*close_v2)(SqliteHandle database);
  int (*busy_timeout)(SqliteHandle database, int milliseconds);
  int (*limit)(SqliteHandle database, int what, int most);
  const char* (*errmsg)(SqliteHandle database);
  int (*prepare_v2)(SqliteHandle database, const char* query, int bytes, SqliteHandle* statement,
                    const char** rest);
  int (*stmt_readonly)(SqliteHandle statement);
  int (*step)(SqliteHandle statement);
  int (*reset)(SqliteHandle statement);
  int (*finalize)(SqliteHandle statement);
  int (*column_count)(SqliteHandle statement);
  const char* (*column_name)(SqliteHandle statement, int column);
  SqliteType (*column_type)(SqliteHandle statement, int column);
  int64_t (*column_int64)(SqliteHandle statement, int column);
  double (*column_double)(SqliteHandle statement, int column);
  const void* (*column_blob)(SqliteHandle statement, int column);
  int (*column_bytes)(SqliteHandle statement, int column);
};

/// Loads it if need be. Throws t2v::Error if it is not installed.
const Sqlite& sqlite();

}  // namespace t2v::data
