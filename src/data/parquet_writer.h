#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "data/duckdb_session.h"
#include "data/event_table.h"

namespace t2v::data {

/// A column of a file to be written.
struct ParquetColumn {
  enum class Type : uint8_t { kText, kWhole, kNumber, kSingle, kInstant, kDecimal };
  std::string name;
  Type type = Type::kText;
  int decimals = 0;  // kDecimal
};

/// The column that keeps ticks of a scale exactly: instants in nanoseconds, plain numbers as whole numbers or
/// decimals.
ParquetColumn column_of_ticks(std::string name, const TickScale& scale);

/// Rows on their way to Parquet files, which are there whole or not at all: none before finish(), each
/// written as AtomicFile does. DuckDB makes them, within 1 GB of memory and a temporary folder.
class ParquetWriter {
 public:
  /// `kind`: what the file is, "predictions"; see parquet_kind(). `rows_per_file`: 0 for one file of this
  /// path; else out.parquet becomes out-00001.parquet, out-00002.parquet and so on.
  ParquetWriter(FileSystem& files, std::string path, std::string kind, std::vector<ParquetColumn> columns,
                int64_t rows_per_file = 0);
  ~ParquetWriter();
  ParquetWriter(const ParquetWriter&) = delete;
  ParquetWriter& operator=(const ParquetWriter&) = delete;

  // The cells of a row, column by column; of ticks and whole numbers set_whole().
  void set_text(std::size_t column, std::string_view text);
  void set_whole(std::size_t column, int64_t number);
  /// NaN for none.
  void set_number(std::size_t column, double number);
  void end_row();
  /// Writes the files; returns their paths.
  std::vector<std::string> finish();

 private:
  class Folder;
  void flush_chunk();
  void flush_file();
  void publish(const std::string& made, const std::string& path);

  FileSystem& files_;
  std::string path_;
  std::string kind_;
  std::vector<ParquetColumn> columns_;
  int64_t rows_per_file_;
  std::unique_ptr<Folder> folder_;
  std::unique_ptr<DuckdbSession> session_;
  DuckdbHandle appender_ = nullptr;
  DuckdbHandle chunk_ = nullptr;
  DuckdbCount in_chunk_ = 0;
  int64_t in_file_ = 0;
  std::vector<std::string> made_;
};

/// out-00001.parquet, for number 1 of out.parquet.
std::string numbered_path(const std::string& path, int64_t number);

/// What a Parquet file that ParquetWriter wrote is, "predictions"; empty for others.
std::string parquet_kind(const std::string& path);

/// Whether a path has the ending of Parquet files.
bool names_parquet(std::string_view path);

}  // namespace t2v::data
