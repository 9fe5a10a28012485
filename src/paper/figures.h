#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "paper/finished_runs.h"
#include "paper/published.h"

namespace t2v::paper {

// Figures and tables as results.json has them (docs/reproduction.md).

/// A model in a figure. `published`: its curve in the paper, if there is one.
struct Line {
  std::string label;
  const ModelRuns* runs;
  const PublishedCurve* published = nullptr;
};

/// A horizontal line.
struct Rule {
  std::string label;
  double value;
};

/// The mean over seeds of a measure after each epoch, with its 95 % interval. Models without runs are left
/// out.
nlohmann::json curves_figure(const std::string& id, const std::string& title, const std::string& measure,
                             const std::string& axis, const std::vector<Line>& lines,
                             const std::vector<Rule>& rules = {});

/// The mean over seeds after the last epoch; the published value at that epoch or the last one before it.
nlohmann::json bars_figure(const std::string& id, const std::string& title, const std::string& measure,
                           const std::string& axis, const std::vector<Line>& lines);

/// A row for each model: seeds, parameters, the mean of each measure after the last epoch with half the width
/// of its 95 % interval, seconds of a run.
nlohmann::json models_table(const std::string& id, const std::string& title, const std::vector<Line>& lines,
                            const std::vector<std::string>& measures);

/// Counts of values in bins of equal width from 0 on.
nlohmann::json histogram_figure(const std::string& id, const std::string& title, const std::string& axis,
                                const std::string& series, const std::vector<double>& values, double width);

/// '0.924 against 0.803 after 50 epochs'.
std::string against(const ModelRuns& a, const ModelRuns& b, const std::string& measure);
/// The same of published curves, at their last epochs.
std::string against(const PublishedCurve& a, const PublishedCurve& b);
/// 'standard deviations 0.004 against 0.010 over 5 seeds'.
std::string spread_against(const Pairs& pairs);

}  // namespace t2v::paper
