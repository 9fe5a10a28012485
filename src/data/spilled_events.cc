#include "data/spilled_events.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/mapped_file.h"
#include "base/text_check.h"

namespace t2v::data {
namespace {

/// Events that are sorted at once, but for a longer sequence.
constexpr int64_t kEventsAtOnce = int64_t{1} << 22;

/// What the data set's views are of.
struct SpilledMemory {
  EventTable table;
  std::vector<int64_t> offsets;
  std::vector<char> id_bytes;
  std::vector<int64_t> id_offsets{0};
  std::deque<MappedFile> files;  // before the folder goes
};

/// Checks temporary files when they are asked for.
class SpillGuard final : public EventGuard {
 public:
  explicit SpillGuard(std::shared_ptr<const SpilledMemory> memory) : memory_(std::move(memory)) {}
  void check(int64_t /*begin*/, int64_t /*end*/) const override {}
  void check_intact() const override {
    for (const MappedFile& file : memory_->files) file.check_intact();
  }

 private:
  std::shared_ptr<const SpilledMemory> memory_;
};

/// Sorts the columns of a spill by sequence and time.
class SpillSorter {
 public:
  SpillSorter(const EventTable& table, Order order, GroupCounts& counts)
      : table_(table), spill_(*table.spill), drops_(order == Order::kDrop), counts_(counts) {}

  /// The files of the columns but that of the sequence, sorted; sets `offsets`.
  std::vector<std::string> sort(std::vector<int64_t>& offsets) {
    look(offsets);
    offsets_ = offsets;
    cut_into_parts();
    for (std::size_t column = 0; column < spill_.columns().size(); ++column) deal(column);
    std::vector<std::string> sorted;
    std::deque<SpillWriter> writers;
    for (std::size_t column = 1; column < spill_.columns().size(); ++column) {
      sorted.push_back(spill_.folder().file(fmt::format("sorted-{}", column)));
      writers.emplace_back(sorted.back());
    }
    for (std::size_t part = 0; part < parts_.size(); ++part) sort_part(part, writers);
    for (SpillWriter& writer : writers) writer.flush();
    return sorted;
  }

 private:
  /// Sequences from one on, until the next part.
  struct Rows {
    int64_t first_sequence;
    int64_t begin;  // event
    int64_t end;
  };

  const std::string& path_of(std::size_t column) const { return spill_.columns()[column].path; }

  /// Calls visit(row, sequence, tick) for all rows.
  template <class Visit>
  void for_each_row(const Visit& visit) const {
    SpillReader<int32_t> sequences(path_of(0), spill_.rows());
    SpillReader<int64_t> ticks(path_of(1), spill_.rows());
    for (std::size_t row = 0; row < static_cast<std::size_t>(spill_.rows());) {
      const auto some = sequences.next();
      const auto times = ticks.next();
      for (std::size_t i = 0; i < some.size(); ++i) visit(row++, static_cast<std::size_t>(some[i]), times[i]);
    }
  }

  /// Counts the rows of each sequence and marks those to be left out.
  void look(std::vector<int64_t>& offsets) {
    const auto sequences = static_cast<std::size_t>(table_.sequences());
    std::vector<int64_t> latest(sequences, kNoTick);
    std::vector<bool> backward(drops_ ? static_cast<std::size_t>(spill_.rows()) : 0);
    offsets.assign(sequences + 1, 0);
    for_each_row([&](std::size_t row, std::size_t sequence, int64_t tick) {
      const bool is_static = table_.has_static_rows && tick == kNoTick;
      const bool is_backward = !is_static && tick < latest[sequence];
      counts_.backward += is_backward ? 1 : 0;
      if (is_backward && drops_) backward[row] = true;
      latest[sequence] = std::max(latest[sequence], tick);
      ++offsets[sequence + 1];
      if (is_backward && drops_) --offsets[sequence + 1];
    });
    if (drops_) {
      counts_.dropped = counts_.backward;
      left_out_ = std::move(backward);
    }
    if (table_.has_static_rows) leave_out_untimed(latest, offsets);
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  }

  void leave_out_untimed(const std::vector<int64_t>& latest, std::vector<int64_t>& offsets) {
    counts_.untimed = std::ranges::count(latest, kNoTick);
    if (counts_.untimed == 0) return;
    if (counts_.untimed == table_.sequences()) fail("{}: no event has a time", table_.source);
    left_out_.resize(static_cast<std::size_t>(spill_.rows()));
    for_each_row([&](std::size_t row, std::size_t sequence, int64_t) {
      if (latest[sequence] == kNoTick) left_out_[row] = true;
    });
    for (std::size_t s = 0; s < latest.size(); ++s) {
      if (latest[s] == kNoTick) offsets[s + 1] = 0;
    }
  }

