#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/event_table.h"

namespace t2v::data {

/// Who took what and when: R rows in the order of a file.
struct ItemLog {
  static constexpr int32_t kNoItem = -1;
  static constexpr int64_t kNoTime = std::numeric_limits<int64_t>::min();

  Names users;
  Names items;
  std::vector<int32_t> user;   // [R]
  std::vector<int32_t> item;   // [R] kNoItem where the file has none
  std::vector<int64_t> ticks;  // [R] nanoseconds since 1970, kNoTime where the file has none

  std::size_t rows() const { return ticks.size(); }
};

enum class Preparation : uint8_t {
  kClean,    // the true times
  kAsCoded,  // also the time values that the published code gave to its models
};

/// Which time value the published code keeps for an event.
enum class StoredTime : uint8_t {
  kDelta,        // seconds until the next event
  kAccumulated,  // seconds since the user's first event
};

/// The defaults are those of the experiment on Last.fm.
struct TimeLstmOptions {
  Preparation preparation = Preparation::kClean;
  StoredTime stored = StoredTime::kDelta;  // as coded alone
  bool carry_across_users = true;          // as coded alone
  int64_t vocabulary = 5000;               // most frequent items, the only ones kept
  int64_t longest = 200;                   // first events of a user, the only ones kept; 0: all
  int64_t train_users = 800;               // with the fewest rows
  int64_t test_users = 192;                // with the most rows
  double train_share = 0;  // above 0: this share of the users instead, the others are for test
  std::optional<uint64_t> drawn_by = std::nullopt;  // a seed: who is for training and test is drawn by it
};

/// Users become sequences, items event types, in the way of the published code of Time-LSTM. Items are
/// numbered by their count over all rows, most frequent first; equal counts by first appearance. Users are
/// sorted by their number of rows, fewest first; equal numbers by first appearance. The first of them are for
/// training, the last for test; or both are drawn, and sorted in the same way. Events beyond the vocabulary
/// are left out, then users with less than two (training) or three (test) events, then all but the first
/// `longest` events.
///
/// As coded, `interval` of the table holds what the models of that code get at each event, in seconds: its
/// stored time plus those of the events left out just before it. What is left over at the end of a user is
/// added to the first event kept of the next user of the part, unless it is not carried across users. Items
/// and times are lists of their own, each without its missing values; a user whose lists then differ in
/// length is left out. Otherwise rows without item or time are left out, and there is no `interval`.
EventTable prepare_time_lstm(const ItemLog& log, const TimeLstmOptions& options, std::string_view item_name);

/// The rows of the `vocabulary` most frequent items, and of these the ones of users who have at least
/// `fewest`.
ItemLog frequent_rows(const ItemLog& log, int64_t vocabulary, int64_t fewest);

}  // namespace t2v::data
