#include "data/row_collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "base/large_pages.h"

namespace t2v::data {
namespace {

/// The rows of a chunk's column that are taken.
template <class T>
void append_rows(std::vector<T>& to, const std::vector<T>& from, const RowCollector::Pending& pending) {
  if (!pending.selects) {
    to.insert(to.end(), from.begin(), from.end());
    return;
  }
  for (const uint32_t row : pending.rows) to.push_back(from[row]);
}

std::size_t place_of_new(int32_t code) { return static_cast<std::size_t>(new_name(code)); }

/// Codes of new names become those of the table.
void replace_new(std::span<int32_t> codes, const std::vector<int32_t>& of_new) {
  if (of_new.empty()) return;
  for (int32_t& code : codes) {
    if (code < 0) code = of_new[place_of_new(code)];
  }
}

/// a < b, exactly.
bool less(Decimal a, Decimal b) {
  __extension__ using Wide = __int128;
  const int decimals = std::max(a.decimals, b.decimals);
  const auto widened = [&](Decimal x) {
    Wide wide = x.mantissa;
    for (int i = x.decimals; i < std::min(decimals, x.decimals + 19); ++i) wide *= 10;
    return wide;
  };
  return widened(a) < widened(b);
}

constexpr std::string_view kOther =
    "differs from an earlier row of the same sequence; a sequence has one of them";
/// It may have been guessed.
constexpr std::string_view kOtherLabel =
    "differs from an earlier row of the same sequence; a sequence has one of them, or give `label` - if it "
    "is "
    "none";
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void RowCollector::start(const ReadPlan& plan) {
  for (std::size_t i = 0; i < plan.columns.size(); ++i) {
    const ColumnChoice& column = plan.columns[i];
    const bool number = plan.kinds[i] == CellKind::kNumber;
    Place place{column.role, plan.kinds[i], 0};
    switch (column.role) {
      case Role::kId:
        id_ = static_cast<int>(i);
        break;
      case Role::kTime:
        time_ = i;
        break;
      case Role::kEvent:
        table_.event = Categories{column.name, {}, {}};
        break;
      case Role::kValue:
        table_.value = Numbers{column.name, {}};
        break;
      case Role::kLabel:
        table_.label = Categories{column.name, {}, {}};
        break;
      case Role::kTarget:
        table_.target = Numbers{column.name, {}};
        break;
      case Role::kFeature:
      case Role::kSequenceFeature: {
        const bool of_event = column.role == Role::kFeature;
        auto& numbers = of_event ? table_.numbers : table_.sequence_numbers;
        auto& categories = of_event ? table_.categories : table_.sequence_categories;
        place.number = number ? numbers.size() : categories.size();
        if (number) {
          numbers.push_back({column.name, {}});
        } else {
          categories.push_back({column.name, {}, {}});
        }
        break;
      }
    }
    places_.push_back(place);
  }
  plain_times_ = plan.kinds[time_] == CellKind::kDecimal;
  static_rows_ = plan.static_rows;
}

Numbers& RowCollector::numbers_at(const Place& place) {
  if (place.role == Role::kValue) return *table_.value;
  if (place.role == Role::kTarget) return *table_.target;
  return place.role == Role::kFeature ? table_.numbers[place.number] : table_.sequence_numbers[place.number];
}

Categories& RowCollector::categories_at(const Place& place) {
  if (place.role == Role::kEvent) return *table_.event;
  if (place.role == Role::kLabel) return *table_.label;
  return place.role == Role::kFeature ? table_.categories[place.number]
                                      : table_.sequence_categories[place.number];
}

const Names* RowCollector::known(std::size_t column, bool with_parts) const {
  const Place& place = places_[column];
  if (place.kind != CellKind::kName || of_sequence(place)) return nullptr;
  // An id that is known from another part is another sequence.
  if (place.role == Role::kId) return with_parts ? nullptr : &table_.ids;
  return place.role == Role::kEvent ? &table_.event->names : &table_.categories[place.number].names;
}

void RowCollector::reserve(int64_t rows) {
  constexpr int64_t kLeastRowBytes = 12;
  if (most_bytes_ > 0) rows = std::min(rows, most_bytes_ / kLeastRowBytes);
  const auto make_room = [count = static_cast<std::size_t>(rows)](auto& column) {
    column.reserve(count);
    prefer_large_pages(column);
  };
  make_room(table_.sequence);
  make_room(plain_times_ ? plain_.ticks() : table_.ticks);
  for (const Place& place : places_) {
    if (place.role == Role::kId || place.role == Role::kTime || of_sequence(place)) continue;
    if (place.kind == CellKind::kNumber) {
      make_room(numbers_at(place).values);
    } else {
      make_room(categories_at(place).codes);
    }
  }
}

int32_t RowCollector::sequence_of(std::string_view id, uint64_t hash, std::optional<Part> part) {
  if (!part) return table_.ids.add(id, hash);
  const auto which = static_cast<std::size_t>(*part);
  const auto number = static_cast<std::size_t>(part_ids_[which].add(id, hash));
  std::vector<int32_t>& sequences = part_sequences_[which];
  if (number < sequences.size()) return sequences[number];
  // The same id in a file for another purpose is another sequence.
  constexpr std::array<std::string_view, 3> kSuffix = {" (train)", " (valid)", " (test)"};
  std::string name(id);
  if (table_.ids.find(name) >= 0) ++shared_ids_;
  while (table_.ids.find(name) >= 0) name += kSuffix[which];
  table_.part.push_back(*part);
  return sequences.emplace_back(table_.ids.add(name));
}

/// All names of a chunk whose rows are all taken.
void RowCollector::merge_names(Pending& pending, std::optional<Part> part) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].kind != CellKind::kName || of_sequence(places_[i])) continue;
    const Names& names = pending.chunk->columns()[i].names;
    const bool ids = places_[i].role == Role::kId;
    Names* known = ids ? nullptr : &categories_at(places_[i]).names;
    for (int32_t n = 0; n < names.size(); ++n) {
      pending.codes[i].push_back(ids ? sequence_of(names[n], names.hash(n), part)
                                     : known->add(names[n], names.hash(n)));
    }
  }
}

