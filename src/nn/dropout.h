#pragma once

#include <cstdint>
#include <span>

namespace t2v::nn {

/// Multiplies rows x [E, H] in place: by 0 with probability `rate`, else by 1 / (1 - rate). The draw is a
/// function of the key, the layer, the event's number in the batch (`source`) and the unit, so it is the same
/// forward and backward, and on any number of threads.
template <class T>
void drop(T* x, int64_t hidden, double rate, uint64_t key, uint32_t layer, std::span<const int32_t> source);

}  // namespace t2v::nn
