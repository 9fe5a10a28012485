#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "paper/figures.h"
#include "paper/recommendation_report.h"
#include "train/paired_test.h"

namespace t2v::paper {

// Figures and tables of recommendations, as results.json has them. Their ids start with `id`.

/// All seeds of a model on a data set.
struct ModelResults {
  const PlannedRecommendation* run;
  std::map<uint64_t, const RecommendationResult*> by_seed;
  std::size_t diverged = 0;  // runs that did not come to their end
};

/// The models of a data set in the order of their runs, without runs that did not come to their end: those
/// have no value to compare. They refer to the finished runs.
std::vector<ModelResults> models_of(const std::vector<FinishedRecommendation>& finished,
                                    std::string_view data);

enum class Measure : uint8_t { kRecall, kMrr };
inline constexpr Measure kMeasures[] = {Measure::kRecall, Measure::kMrr};
const char* text_of(Measure measure);

double value_of(const RecommendationScore& score, Measure measure);

/// Of a data set, for people.
std::string title_of(std::string_view data);

/// Mean and interval over the seeds, at the epochs that count.
Estimate at_reported(const ModelResults& model, Measure measure);

/// The mean over seeds after each epoch that all of them have.
std::vector<double> mean_curve(const ModelResults& model, Measure measure);

/// What an order of the candidates by lot gets, on average.
double chance(Measure measure, int64_t negatives);

/// Predictors without a network, and chance among the candidates of the models, as horizontal lines.
std::vector<Rule> rules_on(std::string_view data, const std::vector<FinishedReference>& references,
                           const std::vector<ModelResults>& models, Measure measure);

/// Means over seeds after each epoch, the published curves where there are, and rules. `what` goes before
/// the title.
nlohmann::json curves_figure(std::string_view id, const std::string& what, std::string_view data,
                             const std::vector<ModelResults>& models, Measure measure,
                             const std::vector<Rule>& rules);

/// How the start of the linear term's frequency, or another unit of time, changes what is reached.
nlohmann::json sweep_figure(std::string_view data, const std::vector<ModelResults>& models);
/// Where the linear term's frequency ended.
nlohmann::json starts_table(std::string_view data, const std::vector<ModelResults>& models);
/// The learned periods of the first seed, in human units.
nlohmann::json periods_table(std::string_view id, const std::vector<ModelResults>& models);

nlohmann::json models_table(std::string_view id, std::string_view data,
                            const std::vector<ModelResults>& models);

}  // namespace t2v::paper
