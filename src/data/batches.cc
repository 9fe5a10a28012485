#include "data/batches.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "base/fail.h"
#include "base/random.h"
#include "base/text_check.h"

namespace t2v::data {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::size_t at_of(int64_t i) { return static_cast<std::size_t>(i); }

template <class T>
void grow(std::vector<T>& values, int64_t size) {
  if (values.size() < at_of(size)) values.resize(at_of(size));
}

template <class T>
std::span<const T> first_of(const std::vector<T>& values, int64_t size) {
  return std::span<const T>(values).first(at_of(size));
}

template <class Column>
const Column* find_column(const std::vector<Column>& columns, const std::string& name) {
  const auto found = std::ranges::find(columns, name, &Column::name);
  return found == columns.end() ? nullptr : &*found;
}

/// Whether all differences of these sorted ticks from an origin fit into 64 bits, as they nearly always do.
bool differences_fit(std::span<const int64_t> ticks, int64_t origin) {
  int64_t difference = 0;
  return !__builtin_sub_overflow(ticks.front(), origin, &difference) &&
         !__builtin_sub_overflow(ticks.back(), origin, &difference);
}

/// What view.at gives, without 128-bit arithmetic where that is not needed.
void times_since(double* out, std::span<const int64_t> ticks, int64_t origin, const TimeView& view) {
  if (differences_fit(ticks, origin)) {
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      out[i] = static_cast<double>(ticks[i] - origin) / view.ticks_per_unit;
    }
  } else {
    for (std::size_t i = 0; i < ticks.size(); ++i) out[i] = view.at(ticks[i], origin);
  }
}

/// The time from each tick to the next: one fewer than there are ticks.
void gaps_between(double* out, std::span<const int64_t> ticks, const TimeView& view) {
  if (differences_fit(ticks, ticks.front())) {
    for (std::size_t i = 0; i + 1 < ticks.size(); ++i) {
      out[i] = static_cast<double>(ticks[i + 1] - ticks[i]) / view.ticks_per_unit;
    }
  } else {
    for (std::size_t i = 0; i + 1 < ticks.size(); ++i) out[i] = view.at(ticks[i + 1], ticks[i]);
  }
}

}  // namespace

Batches::Batches(const Events& events, std::vector<Piece> pieces, const Encoding& encoding,
                 const BatchConfig& config)
    : events_(events),
      pieces_(std::move(pieces)),
      config_(config),
      typed_values_(encoding.typed_values),
      together_(encoding.together),
      order_(pieces_.size()) {
  if (config_.batch < 1) fail("a batch cannot have {} sequences; use at least 1", config_.batch);
  std::iota(order_.begin(), order_.end(), 0);
  bind_events(encoding);
  if (config_.features) bind_features(encoding);
  bind_targets(encoding);
  bind_parts(encoding.event_rows());
}

/// Events of one time have no order, so nothing is predicted of the next one.
void Batches::bind_parts(int64_t event_rows) {
  parts_ = config_.events && event_rows > 0;
  const bool whole = config_.values == ValueTarget::kNone || config_.values == ValueTarget::kOfSequence;
  if (together_ && (config_.next_events || config_.next_gaps || !whole)) {
    fail("events of one time are taken together, so nothing can be predicted of each event");
  }
  if (together_ && events_.interval) {
    fail("events of one time are taken together, but the data have a column of intervals; leave it out");
  }
  if (parts_ && typed_values_ && !events_.value) {
    fail("the data have no column of numbers '{}', which the model needs", shown(typed_values_->name()));
  }
  if (!together_) return;
  for (const Piece& piece : pieces_) {
    events_.check(piece.begin, piece.end);
    lengths_.push_back(static_cast<int64_t>(steps_of(piece).size()));
  }
}

std::vector<int64_t> Batches::steps_of(const Piece& piece) const {
  std::vector<int64_t> steps;
  for (int64_t e = piece.begin; e < piece.end; ++e) {
    const bool joins = together_ && e > piece.begin && events_.tick(e) == events_.tick(e - 1);
    if (!joins) steps.push_back(e);
  }
  return steps;
}

int64_t Batches::length_of(int64_t piece) const {
  if (together_) return lengths_[at_of(piece)];
  return pieces_[at_of(piece)].end - pieces_[at_of(piece)].begin;
}