/// The ids of good rows, in their order.
void RowCollector::merge_good_ids(Pending& pending, std::optional<Part> part) {
  if (id_ < 0) return;
  const auto id = static_cast<std::size_t>(id_);
  const ChunkColumn& ids = pending.chunk->columns()[id];
  std::vector<int32_t>& codes = pending.codes[id];
  codes.assign(static_cast<std::size_t>(ids.names.size()), -1);
  for (std::size_t row = 0; row < ids.codes.size(); ++row) {
    const int32_t code = ids.codes[row];
    if (code >= 0 || !pending.chunk->good(row)) continue;
    int32_t& fresh = codes[place_of_new(code)];
    if (fresh < 0) fresh = sequence_of(ids.names[new_name(code)], ids.names.hash(new_name(code)), part);
  }
}

/// The other names of rows that are taken, in their order.
void RowCollector::merge_taken_names(Pending& pending) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const bool id = places_[i].role == Role::kId;
    if (places_[i].kind != CellKind::kName || of_sequence(places_[i]) || id) continue;
    const ChunkColumn& column = pending.chunk->columns()[i];
    pending.codes[i].assign(static_cast<std::size_t>(column.names.size()), -1);
    for (const uint32_t row : pending.rows) {
      const int32_t code = column.codes[row];
      if (code >= 0) continue;
      int32_t& fresh = pending.codes[i][place_of_new(code)];
      if (fresh >= 0) continue;
      fresh = categories_at(places_[i])
                  .names.add(column.names[new_name(code)], column.names.hash(new_name(code)));
    }
  }
}

int32_t RowCollector::sequence_of_row(const Pending& pending, std::size_t row) const {
  if (id_ < 0) return pending.sequence;
  const auto id = static_cast<std::size_t>(id_);
  const int32_t code = pending.chunk->columns()[id].codes[row];
  return code >= 0 ? code : pending.codes[id][place_of_new(code)];
}

/// Whether the cell agrees with what the sequence has; an empty cell always does.
bool RowCollector::agrees(const ReadRows& chunk, std::size_t column, std::size_t row, std::size_t sequence) {
  if (places_[column].kind == CellKind::kNumber) {
    const std::vector<double>& values = numbers_at(places_[column]).values;
    const double number = chunk.columns()[column].numbers[row];
    if (sequence >= values.size() || std::isnan(number)) return true;
    return std::isnan(values[sequence]) || values[sequence] == number;
  }
  const Categories& categories = categories_at(places_[column]);
  if (sequence >= categories.codes.size() || categories.codes[sequence] < 0) return true;
  const std::string_view name = chunk.name_at(column, row);
  return name.empty() || categories.names[categories.codes[sequence]] == name;
}

