#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/results.h"

namespace t2v::report {

/// An entry of the legend, which is a button that shows or hides marks.
struct LegendEntry {
  std::string key;         // of the marks, in the data of the chart
  std::string name;        // as people read it
  std::string mark;        // line or dot
  std::size_t colour = 0;  // number within the palette
};

/// A figure as a chart: a Vega-Lite specification without colours or fonts, which the page adds. Its signal
/// 'hidden' holds the keys of the entries that are not to be shown.
struct Chart {
  nlohmann::json spec;
  std::vector<LegendEntry> legend;
};

Chart chart_of(const Figure& figure);

}  // namespace t2v::report