void Batches::bind_events(const Encoding& encoding) {
  config_.events = config_.events && encoding.event;
  if (!config_.events && !config_.next_events) return;
  if (!encoding.event || !events_.event) {
    fail("the data have no column of event types, which the model needs; name one");
  }
  event_map_ = codes_of(*encoding.event, events_.event->names);
  check_codes(*events_.event, false, event_map_);
  target_map_ = event_map_;
  if (config_.unknown_counts) return;
  std::ranges::replace(target_map_, encoding.event->unknown_code(), -1);
}

void Batches::bind_features(const Encoding& encoding) {
  if (encoding.value) bind_number(events_.value ? &*events_.value : nullptr, false, *encoding.value);
  for (const auto& feature : encoding.numbers) {
    bind_number(find_column(events_.numbers, feature.name), false, feature);
  }
  for (const auto& feature : encoding.categories) {
    bind_category(find_column(events_.categories, feature.name), false, feature);
  }
  for (const auto& feature : encoding.sequence_numbers) {
    bind_number(find_column(events_.sequence_numbers, feature.name), true, feature);
  }
  for (const auto& feature : encoding.sequence_categories) {
    bind_category(find_column(events_.sequence_categories, feature.name), true, feature);
  }
}

void Batches::bind_number(const NumberColumn* column, bool of_sequence, const NumberFeature& feature) {
  if (column == nullptr)
    fail("the data have no column of numbers '{}', which the model needs", shown(feature.name));
  numbers_.push_back({column->values, of_sequence, feature, features_});
  features_ += feature.width();
}

void Batches::bind_category(const CategoryColumn* column, bool of_sequence, const CategoryFeature& feature) {
  if (column == nullptr) {
    fail("the data have no column of categories '{}', which the model needs", shown(feature.name));
  }
  categories_.push_back({column->codes, of_sequence, codes_of(feature.vocabulary, column->names), features_});
  check_codes(*column, of_sequence, categories_.back().map);
  features_ += feature.vocabulary.size();
}

void Batches::bind_targets(const Encoding& encoding) {
  if (config_.labels) {
    check_labels(encoding, events_, pieces_);
    label_map_ = codes_of(*encoding.label, events_.label->names);
  }
  const bool of_sequence = config_.values == ValueTarget::kOfSequence;
  if (config_.values == ValueTarget::kNone) return;
  if (of_sequence ? !events_.target : !events_.value) {
    fail("the data have no column with the {} to be predicted; name one",
         of_sequence ? "number of each sequence" : "value of each event");
  }
  if (config_.values == ValueTarget::kOfEvent && config_.features && encoding.value) {
    fail(
        "the value of an event cannot be predicted where the model sees it; leave column '{}' out of the "
        "features, or predict the next one",
        shown(encoding.value->name));
  }
  const auto& scale = of_sequence ? encoding.target_scale : encoding.value_scale;
  if (config_.standard_values && scale) value_scale_ = *scale;
}

void Batches::check_codes(const CategoryColumn& column, bool of_sequence,
                          const std::vector<int32_t>& map) const {
  if (std::ranges::find(map, -1) == map.end()) return;
  for (const Piece& piece : pieces_) {
    if (!of_sequence) events_.check(piece.begin, piece.end);
    const int64_t begin = of_sequence ? piece.sequence : piece.begin;
    const int64_t end = of_sequence ? piece.sequence + 1 : piece.end;
    for (int64_t i = begin; i < end; ++i) {
      const int32_t code = column.codes[at_of(i)];
      if (map[at_of(code)] >= 0) continue;
      fail(
          "'{}' in column '{}' of sequence '{}' is unknown to the model; train it with a place "
          "for "
          "the unknown",
          shown(column.names[code]), shown(column.name), shown(events_.ids[piece.sequence]));
    }
  }
}

int64_t Batches::count() const {
  return (static_cast<int64_t>(pieces_.size()) + config_.batch - 1) / config_.batch;
}

void Batches::shuffle(int64_t epoch) {
  std::iota(order_.begin(), order_.end(), 0);
  Random(config_.seed, static_cast<uint64_t>(epoch)).shuffle(order_);
}

std::span<const int64_t> Batches::numbers_of(int64_t i) const {
  const int64_t first = i * config_.batch;
  const int64_t rows = std::min(config_.batch, static_cast<int64_t>(order_.size()) - first);
  if (i < 0 || rows < 1) fail("there is no batch {} among {}", i, count());
  return std::span(order_).subspan(at_of(first), at_of(rows));
}

