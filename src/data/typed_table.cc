#include "data/typed_table.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "data/decimal.h"
#include "data/iso_time.h"

namespace t2v::data {
namespace {

constexpr std::size_t kDigitsRoom = 400;  // a double is not longer, written out

/// The shortest decimal that stands for a number; without an exponent, so that it is read back exactly.
template <class T>
std::string_view shortest(T number, std::string& buffer) {
  buffer.resize(kDigitsRoom);
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed);
  buffer.resize(error == std::errc() ? static_cast<std::size_t>(end - buffer.data()) : 0);
  return buffer;
}

std::string_view whole_text(int64_t whole, std::string& buffer) {
  constexpr std::size_t kRoom = 24;
  buffer.resize(kRoom);
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), whole);
  buffer.resize(static_cast<std::size_t>(end - buffer.data()));
  return buffer;
}

/// A time that 64 bits of nanoseconds do not hold.
std::string far_time(const TypedColumn& column, int64_t count) {
  __extension__ using Wide = __int128;
  constexpr int64_t kInfinity = std::numeric_limits<int64_t>::max();
  constexpr int64_t kInfiniteDay = std::numeric_limits<int32_t>::max();
  constexpr Wide kDay = Wide{86'400} * 1'000'000'000;
  const bool of_days = column.nanoseconds == static_cast<int64_t>(kDay);
  const int64_t size = std::abs(count);
  if (size == kInfinity || (of_days && size == kInfiniteDay)) return count > 0 ? "infinity" : "-infinity";
  const auto days = static_cast<int64_t>(Wide{count} * column.nanoseconds / kDay);
  return days < 0 ? "before 1677" : fmt::format("year {}", year_of(days));
}

std::string_view time_text(const TypedColumn& column, int64_t count, std::string& buffer) {
  int64_t nanoseconds = 0;
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
  if (__builtin_mul_overflow(count, column.nanoseconds, &nanoseconds) || nanoseconds == kLargest ||
      nanoseconds == -kLargest) {
    buffer = far_time(column, count);
    return buffer;
  }
  buffer = format_iso(nanoseconds);
  if (column.type == CellType::kLocalTime) buffer.pop_back();  // Z
  return buffer;
}

}  // namespace

void TypedCells::clear() {
  wholes.clear();
  numbers.clear();
  texts.clear();
  absent.clear();
}

void TypedPiece::clear(std::size_t columns_wanted) {
  rows = 0;
  columns.resize(columns_wanted);
  for (TypedCells& cells : columns) cells.clear();
  owners.clear();
}

std::string_view text_of(const TypedColumn& column, const TypedCells& cells, std::size_t row,
                         std::string& buffer) {
  if (cells.is_absent(row)) return {};
  switch (column.type) {
    case CellType::kWhole:
      return whole_text(cells.wholes[row], buffer);
    case CellType::kBool:
      return cells.wholes[row] != 0 ? "true" : "false";
    case CellType::kDecimal:
      buffer = to_text({cells.wholes[row], column.decimals});
      return buffer;
    case CellType::kNumber:
      return std::isnan(cells.numbers[row]) ? std::string_view() : shortest(cells.numbers[row], buffer);
    case CellType::kSingle:
      return std::isnan(cells.numbers[row]) ? std::string_view()
                                            : shortest(static_cast<float>(cells.numbers[row]), buffer);
    case CellType::kInstant:
    case CellType::kLocalTime:
      return time_text(column, cells.wholes[row], buffer);
    case CellType::kText:
    case CellType::kDigits:
      return cells.texts[row];
    case CellType::kOther:
      break;
  }
  return {};
}

}  // namespace t2v::data
