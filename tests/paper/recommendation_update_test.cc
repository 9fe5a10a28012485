#include "paper/recommendation_update.h"

#include <gtest/gtest.h>

namespace t2v::paper {
namespace {

using Items = std::vector<int32_t>;
using Times = std::vector<double>;

const Question kFive{{3, 1, 4, 1, 5}, {10, 20, 30, 40, 50}, 9};

TEST(RecommendationUpdate, StartsAfterEpochElevenAndGrowsInWholeSteps) {
  const RecommendationConfig config;
  for (int64_t epoch = 1; epoch <= 10; ++epoch) EXPECT_EQ(prefix_length(config, epoch, 199), 0) << epoch;
  EXPECT_EQ(prefix_length(config, 11, 199), 4) << "used from epoch 12 on";
  EXPECT_EQ(prefix_length(config, 12, 199), 9);
  EXPECT_EQ(prefix_length(config, 13, 199), 14);
  EXPECT_EQ(prefix_length(config, 49, 199), 194);
  EXPECT_EQ(prefix_length(config, 50, 199), 0) << "nothing follows the last epoch";
  RecommendationConfig off = config;
  off.dynamic_updating = false;
  EXPECT_EQ(prefix_length(off, 30, 199), 0);
}

TEST(RecommendationUpdate, LearnsTheFirstEventsOfALongerUserAndNeverTheAnswer) {
  for (const bool as_coded : {false, true}) {
    const Lesson lesson = prefix_lesson(kFive, 3, as_coded).value();
    EXPECT_EQ(lesson.items, (Items{3, 1, 4}));
    EXPECT_EQ(lesson.times, (Times{10, 20, 30}));
    EXPECT_EQ(lesson.next, (Items{1, 4, 1}));
    EXPECT_EQ(prefix_lesson(kFive, 5, as_coded).value().next, (Items{1, 4, 1, 5})) << "equally long";
  }
}

TEST(RecommendationUpdate, AsCodedAShorterUserIsFilledUpWithItemZero) {
  const Lesson lesson = prefix_lesson(kFive, 8, true).value();
  EXPECT_EQ(lesson.items, (Items{3, 1, 4, 1, 5, 0, 0}));
  EXPECT_EQ(lesson.times, (Times{10, 20, 30, 40, 50, 0, 0}));
  EXPECT_EQ(lesson.next, (Items{1, 4, 1, 5, 0, 0, 0}));
}

TEST(RecommendationUpdate, CleanAShorterUserEndsWithWhatIsKnown) {
  const Lesson lesson = prefix_lesson(kFive, 8, false).value();
  EXPECT_EQ(lesson.items, (Items{3, 1, 4, 1}));
  EXPECT_EQ(lesson.next, (Items{1, 4, 1, 5}));
}

TEST(RecommendationUpdate, LeavesOutUsersOfWhomNothingIsToBeLearned) {
  const Question one{{3}, {10}, 9};
  EXPECT_FALSE(prefix_lesson(kFive, 0, true));
  EXPECT_FALSE(prefix_lesson(one, 4, false));
  EXPECT_EQ(prefix_lessons(std::vector<Question>{one, kFive, kFive}, 4, false).size(), 2U);
}

}  // namespace
}  // namespace t2v::paper
