#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <ctime>

#include "allocations.h"

namespace t2v::testing {

#if defined(__SANITIZE_THREAD__)
inline constexpr double kSlower = 50;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr double kSlower = 20;
#else
inline constexpr double kSlower = 1;
#endif
/// That a bad small file may take (docs/robustness.md).
inline constexpr double kBadFileSeconds = 0.05 * kSlower;
inline constexpr int64_t kSmallFile = 64 << 10;

/// What reading a file of ours costs from here on, held to the bounds of docs/robustness.md.
class FileCost {
 public:
  explicit FileCost(std::size_t file_size)
      : file_size_(static_cast<int64_t>(file_size)), start_(thread_seconds()) {}

  void expect_little() const {
    EXPECT_LE(peak_.bytes(), 2 * file_size_ + (16 << 20));
    if (file_size_ <= kSmallFile) {
      EXPECT_LE(seconds(), kBadFileSeconds);
    }
  }
  /// Of work: what else the machine does is not the file's.
  double seconds() const { return thread_seconds() - start_; }

 private:
  static double thread_seconds() {
    std::timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  MemoryPeak peak_;
  int64_t file_size_;
  double start_;
};

}  // namespace t2v::testing
