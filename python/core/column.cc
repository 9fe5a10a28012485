#include "column.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/decimal.h"
#include "data/iso_time.h"
#include "data/plain_ticks.h"
#include "data/time_column.h"
#include "data/time_format.h"
#include "data/time_shape.h"
#include "data/time_zone.h"

namespace t2v::python {
namespace {

using data::Decimal;
using Kind = Column::Kind;

constexpr std::size_t kSampleRows = 1000;  // by which the unit of numbers is told

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

std::string_view text_at(const Column& column, std::size_t row) {
  const std::string_view text = column.names[column.codes[row]];
  if (text.empty()) fail_time(column, row, "is missing; every event needs a time");
  return text;
}

/// A number as it is written.
std::string decimal_text(const Column& column, std::size_t row) {
  if (column.kind == Kind::kName) return std::string(text_at(column, row));
  const double number = column.numbers[row];
  if (std::isnan(number)) fail_time(column, row, "is NaN; every event needs a time");
  if (!std::isfinite(number)) fail_time(column, row, "is infinite (inf); every event needs a finite time");
  return text_of(number, column.single);
}

Decimal decimal_at(const Column& column, std::size_t row) {
  if (column.kind == Kind::kWhole) return {column.wholes[row], 0};
  const std::string text = decimal_text(column, row);
  Decimal decimal;
  const data::NumberFault fault = data::parse_decimal(text, decimal);
  if (fault != data::NumberFault::kNone) {
    fail_time(column, row, fmt::format("is {}, which {}", in_quotes(text), data::explain(fault)));
  }
  return decimal;
}

/// The first texts of a column that are neither ISO dates nor numbers.
std::vector<std::string_view> other_texts(const Column& column) {
  std::vector<std::string_view> texts;
  const std::size_t rows = std::min(kSampleRows, column.codes.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const std::string_view text = column.names[column.codes[row]];
    Decimal number;
    data::IsoTime time;
    const bool other = !text.empty() && data::parse_decimal(text, number) != data::NumberFault::kNone &&
                       data::parse_iso(text, time) != data::TimeFault::kNone;
    if (other) texts.push_back(text);
  }
  return texts;
}

/// The form that dates as text are written in, where it is not ISO; empty if there is none.
std::string pattern_of(const Column& column, const data::TableOptions& options) {
  if (!options.time_format.empty() || column.kind != Kind::kName) return options.time_format;
  const std::vector<std::string_view> texts = other_texts(column);
  const data::FoundFormat found = data::find_time_format(texts, options.day_first);
  if (2 * found.count <= static_cast<int64_t>(std::min(kSampleRows, column.codes.size()))) return "";
  if (found.undecided && options.day_first == "auto") {
    fail("the times '{}' may have the day or the month first; give `day_first` as yes or no",
         shown(column.name));
  }
  return found.pattern;
}

/// Whether texts are dates: the first is no number.
bool has_dates(const Column& column) {
  Decimal number;
  return column.kind == Kind::kName && column.rows() > 0 &&
         data::parse_decimal(text_at(column, 0), number) != data::NumberFault::kNone;
}

void set_dates(data::EventTable& table, const Column& column, const data::TimeZone& zone,
               const std::optional<data::TimeFormat>& format) {
  table.scale = {.instants = true, .decimals = 9};
  table.ticks.reserve(column.codes.size());
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    const std::string_view text = text_at(column, row);
    data::IsoTime time;
    const data::TimeFault fault = format ? format->parse(text, time) : data::parse_iso(text, time);
    if (fault != data::TimeFault::kNone) {
      const std::string_view why = format ? format->explain(fault) : data::explain(fault);
      fail_time(column, row, fmt::format("is {}, which {}", in_quotes(text), why));
    }
    table.ticks.push_back(time.has_offset ? time.nanoseconds : zone.to_utc(time.nanoseconds));
  }
}

void set_instants(data::EventTable& table, const Column& column, data::TimeUnit unit) {
  table.scale = {.instants = true, .decimals = 9};
  if (column.kind == Kind::kInstant) {
    table.ticks = column.wholes;
    return;
  }
  table.ticks.resize(static_cast<std::size_t>(column.rows()));
  for (std::size_t row = 0; row < table.ticks.size(); ++row) {
    const Decimal number = decimal_at(column, row);
    const data::TimeFault fault = data::to_nanoseconds(number, unit, table.ticks[row]);
    if (fault != data::TimeFault::kNone) {
      fail_time(column, row, fmt::format("is {}, which {}", data::to_text(number), data::explain(fault)));
    }
  }
}

void set_plain(data::EventTable& table, const Column& column) {
  std::vector<int64_t> mantissa;
  std::vector<int8_t> decimals;
  for (std::size_t row = 0; row < static_cast<std::size_t>(column.rows()); ++row) {
    const Decimal number = decimal_at(column, row);
    if (number.decimals < 0) {
      fail_time(column, row, fmt::format("is {}, beyond 9.2e18; use a larger unit", data::to_text(number)));
    }
    mantissa.push_back(number.mantissa);
    decimals.push_back(static_cast<int8_t>(number.decimals));
  }
  data::PlainTicks ticks;
  ticks.add(mantissa, decimals);
  table.scale = {.instants = false, .decimals = ticks.decimals()};
  table.ticks = std::move(ticks.ticks());
  if (ticks.rounded() > 0) table.notes.push_back(ticks.note());
}

data::TimeUnit unit_of(const Column& column, const std::string& option) {
  if (option != "auto") return data::time_unit_named(option);
  std::vector<Decimal> sample;
  const std::size_t rows = std::min(kSampleRows, static_cast<std::size_t>(column.rows()));
  for (std::size_t row = 0; row < rows; ++row) sample.push_back(decimal_at(column, row));
  return data::detect_unit(sample);
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

void set_times(data::EventTable& table, const Column& column, const data::TableOptions& options) {
  check_usable(column);
  const auto absent = std::ranges::find(column.absent, true);
  if (absent != column.absent.end()) {
    fail_time(column, static_cast<std::size_t>(absent - column.absent.begin()),
              "is missing (NaT, null); every event needs a time");
  }
  if (has_dates(column)) {
    const std::string pattern = pattern_of(column, options);
    const auto format = pattern.empty() ? std::nullopt : std::optional<data::TimeFormat>(pattern);
    return set_dates(table, column, data::TimeZone::find(options.timezone), format);
  }
  const data::TimeUnit unit =
      column.kind == Kind::kInstant ? data::TimeUnit::kNanoseconds : unit_of(column, options.time_unit);
  if (unit == data::TimeUnit::kNumber) {
    set_plain(table, column);
  } else {
    set_instants(table, column, unit);
  }
}

}  // namespace t2v::python
