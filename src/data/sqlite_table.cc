#include "data/sqlite_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/sqlite_library.h"

namespace t2v::data {
namespace {

constexpr int64_t kRowsOfPiece = 65'536;
constexpr int kPatience = 2'000;  // milliseconds, for a database that is being written

std::string name_in_sqlite(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

/// A database, open for reading.
class SqliteDatabase {
 public:
  explicit SqliteDatabase(const std::string& path) : path_(path) {
    if (sqlite().open_v2(path.c_str(), &database_, kSqliteOpenReadOnly, nullptr) != kSqliteOk) {
      const std::string what = database_ == nullptr ? "it cannot be opened" : sqlite().errmsg(database_);
      sqlite().close_v2(database_);
      fail("{}: SQLite: {}", path, what);
    }
    sqlite().busy_timeout(database_, kPatience);
    sqlite().limit(database_, kSqliteLimitAttached, 0);
  }
  ~SqliteDatabase() { sqlite().close_v2(database_); }
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  const std::string& path() const { return path_; }
  SqliteHandle handle() const { return database_; }
  [[noreturn]] void refuse() const { fail("{}: SQLite: {}", path_, sqlite().errmsg(database_)); }

 private:
  std::string path_;
  SqliteHandle database_ = nullptr;
};

/// A query and its rows.
class SqliteRows {
 public:
  SqliteRows(const SqliteDatabase& database, const std::string& query) : database_(database) {
    const char* rest = nullptr;
    if (sqlite().prepare_v2(database.handle(), query.c_str(), static_cast<int>(query.size()), &statement_,
                            &rest) != kSqliteOk) {
      database.refuse();
    }
    const std::string_view more(rest, query.size() - static_cast<std::size_t>(rest - query.c_str()));
    const bool single = more.find_first_not_of(" \t\r\n;") == std::string_view::npos;
    if (statement_ != nullptr && single && sqlite().stmt_readonly(statement_) != 0) return;
    sqlite().finalize(statement_);
    fail("{}: this is not one query that only reads; one starts with SELECT or WITH", database.path());
  }
  ~SqliteRows() { sqlite().finalize(statement_); }
  SqliteRows(const SqliteRows&) = delete;
  SqliteRows& operator=(const SqliteRows&) = delete;

  int columns() const { return sqlite().column_count(statement_); }
  std::string name(int column) const { return sqlite().column_name(statement_, column); }
  SqliteHandle handle() const { return statement_; }
  bool step() {
    const int status = sqlite().step(statement_);
    if (status != kSqliteRow && status != kSqliteDone) database_.refuse();
    return status == kSqliteRow;
  }
  void restart() { sqlite().reset(statement_); }

 private:
  const SqliteDatabase& database_;
  SqliteHandle statement_ = nullptr;
};

/// Which types the cells of a column have.
struct TypeCounts {
  int64_t integers = 0;
  int64_t reals = 0;
  int64_t texts = 0;

  void add(SqliteType type) {
    integers += type == SqliteType::kInteger ? 1 : 0;
    reals += type == SqliteType::kReal ? 1 : 0;
    texts += type == SqliteType::kText || type == SqliteType::kBlob ? 1 : 0;
  }
  CellType cells() const {
    if (texts > 0 || integers + reals == 0) return CellType::kText;
    if (reals == 0) return CellType::kWhole;
    return integers == 0 ? CellType::kNumber : CellType::kDigits;
  }
  std::string_view name() const {
    switch (cells()) {
      case CellType::kWhole:
        return "INTEGER";
      case CellType::kNumber:
        return "REAL";
      case CellType::kDigits:
        return "INTEGER and REAL";
      default:
        return "TEXT";
    }
  }
};

class SqliteTable final : public TypedTable {
 public:
  /// `from`: what is read, for messages.
  SqliteTable(std::unique_ptr<SqliteDatabase> database, std::string name, const std::string& query)
      : database_(std::move(database)), name_(std::move(name)), rows_(*database_, query) {
    settle_types();
  }

  const std::string& name() const override { return name_; }
  const std::vector<TypedColumn>& columns() const override { return columns_; }
  int64_t rows() override { return 0; }  // to count them is to read them

  void first_rows(TypedPiece& piece, int64_t most) override {
    std::vector<std::size_t> all(columns_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    start(all);
    take(piece, most);
  }

  void start(const std::vector<std::size_t>& fields) override {
    fields_ = fields;
    next_row_ = 1;
    rows_.restart();
    ended_ = false;
  }

  bool next(TypedPiece& piece) override { return take(piece, kRowsOfPiece); }

 private:
  void settle_types() {
    std::vector<TypeCounts> counts(static_cast<std::size_t>(rows_.columns()));
    for (int64_t row = 0; row < SketchBuilder::kMostRows && rows_.step(); ++row) {
      for (std::size_t i = 0; i < counts.size(); ++i) {
        counts[i].add(sqlite().column_type(rows_.handle(), static_cast<int>(i)));
      }
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
      TypedColumn column{.name = rows_.name(static_cast<int>(i)), .type = counts[i].cells()};
      column.type_name = counts[i].name();
      columns_.push_back(std::move(column));
    }
  }

  bool take(TypedPiece& piece, int64_t most) {
    piece.clear(fields_.size());
    piece.first_row = next_row_;
    const auto texts = std::make_shared<std::deque<std::string>>();
    while (!ended_ && piece.rows < most) {
      ended_ = !rows_.step();
      if (ended_) break;
      for (std::size_t i = 0; i < fields_.size(); ++i) take_cell(piece, i, *texts);
      ++piece.rows;
    }
    for (TypedCells& cells : piece.columns) {
      if (!cells.absent.empty()) cells.absent.resize(static_cast<std::size_t>(piece.rows));
    }
    piece.owners.push_back(texts);
    next_row_ += piece.rows;
    return piece.rows > 0;
  }

  void take_cell(TypedPiece& piece, std::size_t i, std::deque<std::string>& texts) const {
    TypedCells& cells = piece.columns[i];
    const auto row = static_cast<std::size_t>(piece.rows);
    const auto column = static_cast<int>(fields_[i]);
    const SqliteType type = sqlite().column_type(rows_.handle(), column);
    if (type == SqliteType::kNull) {
      cells.absent.resize(row + 1);
      cells.absent[row] = 1;
    }
    switch (columns_[fields_[i]].type) {
      case CellType::kWhole:
        check(type, {SqliteType::kInteger}, i, piece.first_row + piece.rows);
        cells.wholes.push_back(sqlite().column_int64(rows_.handle(), column));
        return;
      case CellType::kNumber:
        check(type, {SqliteType::kReal}, i, piece.first_row + piece.rows);
        cells.numbers.push_back(sqlite().column_double(rows_.handle(), column));
        return;
      case CellType::kDigits:
        check(type, {SqliteType::kInteger, SqliteType::kReal}, i, piece.first_row + piece.rows);
        break;
      default:
        break;
    }
    cells.texts.push_back(texts.emplace_back(text_at(column, type)));
  }

  /// A column whose later cells are of another type than its first ones would be read in two ways.
  void check(SqliteType type, std::initializer_list<SqliteType> wanted, std::size_t i, int64_t row) const {
    if (type == SqliteType::kNull || std::ranges::find(wanted, type) != wanted.end()) return;
    std::string cell = text_at(static_cast<int>(fields_[i]), type);
    fail("{}: row {}: {} {} is of another type than the cells before, which are {}; convert the column",
         name_, row, shown(columns_[fields_[i]].name), in_quotes(cell), columns_[fields_[i]].type_name);
  }

  std::string text_at(int column, SqliteType type) const {
    std::array<char, 400> buffer{};
    char* const begin = buffer.data();
    if (type == SqliteType::kInteger) {
      return {begin,
              std::to_chars(begin, begin + buffer.size(), sqlite().column_int64(rows_.handle(), column)).ptr};
    }
    if (type == SqliteType::kReal) {
      const double number = sqlite().column_double(rows_.handle(), column);
      return {begin, std::to_chars(begin, begin + buffer.size(), number, std::chars_format::fixed).ptr};
    }
    const auto* bytes = static_cast<const char*>(sqlite().column_blob(rows_.handle(), column));
    const auto size = static_cast<std::size_t>(sqlite().column_bytes(rows_.handle(), column));
    return bytes == nullptr ? std::string() : std::string(bytes, size);
  }

  std::unique_ptr<SqliteDatabase> database_;
  std::string name_;
  SqliteRows rows_;
  std::vector<TypedColumn> columns_;
  std::vector<std::size_t> fields_;
  bool ended_ = false;
  int64_t next_row_ = 1;
};

std::vector<std::string> tables_of(const SqliteDatabase& database) {
  SqliteRows rows(
      database,
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' "
      "ESCAPE '\\' ORDER BY name");
  std::vector<std::string> names;
  while (rows.step()) {
    const auto* bytes = static_cast<const char*>(sqlite().column_blob(rows.handle(), 0));
    names.emplace_back(bytes, static_cast<std::size_t>(sqlite().column_bytes(rows.handle(), 0)));
  }
  return names;
}

std::string chosen_table(const SqliteDatabase& database, const std::string& name) {
  const std::vector<std::string> names = tables_of(database);
  if (!name.empty() && std::ranges::find(names, name) != names.end()) return name;
  if (names.empty()) fail("{}: the database has no table", database.path());
  if (!name.empty()) {
    fail("{}: there is no table '{}'; there are {}", database.path(), shown(name), list_names(names));
  }
  if (names.size() == 1) return names[0];
  fail("{}: the database has {} tables; name one with `table`: {}", database.path(), names.size(),
       list_names(names));
}

std::unique_ptr<TypedTable> open_sqlite(const std::string& path, const std::string& table,
                                        const std::string& sql) {
  auto database = std::make_unique<SqliteDatabase>(path);
  if (!sql.empty()) return std::make_unique<SqliteTable>(std::move(database), path + ", the query", sql);
  const std::string name = chosen_table(*database, table);
  return std::make_unique<SqliteTable>(std::move(database), fmt::format("{}, table '{}'", path, shown(name)),
                                       "SELECT * FROM " + name_in_sqlite(name));
}

}  // namespace

std::vector<TypedSource> sqlite_sources(const std::vector<TableSource>& sources,
                                        const TableOptions& options) {
  std::vector<TypedSource> tables;
  for (const TableSource& source : sources) {
    const auto open = [path = source.path, table = options.table, sql = options.sql] {
      return open_sqlite(path, table, sql);
    };
    tables.push_back({open, source.part});
  }
  return tables;
}

}  // namespace t2v::data
