#include "data/time_choice.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/human_time.h"
#include "data/iso_time.h"
#include "data/time_shape.h"

namespace t2v::data {
namespace {

constexpr std::size_t kSampleRows = 1000;

/// What the first times are. The first that is an ISO date or a number decides between the two.
struct FirstTimes {
  bool any = false;
  bool numbers = false;
  bool like_dates = true;            // all numbers: 8 digits that are a date, as in 20240131
  std::vector<Decimal> values = {};  // numbers
  std::vector<std::size_t> rows = {};
  std::vector<std::string_view> texts = {};  // neither dates nor numbers
  std::vector<std::size_t> text_rows = {};
};

bool is_written_date(std::string_view cell) {
  constexpr std::size_t kDigits = 8;
  if (cell.size() != kDigits || (!cell.starts_with("19") && !cell.starts_with("20"))) return false;
  IsoTime time;
  return parse_iso(fmt::format("{}-{}-{}", cell.substr(0, 4), cell.substr(4, 2), cell.substr(6)), time) ==
         TimeFault::kNone;
}

FirstTimes first_times(const CellChunk& cells, std::size_t column) {
  FirstTimes times;
  for (std::size_t row = 0; row < static_cast<std::size_t>(cells.rows()); ++row) {
    const std::string_view cell = trimmed(cells.cell(column, row));
    IsoTime time;
    Decimal number;
    if (!times.any && parse_iso(cell, time) == TimeFault::kNone) {
      times.any = true;
      break;
    }
    if (parse_decimal(cell, number) == NumberFault::kNone) {
      times.any = times.numbers = true;
      times.like_dates = times.like_dates && is_written_date(cell);
      times.values.push_back(number);
      times.rows.push_back(row);
    } else if (!cell.empty()) {
      times.texts.push_back(cell);
      times.text_rows.push_back(row);
    }
  }
  return times;
}

/// Without a time among many rows nothing tells how to read the later ones. Of fewer rows, which may be all,
/// it does not matter.
void check_any(const FirstTimes& times, const CellChunk& cells, std::size_t column,
               const TableOptions& options) {
  if (times.any || !options.skip_bad_rows || cells.rows() < static_cast<int64_t>(kSampleRows)) return;
  fail(
      "none of the first {} rows has a time that can be used, the first is '{}', so nothing tells whether "
      "times are dates or numbers; leave such rows out of the start of the file, name another column "
      "(`time`), or say how times are written (`time_format`, `time_unit`)",
      human_count(cells.rows()), shown(cells.cell(column, 0)));
}

TimeUnit unit_of(const FirstTimes& times, const std::string& option) {
  if (option != "auto" && option != kAnyUnit) return time_unit_named(option);
  return detect_unit(std::span(times.values).first(std::min(kSampleRows, times.values.size())));
}

/// The unit that a number by itself seems to be of.
TimeUnit unit_like(const FirstTimes& times, std::size_t i) {
  return detect_unit(std::span(times.values).subspan(i, 1));
}

/// Numbers that are too large to be of the unit that most seem to have.
struct OtherUnit {
  int64_t count = 0;
  std::size_t first = 0;  // of FirstTimes
};

OtherUnit of_other_unit(const FirstTimes& times, TimeUnit unit) {
  OtherUnit others;
  if (unit == TimeUnit::kNumber) return others;
  for (std::size_t i = 0; i < times.values.size(); ++i) {
    int64_t ignored = 0;
    if (to_nanoseconds(times.values[i], unit, ignored) != TimeFault::kRange || unit_like(times, i) == unit) {
      continue;
    }
    if (others.count++ == 0) others.first = i;
  }
  return others;
}

/// "most seem to be s since 1970, but 3 of the first 1,000 ms"
std::string mixture(const FirstTimes& times, TimeUnit unit, const OtherUnit& others) {
  return fmt::format("most seem to be {} since 1970, but {} of the first {} {}", name_of(unit),
                     human_count(others.count), human_count(static_cast<int64_t>(times.values.size())),
                     name_of(unit_like(times, others.first)));
}

/// The kind of a column of numbers, and the choice in words, without the column's name.
std::string settle_numbers(ReadPlan& plan, std::size_t column, const TableOptions& options) {
  const bool chosen = options.time_unit != "auto" && options.time_unit != kAnyUnit;
  const char* why = chosen ? "" : ", by the size of the numbers (`time_unit` changes it)";
  if (plan.unit != TimeUnit::kNumber) {
    plan.kinds[column] = CellKind::kDecimalInstant;
    return fmt::format("{} since 1970{}", name_of(plan.unit), why);
  }
  plan.kinds[column] = CellKind::kDecimal;
  return fmt::format("plain numbers{}", why);
}

// Dates that are not ISO.

/// Settles a form; gives the choice in words, without the column's name.
std::string settle_format(ReadPlan& plan, std::size_t column, const std::string& pattern,
                          const TableOptions& options) {
  plan.format = std::make_shared<const TimeFormat>(pattern);
  plan.kinds[column] = CellKind::kFormatted;
  return fmt::format("dates; written as {}, those without an offset are {}", shown(pattern),
                     options.timezone);
}

/// Throws t2v::Error if the times do not tell the day from the month, or tell it in two ways.
void check_order(const FoundFormat& found, const FirstTimes& times, const CellChunk& cells,
                 std::size_t column, const PlaceOfCell& place_of, const std::string& name) {
  const auto place = [&](std::string_view text) {
    const auto is_it = [&](std::string_view other) { return other.data() == text.data(); };
    const auto at = std::ranges::find_if(times.texts, is_it) - times.texts.begin();
    return place_of(column, times.text_rows[static_cast<std::size_t>(at)]);
  };
  if (found.undecided) {
    fail(
        "{}: {} '{}' may have the day or the month first, and no time of the first {} tells; give "
        "`day_first` "
        "as yes or no",
        place(times.texts[0]), name, shown(times.texts[0]), human_count(cells.rows()));
  }
  if (found.day_first.empty() || found.day_last.empty()) return;
  fail(
      "{}: {} '{}' has the day first, but '{}' in {} has the month first; write all in one way, such as "
      "2024-01-31",
      place(found.day_first), name, shown(found.day_first), shown(found.day_last), place(found.day_last));
}

}  // namespace

PlaceOfCell places_in_text(const CellChunk& cells, int64_t first_line) {
  return [&cells, first_line](std::size_t column, std::size_t row) {
    const CellChunk::Cell cell = cells.place(column, row);
    const TextPlace place = place_in(cells.text, cells.stands(cell) ? cell.begin : cells.begin_of(row));
    return fmt::format("{}:{}", first_line + place.line, place.column);
  };
}

std::string settle_time(ReadPlan& plan, std::size_t column, const CellChunk& cells,
                        const PlaceOfCell& place_of, const TableOptions& options) {
  const std::string name = shown(plan.columns[column].name);
  const auto with_name = [&](const std::string& what) { return fmt::format("time '{}': {}", name, what); };
  if (!options.time_format.empty()) {
    return with_name(settle_format(plan, column, options.time_format, options));
  }
  const FirstTimes times = first_times(cells, column);
  const bool automatic = options.time_unit == "auto" || options.time_unit == kAnyUnit;
  if (automatic && (times.numbers || !times.any) && !times.texts.empty()) {
    const FoundFormat found = find_time_format(times.texts, options.day_first);
    if (found.count > static_cast<int64_t>(times.values.size())) {
      if (options.day_first == "auto") check_order(found, times, cells, column, place_of, name);
      if (!found.swapped.empty()) plan.day_first = found.is_day_first ? "yes" : "no";
      return with_name(settle_format(plan, column, found.pattern, options));
    }
  }
  if (automatic) check_any(times, cells, column, options);
  if (!times.numbers && (automatic || times.any || cells.rows() == 0)) {
    plan.kinds[column] = CellKind::kInstant;
    return with_name(fmt::format("dates; those without an offset are {}", options.timezone));
  }
  if (automatic && times.like_dates) return with_name(settle_format(plan, column, "%Y%m%d", options));
  plan.unit = unit_of(times, options.time_unit);
  const OtherUnit others =
      automatic && !options.skip_bad_rows ? of_other_unit(times, plan.unit) : OtherUnit();
  if (others.count == 0) return with_name(settle_numbers(plan, column, options));
  const std::string what = mixture(times, plan.unit, others);
  if (options.time_unit == kAnyUnit) {
    plan.unit = TimeUnit::kNumber;
    plan.kinds[column] = CellKind::kDecimal;
    return with_name(fmt::format("plain numbers, as {}; bring them to one unit", what));
  }
  const std::size_t row = times.rows[others.first];
  fail(
      "{}: {} '{}' is of another unit than the others: {}; bring them to one unit, leave such rows out "
      "(`on_error` skip), or read all as plain numbers (`time_unit` number)",
      place_of(column, row), name, shown(cells.cell(column, row)), what);
}

}  // namespace t2v::data