/// Of a cell that agrees.
void RowCollector::take_sequence_cell(const ReadRows& chunk, std::size_t column, std::size_t row,
                                      std::size_t sequence) {
  if (places_[column].kind == CellKind::kNumber) {
    std::vector<double>& values = numbers_at(places_[column]).values;
    values.resize(std::max(values.size(), sequence + 1), kNone);
    if (std::isnan(values[sequence])) values[sequence] = chunk.columns()[column].numbers[row];
    return;
  }
  Categories& categories = categories_at(places_[column]);
  categories.codes.resize(std::max(categories.codes.size(), sequence + 1), -1);
  const std::string_view name = chunk.name_at(column, row);
  if (!name.empty() && categories.codes[sequence] < 0) {
    categories.codes[sequence] = categories.names.add(name);
  }
}

Decimal RowCollector::time_of(const ReadRows& chunk, std::size_t row) const {
  const ChunkColumn& times = chunk.columns()[time_];
  return {times.ticks[row], plain_times_ ? times.decimals[row] : 0};
}

bool RowCollector::in_order(const ReadRows& chunk, std::size_t row, std::size_t sequence) const {
  const bool is_static = static_rows_ && chunk.columns()[time_].ticks[row] == kNoTick;
  return is_static || sequence >= latest_.size() || !has_latest_[sequence] ||
         !less(time_of(chunk, row), latest_[sequence]);
}

void RowCollector::keep_time(const ReadRows& chunk, std::size_t row, std::size_t sequence) {
  if (latest_.size() <= sequence) {
    latest_.resize(sequence + 1);
    has_latest_.resize(sequence + 1);
  }
  latest_[sequence] = time_of(chunk, row);
  has_latest_[sequence] = true;
}

/// What is wrong with a good row beside those before it: the column and what; nothing if it fits.
std::optional<std::pair<std::size_t, std::string_view>> RowCollector::misfit(const ReadRows& chunk,
                                                                             std::size_t row,
                                                                             std::size_t sequence) {
  for (std::size_t column = 0; column < places_.size(); ++column) {
    if (of_sequence(places_[column]) && !agrees(chunk, column, row, sequence)) {
      return {{column, places_[column].role == Role::kLabel ? kOtherLabel : kOther}};
    }
  }
  if (order_ == Order::kStrict && !in_order(chunk, row, sequence)) {
    return {{time_, "runs backwards within its sequence; sort the table, or use `order` sort or drop"}};
  }
  return std::nullopt;
}

void RowCollector::choose_rows(Pending& pending, std::vector<Fault>& faults) {
  const ReadRows& chunk = *pending.chunk;
  pending.rows.clear();
  for (std::size_t row = 0; row < static_cast<std::size_t>(chunk.rows()); ++row) {
    if (!chunk.good(row)) continue;
    const auto sequence = static_cast<std::size_t>(sequence_of_row(pending, row));
    if (const auto wrong = misfit(chunk, row, sequence)) {
      const auto [column, what] = *wrong;
      faults.push_back(chunk.fault_at(column, row, what));
      continue;
    }
    for (std::size_t column = 0; column < places_.size(); ++column) {
      if (of_sequence(places_[column])) take_sequence_cell(chunk, column, row, sequence);
    }
    if (order_ == Order::kStrict) keep_time(chunk, row, sequence);
    pending.rows.push_back(static_cast<uint32_t>(row));
  }
}

void RowCollector::merge(Pending& pending, const ReadRows& chunk, std::optional<Part> part,
                         std::vector<Fault>& faults) {
  pending.chunk = &chunk;
  pending.codes.resize(places_.size());
  for (auto& codes : pending.codes) codes.clear();
  if (id_ < 0 && chunk.rows() > 0)
    pending.sequence = sequence_of(kOneSequence, Names::hash_of(kOneSequence), part);
  pending.selects = order_ == Order::kStrict || !chunk.all_good() ||
                    std::ranges::any_of(places_, [&](const Place& place) { return of_sequence(place); });
  if (!pending.selects) {
    merge_names(pending, part);
    rows_ += chunk.rows();
    return;
  }
  merge_good_ids(pending, part);
  choose_rows(pending, faults);
  merge_taken_names(pending);
  rows_ += static_cast<int64_t>(pending.rows.size());
}

