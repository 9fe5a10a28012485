#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace t2v {

/// Asks the system to back the room that a large vector has reserved with large pages: the first touch of it
/// then costs a few faults instead of thousands. Only a hint.
template <class T>
void prefer_large_pages(std::vector<T>& reserved) {
#ifdef __linux__
  constexpr std::size_t kPage = std::size_t{1} << 21;
  auto* const begin = reinterpret_cast<std::byte*>(reserved.data());
  const std::size_t size = reserved.capacity() * sizeof(T);
  // The whole pages within.
  const std::size_t skip = (kPage - reinterpret_cast<std::uintptr_t>(begin) % kPage) % kPage;
  if (size >= skip + kPage) madvise(begin + skip, (size - skip) / kPage * kPage, MADV_HUGEPAGE);
#endif
}

}  // namespace t2v
