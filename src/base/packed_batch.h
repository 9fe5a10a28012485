#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace t2v {

/// The times that a model may look at, for each event.
enum class TimeInput {
  kStart,  // since the origin: the start of the sequence, or one for all
  kGap,    // since the previous event
  kQuery,  // of the event that is to be predicted, since the origin
  kUntil,  // of the event that is to be predicted, since this event
  kSince,  // since the first event of the sequence, whatever the origin
};
inline constexpr int kTimeInputs = 5;

/// One of the rows of weights that an event is the sum of, and how much of it.
struct EventPart {
  int32_t row;
  float weight;

  bool operator==(const EventPart&) const = default;
};

/// A batch of B sequences with N events in all, as spans of somebody's memory. What a model does not use may
/// be empty. Sequence b has the events offsets[b] .. offsets[b+1]-1, at least one.
struct SequenceBatch {
  std::span<const int64_t> offsets;                             // [B + 1]
  std::array<std::span<const double>, kTimeInputs> times = {};  // [N] each
  std::span<const int32_t> events = {};                         // [N] types 0..V-1
  std::span<const float> features = {};                         // [N, F]

  // What is to be predicted.
  std::span<const int32_t> labels = {};       // [B] class of the sequence
  std::span<const int32_t> next_events = {};  // [N] type of the event after each, -1 where there is none
  std::span<const double> next_gaps = {};     // [N] time until the event after each, NaN where there is none
  std::span<const float> values = {};  // [B] or, for a value at each event, [N]; NaN where there is none

  /// For models whose events are sums of rows: event e has the parts part_offsets[e] .. part_offsets[e+1]-1.
  std::span<const int64_t> part_offsets = {};  // [N + 1]
  std::span<const EventPart> parts = {};

  int64_t sequences() const { return offsets.empty() ? 0 : static_cast<int64_t>(offsets.size()) - 1; }
  int64_t event_count() const { return offsets.empty() ? 0 : offsets.back() - offsets.front(); }
};

/// Steps [begin, end) of a chunk.
struct Steps {
  int64_t begin;
  int64_t end;
};

/// Events [begin, end) of a chunk.
struct Events {
  int64_t begin;
  int64_t end;
  int64_t count() const { return end - begin; }
};

/// Some consecutive steps of the sequences of a shard, packed: step by step, longest sequences first, so that
/// step t is active[t] rows that lie together and a finished sequence takes no place.
struct Chunk {
  std::vector<int64_t> active;  // [T] rows that have a step t; never grows with t
  std::vector<int64_t> start;   // [T + 1] where step t starts among the E packed events
  std::vector<int32_t> source;  // [E] which event of the batch
  std::vector<int64_t> last;    // [rows] where the last event of a row's sequence is, -1 if that comes later
  std::vector<Steps> windows;   // all steps, in pieces whose numbers stay in the cache from pass to pass

  int64_t rows() const { return active.empty() ? 0 : active.front(); }
  int64_t steps() const { return static_cast<int64_t>(active.size()); }
  int64_t events() const { return static_cast<int64_t>(source.size()); }
  Steps all() const { return {0, steps()}; }
  Events events_of(Steps some) const {
    return {start[static_cast<std::size_t>(some.begin)], start[static_cast<std::size_t>(some.end)]};
  }
};

/// Some sequences of a batch, sorted by length, longest first. One chunk, or several where the sequences are
/// cut into pieces of bounded length; the rows of each chunk are the first rows of the one before.
struct Shard {
  std::vector<int32_t> sequence;  // [rows] which sequence of the batch
  std::vector<Chunk> chunks;

  int64_t rows() const { return static_cast<int64_t>(sequence.size()); }
  int64_t events() const;
};

/// How many shards a batch is cut into: a function of its size alone, so that no result depends on threads.
/// At most 64 rows each; small batches are cut further, down to 32 rows, to give two to four threads work.
/// (Fewer rows would make the products of the last steps, which few sequences reach, too small to be fast.)
int64_t shard_count(int64_t sequences);

/// Numbers begin .. end - 1.
struct IndexRange {
  int64_t begin;
  int64_t end;
};

/// One of several shares of things in a row, such as the shards of a batch: as many as others have, or one
/// more or less.
struct Share {
  int64_t part = 0;
  int64_t parts = 1;

  bool all() const { return parts == 1; }
  /// Which of so many things.
  IndexRange of(int64_t count) const { return {count * part / parts, count * (part + 1) / parts}; }
};

/// Packs a batch into shards. Sequences are sorted by length (equal ones stay in order) and dealt to the
/// shards like cards, forth and back, so that all shards cost about the same. Chunks have at most
/// `chunk_steps` steps, 0 for no limit; shards beyond the share have none. Reuses the memory of `shards`.
/// Throws t2v::Error if a sequence is empty.
void pack(std::vector<Shard>& shards, std::span<const int64_t> offsets, int64_t chunk_steps = 0,
          Share share = {});

/// Whether each sequence of a batch is in a share of it.
std::vector<bool> in_share(std::span<const int64_t> offsets, Share share);

}  // namespace t2v
