#include "data/table_form.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/chunk_reader.h"
#include "data/csv.h"
#include "data/decimal.h"
#include "data/iso_time.h"
#include "data/json_lines.h"

namespace t2v::data {
namespace {

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

/// Names of columns that are known, or given other than by number.
std::vector<std::string> expected_names(const TableOptions& options) {
  std::vector<std::string> names = {options.id,    options.time,  options.event,
                                    options.value, options.label, options.target};
  names.insert(names.end(), options.features.begin(), options.features.end());
  names.insert(names.end(), options.sequence_features.begin(), options.sequence_features.end());
  std::erase_if(names, is_column_number);
  for (const auto& [role, name] : options.known) names.push_back(name);
  std::erase_if(
      names, [](const std::string& name) { return name.empty() || name == "-" || field_without_name(name); });
  return names;
}

/// 0,1,2: what programs write above columns without names.
bool numbers_columns(const std::vector<std::string>& first) {
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (trimmed(first[i]) != std::to_string(i)) return false;
  }
  return first.size() >= 3;
}

ColumnSketch sketch_of(std::string_view cell, const TableOptions& options) {
  SketchBuilder builder("");
  builder.add(cell);
  return builder.finish(options.time_format, options.day_first);
}

/// Whether the first row has the kinds of the rows below: no cell is text above dates or numbers, and one is
/// a date or a number itself.
bool is_like_below(const std::vector<std::string>& first, const std::vector<ColumnSketch>& below,
                   const TableOptions& options) {
  bool alike = false;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (!holds_dates(below[i]) && !holds_clocks(below[i]) && !holds_numbers(below[i])) continue;
    const ColumnSketch cell = sketch_of(first[i], options);
    if (!cell.is_known()) continue;
    const bool same = holds_dates(below[i])    ? holds_dates(cell)
                      : holds_clocks(below[i]) ? holds_clocks(cell)
                                               : holds_numbers(cell);
    if (!same) return false;
    alike = true;
  }
  return alike && !numbers_columns(first);
}

/// `below`: the columns without the first row.
bool has_names(const std::vector<std::string>& first, const std::vector<ColumnSketch>& below,
               const TableOptions& options) {
  if (options.header != "auto") return options.header == "yes";
  const std::vector<std::string> expected = expected_names(options);
  const auto is_there = [&](const std::string& name) {
    return std::ranges::find(first, name) != first.end();
  };
  if (std::ranges::any_of(expected, is_there)) return true;
  const auto field = time_by_place(options);
  if (field) return *field >= first.size() || !looks_like_time(first[*field]);
  return !is_like_below(first, below, options);
}

char separator_of(std::string_view text, const std::string& option) {
  if (option == "auto") return guess_separator(text);
  if (option == "tab" || option == "\\t") return '\t';
  if (option.size() != 1 || option == "\"" || option == "\n" || option == "\r") {
    fail("the separator must be one character, or 'tab'; it is '{}'", shown(option));
  }
  return option[0];
}

/// Where a piece of lines from `begin` on ends; objects of a list may have several lines, and stay together.
std::size_t piece_end(const TableForm& form, std::string_view text, std::size_t begin) {
  constexpr std::size_t kPiece = 4096;
  const std::size_t line =
      form.json_list ? text.size() : text.find('\n', std::min(begin + kPiece, text.size()));
  return line == std::string_view::npos ? text.size() : std::min(line + 1, text.size());
}

/// The keys of the first object; what is not one before it is refused, or skipped.
std::vector<std::string> first_keys(const TableForm& form, std::string_view text, bool skip) {
  CellChunk cells;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = piece_end(form, text, at);
    read_json(cells, text.substr(at, end - at), {}, form.json_list);
    const bool bad_first =
        !cells.faults.empty() && (cells.rows() == 0 || cells.faults[0].begin < cells.begin_of(0));
    if (bad_first && !skip) {
      Fault fault = cells.faults[0];
      fault.at += static_cast<uint32_t>(at);
      fail("{}", explain_row(text, fault));
    }
    if (cells.rows() > 0) return read_json_keys(text.substr(at + cells.begin_of(0)), form.json_list);
    at = end;
  }
  if (form.json_list) fail("the list has no object; write one for each event");
  fail("no line is a JSON object; write one object a line");
}

void sketch_columns(TableForm& form, const CellChunk& cells, const TableOptions& options) {
  SketchBuilder builder("");
  const auto rows = static_cast<std::size_t>(std::min(cells.rows(), SketchBuilder::kMostRows));
  for (std::size_t column = 0; column < form.header.size(); ++column) {
    builder.start(form.header[column]);
    for (std::size_t row = 0; row < rows; ++row) builder.add(cells.cell(column, row));
    form.columns.push_back(builder.finish(options.time_format, options.day_first));
  }
}

void read_json_form(TableForm& form, std::string_view text, const TableOptions& options) {
  form.header = first_keys(form, text, options.skip_bad_rows);
  if (form.header.size() > kMostColumns) {
    fail("the first {} has {} keys, and a table at most {}; is this a table?",
         form.json_list ? "object" : "line", form.header.size(), kMostColumns);
  }
  CellChunk cells;
  read_json(cells, text, form.header, form.json_list, Nested::kEmpty);
  sketch_columns(form, cells, options);
}

void read_csv_form(TableForm& form, std::string_view text, const TableOptions& options) {
  form.separator = separator_of(text, options.separator);
  HeaderRow row = read_header(text, form.separator);
  form.header = std::move(row.fields);
  WantedFields all;
  for (std::size_t i = 0; i < form.header.size(); ++i) all.column.push_back(static_cast<int>(i));
  all.count = form.header.size();
  CellChunk cells;
  read_csv(cells, text.substr(row.next), form.separator, all, false);
  sketch_columns(form, cells, options);
  form.has_header = has_names(form.header, form.columns, options);
  form.rows_begin = form.has_header ? row.next : 0;
  const std::string_view header = text.substr(0, form.rows_begin);
  const std::size_t bad = first_bad_byte(header);
  if (bad < header.size()) fail("{}", explain_row(header, byte_fault(header, bad)));
}

}  // namespace

TableForm read_form(std::string_view text, const TableOptions& options) {
  TableForm form;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    fail("there is no row; write a row of names, then a row for each event");
  }
  form.json_list = options.format != "csv" && text[first] == '[';
  form.json = options.format == "jsonl" || form.json_list || (options.format == "auto" && text[first] == '{');
  if (form.json) {
    read_json_form(form, text, options);
  } else {
    read_csv_form(form, text, options);
  }
  return form;
}

}  // namespace t2v::data
