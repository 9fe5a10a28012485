#pragma once

#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "nn/parameters.h"

namespace t2v::nn {

/// One shard's contribution to a gradient. The table part of `dense` is not used: rows has it.
template <class T>
struct ShardGradient {
  Parameters<T> dense;
  RowGradient<T> rows;
  Wide<T> loss{};
};

/// Sums the shards' gradients and losses in a fixed binary tree over the shard index: node [lo, hi) is the
/// sum of its two halves, where the width is a power of two. So the result has the same bits for any number
/// of threads, and an aligned range of shards can be summed elsewhere. The sum is left in shards[0]; the rows
/// go into `table`, a gradient of the whole table [V, cols], in which the rows named by `touched` (those of
/// the step before, then those of this one) are all that is not zero.
template <class T>
void sum_gradients(std::span<ShardGradient<T>> shards, Buffer<T>& table, std::vector<int32_t>& touched,
                   int64_t table_columns, ThreadPool& pool);

}  // namespace t2v::nn
