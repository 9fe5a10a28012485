#pragma once

#include <cstdint>
#include <memory>

#include "bench/workload.h"
#include "model/config.h"

namespace t2v::bench {

/// The model of the streaming workload: next of 22 types, H = 128, Time2Vec with k = 64 of the gap.
ModelConfig stream_model();

/// Bytes of weights that a step cannot do without: of the recurrence, the times and the head.
int64_t weight_bytes(const ModelConfig& model);

/// One event after another, each with its prediction, on the calling thread. A repetition's seconds are the
/// median of a step.
std::unique_ptr<Workload> stream_work(const ModelConfig& model);

}  // namespace t2v::bench
