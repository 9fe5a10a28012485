#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace t2v {

/// The times that a model may look at, for each event.
enum class TimeInput {
  kStart,  // since the start of the sequence
  kGap,    // since the previous event
  kQuery,  // of the event that is to be predicted
};
inline constexpr int kTimeInputs = 3;

/// A batch of B sequences with N events in all, as spans of somebody's memory. What a model does not use may
/// be empty. Sequence b has the events offsets[b] .. offsets[b+1]-1, at least one.
struct SequenceBatch {
  std::span<const int64_t> offsets;                        // [B + 1]
  std::array<std::span<const double>, kTimeInputs> times;  // [N] each
  std::span<const int32_t> events;                         // [N] types 0..V-1
  std::span<const float> features;                         // [N, F]
  std::span<const int32_t> labels;                         // [B] class of the sequence

  int64_t sequences() const { return offsets.empty() ? 0 : static_cast<int64_t>(offsets.size()) - 1; }
};

/// Some sequences of a batch, packed: sorted by length, longest first, and stored step by step, so that step
/// t is active[t] rows that lie together and a finished sequence takes no place.
struct Shard {
  std::vector<int32_t> sequence;  // [rows] which sequence of the batch
  std::vector<int64_t> active;    // [T] rows that have a step t; never grows with t
  std::vector<int64_t> start;     // [T + 1] where step t starts among the E packed events
  std::vector<int32_t> source;    // [E] which event of the batch

  int64_t rows() const { return static_cast<int64_t>(sequence.size()); }
  int64_t steps() const { return static_cast<int64_t>(active.size()); }
  int64_t events() const { return static_cast<int64_t>(source.size()); }
  /// The last step at which row `row` is active, as an index among the packed events.
  int64_t last_event(int64_t row) const { return last[static_cast<std::size_t>(row)]; }

  std::vector<int64_t> last;  // [rows]
};

/// How many shards a batch is cut into: a function of its size alone, so that no result depends on threads.
/// At most 64 rows each; small batches are cut further, down to 16 rows, to give two to four threads work.
int64_t shard_count(int64_t sequences);

/// Packs a batch into shards. Sequences are sorted by length (equal ones stay in order) and dealt to the
/// shards like cards, so that all shards cost about the same. Reuses the memory of `shards`.
/// Throws t2v::Error if a sequence is empty.
void pack(std::vector<Shard>& shards, std::span<const int64_t> offsets);

}  // namespace t2v