void Batches::make(std::span<const int64_t> pieces, Batch& batch, Share share) const {
  const auto rows = static_cast<int64_t>(pieces.size());
  batch.pieces.assign(pieces.begin(), pieces.end());
  batch.offsets.assign(1, 0);
  for (const int64_t piece : batch.pieces) {
    batch.offsets.push_back(batch.offsets.back() + length_of(piece));
  }
  resize(batch);
  events_.check_intact();  // what was checked before is trusted to stay so
  const std::vector<bool> wanted = share.all() ? std::vector<bool>{} : in_share(batch.offsets, share);
  batch.parts.clear();
  batch.part_offsets.assign(1, 0);
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t at = batch.offsets[at_of(row)];
    const int64_t length = batch.offsets[at_of(row + 1)] - at;
    if (!share.all() && !wanted[at_of(row)]) {
      batch.part_offsets.insert(batch.part_offsets.end(), at_of(length), batch.part_offsets.back());
      continue;
    }
    const Piece& piece = pieces_[at_of(batch.pieces[at_of(row)])];
    events_.check(events_.begin(piece.sequence), piece.end);  // times count from the first event
    if (parts_ || together_) {
      fill_steps(batch, piece, at);
    } else {
      fill_times(batch, piece, events_.ticks.subspan(at_of(piece.begin), at_of(length)), at);
    }
    if (config_.events && !parts_) fill_events(batch, piece, at);
    if (features_ > 0) fill_features(batch, piece, length, at);
    fill_targets(batch, piece, row, at);
    fill_values(batch, piece, row, at);
  }
  if (parts_) {
    batch.view_.part_offsets = batch.part_offsets;
    batch.view_.parts = batch.parts;
  }
  events_.check_intact();
}

void Batches::resize(Batch& batch) const {
  const auto rows = static_cast<int64_t>(batch.pieces.size());
  const int64_t n = batch.offsets.back();
  const auto place = [](auto& values, int64_t size) {
    grow(values, size);
    return first_of(values, size);
  };
  SequenceBatch& view = batch.view_;
  view.offsets = batch.offsets;
  for (std::size_t input = 0; input < kTimeInputs; ++input) {
    view.times[input] = place(batch.times[input], config_.times[input] ? n : 0);
  }
  view.events = place(batch.events, config_.events && !parts_ ? n : 0);
  view.features = place(batch.features, n * features_);
  std::fill_n(batch.features.begin(), n * features_, 0.0F);
  view.labels = place(batch.labels, config_.labels ? rows : 0);
  view.next_events = place(batch.next_events, config_.next_events ? n : 0);
  view.next_gaps = place(batch.next_gaps, config_.next_gaps ? n : 0);
  const int64_t values = config_.values == ValueTarget::kOfSequence ? rows : n;
  view.values = place(batch.values, config_.values == ValueTarget::kNone ? 0 : values);
}

void Batches::fill_times(Batch& batch, const Piece& piece, std::span<const int64_t> ticks, int64_t at) const {
  const auto length = static_cast<int64_t>(ticks.size());
  const int64_t origin = events_.origin_of(piece.sequence);
  const auto out = [&](TimeInput input) { return batch.times[static_cast<std::size_t>(input)].data() + at; };
  const auto wanted = [&](TimeInput input) { return config_.times[static_cast<std::size_t>(input)]; };
  if (wanted(TimeInput::kStart)) times_since(out(TimeInput::kStart), ticks, origin, events_.view);
  if (wanted(TimeInput::kQuery)) {
    double* query = out(TimeInput::kQuery);
    if (length > 1) times_since(query, ticks.subspan(1), origin, events_.view);
    query[length - 1] = events_.view.at(ticks.back(), origin);
  }
  if (wanted(TimeInput::kSince)) {
    times_since(out(TimeInput::kSince), ticks, events_.tick(events_.begin(piece.sequence)), events_.view);
  }
  if (wanted(TimeInput::kUntil)) {
    double* until = out(TimeInput::kUntil);
    gaps_between(until, ticks, events_.view);
    until[length - 1] = 0;
  }
  if (!wanted(TimeInput::kGap)) return;
  double* gap = out(TimeInput::kGap);
  const bool first = piece.begin == events_.begin(piece.sequence);
  gap[0] = first ? 0 : events_.view.at(ticks.front(), events_.tick(piece.begin - 1));
  gaps_between(gap + 1, ticks, events_.view);
  if (!events_.interval) return;
  const double ticks_per_source_unit = std::pow(10.0, events_.scale.decimals);
  for (int64_t i = 0; i < length; ++i) {
    const double interval = events_.interval->values[at_of(piece.begin + i)];
    if (!std::isnan(interval)) gap[i] = interval * ticks_per_source_unit / events_.view.ticks_per_unit;
  }
}

