#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/names.h"

namespace t2v::data {

/// What the first rows of a column hold: enough to guess what the column is. Without rows only its name is
/// known. Made by SketchBuilder.
struct ColumnSketch {
  std::string name = {};
  int64_t empty = 0;         // cells: nothing, or a word for it such as NA
  int64_t dates = 0;         // ISO, or of one other form
  int64_t clocks = 0;        // times of day without a date
  int64_t whole = 0;         // whole numbers,
  int64_t fractions = 0;     // other numbers,
  int64_t since_1970 = 0;    // those of both that count s, ms, us or ns since 1970 to a day of 1990 .. 2040
  int64_t negative = 0;      // those below 0
  int64_t text = 0;          // anything else
  bool counts_rows = false;  // whole numbers from 0 or 1 on, each one more than the one before
  int64_t distinct = 0;      // values that are not empty

  // Of each row.
  std::vector<int32_t> codes = {};  // number of the value in order of appearance, -1 for empty ones
  std::vector<double> sizes = {};   // numbers, and dates in seconds; NaN for all else

  int64_t rows() const { return static_cast<int64_t>(codes.size()); }
  int64_t filled() const { return rows() - empty; }
  bool is_known() const { return filled() > 0; }
};

// What most cells of a column are, if most are of one kind; false of all while nothing is known.
bool holds_dates(const ColumnSketch& column);
bool holds_clocks(const ColumnSketch& column);
bool holds_numbers(const ColumnSketch& column);
bool holds_plain_numbers(const ColumnSketch& column);  // and not dates
bool holds_whole_numbers(const ColumnSketch& column);
bool holds_times_since_1970(const ColumnSketch& column);
bool holds_text(const ColumnSketch& column);

/// Takes the cells of one column, row by row: as text, or as what they are where that is known.
class SketchBuilder {
 public:
  /// More rows say nothing new.
  static constexpr int64_t kMostRows = 20'000;

  explicit SketchBuilder(std::string_view name) { start(name); }
  /// Starts another column with the same memory.
  void start(std::string_view name);

  void add(std::string_view cell);
  void add_empty();
  void add_text(std::string_view text);
  void add_number(double number, bool whole);
  void add_date(double seconds_since_1970);

  /// `time_format`, `day_first`: as in TableOptions, for texts that are dates.
  ColumnSketch finish(const std::string& time_format = "", const std::string& day_first = "auto");

 private:
  using Count = int64_t ColumnSketch::*;
  void add_value(std::string_view bytes, double size, Count kind);
  void add_sized(std::string_view bytes, double number, bool whole);
  void find_dates(const std::string& time_format, const std::string& day_first);

  ColumnSketch sketch_;
  Names values_;
  std::vector<Count> kinds_;  // of each value: where it is counted
};

/// Columns of which only the names are known.
std::vector<ColumnSketch> sketches_of_names(const std::vector<std::string>& names);

}  // namespace t2v::data
