#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "data/chunk_reader.h"
#include "data/event_table.h"
#include "data/plain_ticks.h"

namespace t2v::data {

/// Puts the rows of chunks, in order, into one table: names of chunks become names of the table, what
/// belongs to a sequence is taken from its rows, which must agree.
class RowCollector {
 public:
  /// `most_bytes`: of events in memory; more go to temporary files, unless times are plain numbers. 0: no
  /// limit.
  explicit RowCollector(Order order, int64_t most_bytes = 0) : order_(order), most_bytes_(most_bytes) {}

  /// Before the first chunk: which columns there will be.
  void start(const ReadPlan& plan);
  /// The names that a column has so far, for the plan of the next chunks; they change with add().
  const Names* known(std::size_t column, bool with_parts) const;
  /// Makes room for so many rows in all.
  void reserve(int64_t rows);
  /// What is known of a chunk before its rows are put into the table.
  struct Pending {
    const ReadRows* chunk = nullptr;
    std::vector<std::vector<int32_t>> codes;  // by column: number of each new name of the chunk in the table
    int32_t sequence = 0;                     // of all rows, where there is no id
    bool selects = false;
    std::vector<uint32_t> rows;  // those that are taken, if it selects
  };
  /// Takes the names of a chunk, and chooses its good rows; those that do not fit what came before (a second
  /// label of a sequence, time that runs backwards under Order::kStrict) become faults and are left out.
  /// Changes the known names; chunks come in order.
  void merge(Pending& pending, const ReadRows& chunk, std::optional<Part> part, std::vector<Fault>& faults);
  /// Then puts the rows into the table; in the same order, but at any time. Changes no names.
  void append(const Pending& pending);
  /// Both.
  void add(const ReadRows& chunk, std::optional<Part> part, std::vector<Fault>& faults);
  /// Rows that were taken so far, also those that are not in the table yet.
  int64_t rows() const { return rows_; }
  EventTable finish();

 private:
  /// Where a column of the plan goes.
  struct Place {
    Role role;
    CellKind kind;
    std::size_t number;  // among those of its kind and role
  };
  int32_t sequence_of(std::string_view id, uint64_t hash, std::optional<Part> part);
  void merge_names(Pending& pending, std::optional<Part> part);
  void merge_good_ids(Pending& pending, std::optional<Part> part);
  void merge_taken_names(Pending& pending);
  int32_t sequence_of_row(const Pending& pending, std::size_t row) const;
  void choose_rows(Pending& pending, std::vector<Fault>& faults);
  std::optional<std::pair<std::size_t, std::string_view>> misfit(const ReadRows& chunk, std::size_t row,
                                                                 std::size_t sequence);
  bool agrees(const ReadRows& chunk, std::size_t column, std::size_t row, std::size_t sequence);
  void take_sequence_cell(const ReadRows& chunk, std::size_t column, std::size_t row, std::size_t sequence);
  bool in_order(const ReadRows& chunk, std::size_t row, std::size_t sequence) const;
  void keep_time(const ReadRows& chunk, std::size_t row, std::size_t sequence);
  Decimal time_of(const ReadRows& chunk, std::size_t row) const;
  void append_sequences(const Pending& pending);
  void append_times(const Pending& pending);
  void append_codes(const Pending& pending, std::size_t column);
  Numbers& numbers_at(const Place& place);
  Categories& categories_at(const Place& place);
  static bool of_sequence(const Place& place) {
    return place.role == Role::kLabel || place.role == Role::kTarget || place.role == Role::kSequenceFeature;
  }

  void spill_if_full();

  Order order_;
  int64_t most_bytes_;
  int64_t rows_ = 0;
  EventTable table_;
  PlainTicks plain_;
  std::vector<Place> places_;
  std::size_t time_ = 0;
  int id_ = -1;
  /// Of each part: ids as the files have them, and their sequences.
  std::array<Names, 3> part_ids_;
  std::array<std::vector<int32_t>, 3> part_sequences_;
  int64_t shared_ids_ = 0;       // that are in a part after another
  std::vector<Decimal> latest_;  // [S] under Order::kStrict
  std::vector<bool> has_latest_;
  bool plain_times_ = false;
  bool static_rows_ = false;  // whether rows may have no time
};

}  // namespace t2v::data
