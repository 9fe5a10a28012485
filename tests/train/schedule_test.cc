#include "train/schedule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "t2v/error.h"

namespace t2v {
namespace {

ScheduleConfig schedule(const std::string& kind, int64_t warmup = 0) {
  ScheduleConfig config;
  config.kind = kind;
  config.warmup = warmup;
  return config;
}

void expect_refused(const ScheduleConfig& config, int64_t step, const std::string& part) {
  try {
    rate_factor(config, step);
    FAIL() << "accepted; should have said: " << part;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Schedule, IsConstantByDefault) {
  for (const int64_t step : {0, 1, 1000, 1000000}) EXPECT_EQ(rate_factor({}, step), 1);
}

TEST(Schedule, OfStepsMultipliesAfterEachSoMany) {
  ScheduleConfig config = schedule("step");
  config.every = 10;
  config.factor = 0.5;
  EXPECT_EQ(rate_factor(config, 0), 1);
  EXPECT_EQ(rate_factor(config, 9), 1);
  EXPECT_EQ(rate_factor(config, 10), 0.5);
  EXPECT_EQ(rate_factor(config, 19), 0.5);
  EXPECT_EQ(rate_factor(config, 20), 0.25);
  EXPECT_DOUBLE_EQ(rate_factor(config, 105), std::pow(0.5, 10));
}

TEST(Schedule, OfACosineFallsFromOneToTheFloorAndStaysThere) {
  ScheduleConfig config = schedule("cosine");
  config.total = 12;
  EXPECT_DOUBLE_EQ(rate_factor(config, 0), 1);
  EXPECT_NEAR(rate_factor(config, 2), 0.5 + 0.25 * std::sqrt(3.0), 1e-15);
  EXPECT_NEAR(rate_factor(config, 4), 0.75, 1e-15);
  EXPECT_NEAR(rate_factor(config, 6), 0.5, 1e-15);
  EXPECT_NEAR(rate_factor(config, 8), 0.25, 1e-15);
  EXPECT_NEAR(rate_factor(config, 12), 0, 1e-15);
  EXPECT_NEAR(rate_factor(config, 1000), 0, 1e-15);
  config.floor = 0.2;
  EXPECT_DOUBLE_EQ(rate_factor(config, 0), 1);
  EXPECT_NEAR(rate_factor(config, 6), 0.6, 1e-15);
  EXPECT_NEAR(rate_factor(config, 12), 0.2, 1e-15);
  EXPECT_NEAR(rate_factor(config, 13), 0.2, 1e-15);
}

TEST(Schedule, RisesInALineThroughTheWarmUpAndThenBegins) {
  ScheduleConfig step = schedule("step", 4);
  step.every = 2;
  ScheduleConfig cosine = schedule("cosine", 4);
  cosine.total = 10;
  for (const ScheduleConfig& config : {schedule("constant", 4), step, cosine}) {
    EXPECT_DOUBLE_EQ(rate_factor(config, 0), 0.25) << config.kind;
    EXPECT_DOUBLE_EQ(rate_factor(config, 1), 0.5) << config.kind;
    EXPECT_DOUBLE_EQ(rate_factor(config, 2), 0.75) << config.kind;
    EXPECT_DOUBLE_EQ(rate_factor(config, 3), 1) << config.kind;
    EXPECT_DOUBLE_EQ(rate_factor(config, 4), 1) << config.kind;
  }
  EXPECT_EQ(rate_factor(schedule("constant", 4), 100), 1);
  EXPECT_DOUBLE_EQ(rate_factor(step, 5), 1);
  EXPECT_DOUBLE_EQ(rate_factor(step, 6), 0.1);
  EXPECT_DOUBLE_EQ(rate_factor(cosine, 7), 0.5);  // half way from 4 to 10
  EXPECT_NEAR(rate_factor(cosine, 10), 0, 1e-15);
}

TEST(Schedule, RefusesKindsThatItDoesNotKnowAndTotalsThatLeaveNoSteps) {
  expect_refused(schedule("linear"), 0, "unknown schedule 'linear'; use constant, step or cosine");
  ScheduleConfig config = schedule("step");
  config.every = 0;
  expect_refused(config, 0, "at least 1 step between changes; it has 0");
  config = schedule("cosine");
  expect_refused(config, 0, "more steps in total (0) than warm-up steps (0)");
  config.total = 5;
  config.warmup = 5;
  expect_refused(config, 5, "more steps in total (5) than warm-up steps (5)");
}

TEST(Schedule, RefusesTheSameFromTheFirstStepOfAWarmUp) {
  expect_refused(schedule("linear", 5), 0, "unknown schedule 'linear'");
  ScheduleConfig config = schedule("step", 5);
  config.every = 0;
  expect_refused(config, 0, "at least 1 step between changes");
  config = schedule("cosine", 5);
  config.total = 5;
  expect_refused(config, 0, "more steps in total (5) than warm-up steps (5)");
}

}  // namespace
}  // namespace t2v
