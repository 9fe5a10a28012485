#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "model/model.h"
#include "paper/recommendation_data.h"
#include "train/metrics.h"

namespace t2v::paper {

inline constexpr int64_t kListLength[] = {10};

/// How well the answers of all users are ranked among drawn candidates, in lists of ten.
struct RecommendationScore {
  double recall = 0;  // @10, exact expectation over the draws
  double mrr = 0;     // @10, likewise
  double sampled_recall = 0;
  double sampled_mrr = 0;
  double mean_rank = 0;  // among all items
  int64_t tied = 0;      // users whose answer has the same score as another item; that counts against it
};

/// Where the answer of each user is among all items.
class Recommender {
 public:
  Recommender(const Model& model, std::span<const Question> questions);

  std::vector<RankRecord> ranks(const nn::Parameters<float>& parameters, Workspace<float>& work,
                                ThreadPool& pool) const;

 private:
  const Model& model_;
  std::vector<int32_t> answers_;
  LessonBatch batch_;
};

RecommendationScore score_of(std::span<const RankRecord> ranks, const CandidateConfig& candidates,
                             ThreadPool& pool);

/// The expected recall and MRR of each user by itself.
struct UserScores {
  std::vector<double> recall;
  std::vector<double> mrr;
};
UserScores user_scores(std::span<const RankRecord> ranks, const CandidateConfig& candidates);

/// A mean with the 95 % interval that drawing anew, with replacement, gives it (percentiles).
struct BootstrapMean {
  double mean = 0;
  double low = 0;
  double high = 0;
};
/// Of the values of users. `n` draws; the same on every machine. Throws t2v::Error if there are none.
BootstrapMean bootstrap_over_users(std::span<const double> values, uint64_t seed, int64_t n = 10000);

}  // namespace t2v::paper
