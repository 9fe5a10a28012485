#pragma once

#include <memory>

#include "bench/model_work.h"

namespace t2v::bench {

/// Training of a head alone: what a step with it takes longer than one without, batch by batch, its loss and
/// its update included. Both work on the same sequences; `whole` has a softmax at each event, which must be
/// most of the work.
std::unique_ptr<Workload> head_work(ModelWork whole, ModelWork without, ThreadPool& pool);

}  // namespace t2v::bench
