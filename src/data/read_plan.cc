#include "data/read_plan.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/column_finder.h"
#include "data/column_words.h"
#include "data/csv.h"
#include "data/json_lines.h"
#include "data/table_form.h"
#include "data/time_choice.h"

namespace t2v::data {
namespace {

void check_words(const TableOptions& options) {
  const auto check = [](std::string_view what, const std::string& word, std::string_view one,
                        std::string_view other) {
    if (word == "auto" || word == one || word == other) return;
    fail("unknown {} '{}'; use one of auto, {}, {}", what, shown(word), one, other);
  };
  check("format", options.format, "csv", "jsonl");
  check("header", options.header, "yes", "no");
  check("day_first", options.day_first, "yes", "no");
  if (options.time_unit != "auto" && options.time_unit != kAnyUnit) time_unit_named(options.time_unit);
}

/// Whether a cell of the first row, taken for names, is a time or a number.
bool has_time_in_header(const TableForm& form) {
  return std::ranges::any_of(form.header, [](std::string_view cell) {
    IsoTime time;
    Decimal number;
    return parse_iso(trimmed(cell), time) == TimeFault::kNone ||
           parse_decimal(trimmed(cell), number) == NumberFault::kNone;
  });
}

/// A file whose first row may be data: say how to read it as such.
std::vector<ColumnChoice> columns_of(const TableForm& form, const TableOptions& options) {
  try {
    return choose_columns(form.columns, form.has_header, options);
  } catch (const Error& error) {
    if (form.json || !form.has_header || options.header != "auto" || !has_time_in_header(form)) throw;
    fail("{} (if the first row is data, give `header` no)", error.what());
  }
}

ReadPlan plan_of(const TableForm& form, std::vector<ColumnChoice> columns) {
  ReadPlan plan;
  plan.json = form.json;
  plan.json_list = form.json_list;
  plan.has_header = form.has_header;
  plan.separator = form.separator;
  plan.columns = std::move(columns);
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
    read_json(cells, text, plan.keys, plan.json_list);
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

/// What is wrong, after the source's name; it may start with a place: "2:5: ...".
[[noreturn]] void refuse(const std::string& source, std::string_view what) {
  const bool placed = !what.empty() && what[0] >= '0' && what[0] <= '9';
  fail("{}:{}{}", source, placed ? "" : " ", what);
}

/// The columns that are not read, in words; empty if there are none.
std::string unread_columns(const TableForm& form, const std::vector<ColumnChoice>& columns) {
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
  return "all rows are one sequence, since no column looks like an id" +
         (unread.empty() ? ""
                         : fmt::format("; if one of {} says whose event it is, name it with `id`", unread));
}

/// A column named id whose values are all different names rows, not sequences.
std::string row_names(const TableForm& form, const std::vector<ColumnChoice>& columns) {
  for (std::size_t field = 0; field < form.columns.size(); ++field) {
    const ColumnSketch& column = form.columns[field];
    const bool is_id = form.has_header && words_of(column.name) == std::vector<std::string>{"id"};
    const bool taken = std::ranges::find(columns, field, &ColumnChoice::field) != columns.end();
    if (!is_id || taken || column.rows() == 0 || column.distinct < column.rows()) continue;
    return fmt::format("'{}' is different in each row, so it names rows, not sequences (`id` changes it)",
                       shown(column.name));
  }
  return "";
}

/// What guesses rest on, and what changes them.
void add_guesses(std::vector<std::string>& choices, const std::vector<ColumnChoice>& columns) {
  for (const ColumnChoice& column : columns) {
    if (column.why.empty()) continue;
    choices.push_back(fmt::format("{} '{}': guessed ({}); `{}` changes it", word_of(column.role),
                                  shown(column.name), column.why, option_of(column.role)));
  }
}

/// What is said of the columns beside those that are read: whether there is an id, and what is left over.
void add_left_over(std::vector<std::string>& choices, const TableForm& form,
                   const std::vector<ColumnChoice>& columns, const TableOptions& options) {
  if (const std::string note = row_names(form, columns); !note.empty()) choices.push_back(note);
  const std::string unread = unread_columns(form, columns);
  const bool has_id = std::ranges::count(columns, Role::kId, &ColumnChoice::role) > 0;
  if (!has_id) choices.push_back(one_sequence(unread, options));
  const bool named = !has_id && options.id != "-";
  if (unread.empty() || named || !options.known.empty()) return;  // a model says what it needs
  choices.push_back(
      fmt::format("not read: {}; use `features` for inputs, `label` for the class of a sequence", unread));
}

/// The columns of the first file in another one. Throws t2v::Error if one is missing.
std::vector<ColumnChoice> same_columns(const TableForm& form, const ReadPlan& first) {
  const ColumnFinder finder(form.header, form.has_header);
  std::vector<ColumnChoice> columns = first.columns;
  for (ColumnChoice& column : columns) {
    const auto field = finder.named(column.name);
    if (!field) {
      fail("the columns differ from those of the first file: there is no '{}'; {}; there: {}",
           shown(column.name), finder.list(), describe(first.columns));
    }
    column.field = *field;
  }
  return columns;
}

/// The columns, and what is said of them.
TableStart chosen_start(const TableForm& form, const TableOptions& options, const TimeZone& zone) {
  TableStart start;
  start.plan = plan_of(form, columns_of(form, options));
  start.plan.zone = &zone;
  start.plan.day_first = options.day_first;
  start.choices.push_back("columns: " + describe(start.plan.columns));
  add_guesses(start.choices, start.plan.columns);
  add_left_over(start.choices, form, start.plan.columns, options);
  return start;
}

/// Numbers or names; `numbers`: what a feature's cells are.
void settle_kind(TableStart& start, std::size_t i, bool numbers) {
  const ColumnChoice& column = start.plan.columns[i];
  const bool feature = is_feature(column.role);
  if (column.role == Role::kValue || column.role == Role::kTarget ||
      (feature && !column.category && numbers)) {
    start.plan.kinds[i] = CellKind::kNumber;
  }
  if (!feature) return;
  start.choices.push_back(fmt::format("feature '{}': {}", shown(column.name),
                                      start.plan.kinds[i] == CellKind::kNumber ? "numbers" : "categories"));
}

// --- tables with types ---

bool is_time(CellType type) { return type == CellType::kInstant || type == CellType::kLocalTime; }
bool is_number(CellType type) {
  return type == CellType::kWhole || type == CellType::kBool || type == CellType::kDecimal ||
         type == CellType::kNumber || type == CellType::kSingle || type == CellType::kDigits;
}

ColumnSketch sketch_of(const TypedColumn& column, const TypedCells& cells, int64_t rows,
                       const TableOptions& options) {
  SketchBuilder builder(column.name);
  std::string buffer;
  const int64_t looked_at = column.type == CellType::kOther ? 0 : std::min(rows, SketchBuilder::kMostRows);
  for (std::size_t row = 0; row < static_cast<std::size_t>(looked_at); ++row) {
    if (is_time(column.type) && !cells.is_absent(row)) {
      builder.add_date(static_cast<double>(cells.wholes[row]) *
                       (static_cast<double>(column.nanoseconds) / 1e9));
    } else {
      builder.add(text_of(column, cells, row, buffer));
    }
  }
  return builder.finish(options.time_format, options.day_first);
}

/// Names that are those of a layout, rather than what they hold, tell MEDS.
bool is_meds(const std::vector<std::string>& header) {
  const auto has = [&](std::string_view name) { return std::ranges::find(header, name) != header.end(); };
  return has("subject_id") && has("time") && has("code");
}

/// The first cells of a column as texts, for guesses; the other columns have none.
CellChunk texts_of(const TypedColumn& column, const TypedCells& cells, int64_t rows, std::size_t place,
                   std::size_t places) {
  CellChunk texts;
  texts.start("", places);
  std::string buffer;
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    const std::string_view text = text_of(column, cells, row, buffer);
    texts.make_room();
    texts.columns[place][row] = {texts.next_changed(), static_cast<uint32_t>(text.size())};
    texts.changed += text;
    texts.row_begin.push_back(0);
  }
  return texts;
}

void refuse_other_type(const TypedColumn& column, Role role) {
  if (column.type == CellType::kOther) {
    fail("the {} '{}' is of the type {}, which cannot be used; convert it to a number, a text or a time",
         word_of(role), shown(column.name), shown(column.type_name));
  }
  if ((role == Role::kValue || role == Role::kTarget) && is_time(column.type)) {
    fail("the {} '{}' is of the type {}, but a number is needed", word_of(role), shown(column.name),
         shown(column.type_name));
  }
}

/// Times that have a type say themselves what they are; gives the choice in words.
std::string settle_typed_time(ReadPlan& plan, std::size_t i, const TypedColumn& column,
                              const TableOptions& options) {
  const std::string name = shown(plan.columns[i].name);
  const bool lossy = !column.loses_time.empty();
  if (lossy && options.time_unit != "us") fail("the time '{}' {}", name, column.loses_time);
  plan.kinds[i] = CellKind::kInstant;
  return fmt::format("time '{}': dates; {}{}", name, column.type_name,
                     column.type == CellType::kLocalTime ? ", taken as " + options.timezone : "");
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
    const TableForm form = read_form(text, options);
    TableStart start = chosen_start(form, options, zone);
    start.rows_begin = form.rows_begin;
    const CellChunk cells = first_cells(start.plan, text.substr(form.rows_begin));
    const int64_t first_line = 1 + count_lines(text.substr(0, form.rows_begin));
    const PlaceOfCell place_of = places_in_text(cells, first_line);
    for (std::size_t i = 0; i < start.plan.columns.size(); ++i) {
      const ColumnChoice& column = start.plan.columns[i];
      if (column.role == Role::kTime) {
        start.choices.push_back(settle_time(start.plan, i, cells, place_of, options));
      }
      settle_kind(start, i, mostly_numbers(cells, i));
    }
    return start;
  } catch (const Error& error) {
    refuse(source, error.what());
  }
}

TableStart start_typed_table(const std::vector<TypedColumn>& columns, const TypedPiece& first,
                             const std::string& source, const TableOptions& options, const TimeZone& zone) {
  try {
    check_words(options);
    TableForm form;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      form.header.push_back(columns[i].name);
      form.columns.push_back(sketch_of(columns[i], first.columns[i], first.rows, options));
    }
    TableStart start = chosen_start(form, options, zone);
    for (std::size_t i = 0; i < start.plan.columns.size(); ++i) {
      const std::size_t field = start.plan.columns[i].field;
      const TypedColumn& column = columns[field];
      const Role role = start.plan.columns[i].role;
      refuse_other_type(column, role);
      if (role == Role::kTime && is_time(column.type)) {
        start.choices.push_back(settle_typed_time(start.plan, i, column, options));
      } else if (role == Role::kTime) {
        const CellChunk texts =
            texts_of(column, first.columns[field], first.rows, i, start.plan.columns.size());
        const auto place_of = [](std::size_t, std::size_t row) { return fmt::format("row {}", row + 1); };
        start.choices.push_back(settle_time(start.plan, i, texts, place_of, options));
      }
      settle_kind(start, i, is_number(column.type));
      const bool instants = role == Role::kTime && start.plan.kinds[i] != CellKind::kDecimal;
      start.plan.static_rows = start.plan.static_rows || (instants && is_meds(form.header));
    }
    return start;
  } catch (const Error& error) {
    refuse(source, error.what());
  }
}

