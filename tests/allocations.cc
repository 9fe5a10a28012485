#include "allocations.h"

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<int64_t> allocation_count{0};
std::atomic<int64_t> live_bytes{0};
std::atomic<int64_t> peak_bytes{0};

void* counted(std::size_t size, std::size_t alignment) {
  allocation_count.fetch_add(1, std::memory_order_relaxed);
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, size == 0 ? 1 : size) != 0) throw std::bad_alloc();
  const int64_t live = live_bytes += static_cast<int64_t>(malloc_usable_size(memory));
  for (int64_t peak = peak_bytes; live > peak && !peak_bytes.compare_exchange_weak(peak, live);) {
  }
  return memory;
}

void released(void* memory) {
  live_bytes -= static_cast<int64_t>(malloc_usable_size(memory));
  std::free(memory);
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
T2V_REPLACED void operator delete(void* memory) noexcept { released(memory); }
T2V_REPLACED void operator delete(void* memory, std::size_t /*size*/) noexcept { released(memory); }
T2V_REPLACED void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { released(memory); }
T2V_REPLACED void operator delete(void* memory, std::size_t /*size*/,
                                  std::align_val_t /*alignment*/) noexcept {
  released(memory);
}
#undef T2V_REPLACED

namespace t2v::testing {

int64_t allocations() { return allocation_count.load(); }

MemoryPeak::MemoryPeak() : before_(live_bytes) { peak_bytes = before_; }

int64_t MemoryPeak::bytes() const { return peak_bytes - before_; }

}  // namespace t2v::testing
