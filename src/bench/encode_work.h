#pragma once

#include <cstdint>
#include <memory>

#include "bench/workload.h"

namespace t2v::bench {

/// Time2Vec alone, of Unix times in seconds, with k sines: counts the phases, and the bytes written.
std::unique_ptr<Workload> encode_work(int64_t times, int64_t k, ThreadPool& pool);

/// The bytes that it writes.
int64_t encoded_bytes(int64_t times, int64_t k);

}  // namespace t2v::bench