  void cut_into_parts() {
    part_of_.resize(offsets_.size() - 1);
    for (std::size_t s = 0; s < part_of_.size(); ++s) {
      const int64_t end = offsets_[s + 1];
      if (parts_.empty() || end - parts_.back().begin > kEventsAtOnce) {
        parts_.push_back({static_cast<int64_t>(s), offsets_[s], end});
      }
      parts_.back().end = end;
      part_of_[s] = static_cast<int32_t>(parts_.size() - 1);
    }
  }

  std::string part_path(std::size_t column, std::size_t part) const {
    return spill_.folder().file(fmt::format("part-{}-{}", column, part));
  }

  /// Deals the entries of a column to files of the parts; the column's own file is not needed any more.
  void deal(std::size_t column) {
    if (spill_.columns()[column].width == sizeof(int32_t)) {
      deal_entries<int32_t>(column);
    } else {
      deal_entries<int64_t>(column);
    }
    if (column > 0) remove_file(FileSystem::real(), path_of(column));
  }

  template <class T>
  void deal_entries(std::size_t column) {
    std::deque<SpillWriter> writers;
    for (std::size_t part = 0; part < parts_.size(); ++part) writers.emplace_back(part_path(column, part));
    SpillReader<int32_t> sequences(path_of(0), spill_.rows());
    SpillReader<T> entries(path_of(column), spill_.rows());
    for (std::size_t row = 0; row < static_cast<std::size_t>(spill_.rows());) {
      const auto some = sequences.next();
      const auto values = entries.next();
      for (std::size_t i = 0; i < some.size(); ++i, ++row) {
        if (!left_out_.empty() && left_out_[row]) continue;
        const auto part = static_cast<std::size_t>(part_of_[static_cast<std::size_t>(some[i])]);
        writers[part].write(values[i]);
      }
    }
    for (SpillWriter& writer : writers) writer.flush();
  }

  template <class T>
  std::vector<T> entries_of(std::size_t column, std::size_t part) const {
    const auto rows = static_cast<std::size_t>(parts_[part].end - parts_[part].begin);
    const std::string path = part_path(column, part);
    std::vector<T> entries;
    entries.reserve(rows);
    SpillReader<T> reader(path, static_cast<int64_t>(rows));
    while (entries.size() < rows) {
      const auto some = reader.next();
      entries.insert(entries.end(), some.begin(), some.end());
    }
    remove_file(FileSystem::real(), path);
    return entries;
  }

  void sort_part(std::size_t part, std::deque<SpillWriter>& writers) {
    if (parts_[part].begin == parts_[part].end) return;
    const std::vector<int32_t> sequences = entries_of<int32_t>(0, part);
    std::vector<int64_t> ticks = entries_of<int64_t>(1, part);
    const std::vector<uint32_t> order = order_of(parts_[part], sequences, ticks);
    write_sorted(ticks, order, writers[0], [&](std::vector<int64_t>& sorted) {
      if (table_.has_static_rows) settle_static(parts_[part], sorted);
    });
    for (std::size_t column = 2; column < spill_.columns().size(); ++column) {
      const auto none = [](auto&) {};
      if (spill_.columns()[column].width == sizeof(int32_t)) {
        write_sorted(entries_of<int32_t>(column, part), order, writers[column - 1], none);
      } else {
        write_sorted(entries_of<int64_t>(column, part), order, writers[column - 1], none);
      }
    }
  }

  /// Rows of a part by sequence and time; those of equal time stay in order.
  std::vector<uint32_t> order_of(const Rows& part, const std::vector<int32_t>& sequences,
                                 const std::vector<int64_t>& ticks) const {
    const auto first = static_cast<std::size_t>(part.first_sequence);
    std::vector<int64_t> next(offsets_.begin() + part.first_sequence, offsets_.end() - 1);
    std::vector<uint32_t> order(sequences.size());
    for (std::size_t row = 0; row < sequences.size(); ++row) {
      int64_t& place = next[static_cast<std::size_t>(sequences[row]) - first];
      order[static_cast<std::size_t>(place++ - part.begin)] = static_cast<uint32_t>(row);
    }
    const auto earlier = [&](uint32_t a, uint32_t b) { return ticks[a] < ticks[b]; };
    for (std::size_t s = first; s + 1 < offsets_.size() && offsets_[s] < part.end; ++s) {
      const auto begin = order.begin() + (offsets_[s] - part.begin);
      const auto end = order.begin() + (offsets_[s + 1] - part.begin);
      if (!std::is_sorted(begin, end, earlier)) std::stable_sort(begin, end, earlier);
    }
    return order;
  }

