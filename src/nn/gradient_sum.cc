#include "nn/gradient_sum.h"

#include <algorithm>
#include <bit>
#include <utility>

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

/// By row, then by shard.
template <class T>
std::vector<Leaf<T>> leaves_of(std::span<const PlacedRows<T>> parts, int64_t columns) {
  std::vector<Leaf<T>> leaves;
  for (const PlacedRows<T>& part : parts) {
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
      leaves.push_back({part.rows[i], part.shard, part.values + static_cast<int64_t>(i) * columns});
    }
  }
  std::ranges::stable_sort(leaves, {}, &Leaf<T>::row);
  return leaves;
}

/// The leaves of each row.
template <class T>
std::vector<std::span<Leaf<T>>> rows_of(std::vector<Leaf<T>>& leaves) {
  std::vector<std::span<Leaf<T>>> rows;
  for (auto begin = leaves.begin(); begin != leaves.end();) {
    const auto end =
        std::find_if(begin, leaves.end(), [&](const Leaf<T>& leaf) { return leaf.row != begin->row; });
    rows.emplace_back(begin, end);
    begin = end;
  }
  return rows;
}

template <class T>
std::vector<PlacedRows<T>> placed_rows(std::span<ShardGradient<T>> shards) {
  std::vector<PlacedRows<T>> parts;
  for (std::size_t s = 0; s < shards.size(); ++s) {
    parts.push_back({s, shards[s].rows.rows, shards[s].rows.values.data()});
  }
  return parts;
}

template <class T>
void sum_into_table(std::span<ShardGradient<T>> shards, Buffer<T>& table, std::vector<int32_t>& touched,
                    int64_t columns, ThreadPool& pool) {
  for (const int32_t row : touched) std::fill_n(table.data() + row * columns, columns, T(0));
  touched.clear();
  std::vector<Leaf<T>> leaves = leaves_of<T>(placed_rows(shards), columns);
  const std::vector<std::span<Leaf<T>>> rows = rows_of(leaves);
  for (const std::span<Leaf<T>> row : rows) touched.push_back(row[0].row);
  const std::size_t width = std::bit_ceil(shards.size());
  pool.run(static_cast<int64_t>(rows.size()), [&](int64_t i) {
    const std::span<Leaf<T>> row = rows[static_cast<std::size_t>(i)];
    sum_leaves(row, 0, width, columns);
    std::copy_n(row[0].values, columns, table.data() + row[0].row * columns);
  });
}

template <class T>
void sum_dense(std::span<ShardGradient<T>> shards, ThreadPool& pool) {
  // By the pool, since its threads take subnormal numbers for zero.
  pool.run(1, [&](int64_t) {
    over_tree(shards.size(), [&](std::size_t to, std::size_t from) {
      Parameters<T>& sum = shards[to].dense;
      shards[to].loss += shards[from].loss;
      kernels::add(sum.wide.data(), shards[from].dense.wide.data(), sum.wide.size());
    });
  });
  const int64_t size = shards[0].dense.dense.size();
  pool.run((size + kBlock - 1) / kBlock, [&](int64_t block) {
    const int64_t begin = block * kBlock;
    const int64_t count = std::min(kBlock, size - begin);
    over_tree(shards.size(), [&](std::size_t to, std::size_t from) {
      kernels::add(shards[to].dense.dense.data() + begin, shards[from].dense.dense.data() + begin, count);
    });
  });
}

}  // namespace

template <class T>
void sum_gradients(std::span<ShardGradient<T>> shards, Buffer<T>& table, std::vector<int32_t>& touched,
                   int64_t table_columns, ThreadPool& pool) {
  sum_dense(shards, pool);
  if (table_columns > 0) sum_into_table(shards, table, touched, table_columns, pool);
}

std::vector<IndexRange> subtrees_of(IndexRange range, int64_t shards) {
  std::vector<IndexRange> subtrees;
  const auto whole = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(shards)));
  for (int64_t lo = range.begin; lo < range.end;) {
    int64_t width = lo == 0 ? whole : lo & -lo;
    while (std::min(lo + width, shards) > range.end) width /= 2;
    subtrees.push_back({lo, std::min(lo + width, shards)});
    lo += width;
  }
  return subtrees;
}

template <class T>
void sum_subtree(std::span<ShardGradient<T>> shards, int64_t table_columns, ThreadPool& pool) {
  sum_dense(shards, pool);
  if (table_columns == 0) return;
  RowGradient<T> sum;
  sum_rows<T>(sum, placed_rows(shards), static_cast<int64_t>(shards.size()), table_columns, pool);
  shards[0].rows = std::move(sum);
}

template <class T>
void sum_rows(RowGradient<T>& sum, std::span<const PlacedRows<T>> parts, int64_t shards, int64_t columns,
              ThreadPool& pool) {
  std::vector<Leaf<T>> leaves = leaves_of<T>(parts, columns);
  const std::vector<std::span<Leaf<T>>> rows = rows_of(leaves);
  sum.rows.clear();
  for (const std::span<Leaf<T>> row : rows) sum.rows.push_back(row[0].row);
  sum.values.resize(rows.size() * static_cast<std::size_t>(columns));
  const std::size_t width = std::bit_ceil(static_cast<std::size_t>(shards));
  pool.run(static_cast<int64_t>(rows.size()), [&](int64_t i) {
    const std::span<Leaf<T>> row = rows[static_cast<std::size_t>(i)];
    sum_leaves(row, 0, width, columns);
    std::copy_n(row[0].values, columns, sum.values.data() + i * columns);
  });
}

template <class T>
void sum_numbers(std::span<const PlacedNumbers<T>> parts, int64_t shards, int64_t count, ThreadPool& pool) {
  const std::size_t width = std::bit_ceil(static_cast<std::size_t>(shards));
  pool.run((count + kBlock - 1) / kBlock, [&](int64_t block) {
    std::vector<Leaf<T>> leaves;
    for (const PlacedNumbers<T>& part : parts)
      leaves.push_back({0, part.shard, part.values + block * kBlock});
    sum_leaves<T>(leaves, 0, width, std::min(kBlock, count - block * kBlock));
  });
}

#define T2V_INSTANTIATE(T)                                                                                \
  template void sum_gradients<T>(std::span<ShardGradient<T>>, Buffer<T>&, std::vector<int32_t>&, int64_t, \
                                 ThreadPool&);                                                            \
  template void sum_subtree<T>(std::span<ShardGradient<T>>, int64_t, ThreadPool&);                        \
  template void sum_rows<T>(RowGradient<T>&, std::span<const PlacedRows<T>>, int64_t, int64_t, ThreadPool&);
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE
template void sum_numbers<float>(std::span<const PlacedNumbers<float>>, int64_t, int64_t, ThreadPool&);
template void sum_numbers<double>(std::span<const PlacedNumbers<double>>, int64_t, int64_t, ThreadPool&);

}  // namespace t2v::nn
