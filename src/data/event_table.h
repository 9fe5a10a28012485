#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/names.h"
#include "data/row_spill.h"

namespace t2v::data {

/// How times are counted. A time is a whole number of ticks: exact, and never rounded before an origin is
/// subtracted.
struct TickScale {
  /// Instants: ticks are nanoseconds since 1970-01-01T00:00:00 UTC, and decimals is 9. Otherwise plain
  /// numbers, of whatever unit the source has.
  bool instants = false;
  /// A tick is 10^-decimals of a second, or of the source's unit.
  int decimals = 0;
  /// Plain numbers that are known to be seconds, from a start that is no instant.
  bool seconds = false;

  /// Whether a tick is a known part of a second.
  bool has_unit() const { return instants || seconds; }
  bool operator==(const TickScale&) const = default;
};

/// A column of numbers; NaN where the source has none.
struct Numbers {
  std::string name;
  std::vector<double> values;
};

/// A column of categories. An empty cell is a category of its own, with the empty name.
struct Categories {
  std::string name;
  std::vector<int32_t> codes;
  Names names;
};

/// The tick of an event that has no time and needs none, as what is known of a patient beforehand: it comes
/// before the other events of its sequence, and then is at the time of the first of them.
inline constexpr int64_t kNoTick = std::numeric_limits<int64_t>::min();

enum class Part : uint8_t { kTrain, kValid, kTest };

/// What a reader makes of a source: R events in the order of the source, of S sequences. Columns of events
/// have R entries, columns of sequences S.
struct EventTable {
  Names ids;                      // [S]
  std::vector<int32_t> sequence;  // [R] number of the event's id
  TickScale scale;
  std::vector<int64_t> ticks;    // [R]
  bool has_static_rows = false;  // whether some of them may be kNoTick
  bool from_zero = false;        // whether times count from 0, rather than from a sequence's first event
  std::optional<Categories> event;
  std::optional<Numbers> value;
  std::vector<Numbers> numbers;        // further columns of events
  std::vector<Categories> categories;  // further columns of events
  /// Where a source gives the model another time value at each event than the difference of times: in units
  /// of the source (seconds for instants).
  std::optional<Numbers> interval;

  std::vector<Numbers> sequence_numbers;
  std::vector<Categories> sequence_categories;
  std::optional<Categories> label;  // class of the sequence
  std::optional<Numbers> target;    // number of the sequence
  std::vector<Part> part;           // [S] if the source says which sequences are for what, else empty

  std::string source;              // what was read, in a few words, for people
  std::vector<std::string> notes;  // what a person should know about it, a sentence each

  /// The events, where they are too many for memory: the columns above of events are then empty.
  std::shared_ptr<RowSpill> spill = {};

  int64_t rows() const { return (spill ? spill->rows() : 0) + static_cast<int64_t>(ticks.size()); }
  int64_t sequences() const { return ids.size(); }
};

/// Calls visit(entries) for each column of events: the sequence, the ticks, then the others.
template <class Visit>
void for_each_column(EventTable& table, const Visit& visit) {
  visit(table.sequence);
  visit(table.ticks);
  if (table.event) visit(table.event->codes);
  if (table.value) visit(table.value->values);
  for (Numbers& column : table.numbers) visit(column.values);
  for (Categories& column : table.categories) visit(column.codes);
}

}  // namespace t2v::data
