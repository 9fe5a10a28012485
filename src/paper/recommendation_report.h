#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "paper/recommendation.h"
#include "paper/recommendation_plan.h"

namespace t2v::paper {

/// A run of a plan that is finished.
struct FinishedRecommendation {
  PlannedRecommendation run;
  RecommendationResult result;
};

/// What the runs say of a claim of the paper. `verdict` is reproduces, does not or undecided.
struct RecommendationVerdict {
  std::string claim;
  std::string where;
  std::string published;
  std::string ours;
  std::optional<BootstrapDifference> effect;
  std::string unit;
  std::string verdict;
  std::string rule;
};

/// Figures and tables as results.json has them.
struct RecommendationReport {
  std::vector<nlohmann::json> figures;
  std::vector<nlohmann::json> tables;
  std::vector<RecommendationVerdict> verdicts;
  std::vector<std::string> notes;
};

/// What an experiment found, from whichever of its runs are there. Claims are judged by Recall@10 and MRR@10
/// of each tested user, exact over the draws of candidates and averaged over the seeds that both models have:
/// a claim 'a is above b' reproduces if the 95 % interval of the difference, by drawing users anew, is above
/// 0, and does not if it is below.
RecommendationReport recommendation_report(std::string_view experiment,
                                           const std::vector<FinishedRecommendation>& finished);

nlohmann::json to_json(const RecommendationVerdict& verdict);

/// What a run's file holds: parameters, curve: {measure: [value of each epoch]}, seconds, data, frequencies,
/// and the result itself, under "result".
nlohmann::json run_record(const RecommendationResult& result);

}  // namespace t2v::paper
