#include "data/read_plan.h"

#include <algorithm>
#include <optional>
#include <span>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/csv.h"
#include "data/human_time.h"
#include "data/iso_time.h"
#include "data/json_lines.h"

namespace t2v::data {
namespace {

constexpr std::size_t kSampleRows = 1000;
/// A unit of time as auto, but numbers of several units are read as plain ones rather than refused: for
/// looking at data.
constexpr std::string_view kAnyUnit = "any";

/// What the first row says about the table's form.
struct Form {
  bool json = false;
  bool has_header = true;
  char separator = ',';
  std::vector<std::string> header;
  std::size_t rows_begin = 0;
};

bool looks_like_time(std::string_view cell) {
  IsoTime time;
  Decimal number;
  return parse_iso(trimmed(cell), time) == TimeFault::kNone ||
         parse_decimal(trimmed(cell), number) == NumberFault::kNone;
}

bool is_column_number(const std::string& name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

/// The field of the time, from 0, if it is given by number or known as one without a name.
std::optional<std::size_t> time_by_place(const TableOptions& options) {
  const auto known = options.known.find(Role::kTime);
  if (options.time.empty() && known != options.known.end()) return field_without_name(known->second);
  if (!is_column_number(options.time) || options.time.size() > 6) return std::nullopt;
  return static_cast<std::size_t>(std::stoul(options.time)) - 1;
}

/// No header if columns are given by number and the time's cell of the first row is a time.
bool guess_header(const std::vector<std::string>& first, const TableOptions& options) {
  if (options.header != "auto") return options.header == "yes";
  const auto field = time_by_place(options);
  return !field || *field >= first.size() || !looks_like_time(first[*field]);
}

char separator_of(std::string_view text, const std::string& option) {
  if (option == "auto") return guess_separator(text);
  if (option == "tab" || option == "\\t") return '\t';
  if (option.size() != 1 || option == "\"" || option == "\n" || option == "\r") {
    fail("the separator must be one character, or 'tab'; it is '{}'", shown(option));
  }
  return option[0];
}

/// The keys of the first line that is an object; another one before it is refused, or skipped.
std::vector<std::string> first_keys(std::string_view text, bool skip) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    CellChunk line;
    read_json_lines(line, text.substr(at, end - at), {});
    if (line.rows() == 1) return read_json_keys(line.text);
    if (!line.faults.empty() && !skip) {
      line.faults[0].at += static_cast<uint32_t>(at);
      fail("{}", explain_row(text, line.faults[0]));
    }
    at = end + 1;
  }
  fail("no line is a JSON object; write one object a line");
}

void check_words(const TableOptions& options) {
  const auto check = [](std::string_view what, const std::string& word, std::string_view one,
                        std::string_view other) {
    if (word == "auto" || word == one || word == other) return;
    fail("unknown {} '{}'; use one of auto, {}, {}", what, shown(word), one, other);
  };
  check("format", options.format, "csv", "jsonl");
  check("header", options.header, "yes", "no");
  if (options.time_unit != "auto" && options.time_unit != kAnyUnit) time_unit_named(options.time_unit);
}

Form read_form(std::string_view text, const TableOptions& options) {
  Form form;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    fail("there is no row; write a row of names, then a row for each event");
  if (options.format == "auto" && text[first] == '[') {
    fail("this is a JSON list; write one object a line (jq -c '.[]' does it)");
  }
  form.json = options.format == "jsonl" || (options.format == "auto" && text[first] == '{');
  if (form.json) {
    form.header = first_keys(text, options.skip_bad_rows);
    if (form.header.size() > kMostColumns) {
      fail("the first line has {} keys, and a table at most {}; is this a table?", form.header.size(),
           kMostColumns);
    }
    return form;
  }
  form.separator = separator_of(text, options.separator);
  HeaderRow row = read_header(text, form.separator);
  form.has_header = guess_header(row.fields, options);
  form.header = std::move(row.fields);
  form.rows_begin = form.has_header ? row.next : 0;
  const std::string_view header = text.substr(0, form.rows_begin);
  const std::size_t bad = first_bad_byte(header);
  if (bad < header.size()) fail("{}", explain_row(header, byte_fault(header, bad)));
  return form;
}

/// A file without a header that is read without columns being named: say how to.
std::vector<ColumnChoice> columns_of(const Form& form, const TableOptions& options) {
  try {
    return choose_columns(form.header, form.has_header, options);
  } catch (const Error& error) {
    const bool data = form.has_header && !form.json &&
                      std::ranges::count_if(form.header, looks_like_time) > 0 && options.header == "auto";
    if (!data) throw;
    fail("{} (if the first row is data, give the columns by number: --id 1 --time 2 ...)", error.what());
  }
}

ReadPlan plan_of(const Form& form, const TableOptions& options) {
  ReadPlan plan;
  plan.json = form.json;
  plan.separator = form.separator;
  plan.columns = columns_of(form, options);
  plan.wanted.column.assign(form.header.size(), -1);
  plan.wanted.count = plan.columns.size();
  for (std::size_t i = 0; i < plan.columns.size(); ++i) {
    plan.wanted.column[plan.columns[i].field] = static_cast<int>(i);
    plan.keys.push_back(form.header[plan.columns[i].field]);
  }
  plan.kinds.assign(plan.columns.size(), CellKind::kName);
  return plan;
}

/// The cells of the first rows, for guesses.
CellChunk first_cells(const ReadPlan& plan, std::string_view text) {
  CellChunk cells;
  if (plan.json) {
    read_json_lines(cells, text, plan.keys);
  } else {
    read_csv(cells, text, plan.separator, plan.wanted, false);
  }
  return cells;
}

/// Whether most cells that are not empty are numbers, or meant as such; the others are then faults.
bool mostly_numbers(const CellChunk& cells, std::size_t column) {
  int64_t numbers = 0;
  int64_t others = 0;
  double number = 0;
  for (std::size_t row = 0; row < static_cast<std::size_t>(cells.rows()); ++row) {
    const NumberFault fault = parse_double(trimmed(cells.cell(column, row)), number);
    if (fault == NumberFault::kEmpty) continue;
    ++(fault == NumberFault::kSyntax || fault == NumberFault::kHex ? others : numbers);
  }
  return numbers > others || others == 0;
}

/// What the first times are. The first that is one decides whether times are dates or numbers.
struct FirstTimes {
  bool any = false;
  bool numbers = false;
  bool like_dates = true;            // all numbers: 8 digits that are a date, as in 20240131
  std::vector<Decimal> values = {};  // numbers
  std::vector<std::size_t> rows = {};
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
    if (parse_decimal(cell, number) != NumberFault::kNone) continue;
    times.any = times.numbers = true;
    times.like_dates = times.like_dates && is_written_date(cell);
    times.values.push_back(number);
    times.rows.push_back(row);
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
      "(--time), or say what numbers count (--time-unit)",
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

/// Where a cell of the rows is in the text, which starts with line `first_line`: "3:5".
std::string place_of(const CellChunk& cells, std::size_t column, std::size_t row, int64_t first_line) {
  const CellChunk::Cell cell = cells.place(column, row);
  const TextPlace place = place_in(cells.text, cells.stands(cell) ? cell.begin : cells.begin_of(row));
  return fmt::format("{}:{}", first_line + place.line, place.column);
}

/// The kind of a column of numbers, and the choice in words, without the column's name.
std::string settle_numbers(ReadPlan& plan, std::size_t column, const FirstTimes& times,
                           const TableOptions& options) {
  const bool chosen = options.time_unit != "auto" && options.time_unit != kAnyUnit;
  const char* why = chosen ? "" : ", by the size of the numbers (--time-unit to change it)";
  if (plan.unit != TimeUnit::kNumber) {
    plan.kinds[column] = CellKind::kDecimalInstant;
    return fmt::format("{} since 1970{}", name_of(plan.unit), why);
  }
  plan.kinds[column] = CellKind::kDecimal;
  const bool dates = !chosen && times.like_dates && !times.values.empty();
  return fmt::format("plain numbers{}{}", why,
                     dates ? "; if they are dates, write them as 2024-01-31 rather than 20240131" : "");
}

/// Settles the kind of the time column; gives the choice in words.
std::string settle_time(ReadPlan& plan, std::size_t column, const CellChunk& cells, int64_t first_line,
                        const TableOptions& options) {
  const std::string name = shown(plan.columns[column].name);
  const FirstTimes times = first_times(cells, column);
  const bool automatic = options.time_unit == "auto" || options.time_unit == kAnyUnit;
  if (automatic) check_any(times, cells, column, options);
  if (!times.numbers && (automatic || times.any || cells.rows() == 0)) {
    plan.kinds[column] = CellKind::kInstant;
    return fmt::format("time '{}': dates; those without an offset are {}", name, options.timezone);
  }
  plan.unit = unit_of(times, options.time_unit);
  const OtherUnit others =
      automatic && !options.skip_bad_rows ? of_other_unit(times, plan.unit) : OtherUnit();
  if (others.count == 0) {
    return fmt::format("time '{}': {}", name, settle_numbers(plan, column, times, options));
  }
  const std::string what = mixture(times, plan.unit, others);
  if (options.time_unit == kAnyUnit) {
    plan.unit = TimeUnit::kNumber;
    plan.kinds[column] = CellKind::kDecimal;
    return fmt::format("time '{}': plain numbers, as {}; bring them to one unit", name, what);
  }
  const std::size_t row = times.rows[others.first];
  fail(
      "{}: {} '{}' is of another unit than the others: {}; bring them to one unit, leave such rows out "
      "(--on-error skip), or read all as plain numbers (--time-unit number)",
      place_of(cells, column, row, first_line), name, shown(cells.cell(column, row)), what);
}

/// What is wrong, after the source's name; it may start with a place: "2:5: ...".
[[noreturn]] void refuse(const std::string& source, std::string_view what) {
  const bool placed = !what.empty() && what[0] >= '0' && what[0] <= '9';
  fail("{}:{}{}", source, placed ? "" : " ", what);
}

/// The columns that are not read, in words; empty if there are none.
std::string unread_columns(const Form& form, const std::vector<ColumnChoice>& columns) {
  constexpr int kMost = 5;
  std::string unread;
  int count = 0;
  for (std::size_t field = 0; field < form.header.size(); ++field) {
    if (std::ranges::find(columns, field, &ColumnChoice::field) != columns.end() || ++count > kMost) continue;
    unread += unread.empty() ? "" : ", ";
    unread += form.has_header ? fmt::format("'{}'", shown(form.header[field])) : std::to_string(field + 1);
  }
  return count > kMost ? unread + fmt::format(" and {} more", count - kMost) : unread;
}

/// Says that there is no id, and, unless that was asked for, how to name one.
std::string one_sequence(const std::string& unread, const TableOptions& options) {
  if (options.id == "-") return "all rows are one sequence";
  return "all rows are one sequence, since no column has a usual name of an id" +
         (unread.empty() ? ""
                         : fmt::format("; if one of {} says whose event it is, name it with --id", unread));
}

/// What is said of the columns beside those that are read: whether there is an id, and what is left over.
void add_left_over(std::vector<std::string>& choices, const Form& form,
                   const std::vector<ColumnChoice>& columns, const TableOptions& options) {
  const std::string unread = unread_columns(form, columns);
  const bool has_id = std::ranges::count(columns, Role::kId, &ColumnChoice::role) > 0;
  if (!has_id) choices.push_back(one_sequence(unread, options));
  const bool named = !has_id && options.id != "-";
  if (unread.empty() || named || !options.known.empty()) return;  // a model says what it needs
  choices.push_back(
      fmt::format("not read: {}; use --features for inputs, --label for the class of a sequence", unread));
}

}  // namespace

std::size_t encoding_mark(std::string_view text, const std::string& source) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    fail("{}: the file is UTF-16; save it as UTF-8", source);
  }
  return text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
}

