#include "report/figure_values.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "report/html.h"
#include "report/number_text.h"

namespace t2v::report {
namespace {

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
    for (std::size_t i = 0; i < all[s]->x.size(); ++i) {
      std::vector<ValueCell>& row = rows[all[s]->x[i]];
      row.resize(all.size());
      add(row[s], cell_of(*all[s], i, figure.y));
    }
  }
  for (auto& [x, row] : rows) {
    std::vector<ValueCell>& cells = values.rows.emplace_back();
    cells.push_back(number_cell(x, figure.x.format));
    cells.insert(cells.end(), row.begin(), row.end());
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

FigureValues values_of(const Figure& figure) { return curve_values(figure); }

}  // namespace t2v::report
