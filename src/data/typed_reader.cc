#include "data/typed_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/text_check.h"

namespace t2v::data {
namespace {

constexpr std::size_t kSeenOfCell = 64;
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

std::string_view explain_typed_number(NumberFault fault) {
  if (fault == NumberFault::kSyntax) return "is not a number; correct it or leave it empty";
  return explain(fault);
}

/// The nearest double of mantissa * 10^-decimals.
double decimal_to_double(int64_t mantissa, int decimals, std::string& buffer) {
  constexpr int64_t kExact = int64_t{1} << 53;
  if (mantissa > -kExact && mantissa < kExact && decimals >= 0 && decimals < 20) {
    return static_cast<double>(mantissa) /
           static_cast<double>(kPowersOfTen[static_cast<std::size_t>(decimals)]);  // rounded once
  }
  buffer = to_text({mantissa, decimals});
  double number = 0;
  parse_double(buffer, number);
  return number;
}

/// Whether a cell is for sure that of the row before, as in a table that is sorted by it.
bool is_repeated(const TypedColumn& type, const TypedCells& cells, std::size_t row) {
  if (!cells.absent.empty() && (cells.absent[row] != 0 || cells.absent[row - 1] != 0)) return false;
  if (type.type == CellType::kWhole) return cells.wholes[row] == cells.wholes[row - 1];
  return type.type == CellType::kText && cells.texts[row] == cells.texts[row - 1];
}

}  // namespace

void TypedReader::read(const ReadPlan& plan, const std::vector<TypedColumn>& types, const TypedPiece& piece,
                       FinderSets::Set& finders) {
  types_ = &types;
  piece_ = &piece;
  rows_ = piece.rows;
  bad_.clear();
  faults_.clear();
  seen_.clear();
  columns_.resize(plan.columns.size());
  finders.resize(plan.columns.size());
  for (std::size_t column = 0; column < columns_.size(); ++column) read_column(plan, column, finders[column]);
}

Fault TypedReader::fault_at(std::size_t column, std::size_t row, std::string_view what) const {
  std::string buffer;
  const std::string_view text = text_of((*types_)[column], piece_->columns[column], row, buffer);
  seen_.emplace_back(text.substr(0, kSeenOfCell));
  const auto at = static_cast<uint32_t>(row);
  return {at, at, what, {}, seen_.back(), static_cast<int>(column), at};
}

void TypedReader::add_fault(std::size_t column, std::size_t row, std::string_view what) {
  if (mark_bad(row)) faults_.push_back(fault_at(column, row, what));
}

void TypedReader::read_column(const ReadPlan& plan, std::size_t column, NameFinder& finder) {
  const Role role = plan.columns[column].role;
  switch (plan.kinds[column]) {
    case CellKind::kName: {
      const Names* known = plan.known.empty() ? nullptr : plan.known[column];
      read_names(column, known, finder);
      return check_names(column, known, role);
    }
    case CellKind::kNumber:
      return read_numbers(column);
    default:
      return read_times(plan, column);
  }
}

void TypedReader::read_names(std::size_t column, const Names* known, NameFinder& finder) {
  const TypedColumn& type = (*types_)[column];
  const TypedCells& cells = piece_->columns[column];
  ChunkColumn& out = columns_[column];
  out.names.clear();
  out.codes.resize(static_cast<std::size_t>(rows_));
  constexpr std::size_t kShort = 8;  // bytes that a finder reads of a short name, whatever its size
  std::string buffer;
  for (std::size_t row = 0; row < out.codes.size(); ++row) {
    if (row > 0 && is_repeated(type, cells, row)) {
      out.codes[row] = out.codes[row - 1];
      continue;
    }
    if (type.type == CellType::kWhole && !cells.is_absent(row)) {
      out.codes[row] = finder.number(cells.wholes[row], known, out.names);
      continue;
    }
    const std::string_view name = text_of(type, cells, row, buffer);
    if (name.size() > kShort) {
      out.codes[row] = finder.number(name, name.data() + name.size(), known, out.names);
    } else {
      std::array<char, kShort> padded{};
      std::copy(name.begin(), name.end(), padded.begin());
      out.codes[row] =
          finder.number({padded.data(), name.size()}, padded.data() + padded.size(), known, out.names);
    }
  }
}

/// An id must not be empty, and names that are new must be texts.
void TypedReader::check_names(std::size_t column, const Names* known, Role role) {
  const ChunkColumn& out = columns_[column];
  const bool no_empty =
      role != Role::kId || (out.names.find("") < 0 && (known == nullptr || known->find("") < 0));
  std::vector<bool> wrong;
  for (int32_t i = 0; i < out.names.size(); ++i) {
    if (first_bad_byte(out.names[i]) == out.names[i].size()) continue;
    wrong.resize(static_cast<std::size_t>(out.names.size()));
    wrong[static_cast<std::size_t>(i)] = true;
  }
  if (no_empty && wrong.empty()) return;
  for (std::size_t row = 0; row < out.codes.size(); ++row) {
    const int32_t code = out.codes[row];
    if (code < 0 && !wrong.empty() && wrong[static_cast<std::size_t>(new_name(code))]) {
      add_fault(column, row, "has a NUL byte or a byte that is not UTF-8; correct it");
    } else if (!no_empty && (code < 0 ? out.names[new_name(code)] : (*known)[code]).empty()) {
      add_fault(column, row, "is empty; every event needs the id of its sequence");
    }
  }
}

void TypedReader::read_numbers(std::size_t column) {
  const TypedColumn& type = (*types_)[column];
  const TypedCells& cells = piece_->columns[column];
  std::vector<double>& out = columns_[column].numbers;
  out.resize(static_cast<std::size_t>(rows_));
  std::string buffer;
  for (std::size_t row = 0; row < out.size(); ++row) {
    if (cells.is_absent(row)) {
      out[row] = kNoNumber;
    } else if (!cells.numbers.empty()) {
      out[row] = cells.numbers[row];
      if (std::isinf(out[row]))
        add_fault(column, row, "is not a finite number; correct it or leave it empty");
    } else if (!cells.texts.empty()) {
      const NumberFault fault = parse_double(trimmed(cells.texts[row]), out[row]);
      if (fault == NumberFault::kEmpty) out[row] = kNoNumber;
      if (fault != NumberFault::kNone && fault != NumberFault::kEmpty) {
        add_fault(column, row, explain_typed_number(fault));
      }
    } else {
      out[row] = decimal_to_double(cells.wholes[row], type.decimals, buffer);
    }
  }
}

void TypedReader::read_times(const ReadPlan& plan, std::size_t column) {
  ChunkColumn& out = columns_[column];
  out.ticks.resize(static_cast<std::size_t>(rows_));
  if (plan.kinds[column] == CellKind::kDecimal) out.decimals.resize(out.ticks.size());
  TimeCells times(plan);
  std::string buffer;
  for (std::size_t row = 0; row < out.ticks.size(); ++row) {
    if (piece_->columns[column].is_absent(row) && plan.static_rows) {
      out.ticks[row] = kNoTick;
      if (!out.decimals.empty()) out.decimals[row] = 0;
      continue;
    }
    const std::string_view what = read_time(plan, column, row, times, buffer);
    if (!what.empty()) [[unlikely]]
      add_fault(column, row, what);
  }
}

std::string_view TypedReader::read_time(const ReadPlan& plan, std::size_t column, std::size_t row,
                                        TimeCells& times, std::string& buffer) {
  const TypedColumn& type = (*types_)[column];
  const TypedCells& cells = piece_->columns[column];
  if (cells.is_absent(row)) return explain(TimeFault::kEmpty);
  switch (type.type) {
    case CellType::kInstant:
    case CellType::kLocalTime:
      return times.counted(cells.wholes[row], type.nanoseconds, type.type == CellType::kLocalTime,
                           columns_[column].ticks[row]);
    case CellType::kWhole:
      if (plan.kinds[column] == CellKind::kFormatted) break;  // 20240131
      return whole_time(plan, {cells.wholes[row], 0}, column, row, times);
    case CellType::kDecimal:
      return whole_time(plan, {cells.wholes[row], type.decimals}, column, row, times);
    case CellType::kNumber:
    case CellType::kSingle:
      if (!std::isfinite(cells.numbers[row])) return explain_time(NumberFault::kNotFinite);
      break;
    default:
      break;
  }
  return text_time(plan, trimmed(text_of(type, cells, row, buffer)), column, row, times);
}

std::string_view TypedReader::whole_time(const ReadPlan& plan, Decimal number, std::size_t column,
                                         std::size_t row, const TimeCells& times) {
  ChunkColumn& out = columns_[column];
  if (plan.kinds[column] == CellKind::kDecimalInstant) return times.decimal_instant(number, out.ticks[row]);
  out.ticks[row] = number.mantissa;
  out.decimals[row] = static_cast<int8_t>(number.decimals);
  return {};
}

std::string_view TypedReader::text_time(const ReadPlan& plan, std::string_view text, std::size_t column,
                                        std::size_t row, TimeCells& times) {
  ChunkColumn& out = columns_[column];
  switch (plan.kinds[column]) {
    case CellKind::kInstant:
      return times.instant(text, out.ticks[row]);
    case CellKind::kFormatted:
      return times.formatted(text, out.ticks[row]);
    case CellKind::kDecimalInstant:
      return times.decimal_instant(text, out.ticks[row]);
    default:
      return TimeCells::decimal(text, out.ticks[row], out.decimals[row]);
  }
}

}  // namespace t2v::data
