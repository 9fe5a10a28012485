#include "base/packed_batch.h"

#include <algorithm>
#include <numeric>

#include "base/fail.h"

namespace t2v {
namespace {

constexpr int64_t kMostRows = 64;
constexpr int64_t kFewestRows = 32;
constexpr int64_t kSmallBatchShards = 4;
constexpr int64_t kWindowEvents = 256;

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Where the events of a sequence are.
struct Extent {
  int64_t begin;
  int64_t length;
};

Extent extent_of(std::span<const int64_t> offsets, int32_t sequence) {
  const auto b = static_cast<std::size_t>(sequence);
  return {offsets[b], offsets[b + 1] - offsets[b]};
}

std::vector<int32_t> longest_first(std::span<const int64_t> offsets) {
  std::vector<int32_t> order(offsets.empty() ? 0 : offsets.size() - 1);
  std::iota(order.begin(), order.end(), 0);
  const auto length = [&](int32_t b) { return extent_of(offsets, b).length; };
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return length(a) > length(b); });
  if (!order.empty() && length(order.back()) < 1) fail("sequence {} of the batch has no event", order.back());
  return order;
}

/// Gives the sequences to the shards.
void deal(std::vector<Shard>& shards, std::span<const int64_t> offsets) {
  const std::vector<int32_t> order = longest_first(offsets);
  shards.resize(static_cast<std::size_t>(shard_count(static_cast<int64_t>(order.size()))));
  for (Shard& shard : shards) shard.sequence.clear();
  const std::size_t n = shards.size();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t turn = i / n % 2;
    shards[turn == 0 ? i % n : n - 1 - i % n].sequence.push_back(order[i]);
  }
}

void cut_windows(Chunk& chunk) {
  chunk.windows.clear();
  int64_t begin = 0;
  for (int64_t end = 1; end <= chunk.steps(); ++end) {
    if (end < chunk.steps() && chunk.events_of({begin, end}).count() < kWindowEvents) continue;
    chunk.windows.push_back({begin, end});
    begin = end;
  }
}

/// Lays out steps [first, first + count) of the sequences that have them.
void lay_out(Chunk& chunk, const Shard& shard, std::span<const int64_t> offsets, int64_t first,
             int64_t count) {
  const auto extent = [&](int64_t row) {
    return extent_of(offsets, shard.sequence[static_cast<std::size_t>(row)]);
  };
  chunk.active.clear();
  chunk.source.clear();
  chunk.start.assign(1, 0);
  int64_t active = shard.rows();
  for (int64_t t = first; t < first + count; ++t) {
    while (active > 0 && extent(active - 1).length <= t) --active;
    if (active == 0) break;
    if (t == first) chunk.last.assign(static_cast<std::size_t>(active), -1);
    for (int64_t row = 0; row < active; ++row) {
      const Extent of_row = extent(row);
      if (of_row.length == t + 1) chunk.last[static_cast<std::size_t>(row)] = chunk.events();
      chunk.source.push_back(static_cast<int32_t>(of_row.begin + t));
    }
    chunk.active.push_back(active);
    chunk.start.push_back(chunk.events());
  }
  cut_windows(chunk);
}

}  // namespace

int64_t Shard::events() const {
  int64_t sum = 0;
  for (const Chunk& chunk : chunks) sum += chunk.events();
  return sum;
}

int64_t shard_count(int64_t sequences) {
  return std::max(ceil_div(sequences, kMostRows),
                  std::min(kSmallBatchShards, ceil_div(sequences, kFewestRows)));
}

void pack(std::vector<Shard>& shards, std::span<const int64_t> offsets, int64_t chunk_steps, Share share) {
  deal(shards, offsets);
  const IndexRange range = share.of(static_cast<int64_t>(shards.size()));
  for (int64_t i = 0; i < static_cast<int64_t>(shards.size()); ++i) {
    Shard& shard = shards[static_cast<std::size_t>(i)];
    const bool shared = i >= range.begin && i < range.end;
    const int64_t longest = shared ? extent_of(offsets, shard.sequence.front()).length : 0;
    const int64_t steps = chunk_steps > 0 ? chunk_steps : std::max<int64_t>(longest, 1);
    shard.chunks.resize(static_cast<std::size_t>(ceil_div(longest, steps)));
    for (std::size_t c = 0; c < shard.chunks.size(); ++c) {
      lay_out(shard.chunks[c], shard, offsets, static_cast<int64_t>(c) * steps, steps);
    }
  }
}

std::vector<bool> in_share(std::span<const int64_t> offsets, Share share) {
  std::vector<Shard> shards;
  deal(shards, offsets);
  const IndexRange range = share.of(static_cast<int64_t>(shards.size()));
  std::vector<bool> in(offsets.size() - 1, false);
  for (int64_t i = range.begin; i < range.end; ++i) {
    for (const int32_t sequence : shards[static_cast<std::size_t>(i)].sequence) {
      in[static_cast<std::size_t>(sequence)] = true;
    }
  }
  return in;
}

}  // namespace t2v
