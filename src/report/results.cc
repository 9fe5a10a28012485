#include "report/results.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"
#include "report/json_node.h"
#include "report/number_text.h"

namespace t2v::report {
namespace {

constexpr int64_t kFormat = 1;
constexpr std::size_t kMostBytes = std::size_t{16} << 20;

template <class Value>
struct Named {
  const char* name;
  Value value;
};

constexpr Named<Figure::Kind> kKinds[] = {{"curves", Figure::Kind::kCurves},
                                          {"bars", Figure::Kind::kBars},
                                          {"histogram", Figure::Kind::kHistogram},
                                          {"points", Figure::Kind::kPoints}};
constexpr Named<Verdict::Outcome> kOutcomes[] = {{"reproduces", Verdict::Outcome::kReproduces},
                                                 {"does not", Verdict::Outcome::kDoesNot},
                                                 {"undecided", Verdict::Outcome::kUndecided}};
constexpr Named<bool> kScales[] = {{"linear", false}, {"log", true}};
constexpr Named<bool> kStyles[] = {{"line", false}, {"rule", true}};
constexpr Named<int> kDataKinds[] = {
    {"original", 0}, {"part", 1}, {"stand-in", 2}, {"made", 3}, {"invented", 4}};

/// The value of a word out of a set.
template <class Table>
auto chosen(const JsonNode& node, const Table& table) {
  const std::string name = node.as_text();
  std::string all;
  for (const auto& entry : table) {
    if (entry.name == name) return entry.value;
    all += (all.empty() ? "" : ", ") + std::string(entry.name);
  }
  node.refuse(fmt::format("{} is none of {}", in_quotes(name), all));
}

/// Makes identifiers that are safe in addresses and file names, and differ from each other.
class Identifiers {
 public:
  std::string make(const std::string& wish) {
    std::string base;
    for (const char c : wish) base += is_plain(c) ? c : '-';
    if (base.empty() || base.front() == '.') base = "x" + base;
    std::string id = base;
    for (int i = 2; !taken_.insert(id).second; ++i) id = fmt::format("{}-{}", base, i);
    return id;
  }

 private:
  static bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  }
  // What the page itself uses.
  std::set<std::string> taken_ = {"top", "main", "questions", "verdicts", "machine", "results"};
};

Axis axis_of(const JsonNode& figure, const std::string& key) {
  Axis axis;
  if (!figure.has(key)) return axis;
  const JsonNode node = figure.at(key);
  axis.label = node.text_or_empty("label");
  if (node.has("scale")) axis.log = chosen(node.at("scale"), kScales);
  axis.format = node.text_or_empty("format");
  if (!is_number_format(axis.format)) {
    node.at("format").refuse(in_quotes(axis.format) + " is no format of numbers such as .3f, .2e, .1%, d");
  }
  return axis;
}

void check_length(const JsonNode& node, const char* name, std::size_t size, std::size_t expected) {
  if (size == expected) return;
  node.refuse(fmt::format("'{}' has {} values where {} are expected", name, size, expected));
}

/// x is what the axis can show: all numbers, positive on a logarithmic scale.
void check_x(const JsonNode& node, const Series& series, bool log) {
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (std::isnan(series.x[i])) node.refuse(fmt::format("x[{}] is null; only y may have gaps", i));
    if (log && series.x[i] <= 0) {
      node.refuse(fmt::format("x[{}] is {}, which a logarithmic axis cannot show", i, series.x[i]));
    }
  }
}

void check_lengths(const JsonNode& node, const Series& series, Figure::Kind kind) {
  const std::size_t size = series.y.size();
  if (kind == Figure::Kind::kBars || series.rule) {
    check_length(node, "y", size, 1);
  } else {
    check_length(node, "x", series.x.size(), kind == Figure::Kind::kHistogram ? size + 1 : size);
  }
  if (node.has("low") || node.has("high")) {
    check_length(node, "low", series.low.size(), size);
    check_length(node, "high", series.high.size(), size);
  }
}

Series series_of(const JsonNode& node, const Figure& figure) {
  Series series;
  series.name = node.text("name");
  series.like = node.text_or_empty("like");
  if (node.has("style")) series.rule = chosen(node.at("style"), kStyles);
  const bool has_rules = figure.kind == Figure::Kind::kCurves || figure.kind == Figure::Kind::kPoints;
  if (series.rule && !has_rules) node.at("style").refuse("'rule' is for curves and points");
  (void)node.at("y");
  series.x = node.numbers("x");
  series.y = node.numbers("y");
  series.low = node.numbers("low");
  series.high = node.numbers("high");
  if (node.has("n")) series.n = node.integer("n");
  check_lengths(node, series, figure.kind);
  check_x(node, series, figure.x.log);
  return series;
}

Figure figure_of(const JsonNode& node, Identifiers& identifiers) {
  Figure figure;
  figure.id = identifiers.make(node.text("id"));
  figure.title = node.text("title");
  figure.alt = node.text_or_empty("alt");
  figure.kind = chosen(node.at("kind"), kKinds);
  figure.x = axis_of(node, "x");
  figure.y = axis_of(node, "y");
  (void)node.at("series");
  for (const JsonNode& each : node.list("series")) figure.series.push_back(series_of(each, figure));
  for (const JsonNode& each : node.list("published")) figure.published.push_back(series_of(each, figure));
  return figure;
}

