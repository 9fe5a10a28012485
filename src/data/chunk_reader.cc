#include "data/chunk_reader.h"

#include <algorithm>
#include <limits>

#include "data/csv.h"
#include "data/iso_time.h"
#include "data/json_lines.h"
#include "data/text_check.h"

namespace t2v::data {
namespace {

constexpr std::size_t kSeenBytes = 64;

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

void ChunkReader::read(const ReadPlan& plan, std::string_view text, bool last, FinderSets::Set& finders) {
  if (plan.json) {
    read_json_lines(cells_, text, plan.keys);
    used_ = text.size();
  } else {
    used_ = read_csv(cells_, text, plan.separator, plan.wanted, last);
  }
  lines_ = count_lines(text.substr(0, used_));
  bad_.clear();
  columns_.resize(plan.columns.size());
  finders.resize(plan.columns.size());
  for (std::size_t column = 0; column < columns_.size(); ++column) read_column(plan, column, finders[column]);
  check_bytes();
  std::ranges::stable_sort(cells_.faults, {}, &Fault::at);
}

void ChunkReader::add_fault(std::size_t column, std::size_t row, std::string_view what) {
  if (bad_.empty()) bad_.resize(static_cast<std::size_t>(rows()));
  if (bad_[row]) return;  // the first is enough
  bad_[row] = true;
  const std::string_view cell = cells_.cell(column, row);
  cells_.faults.push_back({static_cast<uint32_t>(row),
                           place_of_cell(column, row),
                           what,
                           {},
                           std::string(cell.substr(0, kSeenBytes)),
                           static_cast<int>(column)});
}

void ChunkReader::read_names(std::size_t column, const Names* known, NameFinder& finder) {
  ChunkColumn& out = columns_[column];
  const auto count = static_cast<std::size_t>(rows());
  out.names.clear();
  out.codes.resize(count);
  const char* readable = cells_.text.data() + cells_.text.size();
  std::string_view before;
  int32_t code = -1;
  for (std::size_t row = 0; row < count; ++row) {
    const std::string_view cell = cells_.cell(column, row);
    // Short names are found as fast as they are compared; of long ones the same often follow each other.
    if (row == 0 || cell.size() <= 8 || cell != before) {
      code = finder.number(cell, readable, known, out.names);
    }
    out.codes[row] = code;
    before = cell;
  }
}

/// read(cell, row) gives nothing, or what is wrong with the cell.
template <class Read>
void ChunkReader::read_each(std::size_t column, const Read& read) {
  const auto count = static_cast<std::size_t>(rows());
  for (std::size_t row = 0; row < count; ++row) {
    const std::string_view what = read(cells_.cell(column, row), row);
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
        read_each(column, [](std::string_view cell, std::size_t) -> std::string_view {
          return cell.empty() ? "is empty; every event needs the id of its sequence" : "";
        });
      }
      return;
    }
    case CellKind::kNumber:
      out.numbers.resize(count);
      read_each(column, [&](std::string_view cell, std::size_t row) -> std::string_view {
        const NumberFault fault = parse_double(trimmed(cell), out.numbers[row]);
        if (fault == NumberFault::kNone) return {};
        if (fault != NumberFault::kEmpty) return explain(fault);
        out.numbers[row] = std::numeric_limits<double>::quiet_NaN();
        return {};
      });
      return;
    case CellKind::kInstant: {
      out.ticks.resize(count);
      TimeZone::Cursor clock(*plan.zone);
      read_each(column, [&](std::string_view cell, std::size_t row) -> std::string_view {
        IsoTime time;
        const TimeFault fault = parse_iso(trimmed(cell), time);
        if (fault != TimeFault::kNone) return explain(fault);
        out.ticks[row] = time.nanoseconds;
        if (time.has_offset) return {};
        return explain(clock.to_utc(time.nanoseconds, out.ticks[row]));
      });
      return;
    }
    case CellKind::kDecimalInstant:
      out.ticks.resize(count);
      read_each(column, [&](std::string_view cell, std::size_t row) -> std::string_view {
        Decimal number;
        const NumberFault fault = parse_decimal(trimmed(cell), number);
        if (fault != NumberFault::kNone) return explain(fault);
        const TimeFault time_fault = to_nanoseconds(number, plan.unit, out.ticks[row]);
        return time_fault == TimeFault::kNone ? "" : explain(time_fault);
      });
      return;
    case CellKind::kDecimal:
      out.ticks.resize(count);
      out.decimals.resize(count);
      read_each(column, [&](std::string_view cell, std::size_t row) -> std::string_view {
        Decimal number;
        const NumberFault fault = parse_decimal(trimmed(cell), number);
        if (fault != NumberFault::kNone) return explain(fault);
        out.ticks[row] = number.mantissa;
        out.decimals[row] = static_cast<int8_t>(number.decimals);
        return {};
      });
      return;
  }
}

/// Looks for NUL and for what is not UTF-8; where there is some, row by row.
void ChunkReader::check_bytes() {
  const std::string_view text = cells_.text.substr(0, used_);
  if (first_bad_byte(text) == text.size()) return;
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows()); ++row) {
    const std::size_t begin = cells_.row_begin[row];
    const std::size_t end = row + 1 < cells_.row_begin.size() ? cells_.row_begin[row + 1] : text.size();
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t bad = first_bad_byte(line);
    if (bad == line.size()) continue;
    if (bad_.empty()) bad_.resize(static_cast<std::size_t>(rows()));
    bad_[row] = true;
    const bool nul = line[bad] == '\0';
    cells_.faults.push_back({static_cast<uint32_t>(row), static_cast<uint32_t>(begin + bad),
                             nul ? "there is a NUL byte" : "a byte is not UTF-8",
                             nul ? "take it out; is this a text file?" : "save the file as UTF-8",
                             std::string(line.substr(bad, kSeenBytes)), -1});
  }
}

ChunkReader::Place ChunkReader::place_of(uint32_t at) const {
  const std::string_view before = cells_.text.substr(0, at);
  const std::size_t line_end = before.find_last_of("\r\n");
  const std::size_t begin = line_end == std::string_view::npos ? 0 : line_end + 1;
  return {count_lines(before), static_cast<int64_t>(at - begin) + 1};
}

uint32_t ChunkReader::place_of_cell(std::size_t column, std::size_t row) const {
  const uint32_t begin = cells_.columns[column][row].begin;
  return begin < cells_.text.size() ? begin : cells_.row_begin[row];
}

}  // namespace t2v::data
