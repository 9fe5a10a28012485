#include "report/results.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/fail.h"
#include "base/text_check.h"
#include "report/json_node.h"
#include "report/number_text.h"

namespace t2v::report {
namespace {

constexpr int64_t kFormat = 2;
constexpr std::size_t kMostBytes = std::size_t{16} << 20;

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
  std::set<std::string> taken_ = {"top", "main", "claims", "tables", "machine", "results"};
};

Axis axis_of(const JsonNode& figure, const std::string& key) {
  Axis axis;
  if (!figure.has(key)) return axis;
  const JsonNode node = figure.at(key);
  axis.label = node.text_or_empty("label");
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

void check_x(const JsonNode& node, const Series& series) {
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (std::isnan(series.x[i])) node.refuse(fmt::format("x[{}] is null; only y may have gaps", i));
  }
}

void check_lengths(const JsonNode& node, const Series& series) {
  const std::size_t size = series.y.size();
  check_length(node, "x", series.x.size(), size);
  if (node.has("low") || node.has("high")) {
    check_length(node, "low", series.low.size(), size);
    check_length(node, "high", series.high.size(), size);
  }
}

Series series_of(const JsonNode& node) {
  Series series;
  series.name = node.text("name");
  series.like = node.text_or_empty("like");
  (void)node.at("y");
  series.x = node.numbers("x");
  series.y = node.numbers("y");
  series.low = node.numbers("low");
  series.high = node.numbers("high");
  if (node.has("n")) series.n = node.integer("n");
  check_lengths(node, series);
  check_x(node, series);
  return series;
}

Figure figure_of(const JsonNode& node, Identifiers& identifiers) {
  Figure figure;
  figure.id = identifiers.make(node.text("id"));
  figure.title = node.text("title");
  figure.alt = node.text_or_empty("alt");
  figure.x = axis_of(node, "x");
  figure.y = axis_of(node, "y");
  (void)node.at("series");
  for (const JsonNode& each : node.list("series")) figure.series.push_back(series_of(each));
  for (const JsonNode& each : node.list("published")) figure.published.push_back(series_of(each));
  return figure;
}

Table table_of(const JsonNode& node) {
  Table table;
  table.title = node.text("title");
  for (const JsonNode& column : node.at("columns").elements()) table.columns.push_back(column.as_text());
  for (const JsonNode& row : node.at("rows").elements()) {
    std::vector<std::string>& cells = table.rows.emplace_back();
    for (const JsonNode& cell : row.elements()) cells.push_back(cell.as_text());
    if (cells.size() != table.columns.size() || cells.empty()) {
      row.refuse(fmt::format("has {} cells where there are {} columns", cells.size(), table.columns.size()));
    }
  }
  return table;
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
  results.command = root.text_or_empty("command");
  results.machine = machine_of(root);
  for (const JsonNode& node : root.at("tables").elements()) results.tables.push_back(table_of(node));
  Identifiers identifiers;
  for (const JsonNode& node : root.at("figures").elements()) {
    results.figures.push_back(figure_of(node, identifiers));
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
