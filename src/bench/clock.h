#pragma once

#include <chrono>
#include <functional>

namespace t2v::bench {

/// How long it takes.
inline double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace t2v::bench
