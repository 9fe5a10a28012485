#include "bench/read_all.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <vector>

namespace t2v::bench {
namespace {

TEST(XorOf, ReadsEveryWordOfAnyLength) {
  for (std::size_t count = 0; count < 300; ++count) {
    // Each word has a bit pattern of its own, so that one that is left out shows.
    std::vector<uint32_t> words(count);
    uint32_t expected = 0;
    for (std::size_t i = 0; i < count; ++i) {
      words[i] = std::rotl(0x9e3779b9U, static_cast<int>(i % 31)) * static_cast<uint32_t>(i + 1);
      expected ^= words[i];
    }
    EXPECT_EQ(xor_of(words), expected) << count;
  }
}

}  // namespace
}  // namespace t2v::bench
