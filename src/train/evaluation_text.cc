#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text_check.h"
#include "data/doctor_text.h"
#include "data/human_time.h"
#include "train/evaluation.h"

// What was measured, for machines and for people.
namespace t2v {
namespace {

using Cells = std::vector<std::string>;

constexpr std::size_t kMostShownClasses = 12;

/// "recall@1", "macro_f1": what is a name also in programs.
std::string key_of(const std::string& name) {
  std::string key;
  for (const char c : name) {
    if (c == '(' || c == ')') continue;
    key += c == ' ' || c == '-' ? '_'
           : c == '%'           ? 'p'
                                : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return key;
}

std::string cell_of(double value, MeasureForm form) {
  if (std::isnan(value)) return "-";
  switch (form) {
    case MeasureForm::kShare:
      return fmt::format("{:.4f}", value);
    case MeasureForm::kNumber:
      return fmt::format("{:.5g}", value);
    case MeasureForm::kCount:
      return data::human_count(static_cast<int64_t>(value));
  }
  return "";
}

/// Characters, not bytes: names may have letters of more than one.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// Lines of cells in columns; the first column to the left, the others to the right.
std::string aligned(const std::vector<Cells>& lines) {
  std::vector<std::size_t> widths;
  for (const Cells& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width_of(line[i]));
  }
  std::string text;
  for (const Cells& line : lines) {
    std::string row;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string blanks(widths[i] - width_of(line[i]), ' ');
      row += i == 0 ? line[i] + blanks : "  " + blanks + line[i];
    }
    text += "  " + row + "\n";
  }
  return text;
}

std::string text_of(const MeasureTable& table) {
  Cells names = {""};
  Cells units = {""};
  for (const MeasureColumn& column : table.columns) {
    names.push_back(column.name);
    units.push_back(column.unit.empty() ? "" : shown(column.unit));
  }
  std::vector<Cells> lines = {names};
  const bool any = std::ranges::any_of(units, [](const std::string& unit) { return !unit.empty(); });
  if (any) lines.push_back(units);
  for (const MeasureTable::Row& row : table.rows) {
    Cells cells = {row.name};
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      cells.push_back(cell_of(row.values[i], table.columns[i].form));
    }
    lines.push_back(std::move(cells));
  }
  return aligned(lines);
}

std::string title_of(const MeasureTable& table, const EvaluationConfig& config) {
  const std::string count = data::counted(table.predictions, "prediction");
  if (table.name == "candidates") {
    return fmt::format("types among {} candidates ({}, {} draws each, seed {})", config.negatives + 1, count,
                       config.draws, config.seed);
  }
  return fmt::format("{} ({})", table.name, count);
}

/// Targets in rows, predictions in columns.
std::string confusion_text(const Evaluation& evaluation) {
  const std::size_t classes = evaluation.classes.size();
  std::vector<Cells> lines(classes + 1, Cells(classes + 1, "0"));
  for (std::size_t c = 0; c < classes; ++c) {
    lines[0][c + 1] = shown(evaluation.classes[c]);
    lines[c + 1][0] = shown(evaluation.classes[c]);
  }
  lines[0][0] = "is \\ taken for";
  for (const Confusion& cell : evaluation.confusion) {
    lines[static_cast<std::size_t>(cell.target) + 1][static_cast<std::size_t>(cell.predicted) + 1] =
        data::human_count(cell.count);
  }
  return aligned(lines);
}

nlohmann::json json_of(const MeasureTable& table) {
  nlohmann::json json;
  json["predictions"] = table.predictions;
  json["baselines"] = nlohmann::json::object();
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    nlohmann::json measures;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      measures[key_of(table.columns[i].name)] = table.rows[r].values[i];
    }
    (r == 0 ? json["model"] : json["baselines"][key_of(table.rows[r].name)]) = std::move(measures);
  }
  for (const MeasureColumn& column : table.columns) {
    if (!column.unit.empty()) json["units"][key_of(column.name)] = column.unit;
  }
  return json;
}

}  // namespace

nlohmann::json to_json(const Evaluation& evaluation) {
  nlohmann::json json;
  json["task"] = name_of(evaluation.task);
  json["sequences"] = evaluation.sequences;
  json["events"] = evaluation.events;
  for (const MeasureTable& table : evaluation.tables) {
    json[table.name] = json_of(table);
    if (table.name != "candidates") continue;
    json[table.name]["negatives"] = evaluation.config.negatives;
    json[table.name]["draws"] = evaluation.config.draws;
    json[table.name]["seed"] = evaluation.config.seed;
  }
  if (evaluation.classes.empty()) return json;
  nlohmann::json cells = nlohmann::json::array();
  for (const Confusion& cell : evaluation.confusion) {
    cells.push_back({{"target", evaluation.classes[static_cast<std::size_t>(cell.target)]},
                     {"predicted", evaluation.classes[static_cast<std::size_t>(cell.predicted)]},
                     {"count", cell.count}});
  }
  json["confusion"] = std::move(cells);
  return json;
}

std::string describe(const Evaluation& evaluation) {
  std::string text =
      fmt::format("task {}, {}, {}\n", name_of(evaluation.task),
                  data::counted(evaluation.sequences, "sequence"), data::counted(evaluation.events, "event"));
  for (const MeasureTable& table : evaluation.tables) {
    text += title_of(table, evaluation.config) + "\n" + text_of(table);
  }
  const std::size_t classes = evaluation.classes.size();
  if (classes > 0 && classes <= kMostShownClasses) text += "confusion\n" + confusion_text(evaluation);
  return text;
}

}  // namespace t2v
