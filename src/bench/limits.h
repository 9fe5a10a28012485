#pragma once

#include <cstdint>
#include <memory>

#include "bench/workload.h"

// What the machine can do at most, measured in the same run as the work that is compared with it.
namespace t2v::bench {

/// Rows of a product within a step of training.
inline constexpr int64_t kShardRows = 64;

/// Bytes of a copy beyond the caches, and of no more than that: copies of gigabytes meet memory that the
/// machine has yet to find.
inline constexpr int64_t kCopied = int64_t{1} << 28;

/// oneDNN's matrix product alone, on every thread at once: [rows, inner] x [inner, columns].
std::unique_ptr<Workload> matrix_limit(ThreadPool& pool, int64_t rows, int64_t inner, int64_t columns);

/// Copying of memory, on every thread at once; counts the bytes written.
std::unique_ptr<Workload> copy_limit(ThreadPool& pool, int64_t bytes);

/// Reading of so many bytes again and again, from whichever cache holds them, by the calling thread.
std::unique_ptr<Workload> read_limit(int64_t bytes);

/// Rounds of the thread pool with nothing to do; counts the rounds.
std::unique_ptr<Workload> empty_call(ThreadPool& pool);

/// The limits of a machine for people and records.
struct MachineLimits {
  double matrix;      // floating-point operations a second, [64, 128] x [128, 512] on every thread
  double copy;        // bytes written a second, beyond the caches
  double empty_call;  // seconds of a round of the thread pool with nothing to do
};
/// Takes a second or two.
MachineLimits machine_limits(ThreadPool& pool);

}  // namespace t2v::bench
