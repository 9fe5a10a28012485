#include "bench/head_work.h"

#include <gtest/gtest.h>

#include "bench/made_events.h"

namespace t2v::bench {
namespace {

/// The next type or the next value.
ModelWork small_work(bool head) {
  ModelWork work{made_badges(40, 2000), Task::kNext, {}, "d", 8, 3};
  work.model.times = {nn::TimeEncoderConfig{}};
  work.model.times[0].k = 4;
  work.model.hidden = 8;
  work.model.heads[0].each_step = true;
  if (head) return work;
  work.task = Task::kForecast;
  work.model.heads[0].kind = "mse";
  return work;
}

TEST(HeadWork, CountsWhatAHeadHasMoreThanASingleNumber) {
  ThreadPool pool(1);
  const Repetition head = head_work(small_work(true), small_work(false), pool)->run();
  const Repetition whole = training_work(small_work(true), pool)->run();
  EXPECT_EQ(head.amount, whole.amount);
  const Repetition without = training_work(small_work(false), pool)->run();
  EXPECT_EQ(without.amount, whole.amount);
  EXPECT_EQ(head.operations, whole.operations - without.operations);
  EXPECT_GT(head.seconds, 0);
}

}  // namespace
}  // namespace t2v::bench
