#include "data/sqlite_library.h"

#include "base/shared_library.h"

namespace t2v::data {
namespace {

Sqlite loaded_sqlite() {
  const SharedLibrary library("libsqlite3.so.0", SharedLibrary::Symbols::kOwn, "SQLite databases need",
                              "install it (Debian: libsqlite3-0)");
  Sqlite s{};
  library.load(s.open_v2, "sqlite3_open_v2");
  library.load(s.close_v2, "sqlite3_close_v2");
  library.load(s.busy_timeout, "sqlite3_busy_timeout");
  library.load(s.limit, "sqlite3_limit");
  library.load(s.errmsg, "sqlite3_errmsg");
  library.load(s.prepare_v2, "sqlite3_prepare_v2");
  library.load(s.stmt_readonly, "sqlite3_stmt_readonly");
  library.load(s.step, "sqlite3_step");
  library.load(s.reset, "sqlite3_reset");
  library.load(s.finalize, "sqlite3_finalize");
  library.load(s.column_count, "sqlite3_column_count");
  library.load(s.column_name, "sqlite3_column_name");
  library.load(s.column_type, "sqlite3_column_type");
  library.load(s.column_int64, "sqlite3_column_int64");
  library.load(s.column_double, "sqlite3_column_double");
  library.load(s.column_blob, "sqlite3_column_blob");
  library.load(s.column_bytes, "sqlite3_column_bytes");
  return s;
}

}  // namespace

const Sqlite& sqlite() {
  static const Sqlite library = loaded_sqlite();
  return library;
}

}  // namespace t2v::data
