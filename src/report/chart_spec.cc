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
constexpr int kBarStep = 34;            // of one bar
constexpr std::size_t kFewPoints = 25;  // a curve of so few has its points marked
constexpr double kLabelRoom = 0.22;     // beside the longest bar, for the number at its end

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
  /// Ours, then the published ones.
  std::vector<Drawn> all() const {
    std::vector<Drawn> list = ours_;
    list.insert(list.end(), published_.begin(), published_.end());
    return list;
  }
  const std::vector<std::string>& colours() const { return colours_; }

  std::size_t colour_number(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::find(colours_, name) - colours_.begin());
  }
  /// The entries of all, with these marks.
  std::vector<LegendEntry> legend(const std::string& ours, const std::string& published) const {
    std::vector<LegendEntry> entries;
    for (const Drawn& drawn : all()) {
      const bool is_ours = drawn.key.front() == kOursKey;
      const std::string mark = drawn.series->rule ? "rule" : is_ours ? ours : published;
      entries.push_back({drawn.key, drawn.series->name, mark, colour_number(drawn.colour)});
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

/// A row for each value: k the key, s the name, c the colour, x, y, l and h the interval, t the value as
/// text.
json rows_of(const std::vector<Drawn>& all, const Figure& figure, bool rules) {
  json rows = json::array();
  for (const Drawn& drawn : all) {
    const Series& series = *drawn.series;
    if (series.rule != rules) continue;
    for (std::size_t i = 0; i < series.y.size(); ++i) {
      json row = {{"k", drawn.key}, {"c", drawn.colour}, {"y", number_or_null(series.y[i])}};
      if (!rules) row["x"] = series.x[i];
      if (!series.low.empty()) {
        row["l"] = number_or_null(series.low[i]);
        row["h"] = number_or_null(series.high[i]);
      }
      if (figure.kind != Figure::Kind::kCurves) {
        row["s"] = series.name;
        row["t"] = cell_of(series, i, figure.y).text;
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

json x_axis(const Figure& figure, const char* field = "x") {
  json scale = {{"nice", false}};
  scale["padding"] = figure.kind == Figure::Kind::kHistogram ? 0 : kEdge;
  if (figure.x.log) {
    scale["type"] = "log";
  } else {
    scale["zero"] = false;
  }
  json encoding = {{"field", field}, {"type", "quantitative"}, {"title", figure.x.label}, {"scale", scale}};
  if (!figure.x.format.empty()) encoding["axis"]["format"] = figure.x.format;
  if (!figure.x.log && has_whole_x(figure)) encoding["axis"]["tickMinStep"] = 1;
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
    for (const Series& series : *list) {
      if (!series.rule) xs.insert(xs.end(), series.x.begin(), series.x.end());
    }
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

Chart curves(const Figure& figure) {
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
      {{"lines", rows_of(cast.ours(), figure, false)},
       {"rules", rows_of(cast.all(), figure, true)},
       {"dots", rows_of(cast.published(), figure, false)},
       {"values", pointer_rows(figure, values)}},
      json::array(
          {layer("lines", {{"type", "area"}, {"style", "band"}},
                 {{"x", x}, {"y", y_axis(figure, "l")}, {"y2", {{"field", "h"}}}, {"color", colour}}),
           layer("rules", {{"type", "rule"}, {"style", "reference"}}, {{"y", y}, {"color", colour}}),
           layer("lines", line, {{"x", x}, {"y", y}, {"color", colour}, {"detail", {{"field", "k"}}}}),
           layer("dots", {{"type", "point"}, {"style", "published"}},
                 {{"x", x}, {"y", y}, {"color", colour}}),
           pointer_line(figure, values)}));
  chart.legend = cast.legend("line", "dot");
  return chart;
}

/// The ends of the axis of bars: from zero, with room for the numbers.
json bar_domain(const Figure& figure) {
  double least = 0;
  double most = 0;
  const auto widen = [&](double value) {
    if (std::isnan(value)) return;
    least = std::min(least, value);
    most = std::max(most, value);
  };
  for (const auto* list : {&figure.series, &figure.published}) {
    for (const Series& series : *list) {
      widen(series.y[0]);
      if (!series.low.empty()) widen(series.low[0]);
      if (!series.high.empty()) widen(series.high[0]);
    }
  }
  const double room = kLabelRoom * std::max(most - least, 1e-300);
  return json::array({least < 0 ? least - room : 0, most > 0 ? most + room : 0});
}

/// Where the number of a bar starts: behind the bar, its interval and what the paper published.
double label_start(const Figure& figure, const Series& bar) {
  double start = bar.y[0];
  if (!bar.high.empty()) start = std::fmax(start, bar.high[0]);
  for (const Series& published : figure.published) {
    if (published.like == bar.name) start = std::fmax(start, published.y[0]);
  }
  return start;
}

json bar_rows(const std::vector<Series>& all, const Figure& figure, const std::string& key,
              const char* colour) {
  json rows = json::array();
  for (const Series& series : all) {
    const bool bounded = !series.low.empty() && !std::isnan(series.low[0]) && !std::isnan(series.high[0]);
    json row = {{"k", key}, {"c", colour}, {"y", number_or_null(series.y[0])}};
    row["s"] = series.like.empty() ? series.name : series.like;
    row["t"] = cell_of(series, 0, figure.y).text;
    row["v"] = number_text(series.y[0], figure.y.format);
    row["e"] = number_or_null(label_start(figure, series));
    if (bounded) {
      row["l"] = series.low[0];
      row["h"] = series.high[0];
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// The names of the bars from the top, each once.
std::vector<std::string> bar_names(const json& datasets) {
  std::vector<std::string> names;
  for (const char* list : {"bars", "dots"}) {
    for (const json& row : datasets[list]) {
      const auto name = row["s"].get<std::string>();
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

constexpr const char* kOurs = "ours";
constexpr const char* kPaper = "paper";

Chart bars(const Figure& figure) {
  json datasets = {{"bars", bar_rows(figure.series, figure, "s0", kOurs)},
                   {"dots", bar_rows(figure.published, figure, "p0", kPaper)}};
  const std::vector<std::string> names = bar_names(datasets);
  json x = y_axis(figure);
  x["scale"] = {{"domain", bar_domain(figure)}, {"nice", false}};
  const json y = {{"field", "s"}, {"type", "nominal"}, {"title", nullptr}, {"scale", {{"domain", names}}}};
  const json colour = {
      {"field", "c"}, {"type", "nominal"}, {"title", nullptr}, {"scale", {{"domain", {kOurs, kPaper}}}}};
  const json tooltip = json::array({tooltip_field("s", ""), tooltip_field("t", figure.y.label)});
  const auto with_field = [&](const char* field) {
    json encoding = x;
    encoding["field"] = field;
    return encoding;
  };
  Chart chart;
  chart.spec = base_spec(std::move(datasets),
                         json::array({layer("bars", {{"type", "bar"}},
                                            {{"x", x}, {"y", y}, {"color", colour}, {"tooltip", tooltip}}),
                                      layer("bars", {{"type", "rule"}, {"style", "interval"}},
                                            {{"x", with_field("l")}, {"x2", {{"field", "h"}}}, {"y", y}}),
                                      layer("bars", {{"type", "text"}, {"style", "number"}},
                                            {{"x", with_field("e")}, {"y", y}, {"text", {{"field", "v"}}}}),
                                      layer("dots", {{"type", "point"}, {"style", "published"}},
                                            {{"x", x}, {"y", y}, {"color", colour}, {"tooltip", tooltip}})}));
  chart.spec["height"] = kBarStep * static_cast<int64_t>(std::max<std::size_t>(names.size(), 1));
  if (!figure.published.empty()) {
    chart.legend = {{"s0", kOurs, "bar", 0}, {"p0", kPaper, "dot", 1}};
  }
  return chart;
}

Chart histogram(const Figure& figure) {
  const Cast cast(figure);
  const std::vector<Drawn> all = cast.all();
  json rows = rows_of(all, figure, false);
  std::size_t row = 0;
  for (const Drawn& drawn : all) {
    for (std::size_t i = 0; i < drawn.series->y.size(); ++i, ++row) rows[row]["x2"] = drawn.series->x[i + 1];
  }
  json y = y_axis(figure);
  y["scale"]["zero"] = true;
  json tooltip = json::array({tooltip_field("s", ""),
                              {{"field", "x"}, {"type", "quantitative"}, {"title", "from"}},
                              {{"field", "x2"}, {"type", "quantitative"}, {"title", "to"}},
                              tooltip_field("t", figure.y.label)});
  Chart chart;
  chart.spec =
      base_spec({{"bins", std::move(rows)}}, json::array({layer("bins", {{"type", "rect"}, {"style", "bin"}},
                                                                {{"x", x_axis(figure)},
                                                                 {"x2", {{"field", "x2"}}},
                                                                 {"y", y},
                                                                 {"y2", {{"datum", 0}}},
                                                                 {"color", colour_by_name(cast)},
                                                                 {"tooltip", tooltip}})}));
  chart.legend = cast.legend("bar", "bar");
  return chart;
}

Chart points(const Figure& figure) {
  const Cast cast(figure);
  const json x = x_axis(figure);
  const json y = y_axis(figure);
  json shape = colour_by_name(cast);
  const json tooltip = json::array({tooltip_field("s", ""),
                                    {{"field", "x"}, {"type", "quantitative"}, {"title", figure.x.label}},
                                    tooltip_field("t", figure.y.label)});
  const json encoding = {
      {"x", x}, {"y", y}, {"color", colour_by_name(cast)}, {"shape", shape}, {"tooltip", tooltip}};
  json published = encoding;
  published.erase("shape");
  Chart chart;
  chart.spec =
      base_spec({{"points", rows_of(cast.ours(), figure, false)},
                 {"rules", rows_of(cast.all(), figure, true)},
                 {"dots", rows_of(cast.published(), figure, false)}},
                json::array({layer("rules", {{"type", "rule"}, {"style", "reference"}},
                                   {{"y", y}, {"color", colour_by_name(cast)}}),
                             layer("points", {{"type", "point"}, {"style", "scatter"}}, encoding),
                             layer("dots", {{"type", "point"}, {"style", "published"}}, published)}));
  chart.legend = cast.legend("point", "dot");
  return chart;
}

}  // namespace

Chart chart_of(const Figure& figure) {
  switch (figure.kind) {
    case Figure::Kind::kCurves:
      return curves(figure);
    case Figure::Kind::kBars:
      return bars(figure);
    case Figure::Kind::kHistogram:
      return histogram(figure);
    case Figure::Kind::kPoints:
      break;
  }
  return points(figure);
}

}  // namespace t2v::report
