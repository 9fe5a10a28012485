#include "nn/gradient_sum.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace t2v::nn {
namespace {

constexpr int64_t kRows = 9;
constexpr int64_t kColumns = 5;
constexpr int64_t kDense = 20000;  // more than one block

/// Sums [lo, hi) as the tree is defined: halves of a power of two.
float tree(const std::vector<float>& leaves, std::size_t lo, std::size_t width) {
  if (width == 1) return leaves[lo];
  const std::size_t middle = lo + width / 2;
  const float left = tree(leaves, lo, width / 2);
  return middle >= leaves.size() ? left : left + tree(leaves, middle, width / 2);
}

struct Shards {
  std::vector<ShardGradient<float>> shards;
  std::vector<std::vector<float>> dense_leaves;  // [i][shard]

  explicit Shards(std::size_t count) : shards(count), dense_leaves(kDense) {
    Random random(count);
    const auto draw = [&] { return static_cast<float>(random.normal() * (1 + 1000 * random.uniform())); };
    for (auto& shard : shards) {
      shard.dense.dense.assign_zeros(kDense);
      shard.dense.wide.assign_zeros(3);
      shard.loss = random.uniform();
      for (int64_t i = 0; i < kDense; ++i) {
        shard.dense.dense[i] = draw();
        dense_leaves[static_cast<std::size_t>(i)].push_back(shard.dense.dense[i]);
      }
      for (int32_t row = kRows - 1; row >= 0; --row) {  // in no order: some rows of each shard
        if (random.uniform() < 0.5) shard.rows.rows.push_back(row);
      }
      shard.rows.values.resize(shard.rows.rows.size() * kColumns);
      for (float& x : shard.rows.values) x = draw();
    }
  }
};

TEST(GradientSum, AddsTheShardsInAFixedBinaryTree) {
  for (const std::size_t count : {1, 2, 3, 5, 8, 13}) {
    for (const int threads : {1, 3}) {
      Shards made(count);
      Buffer<float> table;
      std::vector<int32_t> touched;
      ThreadPool pool(threads);
      sum_gradients<float>(made.shards, table, touched, 0, pool);
      std::size_t width = 1;
      while (width < count) width *= 2;
      for (int64_t i = 0; i < kDense; i += 7) {
        EXPECT_EQ(made.shards[0].dense.dense[i],
                  tree(made.dense_leaves[static_cast<std::size_t>(i)], 0, width))
            << count;
      }
    }
  }
}

TEST(GradientSum, GivesTouchedRowsTheSumOfADenseTreeAndClearsThoseOfTheStepBefore) {
  Buffer<float> table;
  table.assign_zeros(kRows * kColumns);
  std::vector<int32_t> touched;
  ThreadPool pool(2);
  for (const std::size_t count : {7, 1, 4}) {
    Shards made(count);
    // The same rows as a dense gradient of the whole table.
    std::vector<std::vector<float>> dense(kRows * kColumns, std::vector<float>(count, 0.0F));
    for (std::size_t s = 0; s < count; ++s) {
      const auto& rows = made.shards[s].rows;
      for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        for (int64_t c = 0; c < kColumns; ++c) {
          dense[static_cast<std::size_t>(rows.rows[i] * kColumns + c)][s] =
              rows.values[i * kColumns + static_cast<std::size_t>(c)];
        }
      }
    }
    sum_gradients<float>(made.shards, table, touched, kColumns, pool);
    for (int64_t i = 0; i < kRows * kColumns; ++i) {
      EXPECT_EQ(table[i], tree(dense[static_cast<std::size_t>(i)], 0, 8)) << count << " shards, entry " << i;
    }
  }
}

TEST(GradientSum, OfSubtreesHasTheBitsOfTheWhole) {
  ThreadPool pool(2);
  for (const int64_t count : {1, 2, 3, 5, 8, 13}) {
    for (int64_t parts = 1; parts <= 5; ++parts) {
      Shards whole(static_cast<std::size_t>(count));
      Shards cut(static_cast<std::size_t>(count));
      Buffer<float> table;
      table.assign_zeros(kRows * kColumns);
      std::vector<int32_t> touched;
      sum_gradients<float>(whole.shards, table, touched, kColumns, pool);
      std::vector<PlacedNumbers<float>> dense;
      std::vector<PlacedNumbers<double>> wide;
      std::vector<PlacedNumbers<double>> losses;
      std::vector<PlacedRows<float>> rows;
      for (int64_t part = 0; part < parts; ++part) {
        for (const IndexRange subtree : subtrees_of(Share{part, parts}.of(count), count)) {
          const auto first = static_cast<std::size_t>(subtree.begin);
          sum_subtree<float>(
              std::span(cut.shards).subspan(first, static_cast<std::size_t>(subtree.end - subtree.begin)),
              kColumns, pool);
          ShardGradient<float>& sum = cut.shards[first];
          dense.push_back({first, sum.dense.dense.data()});
          wide.push_back({first, sum.dense.wide.data()});
          losses.push_back({first, &sum.loss});
          rows.push_back({first, sum.rows.rows, sum.rows.values.data()});
        }
      }
      sum_numbers<float>(dense, count, kDense, pool);
      sum_numbers<double>(wide, count, 3, pool);
      sum_numbers<double>(losses, count, 1, pool);
      RowGradient<float> sum;
      sum_rows<float>(sum, rows, count, kColumns, pool);
      EXPECT_EQ(*losses[0].values, whole.shards[0].loss);
      for (int64_t i = 0; i < 3; ++i) EXPECT_EQ(wide[0].values[i], whole.shards[0].dense.wide[i]);
      int64_t wrong = 0;
      for (int64_t i = 0; i < kDense; ++i)
        wrong += dense[0].values[i] != whole.shards[0].dense.dense[i] ? 1 : 0;
      EXPECT_EQ(wrong, 0) << count << " shards in " << parts << " parts";
      EXPECT_EQ(sum.rows, touched);
      for (std::size_t i = 0; i < sum.values.size(); ++i) {
        EXPECT_EQ(sum.values[i],
                  table[sum.rows[i / kColumns] * kColumns + static_cast<int64_t>(i % kColumns)]);
      }
    }
  }
}

}  // namespace
}  // namespace t2v::nn
