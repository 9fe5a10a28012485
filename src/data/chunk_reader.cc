#include "data/chunk_reader.h"

#include <algorithm>
#include <limits>

#include "base/text_check.h"
#include "data/csv.h"
#include "data/iso_time.h"
#include "data/json_lines.h"
#include "data/time_cells.h"

namespace t2v::data {
namespace {

constexpr std::size_t kSeenBytes = 64;

/// For columns whose cells have no form that is read faster than others.
constexpr auto kNoneIsUsual = [](std::string_view, const char*, std::size_t) { return false; };

std::string_view explain_cell(NumberFault fault, Role role) {
  if (fault != NumberFault::kSyntax) return explain(fault);
  return is_feature(role) ? "is not a number; correct it, leave it empty, or name its column as a category"
                          : "is not a number; correct it or leave it empty";
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

void ChunkReader::read(const ReadPlan& plan, std::string_view text, bool last, FinderSets::Set& finders) {
  if (plan.json) {
    read_json(cells_, text, plan.keys, plan.json_list);
    used_ = text.size();
  } else {
    used_ = read_csv(cells_, text, plan.separator, plan.wanted, last);
  }
  lines_ = used_ == text.size() ? cells_.lines : count_lines(text.substr(0, used_));
  rows_ = cells_.rows();
  bad_.clear();
  columns_.resize(plan.columns.size());
  finders.resize(plan.columns.size());
  check_bytes();
  for (std::size_t column = 0; column < columns_.size(); ++column) read_column(plan, column, finders[column]);
  std::ranges::stable_sort(cells_.faults, {}, &Fault::at);
}

Fault ChunkReader::fault_at(std::size_t column, std::size_t row, std::string_view what) const {
  return {static_cast<uint32_t>(row),
          place_of_cell(column, row),
          what,
          {},
          cells_.cell(column, row).substr(0, kSeenBytes),
          static_cast<int>(column),
          cells_.begin_of(row)};
}

void ChunkReader::add_fault(std::size_t column, std::size_t row, std::string_view what) {
  if (mark_bad(row)) cells_.faults.push_back(fault_at(column, row, what));
}

void ChunkReader::read_names(std::size_t column, const Names* known, NameFinder& finder) {
  ChunkColumn& out = columns_[column];
  const auto count = static_cast<std::size_t>(rows());
  out.names.clear();
  out.codes.resize(count);
  std::string_view before;
  int32_t code = -1;
  for (std::size_t row = 0; row < count; ++row) {
    const CellChunk::Cell place = cells_.place(column, row);
    const std::string_view cell = cells_.view(place);
    // Short names are found as fast as they are compared; of long ones the same often follow each other.
    if (row == 0 || cell.size() <= 8 || cell != before) {
      code = finder.number(cell, cells_.readable(place), known, out.names);
    }
    out.codes[row] = code;
    before = cell;
  }
}

/// is_usual(cell, readable, row) reads a cell of the usual form; bytes from its start up to `readable` may be
/// read. read(cell, row) reads any other, and gives nothing or what is wrong with it.
template <class IsUsual, class Read>
void ChunkReader::read_each(std::size_t column, const IsUsual& is_usual, const Read& read) {
  const auto count = static_cast<std::size_t>(rows());
  for (std::size_t row = 0; row < count; ++row) {
    const CellChunk::Cell place = cells_.place(column, row);
    if (is_usual(cells_.view(place), cells_.readable(place), row)) [[likely]]
      continue;
    const std::string_view what = read(cells_.view(place), row);
    if (!what.empty()) [[unlikely]]
      add_fault(column, row, what);
  }
}

void ChunkReader::read_column(const ReadPlan& plan, std::size_t column, NameFinder& finder) {
  ChunkColumn& out = columns_[column];
  const auto count = static_cast<std::size_t>(rows());
  const Role role = plan.columns[column].role;
  switch (plan.kinds[column]) {
    case CellKind::kName: {
      const Names* known = plan.known.empty() ? nullptr : plan.known[column];
      read_names(column, known, finder);
      if (role == Role::kId && (out.names.find("") >= 0 || (known != nullptr && known->find("") >= 0))) {
        read_each(column, kNoneIsUsual, [](std::string_view cell, std::size_t) -> std::string_view {
          return cell.empty() ? "is empty; every event needs the id of its sequence" : "";
        });
      }
      return;
    }
    case CellKind::kNumber: {
      out.numbers.resize(count);
      const auto short_number = [&](std::string_view cell, const char* readable, std::size_t row) {
        Magnitude number;
        if (cell.size() < 2 || cell.size() > 8 || readable - cell.data() < 8) return false;
        if (!scan_word(load_short(cell), cell.size(), number)) return false;
        out.numbers[row] = to_double(number);
        return true;
      };
      read_each(column, short_number, [&](std::string_view cell, std::size_t row) -> std::string_view {
        const NumberFault fault = parse_double(trimmed(cell), out.numbers[row]);
        if (fault == NumberFault::kNone) return {};
        if (fault != NumberFault::kEmpty) return explain_cell(fault, role);
        out.numbers[row] = std::numeric_limits<double>::quiet_NaN();
        return {};
      });
      return;
    }
    case CellKind::kInstant: {
      out.ticks.resize(count);
      TimeCells times(plan);
      read_each(column, kNoneIsUsual, [&](std::string_view cell, std::size_t row) {
        return times.instant(trimmed(cell), out.ticks[row]);
      });
      return;
    }
    case CellKind::kFormatted: {
      out.ticks.resize(count);
      TimeCells times(plan);
      read_each(column, kNoneIsUsual, [&](std::string_view cell, std::size_t row) {
        return times.formatted(trimmed(cell), out.ticks[row]);
      });
      return;
    }
    case CellKind::kDecimalInstant: {
      out.ticks.resize(count);
      const TimeCells times(plan);
      int64_t nanoseconds = 0;  // of a unit
      to_nanoseconds({1, 0}, plan.unit, nanoseconds);
      const auto whole_number = [&](std::string_view cell, const char* /*readable*/, std::size_t row) {
        uint64_t number = 0;
        return scan_whole(cell, number) &&
               !__builtin_mul_overflow(static_cast<int64_t>(number), nanoseconds, &out.ticks[row]);
      };
      read_each(column, whole_number, [&](std::string_view cell, std::size_t row) {
        return times.decimal_instant(trimmed(cell), out.ticks[row]);
      });
      return;
    }
    case CellKind::kDecimal:
      out.ticks.resize(count);
      out.decimals.resize(count);
      read_each(column, kNoneIsUsual, [&](std::string_view cell, std::size_t row) {
        return TimeCells::decimal(trimmed(cell), out.ticks[row], out.decimals[row]);
      });
      return;
  }
}

/// Looks for NUL and for what is not UTF-8; where there is some, row by row. Rows that are left out already
/// end the row before them.
void ChunkReader::check_bytes() {
  const std::string_view text = cells_.text.substr(0, used_);
  if (first_bad_byte(text) == text.size()) return;
  const std::size_t left_out = cells_.faults.size();
  std::size_t fault = 0;
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows()); ++row) {
    while (fault < left_out && cells_.faults[fault].begin < cells_.begin_of(row)) ++fault;
    std::size_t end = row + 1 < static_cast<std::size_t>(rows()) ? cells_.begin_of(row + 1) : text.size();
    if (fault < left_out) end = std::min<std::size_t>(end, cells_.faults[fault].begin);
    check_row_bytes(row, end);
  }
}

void ChunkReader::check_row_bytes(std::size_t row, std::size_t end) {
  const std::size_t begin = cells_.begin_of(row);
  const std::string_view line = cells_.text.substr(begin, end - begin);
  const std::size_t bad = first_bad_byte(line);
  if (bad == line.size()) return;
  mark_bad(row);
  Fault fault = byte_fault(line, bad);
  fault.row = static_cast<uint32_t>(row);
  fault.at += static_cast<uint32_t>(begin);
  fault.begin = static_cast<uint32_t>(begin);
  cells_.faults.push_back(fault);
}

Fault byte_fault(std::string_view text, std::size_t at) {
  const bool nul = text[at] == '\0';
  Fault fault;
  fault.at = static_cast<uint32_t>(at);
  fault.what = nul ? "there is a NUL byte" : "a byte is not UTF-8";
  fault.advice = nul ? "take it out; is this a text file?" : "save the file as UTF-8";
  fault.seen = text.substr(at, kSeenBytes);
  return fault;
}

uint32_t ChunkReader::place_of_cell(std::size_t column, std::size_t row) const {
  const CellChunk::Cell cell = cells_.place(column, row);
  return cells_.stands(cell) ? cell.begin : cells_.begin_of(row);
}

}  // namespace t2v::data
