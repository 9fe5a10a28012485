#include "paper/recommendation_evaluation.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "base/random.h"
#include "kernels/matmul.h"

namespace t2v::paper {
namespace {

/// Users whose scores of all items are held at a time.
constexpr int64_t kBlock = 64;

}  // namespace

Recommender::Recommender(const Model& model, std::span<const Question> questions) : model_(model) {
  for (const Question& question : questions) {
    answers_.push_back(question.answer);
    batch_.add(question);
  }
}

std::vector<RankRecord> Recommender::ranks(const nn::Parameters<float>& parameters, Workspace<float>& work,
                                           ThreadPool& pool) const {
  const int64_t hidden = model_.config().hidden;
  const auto users = static_cast<int64_t>(answers_.size());
  std::vector<float> states(static_cast<std::size_t>(users * hidden));
  model_.visit_states<float>(
      [&](int64_t user, const float* h) { std::copy_n(h, hidden, states.data() + user * hidden); },
      parameters, batch_.view(), work, pool);

  const Model::HeadPlace head = model_.head_place(0);
  const int64_t items = model_.outputs(0);
  const float* weights = parameters.data(model_.layout()[head.weights]);
  const float* bias = parameters.data(model_.layout()[head.bias]);
  std::vector<RankRecord> ranks(answers_.size());
  pool.run((users + kBlock - 1) / kBlock, [&](int64_t block) {
    const int64_t begin = block * kBlock;
    const int64_t count = std::min(kBlock, users - begin);
    std::vector<float> scores(static_cast<std::size_t>(count * items));
    for (int64_t r = 0; r < count; ++r) std::copy_n(bias, items, scores.data() + r * items);
    kernels::matmul(scores.data(), items, kernels::Matrix<float>{states.data() + begin * hidden, hidden},
                    kernels::Matrix<float>{weights, items}, count, items, hidden, 1);
    for (int64_t r = 0; r < count; ++r) {
      const auto user = static_cast<std::size_t>(begin + r);
      ranks[user] = rank_of({scores.data() + r * items, static_cast<std::size_t>(items)}, answers_[user]);
    }
  });
  return ranks;
}

RecommendationScore score_of(std::span<const RankRecord> ranks, const CandidateConfig& candidates,
                             ThreadPool& pool) {
  const CandidateMeasures expected = expected_measures(ranks, kListLength, candidates);
  const CandidateMeasures sampled = sampled_measures(ranks, kListLength, candidates, pool);
  RecommendationScore score{expected.recall[0], expected.mrr_at[0], sampled.recall[0], sampled.mrr_at[0]};
  for (const RankRecord& rank : ranks) {
    score.mean_rank += static_cast<double>(rank.rank) / static_cast<double>(ranks.size());
    score.tied += rank.ties > 0 ? 1 : 0;
  }
  return score;
}

UserScores user_scores(std::span<const RankRecord> ranks, const CandidateConfig& candidates) {
  UserScores scores;
  for (std::size_t user = 0; user < ranks.size(); ++user) {
    const CandidateMeasures own = expected_measures(ranks.subspan(user, 1), kListLength, candidates);
    scores.recall.push_back(own.recall[0]);
    scores.mrr.push_back(own.mrr_at[0]);
  }
  return scores;
}

BootstrapMean bootstrap_over_users(std::span<const double> values, uint64_t seed, int64_t n) {
  if (values.empty() || n < 1) {
    fail("a bootstrap needs a user and a draw; there are {} and {}", values.size(), n);
  }
  const auto users = static_cast<double>(values.size());
  BootstrapMean result;
  for (const double value : values) result.mean += value / users;
  std::vector<double> means(static_cast<std::size_t>(n));
  Random random(seed);
  for (double& mean : means) {
    for (std::size_t i = 0; i < values.size(); ++i) mean += values[random.below(values.size())];
    mean /= users;
  }
  std::ranges::sort(means);
  const auto quantile = [&](double p) {
    return means[static_cast<std::size_t>(std::lround(p * static_cast<double>(n - 1)))];
  };
  result.low = quantile(0.025);
  result.high = quantile(0.975);
  return result;
}

}  // namespace t2v::paper
