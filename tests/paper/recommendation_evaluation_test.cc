#include "paper/recommendation_evaluation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.h"
#include "made_recommendation.h"
#include "model/initialise.h"
#include "t2v/error.h"

namespace t2v::paper {
namespace {

CandidateConfig candidates(int64_t draws = 20) {
  CandidateConfig config;
  config.types = 5000;
  config.negatives = 100;
  config.draws = draws;
  return config;
}

std::vector<RankRecord> random_ranks(int64_t users) {
  Random random(3);
  std::vector<RankRecord> ranks;
  for (int64_t i = 0; i < users; ++i) ranks.push_back({static_cast<int64_t>(1 + random.below(5000)), 0, 0});
  return ranks;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

TEST(RecommendationScore, OfAModelThatKnowsNothingIsChance) {
  ThreadPool pool(1);
  const RecommendationScore score = score_of(random_ranks(100000), candidates(1), pool);
  EXPECT_NEAR(score.recall, 10.0 / 101, 0.003);
  EXPECT_NEAR(score.sampled_recall, 10.0 / 101, 0.004);
  EXPECT_NEAR(score.mrr, 2.9289682539682538 / 101, 0.001);  // H_10 / 101
  EXPECT_NEAR(score.mean_rank, 2500, 20);
}

TEST(RecommendationScore, IsExactlyWhatManyDrawsGiveOnAverage) {
  ThreadPool pool(1);
  std::vector<RankRecord> ranks;
  for (int64_t rank = 1; rank <= 1001; rank += 50) ranks.push_back({rank, 0, 0});
  const RecommendationScore score = score_of(ranks, candidates(20000), pool);
  EXPECT_NEAR(score.recall, score.sampled_recall, 0.003);
  EXPECT_NEAR(score.mrr, score.sampled_mrr, 0.003);
  EXPECT_NE(score.recall, score.sampled_recall);
}

TEST(RecommendationScore, CountsUsersWithTies) {
  ThreadPool pool(1);
  const std::vector<RankRecord> ranks = {{1, 0, 0}, {7, 3, 0}, {9, 1, 0}};
  const RecommendationScore score = score_of(ranks, candidates(), pool);
  EXPECT_EQ(score.tied, 2);
  EXPECT_NEAR(score.mean_rank, 17.0 / 3, 1e-12);
}

TEST(RecommendationScore, IsTheMeanOfItsUsers) {
  ThreadPool pool(1);
  const std::vector<RankRecord> ranks = random_ranks(50);
  const UserScores users = user_scores(ranks, candidates());
  const RecommendationScore score = score_of(ranks, candidates(), pool);
  EXPECT_NEAR(mean(users.recall), score.recall, 1e-12);
  EXPECT_NEAR(mean(users.mrr), score.mrr, 1e-12);
}

TEST(Recommender, RanksTheAnswerByTheOutputsAfterTheLastEvent) {
  const RecommendationConfig config = tiny();
  const RecommendationData data = prepare_recommendation(made_log(), config);
  const Model model(model_config(config, data.items));
  const nn::Parameters<float> parameters = nn::convert<float>(initialise(model, 1));
  std::vector<Question> questions;
  LessonBatch batch;
  for (const History& history : data.test) {
    questions.push_back(question_of(history));
    batch.add(questions.back());
  }
  ThreadPool pool(2);
  Workspace<float> work;
  const std::vector<RankRecord> ranks = Recommender(model, questions).ranks(parameters, work, pool);
  const SequenceBatch view = batch.view();
  std::vector<float> outputs(static_cast<std::size_t>(view.event_count() * data.items));
  model.outputs_of<float>(outputs, 0, parameters, view, work, pool);
  ASSERT_EQ(ranks.size(), questions.size());
  for (std::size_t user = 0; user < ranks.size(); ++user) {
    const int64_t last = view.offsets[user + 1] - 1;
    const std::span<const float> scores(outputs.data() + last * data.items,
                                        static_cast<std::size_t>(data.items));
    EXPECT_EQ(ranks[user].rank, rank_of(scores, questions[user].answer).rank);
  }
}

TEST(Bootstrap, KnowsAValueThatIsTheSameForAll) {
  const BootstrapMean mean = bootstrap_over_users(std::vector{0.25, 0.25, 0.25, 0.25}, 1, 100);
  EXPECT_EQ(mean.mean, 0.25);
  EXPECT_EQ(mean.low, 0.25);
  EXPECT_EQ(mean.high, 0.25);
}

// The mean of n draws of a variable with deviation s has deviation s / sqrt(n).
TEST(Bootstrap, GivesTheIntervalOfTheCentralLimitWhereUsersAreMany) {
  Random random(2);
  std::vector<double> values;
  for (int i = 0; i < 2000; ++i) values.push_back(0.1 + random.normal());
  const BootstrapMean mean = bootstrap_over_users(values, 1, 4000);
  EXPECT_NEAR(mean.mean, 0.1, 0.06);
  EXPECT_NEAR(mean.high - mean.mean, 1.96 / std::sqrt(2000), 0.004);
  EXPECT_NEAR(mean.mean - mean.low, 1.96 / std::sqrt(2000), 0.004);
}

TEST(Bootstrap, DependsOnTheSeedAlone) {
  const std::vector<double> values = {1, 0, -1, 1, 0.4, 0};
  const BootstrapMean one = bootstrap_over_users(values, 1, 2001);
  EXPECT_EQ(one.low, bootstrap_over_users(values, 1, 2001).low);
  EXPECT_LT(one.low, one.mean);
  EXPECT_GT(one.high, one.mean);
}

TEST(Bootstrap, RefusesNoUsersAndNoDraws) {
  EXPECT_THROW(bootstrap_over_users({}, 1), Error);
  EXPECT_THROW(bootstrap_over_users(std::vector{1.0}, 1, 0), Error);
}

}  // namespace
}  // namespace t2v::paper
