#include "data/read_plan.h"

#include <algorithm>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/csv.h"
#include "data/iso_time.h"
#include "data/json_lines.h"

namespace t2v::data {
namespace {

constexpr std::size_t kSampleRows = 1000;

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

/// No header if columns are given by number and the time's cell of the first row is a time.
bool guess_header(const std::vector<std::string>& first, const TableOptions& options) {
  if (options.header != "auto") return options.header == "yes";
  if (!is_column_number(options.time) || options.time.size() > 6) return true;
  const auto number = static_cast<std::size_t>(std::stoul(options.time));
  return number < 1 || number > first.size() || !looks_like_time(first[number - 1]);
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
  if (options.time_unit != "auto") time_unit_named(options.time_unit);
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

/// The first time that is there decides whether times are dates or numbers.
bool times_are_numbers(const CellChunk& cells, std::size_t column) {
  for (std::size_t row = 0; row < static_cast<std::size_t>(cells.rows()); ++row) {
    const std::string_view cell = trimmed(cells.cell(column, row));
    IsoTime time;
    Decimal number;
    if (parse_iso(cell, time) == TimeFault::kNone) return false;
    if (parse_decimal(cell, number) == NumberFault::kNone) return true;
  }
  return false;
}

TimeUnit unit_of(const CellChunk& cells, std::size_t column, const std::string& option) {
  if (option != "auto") return time_unit_named(option);
  std::vector<Decimal> sample;
  for (std::size_t row = 0; row < static_cast<std::size_t>(cells.rows()) && sample.size() < kSampleRows;
       ++row) {
    Decimal number;
    if (parse_decimal(trimmed(cells.cell(column, row)), number) == NumberFault::kNone) {
      sample.push_back(number);
    }
  }
  return detect_unit(sample);
}

/// Settles the kind of the time column; gives the choice in words.
std::string settle_time(ReadPlan& plan, std::size_t column, const CellChunk& cells,
                        const TableOptions& options) {
  const std::string name = shown(plan.columns[column].name);
  if (!times_are_numbers(cells, column)) {
    plan.kinds[column] = CellKind::kInstant;
    return fmt::format("time '{}': dates; those without an offset are {}", name, options.timezone);
  }
  plan.unit = unit_of(cells, column, options.time_unit);
  const char* why =
      options.time_unit == "auto" ? ", by the size of the numbers (--time-unit to change it)" : "";
  if (plan.unit == TimeUnit::kNumber) {
    plan.kinds[column] = CellKind::kDecimal;
    return fmt::format("time '{}': plain numbers{}", name, why);
  }
  plan.kinds[column] = CellKind::kDecimalInstant;
  return fmt::format("time '{}': {} since 1970{}", name, name_of(plan.unit), why);
}

/// What is wrong, after the source's name; it may start with a place: "2:5: ...".
[[noreturn]] void refuse(const std::string& source, std::string_view what) {
  const bool placed = !what.empty() && what[0] >= '0' && what[0] <= '9';
  fail("{}:{}{}", source, placed ? "" : " ", what);
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
    const CellChunk cells = first_cells(start.plan, text.substr(form.rows_begin));
    for (std::size_t i = 0; i < start.plan.columns.size(); ++i) {
      const ColumnChoice& column = start.plan.columns[i];
      const bool feature = is_feature(column.role);
      if (column.role == Role::kTime) start.choices.push_back(settle_time(start.plan, i, cells, options));
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
