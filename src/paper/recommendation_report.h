#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "paper/experiment.h"
#include "paper/recommendation.h"
#include "paper/recommendation_plan.h"
#include "paper/recommendation_references.h"

namespace t2v::paper {

/// A run of a plan that is finished.
struct FinishedRecommendation {
  PlannedRecommendation run;
  RecommendationResult result;
};

/// What a predictor without a network reached.
struct FinishedReference {
  std::string data;
  Reference reference;
  ReferenceScore score;
};

/// What an experiment of planned_recommendations() found, from whichever of its runs are there. Claims are
/// judged by Recall@10 and MRR@10 of each tested user, exact over the draws of candidates, by the 95 %
/// interval of the mean difference over the seeds that both models have, which is uncertain both by the users
/// (drawn anew) and by the seeds (t).
Findings recommendation_findings(std::string_view experiment,
                                 const std::vector<FinishedRecommendation>& finished,
                                 const std::vector<FinishedReference>& references = {});

/// What a run's file holds: parameters, curve: {measure: [value of each epoch]} (null where it ended early),
/// seconds, frequencies, and the result itself, under "result".
nlohmann::json run_record(const RecommendationResult& result);

}  // namespace t2v::paper
