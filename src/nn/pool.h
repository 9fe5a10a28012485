#pragma once

#include <cstdint>
#include <vector>

#include "base/buffer.h"
#include "base/packed_batch.h"

namespace t2v::nn {

/// What a head sees of a whole sequence: its last state, and the mean and the maximum of all states, side by
/// side. H: hidden units. Sums run over the steps in order, in a batch as in a stream.
constexpr int64_t kPoolParts = 3;

/// Of the rows of a shard, from chunk to chunk.
template <class T>
struct PoolState {
  Buffer<T> sum;                // [rows, H]
  Buffer<T> max;                // [rows, H]
  std::vector<int32_t> max_at;  // [rows, H] the event of the chunk that has it, -1 for one before the chunk
  std::vector<int64_t> counts;  // [rows] events so far
};

/// Before the first chunk of a shard.
template <class T>
void start_pool(PoolState<T>& state, int64_t rows, int64_t hidden);

/// Takes the states h [E, H] of a chunk in.
template <class T>
void pool_forward(PoolState<T>& state, const Chunk& chunk, const T* h, int64_t hidden);

/// Writes the mean and the maximum, [2 H], of a row.
template <class T>
void read_pool(T* out, const PoolState<T>& state, int64_t row, int64_t hidden);

/// For a row that ends in the chunk, from the gradient [2 H] of its mean and maximum: adds that of its states
/// to dh [E, H]. States before the chunk get none.
template <class T>
void pool_backward(T* dh, const PoolState<T>& state, const Chunk& chunk, int64_t row, const T* dout,
                   int64_t hidden);

}  // namespace t2v::nn
