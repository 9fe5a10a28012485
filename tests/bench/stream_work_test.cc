#include "bench/stream_work.h"

#include <gtest/gtest.h>

namespace t2v::bench {
namespace {

TEST(WeightBytes, AreFourForEachWeightOfAStep) {
  EXPECT_EQ(weight_bytes(stream_model()), 4 * (4 * 128 * (128 + 65) + 128 * 22));
}

TEST(StreamWork, GivesTheMedianOfAStepAndItsTail) {
  const auto work = stream_work(stream_model());
  const Repetition step = work->run();
  EXPECT_EQ(step.amount, 1);
  EXPECT_GT(step.seconds, 0);
  EXPECT_GE(step.p999, step.seconds);
}

}  // namespace
}  // namespace t2v::bench
