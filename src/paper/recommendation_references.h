#pragma once

#include <string_view>

#include "paper/recommendation_data.h"

namespace t2v::paper {

/// A predictor without a network: what a model has to beat. Each knows the training users and, with dynamic
/// updating, all but the answers of the others, where a model learns from all but the last few events in its
/// last epoch.
enum class Reference : uint8_t {
  kPopularity,  // how often an item was taken
  kOwnHistory,  // how often the user took it, then popularity
  kMarkov,      // how often it came right after the user's last item, then popularity
};
inline constexpr Reference kReferences[] = {Reference::kPopularity, Reference::kOwnHistory,
                                            Reference::kMarkov};
/// As the model of a run.
std::string_view model_of(Reference reference);
/// For people.
std::string_view label_of(Reference reference);

/// Means over the tested users, exact over the draws of candidates. Items with the same score come in any
/// order: the mean over all orders.
struct ReferenceScore {
  double recall = 0;  // @10
  double mrr = 0;     // @10
};
ReferenceScore reference_score(Reference reference, const RecommendationData& data,
                               const RecommendationConfig& config);

}  // namespace t2v::paper
