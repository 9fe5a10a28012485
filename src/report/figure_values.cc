#include "report/figure_values.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "report/html.h"
#include "report/number_text.h"

namespace t2v::report {
namespace {

ValueCell text_cell(const std::string& text) { return {text, escaped(text)}; }

ValueCell number_cell(double value, const std::string& format = "") {
  const std::string text = number_text(value, format);
  return {text, number_html(value, text)};
}

void add(ValueCell& cell, const ValueCell& more) {
  const char* between = cell.text.empty() ? "" : "; ";
  cell.text += between + more.text;
  cell.html += between + more.html;
}

std::string axis_name(const Axis& axis, const char* otherwise) {
  return axis.label.empty() ? otherwise : axis.label;
}

std::vector<const Series*> all_series(const Figure& figure) {
  std::vector<const Series*> all;
  for (const Series& series : figure.series) all.push_back(&series);
  for (const Series& series : figure.published) all.push_back(&series);
  return all;
}

FigureValues curve_values(const Figure& figure) {
  const std::vector<const Series*> all = all_series(figure);
  FigureValues values;
  values.columns = {axis_name(figure.x, "x")};
  std::map<double, std::vector<ValueCell>> rows;
  for (std::size_t s = 0; s < all.size(); ++s) {
    values.columns.push_back(all[s]->name);
    for (std::size_t i = 0; i < all[s]->x.size() && !all[s]->rule; ++i) {
      std::vector<ValueCell>& row = rows[all[s]->x[i]];
      row.resize(all.size());
      add(row[s], cell_of(*all[s], i, figure.y));
    }
  }
  for (auto& [x, row] : rows) {
    std::vector<ValueCell>& cells = values.rows.emplace_back();
    cells.push_back(number_cell(x, figure.x.format));
    for (std::size_t s = 0; s < all.size(); ++s) {
      cells.push_back(all[s]->rule ? cell_of(*all[s], 0, figure.y) : row[s]);
    }
  }
  return values;
}

FigureValues bar_values(const Figure& figure) {
  FigureValues values;
  values.columns = {"", axis_name(figure.y, "value"), "seeds"};
  for (const Series* series : all_series(figure)) {
    values.rows.push_back({text_cell(series->name), cell_of(*series, 0, figure.y),
                           series->n > 0 ? number_cell(static_cast<double>(series->n)) : text_cell("–")});
  }
  return values;
}

FigureValues histogram_values(const Figure& figure) {
  FigureValues values;
  const std::string x = axis_name(figure.x, "x");
  values.columns = {"", x + " from", x + " to", axis_name(figure.y, "count")};
  for (const Series* series : all_series(figure)) {
    for (std::size_t i = 0; i < series->y.size(); ++i) {
      values.rows.push_back({text_cell(series->name), number_cell(series->x[i], figure.x.format),
                             number_cell(series->x[i + 1], figure.x.format), cell_of(*series, i, figure.y)});
    }
  }
  return values;
}

FigureValues point_values(const Figure& figure) {
  FigureValues values;
  values.columns = {"", axis_name(figure.x, "x"), axis_name(figure.y, "y")};
  for (const Series* series : all_series(figure)) {
    for (std::size_t i = 0; i < series->y.size(); ++i) {
      values.rows.push_back({text_cell(series->name),
                             series->rule ? text_cell("all") : number_cell(series->x[i], figure.x.format),
                             cell_of(*series, i, figure.y)});
    }
  }
  return values;
}

}  // namespace

ValueCell cell_of(const Series& series, std::size_t i, const Axis& y) {
  ValueCell cell = number_cell(series.y[i], y.format);
  const bool bounded = !series.low.empty() && !std::isnan(series.low[i]) && !std::isnan(series.high[i]);
  if (!bounded) return cell;
  const ValueCell low = number_cell(series.low[i], y.format);
  const ValueCell high = number_cell(series.high[i], y.format);
  cell.text += fmt::format(" ({} to {})", low.text, high.text);
  cell.html += fmt::format(" <small>({} to {})</small>", low.html, high.html);
  return cell;
}

FigureValues values_of(const Figure& figure) {
  switch (figure.kind) {
    case Figure::Kind::kCurves:
      return curve_values(figure);
    case Figure::Kind::kBars:
      return bar_values(figure);
    case Figure::Kind::kHistogram:
      return histogram_values(figure);
    case Figure::Kind::kPoints:
      break;
  }
  return point_values(figure);
}

}  // namespace t2v::report
