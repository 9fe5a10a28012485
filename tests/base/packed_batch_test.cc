#include "base/packed_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.h"
#include "t2v/error.h"

namespace t2v {
namespace {

using Lengths = std::vector<int64_t>;

std::vector<int64_t> offsets_of(const Lengths& lengths) {
  std::vector<int64_t> offsets = {0};
  for (const int64_t length : lengths) offsets.push_back(offsets.back() + length);
  return offsets;
}

std::vector<Shard> packed(const Lengths& lengths) {
  std::vector<Shard> shards;
  pack(shards, offsets_of(lengths));
  return shards;
}

Lengths shuffled_up_to(int64_t longest) {
  Lengths lengths(static_cast<std::size_t>(longest));
  std::iota(lengths.begin(), lengths.end(), 1);
  Random(longest > 0 ? static_cast<uint64_t>(longest) : 0).shuffle(lengths);
  return lengths;
}

/// Everything that the header promises of shards, for a batch of these lengths cut into chunks of so many
/// steps.
void expect_packed(const std::vector<Shard>& shards, const Lengths& lengths, int64_t chunk_steps = 0) {
  const std::vector<int64_t> offsets = offsets_of(lengths);
  ASSERT_EQ(static_cast<int64_t>(shards.size()), shard_count(static_cast<int64_t>(lengths.size())));
  std::vector<int> sequence_seen(lengths.size());
  std::vector<int> event_seen(static_cast<std::size_t>(offsets.back()));
  for (const Shard& shard : shards) {
    ASSERT_GT(shard.rows(), 0);
    ASSERT_LE(shard.rows(), 64);
    std::vector<int64_t> next(static_cast<std::size_t>(shard.rows()));
    std::vector<int> ended(static_cast<std::size_t>(shard.rows()));
    int64_t active = shard.rows();
    for (const Chunk& chunk : shard.chunks) {
      ASSERT_GT(chunk.steps(), 0);
      if (chunk_steps > 0) {
        ASSERT_LE(chunk.steps(), chunk_steps);
      }
      ASSERT_EQ(chunk.start.size(), chunk.active.size() + 1);
      ASSERT_EQ(static_cast<int64_t>(chunk.last.size()), chunk.rows());
      ASSERT_EQ(chunk.start.front(), 0);
      ASSERT_EQ(chunk.start.back(), chunk.events());
      std::vector<int64_t> last(static_cast<std::size_t>(chunk.rows()), -1);
      for (std::size_t t = 0; t < chunk.active.size(); ++t) {
        ASSERT_GT(chunk.active[t], 0);
        ASSERT_LE(chunk.active[t], active);
        active = chunk.active[t];
        ASSERT_EQ(chunk.start[t + 1] - chunk.start[t], chunk.active[t]);
        for (int64_t i = 0; i < chunk.active[t]; ++i) {
          const auto row = static_cast<std::size_t>(i);
          const auto sequence = static_cast<std::size_t>(shard.sequence[row]);
          const int64_t at = chunk.start[t] + i;
          const int32_t event = chunk.source[static_cast<std::size_t>(at)];
          ASSERT_EQ(event, offsets[sequence] + next[row]) << "row " << row << ", step " << t;
          ASSERT_LT(event, offsets[sequence + 1]);
          ++next[row];
          ++event_seen[static_cast<std::size_t>(event)];
          if (next[row] == lengths[sequence]) last[row] = at;
        }
      }
      ASSERT_EQ(chunk.last, last);
      int64_t step = 0;
      for (const Steps window : chunk.windows) {
        ASSERT_EQ(window.begin, step);
        ASSERT_GT(window.end, window.begin);
        step = window.end;
        if (step < chunk.steps()) {
          ASSERT_GE(chunk.events_of(window).count(), 256);
        }
        ASSERT_LT(chunk.events_of({window.begin, window.end - 1}).count(), 256);
      }
      ASSERT_EQ(step, chunk.steps());
      for (std::size_t row = 0; row < last.size(); ++row) ended[row] += last[row] >= 0 ? 1 : 0;
    }
    for (int64_t i = 0; i < shard.rows(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      const auto sequence = static_cast<std::size_t>(shard.sequence[row]);
      ++sequence_seen[sequence];
      ASSERT_EQ(next[row], lengths[sequence]);
      ASSERT_EQ(ended[row], 1);
      if (row > 0) {
        ASSERT_LE(lengths[sequence], lengths[static_cast<std::size_t>(shard.sequence[row - 1])]);
      }
    }
  }
  for (const int seen : sequence_seen) ASSERT_EQ(seen, 1);
  for (const int seen : event_seen) ASSERT_EQ(seen, 1);
}

TEST(PackedBatch, HoldsEveryEventOnceAndInTimeOrder) {
  const Lengths lengths = shuffled_up_to(300);
  expect_packed(packed(lengths), lengths);
}

TEST(PackedBatch, HoldsRandomBatchesOfAnySize) {
  Random random(3);
  for (int batch = 0; batch < 100; ++batch) {
    Lengths lengths(1 + random.below(200));
    for (int64_t& length : lengths) length = 1 + static_cast<int64_t>(random.below(1 + random.below(40)));
    expect_packed(packed(lengths), lengths);
    if (HasFatalFailure()) return;
  }
}

TEST(PackedBatch, HoldsABatchOfOne) {
  const std::vector<Shard> shards = packed({3});
  expect_packed(shards, {3});
  ASSERT_EQ(shards.size(), 1U);
  EXPECT_EQ(shards[0].sequence, std::vector<int32_t>{0});
  EXPECT_EQ(shards[0].chunks[0].active, (std::vector<int64_t>{1, 1, 1}));
  EXPECT_EQ(shards[0].chunks[0].start, (std::vector<int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(shards[0].chunks[0].source, (std::vector<int32_t>{0, 1, 2}));
  EXPECT_EQ(shards[0].chunks[0].last[0], 2);
  expect_packed(packed({1}), {1});
}

TEST(PackedBatch, LaysOutASmallBatchStepByStep) {
  const std::vector<Shard> shards = packed({1, 3, 2});
  ASSERT_EQ(shards.size(), 1U);
  EXPECT_EQ(shards[0].sequence, (std::vector<int32_t>{1, 2, 0}));
  EXPECT_EQ(shards[0].chunks[0].active, (std::vector<int64_t>{3, 2, 1}));
  EXPECT_EQ(shards[0].chunks[0].start, (std::vector<int64_t>{0, 3, 5, 6}));
  EXPECT_EQ(shards[0].chunks[0].source, (std::vector<int32_t>{1, 4, 0, 2, 5, 3}));
  EXPECT_EQ(shards[0].chunks[0].last, (std::vector<int64_t>{5, 4, 2}));
}

TEST(PackedBatch, IsCutIntoChunksOfBoundedLength) {
  const Lengths lengths = shuffled_up_to(70);
  std::vector<Shard> shards;
  for (const int64_t steps : {1, 2, 7, 69, 70, 71, 1000}) {
    pack(shards, offsets_of(lengths), steps);
    expect_packed(shards, lengths, steps);
    if (HasFatalFailure()) return;
  }
  pack(shards, offsets_of({5, 2}), 2);
  ASSERT_EQ(shards[0].chunks.size(), 3U);
  EXPECT_EQ(shards[0].chunks[0].last, (std::vector<int64_t>{-1, 3}));
  EXPECT_EQ(shards[0].chunks[1].active, (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(shards[0].chunks[2].last, (std::vector<int64_t>{0}));
}

TEST(PackedBatch, HasNoShardForAnEmptyBatch) {
  std::vector<Shard> shards(3);
  pack(shards, std::vector<int64_t>{0});
  EXPECT_TRUE(shards.empty());
  shards.resize(3);
  pack(shards, {});
  EXPECT_TRUE(shards.empty());
}

TEST(PackedBatch, IsDealtSoThatShardsDifferByLessThanTheLongestSequence) {
  Random random(4);
  for (const int64_t sequences : {17, 32, 33, 64, 100, 300, 1000}) {
    Lengths lengths(static_cast<std::size_t>(sequences));
    for (int64_t& length : lengths) length = 1 + static_cast<int64_t>(random.below(300));
    const std::vector<Shard> shards = packed(lengths);
    int64_t fewest = shards[0].events();
    int64_t most = fewest;
    for (const Shard& shard : shards) {
      fewest = std::min(fewest, shard.events());
      most = std::max(most, shard.events());
    }
    EXPECT_LE(most - fewest, *std::max_element(lengths.begin(), lengths.end())) << sequences;
  }
}

TEST(PackedBatch, SharesOutEvenlyAmongTwoThreads) {
  for (const int64_t sequences : {64, 128, 256, 512}) {
    const std::vector<Shard> shards = packed(shuffled_up_to(sequences));
    int64_t even = 0;
    int64_t odd = 0;
    for (std::size_t i = 0; i < shards.size(); ++i) (i % 2 == 0 ? even : odd) += shards[i].events();
    EXPECT_LE(static_cast<double>(std::abs(even - odd)), 0.001 * static_cast<double>(even + odd))
        << sequences;
  }
}

TEST(PackedBatch, KeepsSequencesOfEqualLengthInOrder) {
  const std::vector<Shard> shards = packed(Lengths(80, 5));
  ASSERT_EQ(shards.size(), 3U);
  for (std::size_t s = 0; s < shards.size(); ++s) {
    for (std::size_t row = 0; row < shards[s].sequence.size(); ++row) {
      const std::size_t place = row % 2 == 0 ? s : shards.size() - 1 - s;  // forth and back
      EXPECT_EQ(shards[s].sequence[row], static_cast<int32_t>(row * shards.size() + place));
    }
  }
}

TEST(PackedBatch, ForgetsTheBatchBefore) {
  std::vector<Shard> shards = packed(shuffled_up_to(300));
  for (const int64_t longest : {5, 40, 1, 300}) {
    const Lengths lengths = shuffled_up_to(longest);
    pack(shards, offsets_of(lengths));
    expect_packed(shards, lengths);
  }
}

TEST(PackedBatch, RefusesAnEmptySequenceByName) {
  for (const int64_t empty : {0, 3, 19}) {
    Lengths lengths(20, 2);
    lengths[static_cast<std::size_t>(empty)] = 0;
    std::string what;
    try {
      packed(lengths);
    } catch (const Error& error) {
      what = error.what();
    }
    EXPECT_NE(what.find("sequence " + std::to_string(empty) + " "), std::string::npos) << what;
  }
}

TEST(ShardCount, DependsOnTheNumberOfSequences) {
  const std::vector<std::pair<int64_t, int64_t>> expected = {
      {0, 0},   {1, 1},   {2, 1},   {32, 1},  {33, 2},  {64, 2},    {65, 3},    {96, 3},   {97, 4},
      {128, 4}, {256, 4}, {257, 5}, {512, 8}, {513, 9}, {1000, 16}, {1024, 16}, {1025, 17}};
  for (const auto& pair : expected) EXPECT_EQ(shard_count(pair.first), pair.second) << pair.first;
}

TEST(ShardCount, NeverLeavesMoreThanSixtyFourRowsAShardNorAnEmptyOne) {
  for (int64_t sequences = 1; sequences < 5000; ++sequences) {
    const int64_t shards = shard_count(sequences);
    ASSERT_LE((sequences + shards - 1) / shards, 64) << sequences;
    ASSERT_LE(shards, sequences);
  }
}

TEST(Share, AllOfThemMakeUpTheWholeAndDifferByOneAtMost) {
  for (int64_t parts = 1; parts < 9; ++parts) {
    for (int64_t count = 0; count < 40; ++count) {
      int64_t end = 0;
      for (int64_t part = 0; part < parts; ++part) {
        const IndexRange range = Share{part, parts}.of(count);
        EXPECT_EQ(range.begin, end);
        EXPECT_GE(range.end - range.begin, count / parts);
        EXPECT_LE(range.end - range.begin, count / parts + 1);
        end = range.end;
      }
      EXPECT_EQ(end, count);
    }
  }
}

TEST(Share, HasTheShardsOfTheWholeBatchAndNoOthers) {
  const std::vector<int64_t> offsets = offsets_of(shuffled_up_to(150));
  std::vector<Shard> whole;
  pack(whole, offsets);
  ASSERT_EQ(whole.size(), 4U);
  for (int64_t part = 0; part < 3; ++part) {
    const Share share{part, 3};
    std::vector<Shard> some;
    pack(some, offsets, 0, share);
    const std::vector<bool> in = in_share(offsets, share);
    const IndexRange range = share.of(4);
    for (int64_t i = 0; i < 4; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const bool shared = i >= range.begin && i < range.end;
      EXPECT_EQ(some[at].sequence, whole[at].sequence);
      EXPECT_EQ(some[at].events(), shared ? whole[at].events() : 0);
      for (const int32_t sequence : whole[at].sequence) {
        EXPECT_EQ(in[static_cast<std::size_t>(sequence)], shared);
      }
    }
  }
}

}  // namespace
}  // namespace t2v
