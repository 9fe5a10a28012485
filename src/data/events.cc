#include "data/events.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/checksum.h"
#include "base/fail.h"
#include "base/large_pages.h"
#include "base/text_check.h"
#include "data/duration.h"
#include "data/spilled_events.h"

namespace t2v::data {
namespace {

/// The memory behind the views of a data set that was made here.
struct Memory {
  EventTable table;
  std::vector<int64_t> offsets;
  std::vector<char> id_bytes;  // of the kept ids
  std::vector<int64_t> id_offsets;
};

/// Marks rows that are earlier than one before them of the same sequence.
std::vector<bool> backward_rows(const EventTable& table, GroupCounts& counts) {
  std::vector<bool> backward;
  std::vector<int64_t> latest(static_cast<std::size_t>(table.sequences()),
                              std::numeric_limits<int64_t>::min());
  for (std::size_t row = 0; row < table.ticks.size(); ++row) {
    int64_t& last = latest[static_cast<std::size_t>(table.sequence[row])];
    if (table.has_static_rows && table.ticks[row] == kNoTick) continue;  // which belongs to no time
    if (table.ticks[row] < last) {
      if (backward.empty()) backward.resize(table.ticks.size());
      backward[row] = true;
      ++counts.backward;
    }
    last = std::max(last, table.ticks[row]);
  }
  return backward;
}

template <class T>
void reorder(std::vector<T>& column, std::span<const uint32_t> order) {
  std::vector<T> sorted;
  sorted.reserve(order.size());
  prefer_large_pages(sorted);
  for (const uint32_t row : order) sorted.push_back(column[row]);
  column = std::move(sorted);
}

/// Rows in the order of their sequences, then of their time; rows of equal time stay in order.
std::vector<uint32_t> sorted_order(const EventTable& table, const std::vector<bool>& left_out,
                                   std::span<const int64_t> offsets) {
  if (table.rows() > std::numeric_limits<uint32_t>::max()) {
    fail(
        "{} rows that are not grouped by sequence and sorted by time are too many to sort (at most {}); "
        "sort the table first",
        table.rows(), std::numeric_limits<uint32_t>::max());
  }
  std::vector<int64_t> next(offsets.begin(), offsets.end() - 1);
  std::vector<uint32_t> order(static_cast<std::size_t>(offsets.back()));
  for (std::size_t row = 0; row < table.ticks.size(); ++row) {
    if (!left_out.empty() && left_out[row]) continue;
    order[static_cast<std::size_t>(next[static_cast<std::size_t>(table.sequence[row])]++)] =
        static_cast<uint32_t>(row);
  }
  const auto earlier = [&](uint32_t a, uint32_t b) { return table.ticks[a] < table.ticks[b]; };
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const auto begin = order.begin() + offsets[s];
    const auto end = order.begin() + offsets[s + 1];
    if (!std::is_sorted(begin, end, earlier)) std::stable_sort(begin, end, earlier);
  }
  return order;
}

/// Where each sequence starts once rows are grouped; [S + 1].
std::vector<int64_t> count_rows(const EventTable& table, const std::vector<bool>& left_out) {
  std::vector<int64_t> offsets(static_cast<std::size_t>(table.sequences()) + 1);
  for (std::size_t row = 0; row < table.sequence.size(); ++row) {
    if (left_out.empty() || !left_out[row]) ++offsets[static_cast<std::size_t>(table.sequence[row]) + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

void reorder_rows(EventTable& table, std::span<const uint32_t> order) {
  reorder(table.ticks, order);
  if (table.event) reorder(table.event->codes, order);
  if (table.value) reorder(table.value->values, order);
  if (table.interval) reorder(table.interval->values, order);
  for (Numbers& column : table.numbers) reorder(column.values, order);
  for (Categories& column : table.categories) reorder(column.codes, order);
}

/// Marks the rows of sequences none of whose events has a time.
void leave_out_untimed(const EventTable& table, std::vector<bool>& left_out, GroupCounts& counts) {
  std::vector<bool> is_timed(static_cast<std::size_t>(table.sequences()));
  for (std::size_t row = 0; row < table.ticks.size(); ++row) {
    if (table.ticks[row] != kNoTick) is_timed[static_cast<std::size_t>(table.sequence[row])] = true;
  }
  counts.untimed = std::ranges::count(is_timed, false);
  if (counts.untimed == 0) return;
  if (counts.untimed == table.sequences()) fail("{}: no event has a time", table.source);
  left_out.resize(table.ticks.size());
  for (std::size_t row = 0; row < table.ticks.size(); ++row) {
    if (!is_timed[static_cast<std::size_t>(table.sequence[row])]) left_out[row] = true;
  }
}

/// Events without a time, which are sorted before the others of their sequence, get the time of the first of
/// those.
void settle_static_rows(EventTable& table, std::span<const int64_t> offsets) {
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const auto begin = table.ticks.begin() + offsets[s];
    const auto end = table.ticks.begin() + offsets[s + 1];
    const auto timed = std::find_if(begin, end, [](int64_t tick) { return tick != kNoTick; });
    if (timed != end) std::fill(begin, timed, *timed);
  }
}

/// Leaves out sequences without rows.
void drop_empty(Memory& memory) {
  EventTable& table = memory.table;
  std::vector<int64_t> offsets = {0};
  std::vector<uint32_t> kept;
  for (std::size_t s = 0; s + 1 < memory.offsets.size(); ++s) {
    if (memory.offsets[s + 1] == memory.offsets[s]) continue;
    kept.push_back(static_cast<uint32_t>(s));
    offsets.push_back(memory.offsets[s + 1]);
  }
  if (kept.size() + 1 < memory.offsets.size()) {
    for (Numbers& column : table.sequence_numbers) reorder(column.values, kept);
    for (Categories& column : table.sequence_categories) reorder(column.codes, kept);
    if (table.label) reorder(table.label->codes, kept);
    if (table.target) reorder(table.target->values, kept);
    if (!table.part.empty()) reorder(table.part, kept);
  }
  memory.offsets = std::move(offsets);
  memory.id_offsets = {0};
  for (const uint32_t s : kept) {
    const std::string_view id = table.ids[static_cast<int32_t>(s)];
    memory.id_bytes.insert(memory.id_bytes.end(), id.begin(), id.end());
    memory.id_offsets.push_back(static_cast<int64_t>(memory.id_bytes.size()));
  }
}

NumberColumn view_of(const Numbers& column) { return {column.name, column.values}; }

CategoryColumn view_of(const Categories& column) {
  return {column.name, column.codes, {column.names.bytes(), column.names.offsets()}};
}

template <class From, class To>
void view_each(const std::vector<From>& columns, std::vector<To>& views) {
  for (const From& column : columns) views.push_back(view_of(column));
}

Events view_of(const std::shared_ptr<const Memory>& memory) {
  const EventTable& table = memory->table;
  Events events;
  events.ids = {memory->id_bytes, memory->id_offsets};
  events.offsets = memory->offsets;
  events.ticks = table.ticks;
  events.scale = table.scale;
  if (table.event) events.event = view_of(*table.event);
  if (table.value) events.value = view_of(*table.value);
  if (table.interval) events.interval = view_of(*table.interval);
  view_each(table.numbers, events.numbers);
  view_each(table.categories, events.categories);
  view_each(table.sequence_numbers, events.sequence_numbers);
  view_each(table.sequence_categories, events.sequence_categories);
  if (table.label) events.label = view_of(*table.label);
  if (table.target) events.target = view_of(*table.target);
  events.part = table.part;
  events.owner = memory;
  return events;
}

[[noreturn]] void fail_backward(const EventTable& table, const std::vector<bool>& backward) {
  const auto row = std::ranges::find(backward, true) - backward.begin();
  fail(
      "{}event {} runs backwards in time within sequence '{}'; sort the source, or let events be sorted or "
      "dropped (`order` sort, `order` drop)",
      table.source.empty() ? "" : table.source + ": ", row + 1,
      shown(table.ids[table.sequence[static_cast<std::size_t>(row)]]));
}

}  // namespace

Events group(EventTable&& table, Order order, GroupCounts& counts) {
  if (table.rows() == 0) fail("{}: there is no event", table.source.empty() ? "the source" : table.source);
  if (table.spill) return group_spilled(std::move(table), order, counts);
  const auto memory = std::make_shared<Memory>();
  memory->table = std::move(table);
  EventTable& rows = memory->table;
  std::vector<bool> backward = backward_rows(rows, counts);
  if (counts.backward > 0 && order == Order::kStrict) fail_backward(rows, backward);
  if (order == Order::kDrop) {
    counts.dropped = counts.backward;
  } else {
    backward.clear();
  }
  if (rows.has_static_rows) leave_out_untimed(rows, backward, counts);
  memory->offsets = count_rows(rows, backward);
  if (counts.backward > 0 || rows.has_static_rows || !std::ranges::is_sorted(rows.sequence)) {
    reorder_rows(rows, sorted_order(rows, backward, memory->offsets));
  }
  if (rows.has_static_rows) settle_static_rows(rows, memory->offsets);
  rows.sequence = {};
  drop_empty(*memory);
  Events events = view_of(memory);
  events.grid = grid_of(events.offsets, events.ticks);
  set_unit(events, events.scale.has_unit() ? "s" : "1");
  if (rows.from_zero) set_origin(events, OriginKind::kInstant, 0);
  return events;
}

int64_t grid_of(std::span<const int64_t> offsets, std::span<const int64_t> ticks) {
  uint64_t grid = 0;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    for (int64_t e = offsets[s] + 1; e < offsets[s + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      const uint64_t gap = static_cast<uint64_t>(ticks[at]) - static_cast<uint64_t>(ticks[at - 1]);
      if (grid == 1) return 1;
      if (grid == 0 || gap % grid != 0) grid = std::gcd(grid, gap);
    }
  }
  return grid > uint64_t{std::numeric_limits<int64_t>::max()} ? 1 : static_cast<int64_t>(grid);
}

void set_unit(Events& events, std::string_view unit) {
  const double ticks_per_unit = std::pow(10.0, events.scale.decimals);
  if (!events.scale.has_unit()) {
    if (unit != "1") {
      fail(
          "the times are plain numbers, which have no unit '{}'; say what they count (`time_unit` s, ms, us "
          "or ns) or leave the unit out",
          unit);
    }
    events.view.unit = "1";
    events.view.ticks_per_unit = ticks_per_unit;
    return;
  }
  for (const UnitOfTime& known : kModelUnits) {
    if (known.name != unit) continue;
    events.view.unit = known.name;
    events.view.ticks_per_unit =
        ticks_per_unit * static_cast<double>(known.nanoseconds / kNanosecondsPerSecond);
    return;
  }
  fail("unknown unit '{}'; use s, min, h, d or w", shown(unit));
}

void set_origin(Events& events, OriginKind kind, int64_t tick) {
  events.view.origin = kind;
  events.view.origin_tick = kind == OriginKind::kDataSet ? *std::ranges::min_element(events.ticks) : tick;
}

uint64_t digest_of(const Events& events) {
  events.check(0, events.size());
  std::vector<std::span<const std::byte>> pieces;
  const auto add = [&](const auto& numbers) { pieces.push_back(std::as_bytes(numbers)); };
  const auto add_strings = [&](const Strings& strings) {
    add(strings.bytes);
    add(strings.offsets);
  };
  add_strings(events.ids);
  add(events.offsets);
  add(events.ticks);
  if (events.event) {
    add_strings(events.event->names);
    add(events.event->codes);
  }
  if (events.value) add(events.value->values);
  return checksum(pieces);
}

std::string fitting_unit(const Events& events) {
  if (!events.scale.instants) return events.scale.has_unit() ? "s" : "1";
  std::vector<double> gaps;  // in seconds
  for (int64_t s = 0; s < events.sequences(); ++s) {
    for (int64_t e = events.begin(s) + 1; e < events.end(s); ++e) {
      gaps.push_back(TimeView{.ticks_per_unit = 1e9}.at(events.tick(e), events.tick(e - 1)));
    }
  }
  if (gaps.empty()) return "s";
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  std::string_view best = "s";
  for (const UnitOfTime& unit : kModelUnits) {
    if (static_cast<double>(unit.nanoseconds / kNanosecondsPerSecond) <= *middle) best = unit.name;
  }
  return std::string(best);
}

}  // namespace t2v::data
