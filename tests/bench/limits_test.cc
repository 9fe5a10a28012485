#include "bench/limits.h"

#include <gtest/gtest.h>

namespace t2v::bench {
namespace {

TEST(ReadLimit, CountsTheBytesOfAllRounds) {
  const auto limit = read_limit(4096);
  const Repetition done = limit->run();
  EXPECT_GT(done.seconds, 0);
  EXPECT_EQ(done.operations, done.amount * 4096);
}

TEST(MatrixLimit, CountsTheProductsOfAllThreads) {
  ThreadPool one(1);
  ThreadPool two(2);
  const Repetition done = matrix_limit(one, 64, 128, 512)->run();
  EXPECT_GT(done.seconds, 0);
  EXPECT_EQ(done.operations, done.amount * 2 * 64 * 128 * 512);
  EXPECT_EQ(matrix_limit(two, 64, 128, 512)->run().amount, 2 * done.amount);
}

TEST(CopyLimit, CountsTheBytesWritten) {
  ThreadPool pool(2);
  EXPECT_EQ(copy_limit(pool, 1 << 16)->run().operations, 1 << 16);
}

TEST(MachineLimits, AreAllMeasured) {
  ThreadPool pool(1);
  const MachineLimits limits = machine_limits(pool);
  EXPECT_GT(limits.matrix, 1e8);
  EXPECT_GT(limits.copy, 1e7);
  EXPECT_GT(limits.empty_call, 0);
  EXPECT_LT(limits.empty_call, 1);
}

}  // namespace
}  // namespace t2v::bench
