#include "paper/recommendation_data.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "made_recommendation.h"
#include "t2v/error.h"

namespace t2v::paper {
namespace {

using Items = std::vector<int32_t>;
using Times = std::vector<double>;

/// All users but the last two, which are too long, learn.
RecommendationConfig plain(const std::string& delta, int64_t vocabulary = 100) {
  RecommendationConfig config;
  config.delta = delta;
  config.vocabulary = vocabulary;
  config.train_users = 1;
  config.test_users = 1;
  return config;
}

/// Of the training user, a, b and z with the seconds between them; z is least frequent. The test user is
/// longer.
std::vector<MadeRow> rows_with_z() {
  return {{"u", "a", 10}, {"u", "b", 13}, {"u", "z", 20}, {"u", "a", 50}, {"u", "b", 130}, {"v", "a", 0},
          {"v", "b", 1},  {"v", "a", 2},  {"v", "b", 3},  {"v", "a", 4},  {"v", "b", 5}};
}

TEST(RecommendationData, GivesTheTimeSinceTheEventBeforeOrUntilTheNext) {
  const data::ItemLog log = log_of(rows_with_z());
  const auto times = [&](const char* delta) {
    return prepare_recommendation(log, plain(delta)).train[0].times;
  };
  EXPECT_EQ(times("backward"), (Times{0, 3, 7, 30, 80}));
  EXPECT_EQ(times("forward"), (Times{3, 7, 30, 80, 0}));
  EXPECT_EQ(times("as_coded"), (Times{3, 7, 30, 80, 0}));
}

// Kept are raw positions 0, 1, 3, 4. As coded the value at 3, after the kept one at 1, is t[4] - t[2].
TEST(RecommendationData, WithEventsBeyondTheVocabularyTheCodeStoresNeitherInterval) {
  const data::ItemLog log = log_of(rows_with_z());
  const auto train = [&](const char* delta) { return prepare_recommendation(log, plain(delta, 2)).train[0]; };
  EXPECT_EQ(train("as_coded").items, (Items{0, 1, 0, 1}));
  EXPECT_EQ(train("as_coded").times, (Times{3, 7, 130 - 20, 0}));
  EXPECT_EQ(train("backward").times, (Times{0, 3, 37, 80}));
  EXPECT_EQ(train("forward").times, (Times{3, 37, 80, 0}));
}

TEST(RecommendationData, AsCodedTheRestOfAUserLeaksToTheNextUnlessTurnedOff) {
  const std::vector<MadeRow> rows = {{"p", "a", 0}, {"p", "b", 1}, {"p", "z", 2}, {"p", "z", 9},  // leaves 7
                                     {"q", "a", 1}, {"q", "b", 2}, {"q", "a", 4}, {"q", "b", 4},
                                     {"q", "a", 4}, {"v", "a", 0}, {"v", "b", 1}, {"v", "a", 2},
                                     {"v", "b", 3}, {"v", "a", 4}, {"v", "b", 5}};
  RecommendationConfig config = plain("as_coded", 2);
  config.train_users = 2;
  config.carry_across_users = true;
  EXPECT_EQ(prepare_recommendation(log_of(rows), config).train[1].times, (Times{7 + 1, 2, 0, 0, 0}));
  config.carry_across_users = false;
  EXPECT_EQ(prepare_recommendation(log_of(rows), config).train[1].times, (Times{1, 2, 0, 0, 0}));
}

TEST(RecommendationData, TestsOnTheLongestHistoriesAndKeepsTheirFirstEvents) {
  RecommendationConfig config = tiny();
  const RecommendationData data = prepare_recommendation(made_log(), config);
  EXPECT_EQ(data.items, 12);
  ASSERT_EQ(data.train.size(), 19U);  // 0.8 of 24
  ASSERT_EQ(data.test.size(), 5U);
  EXPECT_EQ(data.train.front().size(), 4);
  EXPECT_TRUE(std::ranges::is_sorted(data.train, {}, &History::size)) << "fewest first";
  for (const History& history : data.test) EXPECT_EQ(history.size(), config.max_len);
  config.split = "random";
  const RecommendationData drawn = prepare_recommendation(made_log(), config);
  EXPECT_EQ(drawn.test.size(), 5U);
  EXPECT_LT(drawn.test.front().size(), 20);
}

TEST(RecommendationData, IsInTheUnitAskedFor) {
  RecommendationConfig config = plain("forward");
  config.time_unit = "min";
  EXPECT_EQ(prepare_recommendation(log_of(rows_with_z()), config).train[0].times[2], 0.5);
}

TEST(RecommendationData, RefusesAnEmptyPart) {
  RecommendationConfig config = tiny();
  config.train_share = 1;
  EXPECT_THROW(prepare_recommendation(made_log(), config), Error);
  config.train_share = 0.01;
  EXPECT_THROW(prepare_recommendation(made_log(), config), Error);
}

TEST(RecommendationLesson, HasATargetAtEveryStepAndAQuestionOneAtItsEnd) {
  const History history{{4, 5, 6, 7}, {0.5, 1.5, 2.5, 3.5}};
  const Lesson lesson = lesson_of(history);
  EXPECT_EQ(lesson.items, (Items{4, 5, 6}));
  EXPECT_EQ(lesson.times, (Times{0.5, 1.5, 2.5}));
  EXPECT_EQ(lesson.next, (Items{5, 6, 7}));
  const Question question = question_of(history);
  EXPECT_EQ(question.items, (Items{4, 5, 6}));
  EXPECT_EQ(question.answer, 7);

  LessonBatch batch;
  batch.add(lesson);
  batch.add(question);
  const SequenceBatch view = batch.view();
  EXPECT_EQ(view.sequences(), 2);
  EXPECT_EQ(Items(view.next_events.begin(), view.next_events.end()), (Items{5, 6, 7, -1, -1, 7}));
  batch.clear();
  EXPECT_EQ(batch.view().sequences(), 0);
}

}  // namespace
}  // namespace t2v::paper
