#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/event_table.h"

namespace t2v::data {

/// Strings one after another: string i is bytes offsets[i] .. offsets[i+1]-1.
struct Strings {
  std::span<const char> bytes = {};
  std::span<const int64_t> offsets = {};  // one more than there are strings, or none

  int64_t size() const { return offsets.empty() ? 0 : static_cast<int64_t>(offsets.size()) - 1; }
  std::string_view operator[](int64_t i) const {
    const auto at = static_cast<std::size_t>(i);
    return {bytes.data() + offsets[at], static_cast<std::size_t>(offsets[at + 1] - offsets[at])};
  }
};

struct NumberColumn {
  std::string name;
  std::span<const double> values;  // NaN where there is none
};

/// Codes into names; an empty cell has the empty name.
struct CategoryColumn {
  std::string name;
  std::span<const int32_t> codes;
  Strings names;
};

enum class OriginKind : uint8_t {
  kSequence,  // the first event of each sequence is at 0
  kDataSet,   // the first event of all is at 0
  kInstant,   // a given instant, or number, is at 0
};

/// From exact ticks to the numbers that a model sees.
struct TimeView {
  std::string unit = "1";     // s, min, h, d, w; or 1: the source's own, for plain numbers of no known unit
  double ticks_per_unit = 1;  // a whole number
  OriginKind origin = OriginKind::kSequence;
  int64_t origin_tick = 0;  // for kDataSet and kInstant

  /// (tick - origin) in units; exact before the division.
  double at(int64_t tick, int64_t origin_of_it) const {
    __extension__ using Wide = __int128;  // the difference of two 64-bit numbers
    return static_cast<double>(Wide{tick} - Wide{origin_of_it}) / ticks_per_unit;
  }
};

/// Checks parts of a data set before they are used: those that lie in a file.
class EventGuard {
 public:
  virtual ~EventGuard() = default;
  /// Throws t2v::Error if the columns of events [begin, end) are damaged. Cheap once they were checked; any
  /// number of threads.
  virtual void check(int64_t begin, int64_t end) const = 0;
  /// Throws t2v::Error if the file was cut off since it was opened.
  virtual void check_intact() const = 0;
};

/// A data set: S sequences of N events in all, grouped by sequence and sorted by time, as views of memory
/// that `owner` holds (vectors, or a mapped file). Cheap to copy.
struct Events {
  Strings ids;  // [S]
  std::span<const int64_t>
      offsets;  // [S + 1], sequence s has events offsets[s] .. offsets[s+1]-1, at least one
  std::span<const int64_t> ticks;  // [N]
  TickScale scale;
  TimeView view;
  int64_t grid = 1;  // all times of a sequence differ by multiples of so many ticks; 0 if they never differ

  std::optional<CategoryColumn> event;              // [N]
  std::optional<NumberColumn> value;                // [N]
  std::optional<NumberColumn> interval;             // [N] see EventTable
  std::vector<NumberColumn> numbers;                // [N] each
  std::vector<CategoryColumn> categories;           // [N] each
  std::vector<NumberColumn> sequence_numbers;       // [S] each
  std::vector<CategoryColumn> sequence_categories;  // [S] each
  std::optional<CategoryColumn> label;              // [S]
  std::optional<NumberColumn> target;               // [S]
  std::span<const Part> part;                       // [S] or empty

  std::string provenance;  // JSON: where it comes from, which choices were made
  std::shared_ptr<const void> owner;
  std::shared_ptr<const EventGuard> guard;  // none for memory

  int64_t sequences() const { return offsets.empty() ? 0 : static_cast<int64_t>(offsets.size()) - 1; }
  int64_t size() const { return static_cast<int64_t>(ticks.size()); }
  int64_t begin(int64_t s) const { return offsets[static_cast<std::size_t>(s)]; }
  int64_t end(int64_t s) const { return offsets[static_cast<std::size_t>(s) + 1]; }
  int64_t length(int64_t s) const { return end(s) - begin(s); }
  int64_t tick(int64_t e) const { return ticks[static_cast<std::size_t>(e)]; }
  int64_t origin_of(int64_t s) const {
    return view.origin == OriginKind::kSequence ? tick(begin(s)) : view.origin_tick;
  }
  /// To be called before columns of events [begin, end) are looked at: a file is checked as it is used.
  void check(int64_t begin, int64_t end) const {
    if (guard) guard->check(begin, end);
  }
  /// To be called once what was read is to be relied on: a file that was cut off meanwhile reads as zeros.
  void check_intact() const {
    if (guard) guard->check_intact();
  }
  /// The time of event e of sequence s as a model sees it.
  double time(int64_t s, int64_t e) const { return view.at(tick(e), origin_of(s)); }
};

/// What to do where time runs backwards within a sequence.
enum class Order : uint8_t {
  kSort,    // sort; events of equal time keep their order
  kStrict,  // an error
  kDrop,    // leave such events out
};

/// What grouping found.
struct GroupCounts {
  int64_t backward = 0;  // events earlier than one before them in the source, of the same sequence
  int64_t dropped = 0;
  int64_t untimed = 0;  // sequences left out, as none of their events has a time
};

/// Sorts rows into sequences (in order of first appearance) and by time, finds the grid, and sets the view:
/// origin of the sequence (or 0, if the table says so), unit by the scale (seconds if it has a unit). The
/// table is taken apart. Throws t2v::Error for backward time under kStrict, and for a table without rows.
/// Sequences without rows (after kDrop or in the table) are left out.
Events group(EventTable&& table, Order order, GroupCounts& counts);

/// The largest number of ticks of which all times of a sequence differ by multiples (1 where that does not
/// fit 64 bits); 0 if none differ.
int64_t grid_of(std::span<const int64_t> offsets, std::span<const int64_t> ticks);

/// Sets unit ("s", "min", "h", "d" or "w") and ticks per unit. Plain numbers that are not known to be seconds
/// have the unit "1" alone. Throws t2v::Error otherwise.
void set_unit(Events& events, std::string_view unit);
/// Sets what is time 0; `tick` is for kInstant alone.
void set_origin(Events& events, OriginKind kind, int64_t tick = 0);

/// A checksum of who did what when: ids, times, types and values; the same for the same rows, however the
/// times are seen. Looks at all of it.
uint64_t digest_of(const Events& events);

/// A unit that suits the data to the eye: the largest of s, min, h, d, w that is not longer than the median
/// gap. Plain numbers keep their own: "s" if they are seconds, else "1".
std::string fitting_unit(const Events& events);

}  // namespace t2v::data
