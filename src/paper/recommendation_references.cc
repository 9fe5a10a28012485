#include "paper/recommendation_references.h"

#include <map>
#include <span>

#include "paper/recommendation_evaluation.h"

namespace t2v::paper {
namespace {

std::size_t at_of(int32_t item) { return static_cast<std::size_t>(item); }

/// How often each item was taken, and each right after another.
class Counts {
 public:
  explicit Counts(int64_t items) : taken_(static_cast<std::size_t>(items)), after_(taken_.size()) {}

  void add(std::span<const int32_t> items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      taken_[at_of(items[i])] += 1;
      if (i > 0) after_[at_of(items[i - 1])][items[i]] += 1;
    }
    events_ += static_cast<float>(items.size());
  }

  /// Scores of all items for what comes next.
  std::vector<float> scores(Reference reference, const Question& question) const {
    std::vector<float> scores = taken_;
    for (float& score : scores) score /= events_ + 1;  // below 1: decides between what is otherwise equal
    if (reference == Reference::kOwnHistory) {
      for (const int32_t item : question.items) scores[at_of(item)] += 1;
    }
    if (reference == Reference::kMarkov) {
      for (const auto& [next, count] : after_[at_of(question.items.back())]) scores[at_of(next)] += count;
    }
    return scores;
  }

 private:
  std::vector<float> taken_;
  std::vector<std::map<int32_t, float>> after_;
  float events_ = 0;
};

Counts counts_of(const RecommendationData& data, const RecommendationConfig& config) {
  Counts counts(data.items);
  for (const History& history : data.train) counts.add(history.items);
  if (!config.dynamic_updating) return counts;
  for (const auto* part : {&data.valid, &data.test}) {
    for (const History& history : *part) counts.add(question_of(history).items);
  }
  return counts;
}

/// The places that the answer may have, one for each order of the items with its score.
std::vector<RankRecord> places_of(std::span<const float> scores, int32_t answer) {
  const RankRecord last = rank_of(scores, answer);
  std::vector<RankRecord> places;
  for (int64_t rank = last.rank - last.ties; rank <= last.rank; ++rank) places.push_back({rank});
  return places;
}

}  // namespace

std::string_view model_of(Reference reference) {
  constexpr std::string_view kModels[] = {"popularity", "own-history", "markov"};
  return kModels[static_cast<std::size_t>(reference)];
}

std::string_view label_of(Reference reference) {
  constexpr std::string_view kLabels[] = {"popularity", "own history", "Markov chain"};
  return kLabels[static_cast<std::size_t>(reference)];
}

ReferenceScore reference_score(Reference reference, const RecommendationData& data,
                               const RecommendationConfig& config) {
  const Counts counts = counts_of(data, config);
  CandidateConfig candidates;
  candidates.types = data.items;
  candidates.negatives = config.negatives;
  const auto users = static_cast<double>(data.test.size());
  ReferenceScore mean;
  for (const History& history : data.test) {
    const Question question = question_of(history);
    const std::vector<RankRecord> places = places_of(counts.scores(reference, question), question.answer);
    const CandidateMeasures measures = expected_measures(places, kListLength, candidates);
    mean.recall += measures.recall[0] / users;
    mean.mrr += measures.mrr_at[0] / users;
  }
  return mean;
}

}  // namespace t2v::paper
