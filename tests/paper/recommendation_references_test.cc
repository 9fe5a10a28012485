#include "paper/recommendation_references.h"

#include <gtest/gtest.h>

namespace t2v::paper {
namespace {

History taken(std::vector<int32_t> items) {
  History history{std::move(items), {}};
  history.times.resize(history.items.size());
  return history;
}

/// Five items; of the training users two took 0 and then 1, one took 0 and then 2.
RecommendationData data_with(std::vector<History> test) {
  RecommendationData data;
  data.items = 5;
  data.train = {taken({0, 1}), taken({0, 1}), taken({0, 2})};
  data.test = std::move(test);
  return data;
}

/// All five items are candidates, so that it is the mean of 1 / place.
double mrr(Reference reference, std::vector<History> test, bool dynamic_updating = true) {
  RecommendationConfig config;
  config.dynamic_updating = dynamic_updating;
  return reference_score(reference, data_with(std::move(test)), config).mrr;
}

TEST(RecommendationReferences, RankByHowOftenAnItemWasTaken) {
  EXPECT_DOUBLE_EQ(mrr(Reference::kPopularity, {taken({3, 0, 0})}), 1);
  EXPECT_DOUBLE_EQ(mrr(Reference::kPopularity, {taken({3, 0, 1})}), 1.0 / 2);
  EXPECT_DOUBLE_EQ(mrr(Reference::kPopularity, {taken({3, 0, 0}), taken({0, 1})}), (1 + 1.0 / 2) / 2)
      << "the mean over users";
}

TEST(RecommendationReferences, RankWhatTheUserTookBeforeAllElse) {
  EXPECT_DOUBLE_EQ(mrr(Reference::kOwnHistory, {taken({3, 3, 0, 3})}), 1);
  EXPECT_DOUBLE_EQ(mrr(Reference::kOwnHistory, {taken({3, 3, 0, 0})}), 1.0 / 2);
  EXPECT_DOUBLE_EQ(mrr(Reference::kOwnHistory, {taken({3, 0, 1})}), 1.0 / 3) << "then popularity";
}

TEST(RecommendationReferences, RankWhatFollowedTheLastItem) {
  EXPECT_DOUBLE_EQ(mrr(Reference::kMarkov, {taken({3, 0, 1})}), 1);
  EXPECT_DOUBLE_EQ(mrr(Reference::kMarkov, {taken({3, 0, 2})}), 1.0 / 2);
  EXPECT_DOUBLE_EQ(mrr(Reference::kMarkov, {taken({0, 3, 0})}), 1) << "popularity where nothing followed";
}

TEST(RecommendationReferences, TakeTheMeanOverAllOrdersOfEqualItems) {
  // 2 and 3 were taken once each.
  EXPECT_DOUBLE_EQ(mrr(Reference::kPopularity, {taken({3, 0, 2})}), (1.0 / 3 + 1.0 / 4) / 2);
}

TEST(RecommendationReferences, KnowOfTestedUsersWhatModelsLearnFrom) {
  const std::vector<History> test = {taken({3, 3, 3, 3, 1})};
  EXPECT_DOUBLE_EQ(mrr(Reference::kPopularity, test), 1.0 / 3) << "3 was taken more often";
  EXPECT_DOUBLE_EQ(mrr(Reference::kPopularity, test, false), 1.0 / 2) << "by nobody who is learned from";
  // Answers are not counted: with them 4 would be level with 1.
  EXPECT_DOUBLE_EQ(mrr(Reference::kPopularity, {taken({0, 4}), taken({0, 4})}), (1.0 / 4 + 1.0 / 5) / 2);
}

TEST(RecommendationReferences, KnowWhatFollowedInHistoriesOfTestedAndHeldOutUsers) {
  RecommendationConfig config;
  RecommendationData data = data_with({taken({3, 4, 3, 4})});
  EXPECT_DOUBLE_EQ(reference_score(Reference::kMarkov, data, config).mrr, 1);
  config.dynamic_updating = false;
  EXPECT_DOUBLE_EQ(reference_score(Reference::kMarkov, data, config).mrr, (1.0 / 4 + 1.0 / 5) / 2);
  EXPECT_DOUBLE_EQ(reference_score(Reference::kOwnHistory, data, config).mrr, 1.0 / 2)
      << "the user's own is known in any case";
  config.dynamic_updating = true;
  data = data_with({taken({3, 4})});
  data.valid = {taken({3, 4, 1})};
  EXPECT_DOUBLE_EQ(reference_score(Reference::kMarkov, data, config).mrr, 1) << "of a user held out";
}

TEST(RecommendationReferences, MeasureRecallInListsOfTen) {
  RecommendationData data;
  data.items = 40;
  for (int32_t item = 0; item < data.items; ++item) {
    for (int32_t time = item; time < data.items; ++time) data.train.push_back(taken({item}));
  }
  RecommendationConfig config;
  data.test = {taken({0, 9}), taken({0, 10})};  // in the tenth and the eleventh place
  EXPECT_DOUBLE_EQ(reference_score(Reference::kPopularity, data, config).recall, 0.5);
}

}  // namespace
}  // namespace t2v::paper
