#include "column.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/plain_ticks.h"
#include "data/time_cells.h"
#include "data/time_choice.h"
#include "data/time_zone.h"

namespace t2v::python {
namespace {

using Kind = Column::Kind;

constexpr std::size_t kSampleRows = 10'000;  // by which the form of times is told
constexpr std::size_t kLongestTime = 200;    // of a text that may be one

/// The shortest decimal that stands for a number, as it is printed everywhere.
template <class T>
std::string shortest(T number) {
  std::array<char, 400> text{};
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  return error == std::errc() ? std::string(text.data(), end) : fmt::format("{}", number);
}

std::string text_of(double number, bool single) {
  return single ? shortest(static_cast<float>(number)) : shortest(number);
}

[[noreturn]] void fail_time(const Column& column, std::size_t row, std::string_view what) {
  fail("the time '{}' of row {} (from 0) {}", shown(column.name), row, what);
}

/// A time as it is written, without blanks around it; empty for none.
std::string time_text(const Column& column, std::size_t row) {
  return std::string(data::trimmed(column.text(row)));
}

/// The first times as the cells of a chunk.
data::CellChunk first_times(const Column& column) {
  data::CellChunk cells;
  cells.start("", 1);
  const std::size_t rows = std::min(kSampleRows, static_cast<std::size_t>(column.rows()));
  for (std::size_t row = 0; row < rows; ++row) {
    const std::string time = time_text(column, row).substr(0, kLongestTime);
    cells.make_room();
    cells.columns[0][row] = {cells.next_changed(), static_cast<uint32_t>(time.size())};
    cells.changed += time;
    cells.row_begin.push_back(0);
  }
  return cells;
}

/// How the times are read, as those of a file would be.
data::ReadPlan plan_of(const Column& column, const data::TableOptions& options, const data::TimeZone& zone) {
  data::ReadPlan plan;
  plan.columns = {{data::Role::kTime, 0, column.name}};
  plan.kinds = {data::CellKind::kName};
  plan.zone = &zone;
  plan.day_first = options.day_first;
  const data::CellChunk cells = first_times(column);
  const auto place_of = [](std::size_t, std::size_t row) { return fmt::format("row {} (from 0)", row); };
  data::settle_time(plan, 0, cells, place_of, options);
  return plan;
}

/// What is wrong with a cell that is no time of the form.
[[noreturn]] void fail_cell(const Column& column, std::size_t row, const std::string& text,
                            std::string_view why) {
  if (column.kind == Kind::kNumber && std::isnan(column.numbers[row])) {
    fail_time(column, row, "is NaN; every event needs a time");
  }
  if (column.kind == Kind::kNumber && std::isinf(column.numbers[row])) {
    fail_time(column, row, "is infinite (inf); every event needs a finite time");
  }
  if (text.empty()) fail_time(column, row, "is missing; every event needs a time");
  fail_time(column, row, fmt::format("is {}, which {}", in_quotes(text), why));
}

/// read(text, row) gives what is wrong with the time of a row, or nothing.
template <class Read>
void read_each(const Column& column, const Read& read) {
  for (std::size_t row = 0; row < static_cast<std::size_t>(column.rows()); ++row) {
    const std::string text = time_text(column, row);
    const std::string_view why = read(text, row);
    if (!why.empty()) fail_cell(column, row, text, why);
  }
}

void set_instants(std::vector<int64_t>& ticks, const Column& column, const data::ReadPlan& plan) {
  data::TimeCells times(plan);
  if (column.kind == Kind::kWhole && plan.kinds[0] == data::CellKind::kDecimalInstant) {  // needs no texts
    for (std::size_t row = 0; row < ticks.size(); ++row) {
      const std::string_view why = times.decimal_instant(data::Decimal{column.wholes[row], 0}, ticks[row]);
      if (!why.empty()) fail_cell(column, row, column.text(row), why);
    }
    return;
  }
  read_each(column, [&](const std::string& text, std::size_t row) {
    if (plan.kinds[0] == data::CellKind::kInstant) return times.instant(text, ticks[row]);
    if (plan.kinds[0] == data::CellKind::kFormatted) return times.formatted(text, ticks[row]);
    return times.decimal_instant(text, ticks[row]);
  });
}

void set_plain(data::EventTable& table, const Column& column) {
  std::vector<int64_t> mantissa = column.wholes;
  std::vector<int8_t> decimals(static_cast<std::size_t>(column.rows()));
  if (column.kind != Kind::kWhole) {
    mantissa.resize(decimals.size());
    read_each(column, [&](const std::string& text, std::size_t row) {
      return data::TimeCells::decimal(text, mantissa[row], decimals[row]);
    });
  }
  data::PlainTicks ticks;
  ticks.add(mantissa, decimals);
  table.scale = {.instants = false, .decimals = ticks.decimals()};
  table.ticks = std::move(ticks.ticks());
  if (ticks.rounded() > 0) table.notes.push_back(ticks.note());
}

}  // namespace

int64_t Column::rows() const {
  switch (kind) {
    case Kind::kName:
      return static_cast<int64_t>(codes.size());
    case Kind::kNumber:
      return static_cast<int64_t>(numbers.size());
    case Kind::kOther:
      return other_rows;
    default:
      return static_cast<int64_t>(wholes.size());
  }
}

void Column::add_absent(std::size_t row) {
  if (absent.size() <= row) absent.resize(row + 1);
  absent[row] = true;
}

std::string Column::number_type() const {
  if (kind == Kind::kWhole) return type.empty() ? "<i8" : type;
  if (kind == Kind::kNumber) return type.empty() ? "<f8" : type;
  return "";
}

std::string Column::text(std::size_t row) const {
  switch (kind) {
    case Kind::kName:
      return std::string(names[codes[row]]);
    case Kind::kNumber:
      return std::isnan(numbers[row]) ? "" : text_of(numbers[row], single);
    default:
      return is_absent(row) ? "" : fmt::format("{}", wholes[row]);
  }
}

void check_usable(const Column& column) {
  if (column.kind != Kind::kOther) return;
  fail("the column '{}' is {}; whole numbers, floats, bools, texts, categories and timestamps can be used",
       shown(column.name), column.other);
}

data::Numbers to_numbers(const Column& column) {
  check_usable(column);
  data::Numbers numbers{column.name, {}};
  if (column.kind == Kind::kNumber) {
    numbers.values = column.numbers;
  } else if (column.kind == Kind::kWhole) {
    for (std::size_t row = 0; row < column.wholes.size(); ++row) {
      numbers.values.push_back(column.is_absent(row) ? std::numeric_limits<double>::quiet_NaN()
                                                     : static_cast<double>(column.wholes[row]));
    }
  } else {
    fail("the column '{}' has {}, where numbers are needed", shown(column.name),
         column.kind == Kind::kName ? "names" : "instants");
  }
  for (std::size_t row = 0; row < numbers.values.size(); ++row) {
    if (std::isinf(numbers.values[row])) {
      fail("the column '{}' is infinite (inf) in row {} (from 0); leave such values empty (NaN)",
           shown(column.name), row);
    }
  }
  return numbers;
}

data::Categories to_categories(const Column& column) {
  check_usable(column);
  data::Categories categories{column.name, {}, {}};
  categories.codes.reserve(static_cast<std::size_t>(column.rows()));
  if (column.kind == Kind::kName) {  // each name is looked up once
    std::vector<int32_t> code_of(static_cast<std::size_t>(column.names.size()), -1);
    for (const int32_t code : column.codes) {
      int32_t& known = code_of[static_cast<std::size_t>(code)];
      if (known < 0) known = categories.names.add(column.names[code]);
      categories.codes.push_back(known);
    }
    return categories;
  }
  for (std::size_t row = 0; row < static_cast<std::size_t>(column.rows()); ++row) {
    categories.codes.push_back(categories.names.add(column.text(row)));
  }
  return categories;
}

void Table::add(Column&& column) {
  for (const Column& other : columns_) {
    if (other.name == column.name) fail("the column '{}' is there twice", shown(column.name));
  }
  if (!columns_.empty() && column.rows() != rows()) {
    fail("the column '{}' has {} rows, but '{}' has {}", shown(column.name), column.rows(),
         shown(columns_.front().name), rows());
  }
  if (!column.absent.empty()) column.absent.resize(static_cast<std::size_t>(column.rows()));
  columns_.push_back(std::move(column));
}

std::vector<std::string> Table::names() const {
  std::vector<std::string> names;
  for (const Column& column : columns_) names.push_back(column.name);
  return names;
}

std::string set_times(data::EventTable& table, const Column& column, const data::TableOptions& options) {
  check_usable(column);
  const auto absent = std::ranges::find(column.absent, true);
  if (absent != column.absent.end()) {
    fail_time(column, static_cast<std::size_t>(absent - column.absent.begin()),
              "is missing (NaT, null); every event needs a time");
  }
  if (column.kind == Kind::kInstant) {
    table.scale = {.instants = true, .decimals = 9};
    table.ticks = column.wholes;
    return options.day_first;
  }
  const data::TimeZone zone = data::TimeZone::find(options.timezone);
  const data::ReadPlan plan = plan_of(column, options, zone);
  if (plan.kinds[0] == data::CellKind::kDecimal) {
    set_plain(table, column);
    return plan.day_first;
  }
  table.scale = {.instants = true, .decimals = 9};
  table.ticks.resize(static_cast<std::size_t>(column.rows()));
  set_instants(table.ticks, column, plan);
  return plan.day_first;
}

}  // namespace t2v::python
