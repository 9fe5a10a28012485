#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/event_store.h"
#include "data/pieces.h"

namespace t2v::data {

/// Which events are learned from, chosen by and measured on.
struct SplitConfig {
  /// given: as the source says. random: whole sequences, drawn by the seed. time: what is before an instant
  /// is learned from, what comes later is predicted. last: the last event of each sequence is predicted.
  /// head-tail: the shortest sequences are learned from, the longest predicted. none: all is learned from.
  std::string kind = "random";
  double test = 0.2;  // share of the sequences (of the events with `time`; with given, last: 0 for no test)
  double valid = 0;   // likewise; 0 for none
  uint64_t seed = 1;
  std::optional<int64_t> test_from = std::nullopt;   // time: the first tick of the test, instead of a share
  std::optional<int64_t> valid_from = std::nullopt;  // time: likewise
  int64_t train_count = 0;                           // head-tail: so many sequences instead of the rest
  int64_t test_count = 0;                            // head-tail: so many sequences instead of a share
};

/// What splitting found, in sequences.
struct SplitCounts {
  int64_t too_short = 0;  // last: in fewer parts than asked for, because they have one or two events
  int64_t left_out = 0;   // in no part
};

/// Pieces are in the order of the data set, with head-tail by length. A test (or valid) piece of `time` and
/// `last` is the whole sequence up to there, with what was learned from as context before first_target.
/// `given` without valid sequences draws them from the training ones. The same on every machine.
/// Throws t2v::Error if a part that was asked for is empty, or nothing is left to learn from.
Split make_split(const Events& events, const SplitConfig& config, SplitCounts& counts);

/// Cuts pieces to at most `max` events. first: keeps the first events. last: keeps the last. windows: into
/// consecutive pieces, each of which starts with the last event of the one before as context, so that every
/// event is predicted in exactly one of them. What counts stays what counts; pieces in which nothing counts
/// any more are left out. Throws t2v::Error for another mode, max < 1, or windows of fewer than 2.
void limit_length(std::vector<Piece>& pieces, int64_t max, const std::string& mode);

/// Lets only the last event of each piece count.
void only_last_target(std::vector<Piece>& pieces);

/// All sequences, whole.
std::vector<Piece> whole_sequences(const Events& events);

/// The pieces of a part: those of the split, else the sequences that the source gives to it.
std::vector<Piece> pieces_of(const EventStore& store, Part part);

/// A line for each part, for people. Where sequences are cut into several pieces, these are counted too.
std::string describe(const Split& split, const SplitCounts& counts);

}  // namespace t2v::data
