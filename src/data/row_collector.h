#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "data/chunk_reader.h"
#include "data/event_table.h"
#include "data/plain_ticks.h"

namespace t2v::data {

/// Puts the rows of chunks, in order, into one table: names of chunks become names of the table, what
/// belongs to a sequence is taken from its rows, which must agree.
class RowCollector {
 public:
  explicit RowCollector(Order order) : order_(order) {}

  /// Before the first chunk: which columns there will be.
  void start(const ReadPlan& plan);
  /// The names that a column has so far, for the plan of the next chunks; they change with add().
  const Names* known(std::size_t column, bool with_parts) const;
  /// Makes room for so many rows in all.
  void reserve(int64_t rows);
  /// Takes the good rows of a chunk; those that do not fit what came before (a second label of a sequence,
  /// time that runs backwards under Order::kStrict) become faults and are left out.
  void add(const ChunkReader& chunk, std::optional<Part> part, std::vector<Fault>& faults);
  int64_t rows() const { return static_cast<int64_t>(table_.sequence.size()); }
  EventTable finish();

 private:
  /// Where a column of the plan goes.
  struct Place {
    Role role;
    CellKind kind;
    std::size_t number;  // among those of its kind and role
  };
  void find_sequences(const ChunkReader& chunk, std::optional<Part> part);
  int32_t sequence_of(std::string_view id, uint64_t hash, std::optional<Part> part);
  void choose_rows(const ChunkReader& chunk, std::vector<Fault>& faults);
  bool take_sequence_cell(const ChunkReader& chunk, std::size_t column, std::size_t row);
  bool in_order(const ChunkReader& chunk, std::size_t row);
  void add_times(const ChunkColumn& column);
  Numbers& numbers_at(const Place& place);
  Categories& categories_at(const Place& place);
  bool of_sequence(const Place& place) const {
    return place.role == Role::kLabel || place.role == Role::kTarget || place.role == Role::kSequenceFeature;
  }

  Order order_;
  EventTable table_;
  PlainTicks plain_;
  std::vector<Place> places_;
  std::size_t time_ = 0;
  int id_ = -1;
  std::vector<int32_t> sequences_;           // [rows of the chunk]
  std::vector<uint32_t> rows_;               // of the chunk, that are taken
  std::vector<std::vector<int32_t>> codes_;  // by column: number of each name of the chunk in the table
  std::vector<Decimal> latest_;              // [S] under Order::kStrict
  std::vector<bool> has_latest_;
  bool plain_times_ = false;
};

}  // namespace t2v::data
