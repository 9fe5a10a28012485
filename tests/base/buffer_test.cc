#include "base/buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace t2v {
namespace {

Buffer<float> counting(int64_t size) {
  Buffer<float> buffer(size);
  for (int64_t i = 0; i < size; ++i) buffer[i] = static_cast<float>(i + 1);
  return buffer;
}

bool counts_to(const Buffer<float>& buffer, int64_t size) {
  if (buffer.size() != size) return false;
  for (int64_t i = 0; i < size; ++i) {
    if (buffer[i] != static_cast<float>(i + 1)) return false;
  }
  return true;
}

template <class T>
void expect_aligned() {
  for (const int64_t size : {1, 3, 16, 17, 1000}) {
    Buffer<T> buffer(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0U) << size;
    EXPECT_EQ(buffer.size(), size);
  }
}

TEST(Buffer, IsAlignedToCacheLines) {
  expect_aligned<float>();
  expect_aligned<double>();
  expect_aligned<char>();
}

TEST(Buffer, StartsEmpty) {
  const Buffer<float> buffer;
  EXPECT_EQ(buffer.size(), 0);
  EXPECT_EQ(buffer.begin(), buffer.end());
}

TEST(Buffer, KeepsItsMemoryUntilMoreIsReserved) {
  Buffer<float> buffer(100);
  const float* data = buffer.data();
  for (const int64_t size : {10, 0, 100, 99, 100}) {
    buffer.reserve(size);
    EXPECT_EQ(buffer.data(), data) << size;
    EXPECT_EQ(buffer.size(), size);
  }
  buffer.reserve(100'000);
  EXPECT_EQ(buffer.size(), 100'000);
  std::fill(buffer.begin(), buffer.end(), 1.0F);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0U);
  data = buffer.data();
  buffer.reserve(101);
  buffer.reserve(100'000);
  EXPECT_EQ(buffer.data(), data);
}

TEST(Buffer, AssignsZerosToAllOfItself) {
  Buffer<float> buffer = counting(50);
  const float* data = buffer.data();
  buffer.assign_zeros(40);
  EXPECT_EQ(buffer.size(), 40);
  EXPECT_EQ(buffer.data(), data);
  EXPECT_EQ(std::count(buffer.begin(), buffer.end(), 0.0F), 40);
  buffer.reserve(50);
  EXPECT_EQ(buffer[40], 41.0F) << "beyond what was asked for";
  buffer.assign_zeros(500);
  EXPECT_EQ(std::count(buffer.begin(), buffer.end(), 0.0F), 500);
}

TEST(Buffer, CopiesItsContents) {
  const Buffer<float> original = counting(33);
  Buffer<float> copy(original);
  EXPECT_TRUE(counts_to(copy, 33));
  EXPECT_NE(copy.data(), original.data());
  copy[0] = -1;
  EXPECT_EQ(original[0], 1.0F);

  Buffer<float> roomy(100);
  const float* data = roomy.data();
  roomy = original;
  EXPECT_TRUE(counts_to(roomy, 33));
  EXPECT_EQ(roomy.data(), data) << "an assignment that fits should not allocate";
}

TEST(Buffer, CopiesNothing) {
  const Buffer<float> empty;
  Buffer<float> copy(empty);
  EXPECT_EQ(copy.size(), 0);
  copy = counting(5);
  copy = empty;
  EXPECT_EQ(copy.size(), 0);
}

TEST(Buffer, SurvivesAssignmentToItself) {
  Buffer<float> buffer = counting(20);
  const Buffer<float>& same = buffer;
  buffer = same;
  EXPECT_TRUE(counts_to(buffer, 20));
}

TEST(Buffer, MovesWithoutCopying) {
  Buffer<float> original = counting(33);
  const float* data = original.data();
  Buffer<float> moved(std::move(original));
  EXPECT_EQ(moved.data(), data);
  EXPECT_TRUE(counts_to(moved, 33));

  Buffer<float> assigned(3);
  assigned = std::move(moved);
  EXPECT_EQ(assigned.data(), data);
  EXPECT_TRUE(counts_to(assigned, 33));
}

TEST(Buffer, IsASpanOfItsSize) {
  Buffer<float> buffer = counting(10);
  buffer.reserve(7);
  const std::span<float> span = buffer;
  EXPECT_EQ(span.data(), buffer.data());
  EXPECT_EQ(span.size(), 7U);
  const std::span<const float> constant = std::as_const(buffer);
  EXPECT_EQ(constant.size(), 7U);
}

}  // namespace
}  // namespace t2v