void Batches::fill_steps(Batch& batch, const Piece& piece, int64_t at) const {
  const std::vector<int64_t> steps = steps_of(piece);
  std::vector<int64_t> ticks;
  for (const int64_t first : steps) ticks.push_back(events_.tick(first));
  fill_times(batch, piece, ticks, at);
  if (!parts_) return;
  for (std::size_t step = 0; step < steps.size(); ++step) {
    const int64_t end = step + 1 < steps.size() ? steps[step + 1] : piece.end;
    for (int64_t e = steps[step]; e < end; ++e) {
      const double value = typed_values_ ? events_.value->values[at_of(e)] : kNone;
      add_parts(batch.parts, typed_values_, event_map_[at_of(events_.event->codes[at_of(e)])], value);
    }
    batch.part_offsets.push_back(static_cast<int64_t>(batch.parts.size()));
  }
}

void Batches::fill_events(Batch& batch, const Piece& piece, int64_t at) const {
  const int32_t* codes = events_.event->codes.data();
  const int32_t* map = event_map_.data();
  int32_t* out = batch.events.data() + at - piece.begin;
  for (int64_t e = piece.begin; e < piece.end; ++e) out[e] = map[codes[e]];
}

void Batches::fill_features(Batch& batch, const Piece& piece, int64_t length, int64_t at) const {
  float* rows = batch.features.data() + at * features_;
  for (const NumberInput& input : numbers_) {
    for (int64_t i = 0; i < length; ++i) {
      const double x = input.values[at_of(input.of_sequence ? piece.sequence : piece.begin + i)];
      input.feature.encode(rows + i * features_ + input.at, x);
    }
  }
  for (const CategoryInput& input : categories_) {
    for (int64_t i = 0; i < length; ++i) {
      const int32_t code = input.codes[at_of(input.of_sequence ? piece.sequence : piece.begin + i)];
      rows[i * features_ + input.at + input.map[at_of(code)]] = 1;
    }
  }
}

void Batches::fill_targets(Batch& batch, const Piece& piece, int64_t row, int64_t at) const {
  if (config_.labels) {
    batch.labels[at_of(row)] = label_map_[at_of(events_.label->codes[at_of(piece.sequence)])];
  }
  const int64_t length = piece.end - piece.begin;
  const int64_t context = std::max<int64_t>(piece.first_target - piece.begin - 1, 0);
  const int64_t nothing = std::min(context, length);
  if (config_.next_events) {
    int32_t* out = batch.next_events.data() + at;
    const int32_t* codes = events_.event->codes.data() + piece.begin + 1;
    std::fill_n(out, nothing, -1);
    for (int64_t i = nothing; i + 1 < length; ++i) out[i] = target_map_[at_of(codes[i])];
    out[length - 1] = -1;
  }
  if (config_.next_gaps) {
    double* out = batch.next_gaps.data() + at;
    gaps_between(out, events_.ticks.subspan(at_of(piece.begin), at_of(length)), events_.view);
    if (config_.least_gap > 0) {
      for (int64_t i = 0; i + 1 < length; ++i) out[i] = std::max(out[i], config_.least_gap);
    }
    std::fill_n(out, nothing, kNone);
    out[length - 1] = kNone;
  }
}

void Batches::fill_values(Batch& batch, const Piece& piece, int64_t row, int64_t at) const {
  const auto standard = [&](double x) {
    return static_cast<float>((x - value_scale_.mean) / value_scale_.std);
  };
  if (config_.values == ValueTarget::kNone) return;
  if (config_.values == ValueTarget::kOfSequence) {
    batch.values[at_of(row)] = standard(events_.target->values[at_of(piece.sequence)]);
    return;
  }
  const int64_t ahead = config_.values == ValueTarget::kOfNextEvent ? 1 : 0;
  for (int64_t e = piece.begin; e < piece.end; ++e) {
    const int64_t of = e + ahead;
    const bool counts = of >= piece.first_target && of < piece.end;
    batch.values[at_of(at + e - piece.begin)] = standard(counts ? events_.value->values[at_of(of)] : kNone);
  }
}

}  // namespace t2v::data
