#pragma once

#include "export/heads.h"

namespace t2v::onnx {

/// Throws t2v::Error for a model whose rules know more types than a graph is made for: each event then has a
/// number for each type, and the chain is a full matrix.
void check_rules(const Model& model);

/// What the rules of a head add to its logits at the places, but for the popularity, which is in its base. A
/// graph of a single step has the counts of the types as input `past` and output `next_past`, [B, V].
Tensor rules_of(const Places& places, const EventTensors& events, std::size_t head,
                const TrainedModel& trained, const Model& model);

}  // namespace t2v::onnx
