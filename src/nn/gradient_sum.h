#pragma once

#include <span>
#include <vector>

#include "base/packed_batch.h"
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

// The same in parts: subtrees are summed by those that have their shards, then their sums above them.

/// The fewest subtrees of the tree over so many shards that make up a range of them.
std::vector<IndexRange> subtrees_of(IndexRange range, int64_t shards);

/// Sums the shards of one subtree, all into shards[0]; the rows there are sorted, each once.
template <class T>
void sum_subtree(std::span<ShardGradient<T>> shards, int64_t table_columns, ThreadPool& pool);

/// The sum of a subtree, which stands at its first shard.
template <class T>
struct PlacedNumbers {
  std::size_t shard;
  T* values;
};
/// The same of rows: values [rows, columns].
template <class T>
struct PlacedRows {
  std::size_t shard;
  std::span<const int32_t> rows;
  T* values;
};

/// Sums all subtrees of a tree over so many shards, in their order, into the values of the first, of which
/// there are `count`. The others are overwritten.
template <class T>
void sum_numbers(std::span<const PlacedNumbers<T>> parts, int64_t shards, int64_t count, ThreadPool& pool);
/// The same of rows. The values of the parts are overwritten.
template <class T>
void sum_rows(RowGradient<T>& sum, std::span<const PlacedRows<T>> parts, int64_t shards, int64_t columns,
              ThreadPool& pool);

}  // namespace t2v::nn
