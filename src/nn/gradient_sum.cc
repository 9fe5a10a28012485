#include "nn/gradient_sum.h"

#include <algorithm>
#include <bit>

#include "kernels/rows.h"

namespace t2v::nn {
namespace {

/// Numbers a task sums at a time: with a few shards, they fit the second-level cache.
constexpr int64_t kBlock = 8192;

/// Calls add(to, from) for the pairs of the tree over `count` leaves, children first.
template <class Add>
void over_tree(std::size_t count, const Add& add) {
  for (std::size_t half = 1; half < count; half *= 2) {
    for (std::size_t to = 0; to + half < count; to += 2 * half) add(to, to + half);
  }
}

/// One shard's gradient of one row.
template <class T>
struct Leaf {
  int32_t row;
  std::size_t shard;
  T* values;
};

/// The same tree where only some leaves are there: the sum of those in [lo, lo + width) ends in the first.
template <class T>
void sum_leaves(std::span<Leaf<T>> leaves, std::size_t lo, std::size_t width, int64_t columns) {
  if (leaves.size() < 2) return;
  const std::size_t middle = lo + width / 2;
  const auto split = static_cast<std::size_t>(
      std::ranges::find_if(leaves, [=](const Leaf<T>& leaf) { return leaf.shard >= middle; }) -
      leaves.begin());
  sum_leaves(leaves.first(split), lo, width / 2, columns);
  sum_leaves(leaves.subspan(split), middle, width / 2, columns);
  if (split > 0 && split < leaves.size()) kernels::add(leaves[0].values, leaves[split].values, columns);
}

template <class T>
std::vector<Leaf<T>> leaves_of(std::span<ShardGradient<T>> shards, int64_t columns) {
  std::vector<Leaf<T>> leaves;
  for (std::size_t s = 0; s < shards.size(); ++s) {
    const auto& rows = shards[s].rows.rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      leaves.push_back({rows[i], s, shards[s].rows.values.data() + static_cast<int64_t>(i) * columns});
    }
  }
  std::ranges::stable_sort(leaves, {}, &Leaf<T>::row);  // by row, then by shard
  return leaves;
}

template <class T>
void sum_rows(std::span<ShardGradient<T>> shards, Buffer<T>& table, std::vector<int32_t>& touched,
              int64_t columns, ThreadPool& pool) {
  for (const int32_t row : touched) std::fill_n(table.data() + row * columns, columns, T(0));
  touched.clear();
  std::vector<Leaf<T>> leaves = leaves_of(shards, columns);
  std::vector<std::span<Leaf<T>>> rows;
  for (auto begin = leaves.begin(); begin != leaves.end();) {
    const auto end =
        std::find_if(begin, leaves.end(), [&](const Leaf<T>& leaf) { return leaf.row != begin->row; });
    rows.emplace_back(begin, end);
    touched.push_back(begin->row);
    begin = end;
  }
  const std::size_t width = std::bit_ceil(shards.size());
  pool.run(static_cast<int64_t>(rows.size()), [&](int64_t i) {
    const std::span<Leaf<T>> row = rows[static_cast<std::size_t>(i)];
    sum_leaves(row, 0, width, columns);
    std::copy_n(row[0].values, columns, table.data() + row[0].row * columns);
  });
}

}  // namespace

template <class T>
void sum_gradients(std::span<ShardGradient<T>> shards, Buffer<T>& table, std::vector<int32_t>& touched,
                   int64_t table_columns, ThreadPool& pool) {
  over_tree(shards.size(), [&](std::size_t to, std::size_t from) {
    shards[to].loss += shards[from].loss;
    kernels::add(shards[to].dense.wide.data(), shards[from].dense.wide.data(), shards[to].dense.wide.size());
  });
  const int64_t size = shards[0].dense.dense.size();
  pool.run((size + kBlock - 1) / kBlock, [&](int64_t block) {
    const int64_t begin = block * kBlock;
    const int64_t count = std::min(kBlock, size - begin);
    over_tree(shards.size(), [&](std::size_t to, std::size_t from) {
      kernels::add(shards[to].dense.dense.data() + begin, shards[from].dense.dense.data() + begin, count);
    });
  });
  if (table_columns > 0) sum_rows(shards, table, touched, table_columns, pool);
}

#define T2V_INSTANTIATE(T)                                                                                \
  template void sum_gradients<T>(std::span<ShardGradient<T>>, Buffer<T>&, std::vector<int32_t>&, int64_t, \
                                 ThreadPool&);
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE

}  // namespace t2v::nn
