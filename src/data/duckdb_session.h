#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/duckdb_library.h"

namespace t2v::data {

/// Rows of a result, as they came.
class DuckdbChunk {
 public:
  explicit DuckdbChunk(DuckdbHandle chunk) : chunk_(chunk) {}
  ~DuckdbChunk();
  DuckdbChunk(const DuckdbChunk&) = delete;
  DuckdbChunk& operator=(const DuckdbChunk&) = delete;

  DuckdbCount rows() const;
  const void* data(DuckdbCount column) const;
  /// A bit for each row, 0 where there is none; nullptr: nowhere.
  const uint64_t* validity(DuckdbCount column) const;

 private:
  DuckdbHandle chunk_;
};

/// A type of DuckDB.
class DuckdbLogicalType {
 public:
  explicit DuckdbLogicalType(DuckdbHandle type) : type_(type) {}
  ~DuckdbLogicalType();
  DuckdbLogicalType(DuckdbLogicalType&& other) noexcept : type_(std::exchange(other.type_, nullptr)) {}
  DuckdbLogicalType& operator=(DuckdbLogicalType&&) = delete;

  DuckdbType id() const;
  DuckdbHandle handle() const { return type_; }

 private:
  DuckdbHandle type_;
};

/// A statement that DuckDB understood.
class DuckdbStatement {
 public:
  /// Throws t2v::Error with DuckDB's own words.
  DuckdbStatement(DuckdbHandle connection, const std::string& text);
  ~DuckdbStatement();
  DuckdbStatement(const DuckdbStatement&) = delete;
  DuckdbStatement& operator=(const DuckdbStatement&) = delete;

  /// Whether it only reads.
  bool is_select() const;
  void bind(DuckdbCount parameter, const std::string& text);
  DuckdbCount columns() const;
  std::string column_name(DuckdbCount column) const;
  DuckdbLogicalType column_type(DuckdbCount column) const;
  DuckdbHandle handle() const { return statement_; }

 private:
  DuckdbHandle statement_ = nullptr;
};

/// The rows of a statement, which are made as they are read.
class DuckdbRows {
 public:
  /// Begins. Throws t2v::Error with DuckDB's own words, as next() does.
  explicit DuckdbRows(std::unique_ptr<DuckdbStatement> statement);
  ~DuckdbRows();
  DuckdbRows(const DuckdbRows&) = delete;
  DuckdbRows& operator=(const DuckdbRows&) = delete;

  /// The next rows, at least one; nullptr at the end.
  std::shared_ptr<const DuckdbChunk> next();

 private:
  std::unique_ptr<DuckdbStatement> statement_;
  DuckdbResult result_{};
};

using DuckdbSettings = std::vector<std::pair<std::string, std::string>>;

/// A database that is open, and a connection to it. Nothing is fetched from a network: extensions are neither
/// installed nor loaded. Not for several threads at once.
class DuckdbSession {
 public:
  /// `path`: a database, opened read-only, or empty for one in memory. Throws t2v::Error with the path.
  DuckdbSession(const std::string& path, const DuckdbSettings& settings);
  ~DuckdbSession();
  DuckdbSession(const DuckdbSession&) = delete;
  DuckdbSession& operator=(const DuckdbSession&) = delete;

  DuckdbHandle connection() const { return connection_; }
  std::unique_ptr<DuckdbStatement> prepare(const std::string& text) const {
    return std::make_unique<DuckdbStatement>(connection_, text);
  }
  std::unique_ptr<DuckdbRows> rows(const std::string& query) const {
    return std::make_unique<DuckdbRows>(prepare(query));
  }
  /// Runs a statement whose rows are not needed.
  void run(const std::string& text) const;
  /// The texts of the only column of a query.
  static std::vector<std::string> texts(std::unique_ptr<DuckdbStatement> query);
  std::vector<std::string> texts(const std::string& query) const { return texts(prepare(query)); }

 private:
  DuckdbHandle database_ = nullptr;
  DuckdbHandle connection_ = nullptr;
};

/// 'a text' and "a name" as SQL has them.
std::string sql_text(const std::string& text);
std::string sql_name(const std::string& name);

/// The bytes of a text of a vector.
std::string_view view_of(const DuckdbText& text);

}  // namespace t2v::data
