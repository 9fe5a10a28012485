#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/chart_spec.h"
#include "report/figure_values.h"
#include "report/html.h"
#include "report/number_text.h"
#include "report/sections.h"

namespace t2v::report {
namespace {

constexpr std::size_t kMostRows = 400;  // of values that are shown below a figure
constexpr std::size_t kColours = 8;     // of the palette in page.css

/// A box of its own, within which a wide table scrolls, also by keyboard.
std::string scrolling(const std::string& label, const std::string& table) {
  return fmt::format("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">{}</div>\n",
                     escaped(label), table);
}

std::string header_html(const std::vector<std::string>& columns) {
  std::string html = "<thead><tr>";
  for (const std::string& column : columns)
    html += fmt::format(R"(<th scope="col">{}</th>)", escaped(column));
  return html + "</tr></thead>";
}

std::string swatch(const LegendEntry& entry) {
  return fmt::format(R"(<span class="swatch {} c{}" aria-hidden="true"></span>)", entry.mark,
                     entry.colour % kColours);
}

/// Buttons, hidden until there is a chart that they act on.
std::string legend_html(const Chart& chart) {
  if (chart.legend.size() < 2) return "";
  std::string html = R"(<div class="legend" role="group" aria-label="Show or hide" hidden>)";
  for (const LegendEntry& entry : chart.legend) {
    html += fmt::format(R"(<button type="button" aria-pressed="true" data-key="{}">{}{}</button>)",
                        escaped(entry.key), swatch(entry), escaped(entry.name));
  }
  return html + "</div>\n";
}

std::string value_rows(const FigureValues& values, std::size_t step) {
  std::string html;
  for (std::size_t r = 0; r < values.rows.size(); ++r) {
    if (r % step != 0 && r + 1 != values.rows.size()) continue;
    html += "<tr>";
    for (const ValueCell& cell : values.rows[r]) {
      html += fmt::format("<td>{}</td>", cell.html.empty() ? "–" : cell.html);
    }
    html += "</tr>\n";
  }
  return html;
}

std::string values_html(const Figure& figure) {
  const FigureValues values = values_of(figure);
  const std::size_t step = (values.rows.size() + kMostRows - 1) / kMostRows;
  const std::string thinned =
      step < 2 ? ""
               : fmt::format("<p class=\"quiet\">Every {}th of {} rows; results.json has all.</p>\n", step,
                             values.rows.size());
  return fmt::format("<details><summary>Values as a table</summary>\n{}{}</details>\n", thinned,
                     scrolling("Values of " + figure.title,
                               fmt::format("<table class=\"values\">{}<tbody>\n{}</tbody></table>",
                                           header_html(values.columns),
                                           value_rows(values, std::max<std::size_t>(step, 1)))));
}

bool has_bands(const Figure& figure) {
  return std::ranges::any_of(figure.series, [](const Series& series) { return !series.low.empty(); });
}

/// How the marks are to be read.
std::string key_text(const Figure& figure) {
  std::string text = has_bands(figure) ? "Bands are 95 % intervals over seeds." : "";
  if (!figure.published.empty()) text += std::string(text.empty() ? "" : " ") + "Rings are published values.";
  return text;
}

}  // namespace

std::string figure_html(const Figure& figure) {
  const Chart chart = chart_of(figure);
  const std::string key = key_text(figure);
  return fmt::format(
      "<figure id=\"{}\">\n<figcaption>{}</figcaption>\n{}"
      "<div class=\"chart\" role=\"img\" aria-label=\"{}\"></div>\n"
      "<script type=\"application/json\" class=\"spec\">{}</script>\n"
      "{}<div class=\"below\">{}<button type=\"button\" class=\"save\" hidden>Save as PNG</button></div>\n"
      "</figure>\n",
      figure.id, escaped(figure.title), legend_html(chart),
      escaped(figure.alt.empty() ? figure.title : figure.alt), json_html(chart.spec),
      key.empty() ? "" : fmt::format("<p class=\"quiet key\">{}</p>\n", escaped(key)), values_html(figure));
}

}  // namespace t2v::report
