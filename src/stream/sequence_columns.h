#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "stream/sequence_table.h"

namespace t2v {

/// Copies of sequences in columns, as a snapshot has them: S sequences with W numbers each.
struct SequenceColumns {
  std::string id_bytes;
  std::vector<int64_t> id_offsets = {0};    // [S + 1]
  std::vector<int64_t> ticks;               // [S, 2] first, last
  std::vector<float> numbers;               // [S, W]
  std::vector<int32_t> events;              // [S] the waiting ones
  std::vector<double> times;                // [S, 2] their start and gap
  std::vector<int64_t> part_offsets = {0};  // [S + 1] of the waiting steps
  std::vector<EventPart> parts;
  std::vector<int64_t> past_offsets = {0};  // [S + 1] for models with rules: whose types
  std::vector<int32_t> past_types;          // [P]
  std::vector<int32_t> past_counts;         // [P]
  std::vector<uint64_t> used;               // [S] when the sequence was used last: larger is later

  int64_t size() const { return static_cast<int64_t>(used.size()); }
  /// Takes address space, not memory: what is filled later is paid for then.
  void reserve(int64_t sequences, int64_t numbers_of_each, int64_t bytes_of_ids);
  void add(const Sequence& sequence);
  /// The sequences in the order of use, the one idle for longest first.
  SequenceColumns sorted() const;

 private:
  void add_past(std::span<const int32_t> types, std::span<const int32_t> counts);
  std::string_view id(std::size_t s) const;
};

}  // namespace t2v
