#pragma once

#include "export/cells.h"

namespace t2v::onnx {

/// What is known of all states of a sequence so far. Without tensors it is nothing.
struct PoolTensors {
  Tensor sum;    // [B, H]
  Tensor max;    // [B, H]
  Tensor count;  // [B, 1] float
};

/// After the last event of each sequence or, for a single step, after `before` and the event.
PoolTensors add_pool(const EventTensors& events, const LayerTensors& top, const PoolTensors& before);

/// What heads see, [B, kPoolParts H]: the last state, the mean and the maximum.
Tensor seen_by_heads(const LayerTensors& top, const PoolTensors& pool);

}  // namespace t2v::onnx