TableStart start_table(std::string_view text, const std::string& source, const TableOptions& options,
                       const TimeZone& zone) {
  try {
    check_words(options);
    const Form form = read_form(text, options);
    TableStart start;
    start.plan = plan_of(form, options);
    start.plan.zone = &zone;
    start.rows_begin = form.rows_begin;
    start.choices.push_back("columns: " + describe(start.plan.columns));
    add_left_over(start.choices, form, start.plan.columns, options);
    const CellChunk cells = first_cells(start.plan, text.substr(form.rows_begin));
    const int64_t first_line = 1 + count_lines(text.substr(0, form.rows_begin));
    for (std::size_t i = 0; i < start.plan.columns.size(); ++i) {
      const ColumnChoice& column = start.plan.columns[i];
      const bool feature = is_feature(column.role);
      if (column.role == Role::kTime) {
        start.choices.push_back(settle_time(start.plan, i, cells, first_line, options));
      }
      if (column.role == Role::kValue || column.role == Role::kTarget ||
          (feature && !column.category && mostly_numbers(cells, i))) {
        start.plan.kinds[i] = CellKind::kNumber;
      }
      if (feature) {
        start.choices.push_back(
            fmt::format("feature '{}': {}", shown(column.name),
                        start.plan.kinds[i] == CellKind::kNumber ? "numbers" : "categories"));
      }
    }
    return start;
  } catch (const Error& error) {
    refuse(source, error.what());
  }
}

TableStart continue_table(std::string_view text, const std::string& source, const TableOptions& options,
                          const ReadPlan& first) {
  try {
    const Form form = read_form(text, options);
    TableStart start;
    start.plan = plan_of(form, options);
    start.rows_begin = form.rows_begin;
    const auto same = [](const ColumnChoice& a, const ColumnChoice& b) {
      return a.role == b.role && a.name == b.name;
    };
    if (!std::ranges::equal(start.plan.columns, first.columns, same)) {
      fail("the columns differ from those of the first file: {}; there: {}", describe(start.plan.columns),
           describe(first.columns));
    }
    start.plan.kinds = first.kinds;
    start.plan.unit = first.unit;
    start.plan.zone = first.zone;
    return start;
  } catch (const Error& error) {
    refuse(source, error.what());
  }
}

}  // namespace t2v::data
