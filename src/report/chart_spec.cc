#include "report/chart_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/figure_values.h"
#include "report/number_text.h"

namespace t2v::report {
namespace {

using nlohmann::json;

constexpr int kHeight = 320;            // of the plot, in CSS pixels
constexpr std::size_t kFewPoints = 25;  // a curve of so few has its points marked

constexpr std::size_t kMostPointers = 1000;  // places of the pointer that have values
constexpr int kEdge = 8;                     // between the axis and the first point
constexpr char kOursKey = 's';
constexpr char kPublishedKey = 'p';

json number_or_null(double value) { return std::isnan(value) ? json() : json(value); }

/// A series with the name that stands for its colour, and its key.
struct Drawn {
  const Series* series;
  std::string key;
  std::string colour;
};

/// Ours, then the published ones; these share the colour of the series that they are like.
class Cast {
 public:
  explicit Cast(const Figure& figure) {
    for (const Series& series : figure.series) add(ours_, series, kOursKey, series.name);
    for (const Series& series : figure.published) {
      add(published_, series, kPublishedKey, is_colour(series.like) ? series.like : series.name);
    }
  }

  const std::vector<Drawn>& ours() const { return ours_; }
  const std::vector<Drawn>& published() const { return published_; }
  const std::vector<std::string>& colours() const { return colours_; }

  std::size_t colour_number(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::find(colours_, name) - colours_.begin());
  }
  std::vector<LegendEntry> legend() const {
    std::vector<LegendEntry> entries;
    for (const auto* list : {&ours_, &published_}) {
      for (const Drawn& drawn : *list) {
        entries.push_back(
            {drawn.key, drawn.series->name, list == &ours_ ? "line" : "dot", colour_number(drawn.colour)});
      }
    }
    return entries;
  }

 private:
  bool is_colour(const std::string& name) const {
    return std::ranges::find(colours_, name) != colours_.end();
  }
  void add(std::vector<Drawn>& list, const Series& series, char kind, const std::string& colour) {
    if (!is_colour(colour)) colours_.push_back(colour);
    list.push_back({&series, kind + std::to_string(list.size()), colour});
  }

