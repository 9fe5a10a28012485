#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/packed_batch.h"
#include "data/encoding.h"
#include "data/events.h"
#include "data/pieces.h"

namespace t2v::data {

/// Which number, if any, is to be predicted.
enum class ValueTarget : uint8_t {
  kNone,
  kOfEvent,      // [N] the value of each event itself
  kOfNextEvent,  // [N] the value of the event after each
  kOfSequence,   // [B] the number of the sequence
};

struct BatchConfig {
  int64_t batch = 128;  // sequences in each; the last batch may have fewer
  uint64_t seed = 1;    // of the order

  // What is made; the rest of a batch stays empty.
  std::array<bool, kTimeInputs> times = {true, true, true, true, true};
  bool events = true;  // if the encoding has them
  bool features = true;
  bool labels = false;
  bool next_events = false;
  bool next_gaps = false;
  ValueTarget values = ValueTarget::kNone;

  bool unknown_counts = false;   // whether an unknown type is to be predicted like any other
  bool standard_values = false;  // values to be predicted as (value - mean) / std of the training pieces
  double least_gap = 0;          // shorter gaps to be predicted are raised to this, in units of the view
};

/// The memory of a batch of B sequences with N events. See SequenceBatch for the shapes. Times are in units
/// of the data set's view.
struct Batch {
  Batch() = default;
  Batch(Batch&&) = default;
  Batch& operator=(Batch&&) = default;
  Batch(const Batch&) = delete;  // the view would still be of the other's memory
  Batch& operator=(const Batch&) = delete;
  ~Batch() = default;

  std::vector<int64_t> pieces;  // [B] which pieces
  std::vector<int64_t> offsets;
  /// kStart: from the origin of the view. kGap: since the event before in the sequence, even if that is not
  /// in the piece, 0 for a sequence's first; or the column `interval`, where that has a number. kQuery: when
  /// the next event of the piece starts, counted like kStart; at the last event of a piece its own time.
  /// kUntil: the difference of kQuery and kStart, exact. kSince: from the first event of the sequence, even
  /// if that is not in the piece.
  std::array<std::vector<double>, kTimeInputs> times;
  std::vector<int32_t> events;
  std::vector<int64_t> part_offsets;  // where the encoding says what events are sums of
  std::vector<EventPart> parts;
  std::vector<float> features;
  std::vector<int32_t> labels;
  // Of the next event of the piece; none at its last event, and none where that is only context. A value of
  // the event itself likewise counts from first_target on.
  std::vector<int32_t> next_events;
  std::vector<double> next_gaps;
  std::vector<float> values;

  /// Good until the batch is made anew.
  SequenceBatch view() const { return view_; }

 private:
  friend class Batches;
  SequenceBatch view_;
};

/// The batches of some pieces of a data set. Sequences are as long as they are: nothing is padded. Where the
/// encoding takes events of one time together, the events of a batch are these steps.
class Batches {
 public:
  /// The events must outlive it; the encoding is looked at here alone. Throws t2v::Error if the data set
  /// lacks a column that the encoding or a target needs, or has a value that has no place in it.
  Batches(const Events& events, std::vector<Piece> pieces, const Encoding& encoding,
          const BatchConfig& config);

  int64_t count() const;
  const std::vector<Piece>& pieces() const { return pieces_; }
  int64_t features() const { return features_; }

  /// Puts the pieces in an order that is a function of the seed, the epoch (0 or more) and their number
  /// alone. Without it they are in the order given.
  void shuffle(int64_t epoch);

  /// Batch i of this order. Reuses memory: nothing is allocated once the largest batch has been made. Of the
  /// sequences beyond the share only the lengths are there; their events are not looked at.
  const Batch& make(int64_t i, Share share = {}) {
    make(numbers_of(i), batch_, share);
    return batch_;
  }
  /// The same in the caller's memory; several threads may do so at once.
  void make(int64_t i, Batch& batch) const { make(numbers_of(i), batch); }
  /// A batch of these pieces, by number and at least one, whatever the size and order of the others.
  void make(std::span<const int64_t> pieces, Batch& batch, Share share = {}) const;

 private:
  struct NumberInput {
    std::span<const double> values;
    bool of_sequence;
    NumberFeature feature;
    int64_t at;  // first of its features
  };
  struct CategoryInput {
    std::span<const int32_t> codes;
    bool of_sequence;
    std::vector<int32_t> map;
    int64_t at;
  };

  void bind_events(const Encoding& encoding);
  void bind_features(const Encoding& encoding);
  void bind_number(const NumberColumn* column, bool of_sequence, const NumberFeature& feature);
  void bind_category(const CategoryColumn* column, bool of_sequence, const CategoryFeature& feature);
  void bind_targets(const Encoding& encoding);
  void check_codes(const CategoryColumn& column, bool of_sequence, const std::vector<int32_t>& map) const;

  /// The pieces of batch i, by number.
  std::span<const int64_t> numbers_of(int64_t i) const;
  void resize(Batch& batch) const;
  void bind_parts(int64_t event_rows);
  /// The first event of each step of a piece.
  std::vector<int64_t> steps_of(const Piece& piece) const;
  int64_t length_of(int64_t piece) const;
  void fill_times(Batch& batch, const Piece& piece, std::span<const int64_t> ticks, int64_t at) const;
  void fill_events(Batch& batch, const Piece& piece, int64_t at) const;
  /// Times and parts of events that are sums of rows.
  void fill_steps(Batch& batch, const Piece& piece, int64_t at) const;
  void fill_features(Batch& batch, const Piece& piece, int64_t length, int64_t at) const;
  void fill_targets(Batch& batch, const Piece& piece, int64_t row, int64_t at) const;
  void fill_values(Batch& batch, const Piece& piece, int64_t row, int64_t at) const;

  const Events& events_;
  std::vector<Piece> pieces_;
  std::vector<int64_t> lengths_;  // of the pieces in steps, where events are taken together
  BatchConfig config_;
  std::optional<TypedValues> typed_values_;
  bool together_ = false;
  bool parts_ = false;  // events are sums of rows
  std::vector<int64_t> order_;
  std::vector<int32_t> event_map_;
  std::vector<int32_t> target_map_;  // the same with -1 for what is not to be predicted
  std::vector<int32_t> label_map_;
  std::vector<NumberInput> numbers_;
  std::vector<CategoryInput> categories_;
  int64_t features_ = 0;
  NumberFeature value_scale_;
  Batch batch_;
};

}  // namespace t2v::data