void RowCollector::append_sequences(const Pending& pending) {
  const std::size_t before = table_.sequence.size();
  if (id_ < 0) {
    const std::size_t count =
        pending.selects ? pending.rows.size() : static_cast<std::size_t>(pending.chunk->rows());
    table_.sequence.resize(before + count, pending.sequence);
    return;
  }
  const auto id = static_cast<std::size_t>(id_);
  append_rows(table_.sequence, pending.chunk->columns()[id].codes, pending);
  replace_new(std::span(table_.sequence).subspan(before), pending.codes[id]);
}

void RowCollector::append_times(const Pending& pending) {
  const ChunkColumn& column = pending.chunk->columns()[time_];
  if (!plain_times_) {
    append_rows(table_.ticks, column.ticks, pending);
    return;
  }
  std::vector<int64_t> mantissa;
  std::vector<int8_t> decimals;
  append_rows(mantissa, column.ticks, pending);
  append_rows(decimals, column.decimals, pending);
  plain_.add(mantissa, decimals);
}

void RowCollector::append_codes(const Pending& pending, std::size_t column) {
  std::vector<int32_t>& codes = categories_at(places_[column]).codes;
  const std::size_t before = codes.size();
  append_rows(codes, pending.chunk->columns()[column].codes, pending);
  replace_new(std::span(codes).subspan(before), pending.codes[column]);
}

void RowCollector::append(const Pending& pending) {
  append_sequences(pending);
  append_times(pending);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    if (place.role == Role::kId || place.role == Role::kTime || of_sequence(place)) continue;
    if (place.kind == CellKind::kNumber) {
      append_rows(numbers_at(place).values, pending.chunk->columns()[i].numbers, pending);
    } else {
      append_codes(pending, i);
    }
  }
  spill_if_full();
}

/// The first time all that is there goes to files, later pieces of it, since memory does not shrink again.
void RowCollector::spill_if_full() {
  if (most_bytes_ == 0 || plain_times_) return;
  int64_t width = 0;
  for_each_column(table_, [&](const auto& entries) { width += static_cast<int64_t>(sizeof(entries[0])); });
  const int64_t bytes = width * static_cast<int64_t>(table_.ticks.size());
  constexpr int64_t kParts = 8;
  if (bytes < (table_.spill ? most_bytes_ / kParts : most_bytes_)) return;
  const bool is_first = !table_.spill;
  if (is_first) table_.spill = std::make_shared<RowSpill>();
  table_.spill->take(table_);
  if (is_first) for_each_column(table_, [](auto& entries) { entries.shrink_to_fit(); });
}

void RowCollector::add(const ReadRows& chunk, std::optional<Part> part, std::vector<Fault>& faults) {
  Pending pending;
  merge(pending, chunk, part, faults);
  append(pending);
}

EventTable RowCollector::finish() {
  const auto sequences = static_cast<std::size_t>(table_.sequences());
  if (table_.spill) {
    table_.spill->take(table_);
    table_.spill->close();
  }
  table_.has_static_rows = static_rows_;
  table_.scale = {.instants = !plain_times_, .decimals = plain_times_ ? plain_.decimals() : 9};
  if (plain_times_) table_.ticks = std::move(plain_.ticks());
  if (plain_.rounded() > 0) table_.notes.push_back(plain_.note());
  if (shared_ids_ > 0) {
    table_.notes.push_back(fmt::format(
        "{} ids are in more than one part; they are sequences of their own there, so parts may share events",
        shared_ids_));
  }
  for (const Place& place : places_) {
    if (!of_sequence(place)) continue;
    if (place.kind == CellKind::kNumber) {
      numbers_at(place).values.resize(sequences, kNone);
    } else {
      Categories& categories = categories_at(place);
      categories.codes.resize(sequences, -1);
      if (std::ranges::find(categories.codes, -1) == categories.codes.end()) continue;
      std::ranges::replace(categories.codes, -1, categories.names.add(""));
    }
  }
  return std::move(table_);
}

}  // namespace t2v::data