  std::vector<Drawn> ours_;
  std::vector<Drawn> published_;
  std::vector<std::string> colours_;
};

/// A row for each value: k the key, c the colour, x, y, l and h the interval.
json rows_of(const std::vector<Drawn>& all) {
  json rows = json::array();
  for (const Drawn& drawn : all) {
    const Series& series = *drawn.series;
    for (std::size_t i = 0; i < series.y.size(); ++i) {
      json row = {
          {"k", drawn.key}, {"c", drawn.colour}, {"x", series.x[i]}, {"y", number_or_null(series.y[i])}};
      if (!series.low.empty()) {
        row["l"] = number_or_null(series.low[i]);
        row["h"] = number_or_null(series.high[i]);
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

json visible() { return json::array({{{"filter", "indexof(hidden, datum.k) < 0"}}}); }

bool has_whole_x(const Figure& figure) {
  for (const auto* list : {&figure.series, &figure.published}) {
    for (const Series& series : *list) {
      const auto whole = [](double x) { return x == std::round(x); };
      if (!std::ranges::all_of(series.x, whole)) return false;
    }
  }
  return true;
}

json x_axis(const Figure& figure) {
  json encoding = {{"field", "x"},
                   {"type", "quantitative"},
                   {"title", figure.x.label},
                   {"scale", {{"nice", false}, {"padding", kEdge}, {"zero", false}}}};
  if (!figure.x.format.empty()) encoding["axis"]["format"] = figure.x.format;
  if (has_whole_x(figure)) encoding["axis"]["tickMinStep"] = 1;
  return encoding;
}

json y_axis(const Figure& figure, const char* field = "y") {
  json encoding = {{"field", field}, {"type", "quantitative"}, {"title", figure.y.label}};
  encoding["scale"]["zero"] = false;
  if (!figure.y.format.empty()) encoding["axis"]["format"] = figure.y.format;
  return encoding;
}

/// Colours are the palette's, in the order of the names.
json colour_by_name(const Cast& cast) {
  return {{"field", "c"}, {"type", "nominal"}, {"title", nullptr}, {"scale", {{"domain", cast.colours()}}}};
}

json layer(const char* data, json mark, json encoding) {
  return {{"data", {{"name", data}}},
          {"transform", visible()},
          {"mark", std::move(mark)},
          {"encoding", std::move(encoding)}};
}

/// Whether rows have something for a layer to draw: curves of one run have no bands.
bool draws(const json& layer, const json& rows) {
  return std::ranges::all_of(std::array{"x", "y"}, [&](const char* channel) {
    const auto encoded = layer["encoding"].find(channel);
    if (encoded == layer["encoding"].end() || !encoded->contains("field")) return !rows.empty();
    const auto field = (*encoded)["field"].get<std::string>();
    return std::ranges::any_of(rows, [&](const json& row) { return !row.value(field, json()).is_null(); });
  });
}

/// A chart of those layers that have something to draw.
json base_spec(json datasets, const json& all_layers) {
  json layers = json::array();
  for (const json& each : all_layers) {
    if (draws(each, datasets[each["data"]["name"].get<std::string>()])) layers.push_back(each);
  }
  return {{"width", "container"},
          {"height", kHeight},
          {"params", json::array({{{"name", "hidden"}, {"value", json::array()}}})},
          {"datasets", std::move(datasets)},
          {"layer", std::move(layers)}};
}

json tooltip_field(const std::string& field, const std::string& title) {
  return {{"field", field}, {"type", "nominal"}, {"title", title.empty() ? " " : title}};
}

/// A vertical line at the x nearest to the pointer, which shows all values there.
json pointer_line(const Figure& figure, const FigureValues& values) {
  json tooltip = json::array();
  for (std::size_t i = 0; i < values.columns.size(); ++i) {
    tooltip.push_back(tooltip_field("v" + std::to_string(i), values.columns[i]));
  }
  const json select = {{"type", "point"},
                       {"on", "pointerover"},
                       {"nearest", true},
                       {"encodings", {"x"}},
                       {"clear", "pointerout"}};
  const json opacity = {{"condition", {{"param", "hover"}, {"empty", false}, {"value", 0.6}}}, {"value", 0}};
  return {{"data", {{"name", "values"}}},
          {"params", json::array({{{"name", "hover"}, {"select", select}}})},
          {"mark", {{"type", "rule"}, {"style", "pointer"}}},
          {"encoding", {{"x", x_axis(figure)}, {"opacity", opacity}, {"tooltip", tooltip}}}};
}

json pointer_rows(const Figure& figure, const FigureValues& values) {
  std::vector<double> xs;
  for (const auto* list : {&figure.series, &figure.published}) {
    for (const Series& series : *list) xs.insert(xs.end(), series.x.begin(), series.x.end());
  }
  std::ranges::sort(xs);
  xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
  json rows = json::array();
  const std::size_t step = values.rows.size() / kMostPointers + 1;
  for (std::size_t r = 0; r < values.rows.size(); r += step) {
    json row = {{"x", xs[r]}};
    for (std::size_t i = 0; i < values.rows[r].size(); ++i) {
      const std::string& text = values.rows[r][i].text;
      row["v" + std::to_string(i)] = text.empty() ? "–" : text;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

Chart chart_of(const Figure& figure) {
  const Cast cast(figure);
  const FigureValues values = values_of(figure);
  bool few = true;
  for (const Series& series : figure.series) few = few && series.y.size() <= kFewPoints;
  const json x = x_axis(figure);
  const json y = y_axis(figure);
  const json colour = colour_by_name(cast);
  json line = {{"type", "line"}};
  if (few) line["point"] = {{"size", 28}};
  Chart chart;
  chart.spec = base_spec(
      {{"lines", rows_of(cast.ours())},
       {"dots", rows_of(cast.published())},
       {"values", pointer_rows(figure, values)}},
      json::array(
          {layer("lines", {{"type", "area"}, {"style", "band"}},
                 {{"x", x}, {"y", y_axis(figure, "l")}, {"y2", {{"field", "h"}}}, {"color", colour}}),
           layer("lines", line, {{"x", x}, {"y", y}, {"color", colour}, {"detail", {{"field", "k"}}}}),
           layer("dots", {{"type", "point"}, {"style", "published"}},
                 {{"x", x}, {"y", y}, {"color", colour}}),
           pointer_line(figure, values)}));
  chart.legend = cast.legend();
  return chart;
}

}  // namespace t2v::report
