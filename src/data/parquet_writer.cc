#include "data/parquet_writer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <span>
#include <utility>

#include "base/fail.h"
#include "data/spill_folder.h"

namespace t2v::data {
namespace {

constexpr std::string_view kKindKey = "t2v.kind";
constexpr const char* kOut = "rows_to_write";
constexpr int kDecimalDigits = 18;

std::string sql_type(const ParquetColumn& column) {
  switch (column.type) {
    case ParquetColumn::Type::kText:
      return "VARCHAR";
    case ParquetColumn::Type::kWhole:
      return "BIGINT";
    case ParquetColumn::Type::kNumber:
      return "DOUBLE";
    case ParquetColumn::Type::kSingle:
      return "FLOAT";
    case ParquetColumn::Type::kInstant:
      return "TIMESTAMP_NS";
    case ParquetColumn::Type::kDecimal:
      return fmt::format("DECIMAL({}, {})", kDecimalDigits, column.decimals);
  }
  return "";
}

DuckdbLogicalType logical_type(const ParquetColumn& column) {
  switch (column.type) {
    case ParquetColumn::Type::kText:
      return DuckdbLogicalType(duckdb().create_logical_type(DuckdbType::kVarchar));
    case ParquetColumn::Type::kNumber:
      return DuckdbLogicalType(duckdb().create_logical_type(DuckdbType::kDouble));
    case ParquetColumn::Type::kSingle:
      return DuckdbLogicalType(duckdb().create_logical_type(DuckdbType::kFloat));
    case ParquetColumn::Type::kInstant:
      return DuckdbLogicalType(duckdb().create_logical_type(DuckdbType::kTimestampNs));
    case ParquetColumn::Type::kDecimal:
      return DuckdbLogicalType(
          duckdb().create_decimal_type(kDecimalDigits, static_cast<uint8_t>(column.decimals)));
    case ParquetColumn::Type::kWhole:
      break;
  }
  return DuckdbLogicalType(duckdb().create_logical_type(DuckdbType::kBigInt));
}

/// The end of a file: of Parquet its description, whose size comes before the mark at the end.
std::string description_of(const std::string& path) {
  constexpr std::size_t kTail = 8;
  constexpr std::size_t kMost = std::size_t{1} << 24;
  OpenFile file(FileSystem::real(), path, FileSystem::Mode::kMap);
  const std::size_t size = file.size();
  if (size < 2 * kTail) return "";
  const std::span<const std::byte> bytes = file.map(size);
  const char* const all = reinterpret_cast<const char*>(bytes.data());
  uint32_t length = 0;
  std::memcpy(&length, all + size - kTail, sizeof length);
  std::string text;
  if (std::memcmp(all + size - 4, "PAR1", 4) == 0 && length <= size - kTail && length <= kMost) {
    text.assign(all + size - kTail - length, length);
  }
  file.unmap(bytes);
  return text;
}

}  // namespace

class ParquetWriter::Folder : public SpillFolder {};

ParquetColumn column_of_ticks(std::string name, const TickScale& scale) {
  if (scale.instants) return {std::move(name), ParquetColumn::Type::kInstant};
  if (scale.decimals == 0) return {std::move(name), ParquetColumn::Type::kWhole};
  return {std::move(name), ParquetColumn::Type::kDecimal, scale.decimals};
}

bool names_parquet(std::string_view path) {
  constexpr std::string_view kEnding = ".parquet";
  if (path.size() <= kEnding.size()) return false;
  const std::string_view ending = path.substr(path.size() - kEnding.size());
  return std::ranges::equal(ending, kEnding, [](unsigned char a, char b) { return std::tolower(a) == b; });
}

std::string numbered_path(const std::string& path, int64_t number) {
  const std::size_t dot = path.rfind('.');
  return fmt::format("{}-{:05}{}", path.substr(0, dot), number, path.substr(dot));
}

std::string parquet_kind(const std::string& path) {
  const std::string text = description_of(path);
  const std::size_t key = text.find(kKindKey);
  if (key == std::string::npos) return "";
  // Of Thrift's compact protocol: a text of the next field is its type, its size in one byte and its bytes.
  const std::size_t size_at = key + kKindKey.size() + 1;
  if (size_at >= text.size()) return "";
  return text.substr(size_at + 1, static_cast<unsigned char>(text[size_at]));
}

ParquetWriter::ParquetWriter(FileSystem& files, std::string path, std::string kind,
                             std::vector<ParquetColumn> columns, int64_t rows_per_file)
    : files_(files),
      path_(std::move(path)),
      kind_(std::move(kind)),
      columns_(std::move(columns)),
      rows_per_file_(rows_per_file) {
  duckdb();  // if it is missing this is said before all else
  folder_ = std::make_unique<Folder>();
  session_ = std::make_unique<DuckdbSession>(
      "", DuckdbSettings{{"memory_limit", "1GB"}, {"temp_directory", folder_->file("spill")}});
  std::string definitions;
  std::vector<DuckdbLogicalType> types;
  std::vector<DuckdbHandle> handles;
  for (const ParquetColumn& column : columns_) {
    definitions +=
        fmt::format("{}{} {}", definitions.empty() ? "" : ", ", sql_name(column.name), sql_type(column));
    types.push_back(logical_type(column));
  }
  for (const DuckdbLogicalType& type : types) handles.push_back(type.handle());
  session_->run(fmt::format("CREATE TABLE {} ({})", kOut, definitions));
  chunk_ = duckdb().create_data_chunk(handles.data(), handles.size());
}

ParquetWriter::~ParquetWriter() {
  if (appender_ != nullptr) duckdb().appender_destroy(&appender_);
  if (chunk_ != nullptr) duckdb().destroy_data_chunk(&chunk_);
}

void ParquetWriter::set_text(std::size_t column, std::string_view text) {
  DuckdbHandle vector = duckdb().data_chunk_get_vector(chunk_, column);
  duckdb().vector_assign_string_element_len(vector, in_chunk_, text.data(), text.size());
}

void ParquetWriter::set_whole(std::size_t column, int64_t number) {
  DuckdbHandle vector = duckdb().data_chunk_get_vector(chunk_, column);
  static_cast<int64_t*>(duckdb().vector_get_data(vector))[in_chunk_] = number;
}

void ParquetWriter::set_number(std::size_t column, double number) {
  DuckdbHandle vector = duckdb().data_chunk_get_vector(chunk_, column);
  if (std::isnan(number)) {
    duckdb().vector_ensure_validity_writable(vector);
    uint64_t* validity = duckdb().vector_get_validity(vector);
    validity[in_chunk_ / 64] &= ~(uint64_t{1} << (in_chunk_ % 64));
    return;
  }
  if (columns_[column].type == ParquetColumn::Type::kSingle) {
    static_cast<float*>(duckdb().vector_get_data(vector))[in_chunk_] = static_cast<float>(number);
  } else {
    static_cast<double*>(duckdb().vector_get_data(vector))[in_chunk_] = number;
  }
}

void ParquetWriter::end_row() {
  ++in_chunk_;
  ++in_file_;
  if (in_chunk_ == duckdb().vector_size()) flush_chunk();
  if (rows_per_file_ > 0 && in_file_ == rows_per_file_) flush_file();
}

void ParquetWriter::flush_chunk() {
  if (in_chunk_ == 0) return;
  if (appender_ == nullptr) {
    duckdb().appender_create(session_->connection(), nullptr, kOut, &appender_);
  }
  duckdb().data_chunk_set_size(chunk_, in_chunk_);
  if (duckdb().append_data_chunk(appender_, chunk_) != kDuckdbSuccess) {
    fail("{}: DuckDB cannot take the rows: {}", path_, duckdb().appender_error(appender_));
  }
  duckdb().data_chunk_reset(chunk_);
  in_chunk_ = 0;
}

/// The rows so far become a file in the temporary folder.
void ParquetWriter::flush_file() {
  flush_chunk();
  if (appender_ != nullptr && duckdb().appender_destroy(&appender_) != kDuckdbSuccess) {
    fail("{}: DuckDB cannot keep the rows; is the temporary folder full?", path_);
  }
  made_.push_back(folder_->file(std::to_string(made_.size())));
  try {
    session_->run(fmt::format("COPY {} TO {} (FORMAT parquet, COMPRESSION zstd, KV_METADATA {{'{}': {}}})",
                              kOut, sql_text(made_.back()), kKindKey, sql_text(kind_)));
    session_->run(fmt::format("TRUNCATE {}", kOut));
  } catch (const Error& error) {
    fail("{}: {}", path_, error.what());
  }
  in_file_ = 0;
}

void ParquetWriter::publish(const std::string& made, const std::string& path) {
  OpenFile from(FileSystem::real(), made, FileSystem::Mode::kRead);
  AtomicFile to(files_, path);
  std::vector<std::byte> bytes(std::size_t{1} << 20);
  while (const std::size_t count = from.read(bytes)) to.write(std::span(bytes).first(count));
  to.finish();
}

std::vector<std::string> ParquetWriter::finish() {
  if (in_file_ > 0 || made_.empty()) flush_file();
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < made_.size(); ++i) {
    paths.push_back(rows_per_file_ > 0 ? numbered_path(path_, static_cast<int64_t>(i) + 1) : path_);
    publish(made_[i], paths.back());
  }
  return paths;
}

}  // namespace t2v::data