Table table_of(const JsonNode& node) {
  Table table;
  table.title = node.text("title");
  for (const JsonNode& column : node.at("columns").elements()) table.columns.push_back(column.as_text());
  for (const JsonNode& row : node.at("rows").elements()) {
    std::vector<nlohmann::json>& cells = table.rows.emplace_back();
    for (const JsonNode& cell : row.elements()) {
      if (cell.value().is_structured()) cell.refuse("is neither a text nor a number");
      cells.push_back(cell.value());
    }
    if (cells.size() != table.columns.size()) {
      row.refuse(fmt::format("has {} cells where there are {} columns", cells.size(), table.columns.size()));
    }
  }
  return table;
}

Effect effect_of(const JsonNode& node) {
  Effect effect;
  effect.mean = node.number("mean");
  effect.low = node.number_or_nan("low");
  effect.high = node.number_or_nan("high");
  if (node.has("n")) effect.n = node.integer("n");
  effect.unit = node.text_or_empty("unit");
  return effect;
}

Verdict verdict_of(const JsonNode& node) {
  Verdict verdict;
  verdict.claim = node.text("claim");
  verdict.where = node.text_or_empty("where");
  verdict.experiment = node.text_or_empty("experiment");
  verdict.protocol = node.text_or_empty("protocol");
  verdict.published = node.text_or_empty("published");
  verdict.ours = node.text_or_empty("ours");
  if (node.has("effect")) verdict.effect = effect_of(node.at("effect"));
  verdict.outcome = chosen(node.at("verdict"), kOutcomes);
  verdict.rule = node.text_or_empty("rule");
  return verdict;
}

Question question_of(const JsonNode& node) {
  return {node.text("question"),      node.text("asks"),        node.text("answer"),
          node.integer("reproduces"), node.integer("does_not"), node.integer("undecided"),
          node.integer("stand_ins")};
}

void read_data(const JsonNode& node, Experiment& experiment) {
  experiment.data_name = node.text("name");
  (void)chosen(node.at("kind"), kDataKinds);
  experiment.data_kind = node.text("kind");
  experiment.data_note = node.text_or_empty("note");
}

/// 'name=value' of each, with commas between.
std::string settings_of(const JsonNode& node) {
  std::string text;
  for (const auto& [name, value] : node.value().items()) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, node.text(name));
  }
  return text;
}

Experiment experiment_of(const JsonNode& node, Identifiers& identifiers) {
  Experiment experiment;
  experiment.name = node.text("name");
  experiment.id = identifiers.make(experiment.name);
  experiment.title = node.text("title");
  experiment.shows = node.text_or_empty("shows");
  experiment.protocol = node.text_or_empty("protocol");
  experiment.scale = node.text_or_empty("scale");
  experiment.command = node.text_or_empty("command");
  experiment.seconds = node.number_or_nan("seconds");
  experiment.ran_on = node.text_or_empty("ran_on");
  if (node.has("settings")) experiment.settings = settings_of(node.at("settings"));
  if (node.has("data")) read_data(node.at("data"), experiment);
  for (const JsonNode& note : node.list("notes")) experiment.notes.push_back(note.as_text());
  for (const JsonNode& each : node.list("figures"))
    experiment.figures.push_back(figure_of(each, identifiers));
  for (const JsonNode& each : node.list("tables")) experiment.tables.push_back(table_of(each));
  return experiment;
}

nlohmann::json machine_of(const JsonNode& root) {
  if (!root.has("machine")) return nlohmann::json::object();
  const JsonNode node = root.at("machine");
  for (const auto& [key, value] : node.value().items()) {
    if (value.is_structured()) node.at(key).refuse("is neither a text nor a number");
  }
  return node.value();
}

}  // namespace

Results parse_results(const std::string& file, const std::string& text) {
  Results results;
  results.document = parse_document(file, text);
  const JsonNode root(file, results.document);
  const int64_t format = root.integer("format");
  if (format != kFormat) {
    fail("{}: has format {}; this t2v reads format {}, so use the t2v that wrote it", file, format, kFormat);
  }
  results.version = root.text_or_empty("version");
  results.scale = root.text_or_empty("scale");
  results.protocol = root.text_or_empty("protocol");
  results.command = root.text_or_empty("command");
  results.machine = machine_of(root);
  for (const JsonNode& node : root.list("questions")) results.questions.push_back(question_of(node));
  for (const JsonNode& node : root.at("verdicts").elements()) results.verdicts.push_back(verdict_of(node));
  Identifiers identifiers;
  for (const JsonNode& node : root.at("experiments").elements()) {
    results.experiments.push_back(experiment_of(node, identifiers));
  }
  return results;
}

Results read_results(FileSystem& files, const std::string& folder) {
  const std::string path = folder + "/results.json";
  std::vector<std::byte> bytes;
  try {
    bytes = read_regular_file(files, path, kMostBytes);
  } catch (const Error& error) {
    fail("{}: 't2v reproduce -o FOLDER' writes it", error.what());
  }
  return parse_results(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace t2v::report
