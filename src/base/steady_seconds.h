#pragma once

#include <chrono>

namespace t2v {

/// Seconds since an instant that stays the same while a program runs; no clock that is set changes it.
inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace t2v
