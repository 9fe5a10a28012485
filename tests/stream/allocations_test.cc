#include "allocations.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace {

std::atomic<int64_t> allocation_count{0};

void* counted(std::size_t size, std::size_t alignment) {
  allocation_count.fetch_add(1, std::memory_order_relaxed);
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, size == 0 ? 1 : size) != 0) throw std::bad_alloc();
  return memory;
}

}  // namespace

// All of this program. Never inlined: compilers that see both sides take free() for a mistake.
#define T2V_REPLACED __attribute__((noinline))
T2V_REPLACED void* operator new(std::size_t size) { return counted(size, alignof(std::max_align_t)); }
T2V_REPLACED void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
T2V_REPLACED void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return counted(size, alignof(std::max_align_t));  // out of memory ends the tests
}
T2V_REPLACED void operator delete(void* memory) noexcept { std::free(memory); }
T2V_REPLACED void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
T2V_REPLACED void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
T2V_REPLACED void operator delete(void* memory, std::size_t /*size*/,
                                  std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
#undef T2V_REPLACED

namespace t2v::testing {

int64_t allocations() { return allocation_count.load(); }

TEST(Allocations, AreCounted) {
  const int64_t before = allocations();
  const auto number = std::make_unique<int64_t>(before);
  EXPECT_EQ(allocations(), *number + 1);
}

}  // namespace t2v::testing