  void settle_static(const Rows& part, std::vector<int64_t>& ticks) const {
    for (auto s = static_cast<std::size_t>(part.first_sequence);
         s + 1 < offsets_.size() && offsets_[s] < part.end; ++s) {
      const auto begin = ticks.begin() + (offsets_[s] - part.begin);
      const auto end = ticks.begin() + (offsets_[s + 1] - part.begin);
      const auto timed = std::find_if(begin, end, [](int64_t tick) { return tick != kNoTick; });
      if (timed != end) std::fill(begin, timed, *timed);
    }
  }

  template <class T, class Settle>
  static void write_sorted(const std::vector<T>& entries, const std::vector<uint32_t>& order,
                           SpillWriter& writer, const Settle& settle) {
    std::vector<T> sorted;
    sorted.reserve(order.size());
    for (const uint32_t row : order) sorted.push_back(entries[row]);
    settle(sorted);
    writer.write_all(std::as_bytes(std::span(sorted)));
  }

  const EventTable& table_;
  const RowSpill& spill_;
  bool drops_;
  GroupCounts& counts_;
  std::vector<int64_t> offsets_;
  std::vector<bool> left_out_;  // rows; empty: none
  std::vector<Rows> parts_;
  std::vector<int32_t> part_of_;  // each sequence
};

template <class T>
std::span<const T> entries_in(const MappedFile& file) {
  return {reinterpret_cast<const T*>(file.bytes().data()), file.bytes().size() / sizeof(T)};
}

/// Leaves out sequences without events.
std::vector<std::size_t> kept_sequences(SpilledMemory& memory) {
  std::vector<std::size_t> kept;
  std::vector<int64_t> offsets = {0};
  for (std::size_t s = 0; s + 1 < memory.offsets.size(); ++s) {
    if (memory.offsets[s + 1] == memory.offsets[s]) continue;
    kept.push_back(s);
    offsets.push_back(memory.offsets[s + 1]);
    const std::string_view id = memory.table.ids[static_cast<int32_t>(s)];
    memory.id_bytes.insert(memory.id_bytes.end(), id.begin(), id.end());
    memory.id_offsets.push_back(static_cast<int64_t>(memory.id_bytes.size()));
  }
  memory.offsets = std::move(offsets);
  return kept;
}

template <class T>
void keep(std::vector<T>& entries, const std::vector<std::size_t>& kept) {
  if (kept.size() == entries.size()) return;
  for (std::size_t i = 0; i < kept.size(); ++i) entries[i] = entries[kept[i]];
  entries.resize(kept.size());
}

void keep_sequences(EventTable& table, const std::vector<std::size_t>& kept) {
  for (Numbers& column : table.sequence_numbers) keep(column.values, kept);
  for (Categories& column : table.sequence_categories) keep(column.codes, kept);
  if (table.label) keep(table.label->codes, kept);
  if (table.target) keep(table.target->values, kept);
  if (!table.part.empty()) keep(table.part, kept);
}

CategoryColumn with_codes(const Categories& column, std::span<const int32_t> codes) {
  return {column.name, codes, {column.names.bytes(), column.names.offsets()}};
}

Events mapped_events(const std::shared_ptr<SpilledMemory>& memory) {
  const EventTable& table = memory->table;
  auto file = memory->files.begin();
  Events events;
  events.ids = {memory->id_bytes, memory->id_offsets};
  events.offsets = memory->offsets;
  events.scale = table.scale;
  events.ticks = entries_in<int64_t>(*file++);
  if (table.event) events.event = with_codes(*table.event, entries_in<int32_t>(*file++));
  if (table.value) events.value = NumberColumn{table.value->name, entries_in<double>(*file++)};
  for (const Numbers& column : table.numbers) {
    events.numbers.push_back({column.name, entries_in<double>(*file++)});
  }
  for (const Categories& column : table.categories) {
    events.categories.push_back(with_codes(column, entries_in<int32_t>(*file++)));
  }
  for (const Numbers& column : table.sequence_numbers) {
    events.sequence_numbers.push_back({column.name, column.values});
  }
  for (const Categories& column : table.sequence_categories) {
    events.sequence_categories.push_back(with_codes(column, column.codes));
  }
  if (table.label) events.label = with_codes(*table.label, table.label->codes);
  if (table.target) events.target = NumberColumn{table.target->name, table.target->values};
  events.part = table.part;
  events.owner = memory;
  events.guard = std::make_shared<SpillGuard>(memory);
  return events;
}

}  // namespace

Events group_spilled(EventTable&& table, Order order, GroupCounts& counts) {
  const auto memory = std::make_shared<SpilledMemory>();
  memory->table = std::move(table);
  const std::vector<std::string> files = SpillSorter(memory->table, order, counts).sort(memory->offsets);
  for (const std::string& path : files) memory->files.emplace_back(FileSystem::real(), path);
  keep_sequences(memory->table, kept_sequences(*memory));
  Events events = mapped_events(memory);
  events.grid = grid_of(events.offsets, events.ticks);
  set_unit(events, "s");
  return events;
}

}  // namespace t2v::data
