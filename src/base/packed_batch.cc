#include "base/packed_batch.h"

#include <algorithm>
#include <numeric>

#include "base/fail.h"

namespace t2v {
namespace {

constexpr int64_t kMostRows = 64;
constexpr int64_t kFewestRows = 16;
constexpr int64_t kSmallBatchShards = 4;

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

std::vector<int32_t> longest_first(std::span<const int64_t> offsets) {
  std::vector<int32_t> order(offsets.empty() ? 0 : offsets.size() - 1);
  std::iota(order.begin(), order.end(), 0);
  const auto length = [&](int32_t b) {
    return offsets[static_cast<std::size_t>(b) + 1] - offsets[static_cast<std::size_t>(b)];
  };
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return length(a) > length(b); });
  if (!order.empty() && length(order.back()) < 1) fail("sequence {} of the batch has no event", order.back());
  return order;
}

/// Fills in everything but `sequence`.
void lay_out(Shard& shard, std::span<const int64_t> offsets) {
  const auto first = [&](int64_t row) {
    return offsets[static_cast<std::size_t>(shard.sequence[static_cast<std::size_t>(row)])];
  };
  const auto length = [&](int64_t row) {
    const auto b = static_cast<std::size_t>(shard.sequence[static_cast<std::size_t>(row)]);
    return offsets[b + 1] - offsets[b];
  };
  shard.active.clear();
  shard.source.clear();
  shard.start.assign(1, 0);
  shard.last.assign(shard.sequence.size(), 0);
  int64_t active = shard.rows();
  for (int64_t t = 0;; ++t) {
    while (active > 0 && length(active - 1) <= t) --active;
    if (active == 0) return;
    for (int64_t row = 0; row < active; ++row) {
      if (length(row) == t + 1) shard.last[static_cast<std::size_t>(row)] = shard.events();
      shard.source.push_back(static_cast<int32_t>(first(row) + t));
    }
    shard.active.push_back(active);
    shard.start.push_back(shard.events());
  }
}

}  // namespace

int64_t shard_count(int64_t sequences) {
  return std::max(ceil_div(sequences, kMostRows),
                  std::min(kSmallBatchShards, ceil_div(sequences, kFewestRows)));
}

void pack(std::vector<Shard>& shards, std::span<const int64_t> offsets) {
  const std::vector<int32_t> order = longest_first(offsets);
  shards.resize(static_cast<std::size_t>(shard_count(static_cast<int64_t>(order.size()))));
  for (Shard& shard : shards) shard.sequence.clear();
  for (std::size_t i = 0; i < order.size(); ++i) shards[i % shards.size()].sequence.push_back(order[i]);
  for (Shard& shard : shards) lay_out(shard, offsets);
}

}  // namespace t2v
