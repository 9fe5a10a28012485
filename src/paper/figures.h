#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "paper/finished_runs.h"
#include "paper/published.h"
#include "train/paired_test.h"

namespace t2v::paper {

// Figures and tables as results.json has them (docs/reproduction.md).

/// A model in a figure. `published`: a curve to hold it against, if there is one, under the name
/// `published_as`; without a name it is the paper's of the same model.
struct Line {
  std::string label;
  const ModelRuns* runs;
  const PublishedCurve* published = nullptr;
  std::string published_as = {};
};
/// The paper shows the best of 16, 32 and 64 sines, and does not say which that is.
inline constexpr const char* kPapersBest = "LSTM+T2V, best k (paper)";

/// A horizontal line.
struct Rule {
  std::string label;
  double value;
};

/// Draws them in a figure, and tells their values in its text.
void add_rules(nlohmann::json& figure, const std::vector<Rule>& rules);

/// The 95 % interval of the mean of a measure that lies from 0 to 1, as all that are drawn do, cut off there;
/// NaN, as the estimate's, of fewer than two runs.
struct Band {
  double low;
  double high;
};
Band band_of(const Estimate& mean);

/// '0.9240 ± 0.0031': the mean and half of its 95 % interval.
std::string with_interval(const Estimate& estimate);

/// The mean over seeds of a measure after each epoch, with its band. Models without runs are left out.
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

/// A row for each model with learned frequencies, of its first seed: the periods of the five most important
/// terms, and the shortest, median and longest of all.
nlohmann::json periods_table(const std::string& id, const std::string& title, const std::string& unit,
                             const std::vector<Line>& lines);

/// Counts of values in bins of equal width from 0 on.
nlohmann::json histogram_figure(const std::string& id, const std::string& title, const std::string& axis,
                                const std::string& series, const std::vector<double>& values, double width);

/// '0.924 against 0.803 after 50 epochs' of published curves, at the last epoch up to `epochs` at which both
/// are known, and at their ends.
std::string against(const PublishedCurve& a, const PublishedCurve& b, int64_t epochs);

}  // namespace t2v::paper
