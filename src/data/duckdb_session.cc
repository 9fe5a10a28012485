#include "data/duckdb_session.h"

#include <string_view>

#include "base/fail.h"

namespace t2v::data {
namespace {

std::string quoted_by(const std::string& text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) quoted.append(c == quote ? 2 : 1, c);
  return quoted + quote;
}

/// A configuration, on the way to open().
class Configuration {
 public:
  Configuration() { duckdb().create_config(&config_); }
  ~Configuration() { duckdb().destroy_config(&config_); }
  Configuration(const Configuration&) = delete;
  Configuration& operator=(const Configuration&) = delete;

  void set(const std::string& name, const std::string& value) {
    if (duckdb().set_config(config_, name.c_str(), value.c_str()) == kDuckdbSuccess) return;
    fail("DuckDB {} does not know the setting {} = {}; {}", duckdb().library_version(), name, value,
         duckdb_advice());
  }
  DuckdbHandle handle() const { return config_; }

 private:
  DuckdbHandle config_ = nullptr;
};

}  // namespace

std::string sql_text(const std::string& text) { return quoted_by(text, '\''); }
std::string sql_name(const std::string& name) { return quoted_by(name, '"'); }

std::string_view view_of(const DuckdbText& text) {
  constexpr uint32_t kInPlace = 12;
  return {text.size <= kInPlace ? text.start : text.all, text.size};
}

// --- parts of results ---

DuckdbChunk::~DuckdbChunk() { duckdb().destroy_data_chunk(&chunk_); }
DuckdbCount DuckdbChunk::rows() const { return duckdb().data_chunk_get_size(chunk_); }
const void* DuckdbChunk::data(DuckdbCount column) const {
  return duckdb().vector_get_data(duckdb().data_chunk_get_vector(chunk_, column));
}
const uint64_t* DuckdbChunk::validity(DuckdbCount column) const {
  return duckdb().vector_get_validity(duckdb().data_chunk_get_vector(chunk_, column));
}

DuckdbLogicalType::~DuckdbLogicalType() {
  if (type_ != nullptr) duckdb().destroy_logical_type(&type_);
}
DuckdbType DuckdbLogicalType::id() const { return duckdb().get_type_id(type_); }

DuckdbStatement::DuckdbStatement(DuckdbHandle connection, const std::string& text) {
  if (duckdb().prepare(connection, text.c_str(), &statement_) == kDuckdbSuccess) return;
  const char* error = statement_ == nullptr ? nullptr : duckdb().prepare_error(statement_);
  const std::string what = error != nullptr ? error : "DuckDB cannot read this statement";
  duckdb().destroy_prepare(&statement_);
  fail("{}", what);
}

DuckdbStatement::~DuckdbStatement() { duckdb().destroy_prepare(&statement_); }

bool DuckdbStatement::is_select() const {
  return duckdb().prepared_statement_type(statement_) == kDuckdbSelect;
}

void DuckdbStatement::bind(DuckdbCount parameter, const std::string& text) {
  if (duckdb().bind_varchar(statement_, parameter, text.c_str()) == kDuckdbSuccess) return;
  fail("DuckDB does not take parameter {}", parameter);
}

DuckdbCount DuckdbStatement::columns() const { return duckdb().prepared_statement_column_count(statement_); }

std::string DuckdbStatement::column_name(DuckdbCount column) const {
  const char* text = duckdb().prepared_statement_column_name(statement_, column);
  std::string name = text == nullptr ? "" : text;
  duckdb().free(const_cast<char*>(text));
  return name;
}

DuckdbLogicalType DuckdbStatement::column_type(DuckdbCount column) const {
  return DuckdbLogicalType(duckdb().prepared_statement_column_logical_type(statement_, column));
}

DuckdbRows::DuckdbRows(std::unique_ptr<DuckdbStatement> statement) : statement_(std::move(statement)) {
  if (duckdb().execute_prepared_streaming(statement_->handle(), &result_) == kDuckdbSuccess) return;
  const char* error = duckdb().result_error(&result_);
  const std::string what = error != nullptr ? error : "DuckDB cannot run this statement";
  duckdb().destroy_result(&result_);
  fail("{}", what);
}

DuckdbRows::~DuckdbRows() { duckdb().destroy_result(&result_); }

std::shared_ptr<const DuckdbChunk> DuckdbRows::next() {
  while (DuckdbHandle handle = duckdb().fetch_chunk(result_)) {
    auto chunk = std::make_shared<const DuckdbChunk>(handle);
    if (chunk->rows() > 0) return chunk;
  }
  const char* error = duckdb().result_error(&result_);
  if (error != nullptr && *error != '\0') fail("{}", error);
  return nullptr;
}

// --- sessions ---

DuckdbSession::DuckdbSession(const std::string& path, const DuckdbSettings& settings) {
  Configuration configuration;
  configuration.set("autoinstall_known_extensions", "false");
  configuration.set("autoload_known_extensions", "false");
  if (!path.empty()) configuration.set("access_mode", "READ_ONLY");
  for (const auto& [name, value] : settings) configuration.set(name, value);
  char* error = nullptr;
  if (duckdb().open_ext(path.empty() ? nullptr : path.c_str(), &database_, configuration.handle(), &error) !=
      kDuckdbSuccess) {
    const std::string what = error != nullptr ? error : "it cannot be opened";
    duckdb().free(error);
    fail("{}: {}", path, what);
  }
  if (duckdb().connect(database_, &connection_) == kDuckdbSuccess) return;
  duckdb().close(&database_);
  fail("{}: DuckDB gives no connection", path);
}

DuckdbSession::~DuckdbSession() {
  duckdb().disconnect(&connection_);
  duckdb().close(&database_);
}

void DuckdbSession::run(const std::string& text) const {
  const auto result = rows(text);
  while (result->next()) {
  }
}

std::vector<std::string> DuckdbSession::texts(std::unique_ptr<DuckdbStatement> query) {
  DuckdbRows rows(std::move(query));
  std::vector<std::string> texts;
  while (const auto chunk = rows.next()) {
    const auto* cells = static_cast<const DuckdbText*>(chunk->data(0));
    const uint64_t* validity = chunk->validity(0);
    for (DuckdbCount row = 0; row < chunk->rows(); ++row) {
      const bool there = validity == nullptr || (validity[row / 64] >> (row % 64) & 1) != 0;
      texts.emplace_back(there ? view_of(cells[row]) : std::string_view());
    }
  }
  return texts;
}

}  // namespace t2v::data
