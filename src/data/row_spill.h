#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "data/spill_folder.h"

namespace t2v::data {

struct EventTable;

/// The columns of events of a table that is too large for memory, each in a temporary file, in the order of
/// the source. Columns of sequences, and names, stay in the table.
class RowSpill {
 public:
  /// A column: its file, and how many bytes an entry has.
  struct Column {
    std::string path;
    std::size_t width;
    std::unique_ptr<OpenFile> file = nullptr;  // while it is written
  };

  RowSpill() = default;

  /// Moves the events of a table to the files; all tables have the same columns.
  void take(EventTable& table);
  /// After the last ones.
  void close();

  int64_t rows() const { return rows_; }
  const SpillFolder& folder() const { return folder_; }
  /// Sequence, ticks, then the columns in the order of for_each_column().
  const std::vector<Column>& columns() const { return columns_; }

 private:
  SpillFolder folder_;
  std::vector<Column> columns_;
  int64_t rows_ = 0;
};

/// Reads the entries of a column file from the first on.
template <class T>
class SpillReader {
 public:
  SpillReader(const std::string& path, int64_t rows)
      : file_(FileSystem::real(), path, FileSystem::Mode::kRead), left_(rows) {}

  /// The next entries, at most kBlock; none at the end.
  std::span<const T> next() {
    block_.resize(static_cast<std::size_t>(std::min<int64_t>(left_, kBlock)));
    const std::size_t bytes = block_.size() * sizeof(T);
    std::size_t read = 0;
    while (read < bytes) {
      const std::size_t count = file_.read(std::as_writable_bytes(std::span(block_)).subspan(read));
      if (count == 0) throw_short();
      read += count;
    }
    left_ -= static_cast<int64_t>(block_.size());
    return block_;
  }

 private:
  static constexpr int64_t kBlock = int64_t{1} << 19;
  [[noreturn]] void throw_short() const;

  OpenFile file_;
  int64_t left_;
  std::vector<T> block_;
};

/// Throws t2v::Error: somebody cut a temporary file off.
[[noreturn]] void fail_short_spill(const std::string& path);

template <class T>
void SpillReader<T>::throw_short() const {
  fail_short_spill(file_.path());
}

/// Writes entries to a file through a buffer.
class SpillWriter {
 public:
  explicit SpillWriter(const std::string& path)
      : file_(FileSystem::real(), path, FileSystem::Mode::kCreate) {}

  template <class T>
  void write(T entry) {
    const auto bytes = std::as_bytes(std::span(&entry, 1));
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    if (buffer_.size() >= kFull) flush();
  }
  void write_all(std::span<const std::byte> bytes) {
    flush();
    file_.write_all(bytes);
  }
  void flush() {
    file_.write_all(buffer_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t kFull = std::size_t{1} << 18;
  OpenFile file_;
  std::vector<std::byte> buffer_;
};

}  // namespace t2v::data