TableStart continue_typed_table(const std::vector<TypedColumn>& columns, const std::string& source,
                                const ReadPlan& first, const std::vector<TypedColumn>& first_types) {
  try {
    TableForm form;
    for (const TypedColumn& column : columns) form.header.push_back(column.name);
    TableStart start;
    start.plan = first;
    start.plan.columns = same_columns(form, first);
    for (std::size_t i = 0; i < first_types.size(); ++i) {
      const TypedColumn& before = first_types[i];
      const TypedColumn& now = columns[start.plan.columns[i].field];
      const bool alike = now.type == before.type || (is_number(now.type) && is_number(before.type));
      if (alike) continue;
      fail("the column '{}' is of the type {}, but of the type {} in the first file; convert one of them",
           shown(before.name), shown(now.type_name), shown(before.type_name));
    }
    return start;
  } catch (const Error& error) {
    refuse(source, error.what());
  }
}

TableStart continue_table(std::string_view text, const std::string& source, const TableOptions& options,
                          const ReadPlan& first) {
  try {
    TableOptions same_form = options;
    if (!first.json && options.header == "auto") same_form.header = first.has_header ? "yes" : "no";
    const TableForm form = read_form(text, same_form);
    TableStart start;
    start.plan = plan_of(form, same_columns(form, first));
    start.rows_begin = form.rows_begin;
    start.plan.kinds = first.kinds;
    start.plan.unit = first.unit;
    start.plan.format = first.format;
    start.plan.day_first = first.day_first;
    start.plan.zone = first.zone;
    return start;
  } catch (const Error& error) {
    refuse(source, error.what());
  }
}

}  // namespace t2v::data
