#include "data/column_sketch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "data/chunk_reader.h"
#include "data/decimal.h"
#include "data/iso_time.h"
#include "data/time_shape.h"

namespace t2v::data {
namespace {

constexpr double kNoSize = std::numeric_limits<double>::quiet_NaN();

bool is_word_for_nothing(std::string_view cell) {
  constexpr std::array<std::string_view, 9> kWords = {"na", "n/a", "nan", "null", "none",
                                                      "-",  "?",   "nil", "nat"};
  constexpr std::size_t kLongest = 4;
  if (cell.size() > kLongest) return false;
  std::string lower(cell);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::ranges::find(kWords, lower) != kWords.end();
}

/// 14:05, 14:05:09, 2:05 PM.
bool is_clock(std::string_view cell) {
  const std::size_t colon = cell.find(':');
  if (colon == 0 || colon > 2 || cell.size() < colon + 3) return false;
  return cell.find_first_not_of("0123456789:., apmAPM") == std::string_view::npos;
}

/// Seconds, milliseconds, microseconds or nanoseconds since 1970 to a time of the years 1990 to 2040.
bool is_since_1970(double number) {
  constexpr double kFrom = 631'152'000;
  constexpr double kTo = 2'208'988'800;
  for (const double second : {1.0, 1e3, 1e6, 1e9}) {
    if (number >= kFrom * second && number < kTo * second) return true;
  }
  return false;
}

/// Nine tenths, so that a few wrong cells do not hide what the others are.
bool are_most(int64_t count, int64_t all) { return all > 0 && count * 10 >= all * 9; }

/// From 0 or 1 on.
bool counts_up(const std::vector<double>& sizes) {
  if (sizes.size() < 3 || (sizes[0] != 0 && sizes[0] != 1)) return false;
  for (std::size_t row = 1; row < sizes.size(); ++row) {
    if (sizes[row] != sizes[row - 1] + 1) return false;
  }
  return true;
}

}  // namespace

bool holds_dates(const ColumnSketch& column) { return are_most(column.dates, column.filled()); }
bool holds_clocks(const ColumnSketch& column) { return are_most(column.clocks, column.filled()); }
bool holds_numbers(const ColumnSketch& column) {
  return are_most(column.whole + column.fractions, column.filled());
}
bool holds_plain_numbers(const ColumnSketch& column) { return holds_numbers(column) && !holds_dates(column); }
bool holds_whole_numbers(const ColumnSketch& column) { return are_most(column.whole, column.filled()); }
bool holds_times_since_1970(const ColumnSketch& column) {
  return are_most(column.since_1970, column.filled());
}
bool holds_text(const ColumnSketch& column) { return are_most(column.text, column.filled()); }

void SketchBuilder::start(std::string_view name) {
  sketch_ = {.name = std::string(name)};
  values_.clear();
  kinds_.clear();
}

void SketchBuilder::add_value(std::string_view bytes, double size, Count kind) {
  ++(sketch_.*kind);
  sketch_.codes.push_back(values_.add(bytes));
  sketch_.sizes.push_back(size);
  kinds_.resize(static_cast<std::size_t>(values_.size()), kind);
}

void SketchBuilder::add(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.empty() || is_word_for_nothing(cell)) return add_empty();
  IsoTime time;
  if (parse_iso(cell, time) == TimeFault::kNone) {
    return add_value(cell, static_cast<double>(time.nanoseconds) / 1e9, &ColumnSketch::dates);
  }
  double number = 0;
  if (parse_double(cell, number) != NumberFault::kNone) return add_text(cell);
  Decimal exact;
  add_sized(cell, number, parse_decimal(cell, exact) == NumberFault::kNone && exact.decimals == 0);
}

void SketchBuilder::add_empty() {
  ++sketch_.empty;
  sketch_.codes.push_back(-1);
  sketch_.sizes.push_back(kNoSize);
}

void SketchBuilder::add_text(std::string_view text) {
  add_value(text, kNoSize, is_clock(text) ? &ColumnSketch::clocks : &ColumnSketch::text);
}

void SketchBuilder::add_number(double number, bool whole) {
  if (std::isnan(number)) return add_empty();
  const auto bytes = std::bit_cast<std::array<char, sizeof number>>(number);
  add_sized({bytes.data(), bytes.size()}, number, whole);
}

void SketchBuilder::add_sized(std::string_view bytes, double number, bool whole) {
  sketch_.since_1970 += is_since_1970(number) ? 1 : 0;
  sketch_.negative += number < 0 ? 1 : 0;
  add_value(bytes, number, whole ? &ColumnSketch::whole : &ColumnSketch::fractions);
}

void SketchBuilder::add_date(double seconds_since_1970) {
  const auto bytes = std::bit_cast<std::array<char, sizeof seconds_since_1970>>(seconds_since_1970);
  add_value({bytes.data(), bytes.size()}, seconds_since_1970, &ColumnSketch::dates);
}

/// Texts that are dates of another form than ISO become dates; and numbers, where that form was given.
void SketchBuilder::find_dates(const std::string& time_format, const std::string& day_first) {
  std::vector<std::string_view> texts;
  for (int32_t i = 0; i < values_.size(); ++i) {
    if (kinds_[static_cast<std::size_t>(i)] == &ColumnSketch::text) texts.push_back(values_[i]);
  }
  const std::string pattern = time_format.empty() ? find_time_format(texts, day_first).pattern : time_format;
  if (pattern.empty()) return;
  const TimeFormat format(pattern);
  std::vector<double> seconds(static_cast<std::size_t>(values_.size()), kNoSize);
  for (int32_t i = 0; i < values_.size(); ++i) {
    IsoTime time;
    const bool wanted = !time_format.empty() || kinds_[static_cast<std::size_t>(i)] == &ColumnSketch::text;
    if (!wanted || format.parse(values_[i], time) != TimeFault::kNone) continue;
    seconds[static_cast<std::size_t>(i)] = static_cast<double>(time.nanoseconds) / 1e9;
  }
  for (std::size_t row = 0; row < sketch_.codes.size(); ++row) {
    if (sketch_.codes[row] < 0) continue;
    const auto value = static_cast<std::size_t>(sketch_.codes[row]);
    if (std::isnan(seconds[value])) continue;
    sketch_.sizes[row] = seconds[value];
    --(sketch_.*kinds_[value]);
    ++sketch_.dates;
  }
}

ColumnSketch SketchBuilder::finish(const std::string& time_format, const std::string& day_first) {
  sketch_.distinct = values_.size();
  sketch_.counts_rows = holds_whole_numbers(sketch_) && counts_up(sketch_.sizes);
  if (sketch_.text > 0 || !time_format.empty()) find_dates(time_format, day_first);
  return std::move(sketch_);
}

std::vector<ColumnSketch> sketches_of_names(const std::vector<std::string>& names) {
  std::vector<ColumnSketch> sketches;
  for (const std::string& name : names) sketches.push_back({.name = name});
  return sketches;
}

}  // namespace t2v::data
