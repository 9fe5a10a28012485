#include "bench/encode_work.h"

#include <gtest/gtest.h>

namespace t2v::bench {
namespace {

TEST(EncodeWork, CountsALinearTermAndTheSinesOfEachTime) {
  ThreadPool pool(2);
  const Repetition done = encode_work(20'000, 8, pool)->run();
  EXPECT_EQ(done.amount, 20'000 * 9);
  EXPECT_EQ(done.operations, static_cast<double>(encoded_bytes(20'000, 8)));
  EXPECT_EQ(encoded_bytes(20'000, 8), 20'000 * 9 * 4);
}

}  // namespace
}  // namespace t2v::bench
