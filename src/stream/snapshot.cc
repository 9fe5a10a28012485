#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/checksum.h"
#include "base/container.h"
#include "base/container_writer.h"
#include "base/fail.h"
#include "kernels/rows.h"
#include "model/config_json.h"
#include "stream/snapshot.h"
#include "stream/stream.h"

// Writing down what a stream knows, and going on from there.
namespace t2v {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kKind = "stream";

/// The sequences of a snapshot as views of its file, checked.
struct ReadColumns {
  std::span<const char> id_bytes;
  std::span<const int64_t> id_offsets;
  std::span<const int64_t> ticks;
  std::span<const float> numbers;
  std::span<const int32_t> events;
  std::span<const double> times;
  std::span<const int64_t> part_offsets;  // none where no steps wait
  std::span<const int32_t> part_rows;
  std::span<const float> part_weights;
  std::vector<RecentTypes> past;  // none for models without rules

  std::vector<EventPart> parts(std::size_t s) const {
    std::vector<EventPart> parts;
    if (part_offsets.empty()) return parts;
    for (auto p = static_cast<std::size_t>(part_offsets[s]);
         p < static_cast<std::size_t>(part_offsets[s + 1]); ++p) {
      parts.push_back({part_rows[p], part_weights[p]});
    }
    return parts;
  }
  std::size_t size() const { return id_offsets.size() - 1; }
  std::string_view id(std::size_t s) const {
    return {id_bytes.data() + id_offsets[s], static_cast<std::size_t>(id_offsets[s + 1] - id_offsets[s])};
  }
};

template <class T>
std::span<const T> tensor_of(const Container& file, const char* name, const std::vector<int64_t>& shape) {
  const std::span<const T> values = file.tensor<T>(name);
  if (file.shape(name) == shape) return values;
  fail("{}: '{}' is {}, but should be {}{}", file.path(), name,
       shape_text(file.dtype(name), file.shape(name)), shape_text(file.dtype(name), shape), kDamaged);
}

void check_ids(const Container& file, const ReadColumns& columns) {
  const auto& offsets = columns.id_offsets;
  const bool sound = !offsets.empty() && offsets.front() == 0 && std::ranges::is_sorted(offsets) &&
                     offsets.back() == static_cast<int64_t>(columns.id_bytes.size());
  if (!sound) fail("{}: the offsets of the ids do not fit their bytes{}", file.path(), kDamaged);
  std::unordered_set<std::string_view> ids;
  for (std::size_t s = 0; s < columns.size(); ++s) {
    if (columns.id(s).empty() || !ids.insert(columns.id(s)).second) {
      fail("{}: an id is empty or there twice{}", file.path(), kDamaged);
    }
  }
}

void check_numbers(const Container& file, const ReadColumns& columns, int64_t event_types) {
  const int64_t types = std::max<int64_t>(1, event_types);
  bool sound = kernels::all_finite(columns.numbers.data(), static_cast<int64_t>(columns.numbers.size()));
  for (std::size_t s = 0; s < columns.size(); ++s) {
    sound = sound && columns.ticks[2 * s] <= columns.ticks[2 * s + 1];
    sound = sound && columns.events[s] >= 0 && columns.events[s] < types;
    sound = sound && std::isfinite(columns.times[2 * s]) && std::isfinite(columns.times[2 * s + 1]);
  }
  if (!sound) fail("{}: a state, a time or an event type is impossible{}", file.path(), kDamaged);
}

/// The steps that wait, of models that take events of one time together.
void read_parts(ReadColumns& columns, const Container& file, int64_t event_rows) {
  columns.part_offsets =
      tensor_of<int64_t>(file, "waiting.parts", {static_cast<int64_t>(columns.size()) + 1});
  columns.part_rows = file.tensor<int32_t>("waiting.parts.rows");
  columns.part_weights = file.tensor<float>("waiting.parts.weights");
  const auto& offsets = columns.part_offsets;
  const auto known = [&](int32_t row) { return row >= 0 && row < event_rows; };
  const bool sound = offsets.front() == 0 && std::ranges::is_sorted(offsets) &&
                     offsets.back() == static_cast<int64_t>(columns.part_rows.size()) &&
                     columns.part_rows.size() == columns.part_weights.size() &&
                     std::ranges::all_of(columns.part_rows, known) &&
                     std::ranges::all_of(columns.part_weights, [](float w) { return std::isfinite(w); });
  if (!sound) fail("{}: a step that waits is impossible{}", file.path(), kDamaged);
}

std::vector<RecentTypes> read_past(const Container& file, std::size_t sequences, int64_t event_types) {
  const auto offsets = file.tensor<int64_t>("past.offsets");
  const auto types = file.tensor<int32_t>("past.types");
  const auto counts = file.tensor<int32_t>("past.counts");
  const bool sound = offsets.size() == sequences + 1 && offsets.front() == 0 &&
                     std::ranges::is_sorted(offsets) &&
                     offsets.back() == static_cast<int64_t>(types.size()) && types.size() == counts.size();
  if (!sound) fail("{}: 'past.*' does not fit its sequences{}", file.path(), kDamaged);
  std::vector<RecentTypes> past(sequences);
  for (std::size_t s = 0; s < sequences; ++s) {
    const auto begin = static_cast<std::size_t>(offsets[s]);
    const auto count = static_cast<std::size_t>(offsets[s + 1]) - begin;
    try {
      past[s].restore(types.subspan(begin, count), counts.subspan(begin, count), event_types);
    } catch (const Error& error) {
      fail("{}: {}{}", file.path(), error.what(), kDamaged);
    }
  }
  return past;
}

ReadColumns read_columns(const Container& file, int64_t numbers, int64_t event_types) {
  ReadColumns columns;
  columns.id_bytes = file.tensor<char>("ids.bytes");
  columns.id_offsets = file.tensor<int64_t>("ids.offsets");
  check_ids(file, columns);
  const auto count = static_cast<int64_t>(columns.size());
  columns.ticks = tensor_of<int64_t>(file, "ticks", {count, 2});
  columns.numbers = tensor_of<float>(file, "numbers", {count, numbers});
  columns.events = tensor_of<int32_t>(file, "waiting.events", {count});
  columns.times = tensor_of<double>(file, "waiting.times", {count, 2});
  check_numbers(file, columns, event_types);
  return columns;
}

std::array<int64_t, 8> array_of(const StreamCounts& c) {
  return {c.events, c.predictions, c.late_dropped, c.late_kept, c.unknown, c.refused, c.evicted, c.returned};
}

StreamCounts counts_of(std::span<const int64_t> a) {
  return {a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]};
}

}  // namespace

uint64_t digest_of(const TrainedModel& model) {
  const data::TimeView& view = model.times.view;
  const Json about = {to_json(model.config),
                      data::to_json(model.encoding),
                      {model.times.scale.instants, model.times.scale.decimals, view.ticks_per_unit,
                       static_cast<int>(view.origin), view.origin_tick}};
  const std::string text = about.dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto bytes = [](const auto& values) {
    return std::as_bytes(std::span(values.begin(), values.end()));
  };
  const std::array<std::span<const std::byte>, 4> pieces = {
      std::as_bytes(std::span(text)), bytes(model.parameters.dense), bytes(model.parameters.table),
      bytes(model.parameters.wide)};
  return checksum(pieces);
}

void StreamSnapshot::write(FileSystem& files, const std::string& path) const {
  const SequenceColumns columns = sequences.sorted();
  const int64_t count = columns.size();
  ContainerWriter writer{std::string(kKind)};
  writer.set("model", model);
  writer.set("about", about);
  writer.add("ids.bytes", std::span<const char>(columns.id_bytes));
  writer.add("ids.offsets", std::span<const int64_t>(columns.id_offsets));
  writer.add("ticks", std::span<const int64_t>(columns.ticks), {count, 2});
  writer.add("numbers", std::span<const float>(columns.numbers), {count, numbers_of_each});
  writer.add("waiting.events", std::span<const int32_t>(columns.events));
  writer.add("waiting.times", std::span<const double>(columns.times), {count, 2});
  std::vector<int32_t> rows;
  std::vector<float> weights;
  for (const EventPart& part : columns.parts) {
    rows.push_back(part.row);
    weights.push_back(part.weight);
  }
  if (steps_wait) {
    writer.add("waiting.parts", std::span<const int64_t>(columns.part_offsets));
    writer.add("waiting.parts.rows", std::span<const int32_t>(rows));
    writer.add("waiting.parts.weights", std::span<const float>(weights));
  }
  if (rules) {
    writer.add("past.offsets", std::span<const int64_t>(columns.past_offsets));
    writer.add("past.types", std::span<const int32_t>(columns.past_types));
    writer.add("past.counts", std::span<const int32_t>(columns.past_counts));
  }
  writer.add("evicted", std::span<const uint64_t>(evicted));
  writer.add("counts", std::span<const int64_t>(counts));
  writer.write(files, path);
}

/// A snapshot of now, but for the sequences.
StreamSnapshot Stream::frame() const {
  StreamSnapshot snapshot;
  snapshot.model = checksum_text(digest_);
  snapshot.rules = model_.rules() != nullptr;
  snapshot.about = Json{{"task", name_of(trained_.task)},
                        {"instants", trained_.times.scale.instants},
                        {"decimals", trained_.times.scale.decimals}}
                       .dump();
  snapshot.numbers_of_each = table_.numbers();
  snapshot.steps_wait = together_;
  snapshot.counts = array_of(counts());
  std::ranges::copy_if(table_.remembered(), std::back_inserter(snapshot.evicted),
                       [](uint64_t hash) { return hash != 0; });
  return snapshot;
}

void Stream::save(FileSystem& files, const std::string& path) const {
  StreamSnapshot snapshot = frame();
  table_.visit([&](const Sequence& sequence) { snapshot.sequences.add(sequence); });
  snapshot.write(files, path);
}

void Stream::start_snapshot() {
  snapshot_ = frame();
  table_.start_copy();
}

StreamSnapshot Stream::take_snapshot() {
  snapshot_.sequences = table_.take_copy();
  return std::move(snapshot_);
}

void Stream::restore(const std::string& path, FileSystem& files) {
  if (counts_.events > 0) fail("a stream can go on from a snapshot only before its first event");
  const Container file = Container::open(path, kKind, files);
  file.verify();
  if (file.get("model") != checksum_text(digest_)) {
    fail("{}: is a snapshot of a stream of another model; use that model, or another file", path);
  }
  ReadColumns columns = read_columns(file, table_.numbers(), trained_.config.event_types);
  if (together_) read_parts(columns, file, trained_.config.event_rows);
  if (model_.rules() != nullptr) {
    columns.past = read_past(file, columns.size(), trained_.config.event_types);
  }
  const auto evicted = file.tensor<uint64_t>("evicted");
  if (evicted.size() > SequenceTable::kRemembered) {
    fail("{}: 'evicted' has {} entries, more than {}{}", path, evicted.size(), SequenceTable::kRemembered,
         kDamaged);
  }
  const auto all_counts = tensor_of<int64_t>(file, "counts", {8});
  // Counts go on from there; no stream ever came to half of what they can be.
  if (std::ranges::any_of(all_counts, [](int64_t n) { return n < 0 || n > INT64_MAX / 2; })) {
    fail("{}: a count is negative or too large{}", path, kDamaged);
  }
  file.check_intact();
  counts_ = counts_of(all_counts);
  table_.restore_memory(evicted, counts_.evicted, counts_.returned);
  const auto width = static_cast<std::size_t>(table_.numbers());
  for (std::size_t s = 0; s < columns.size(); ++s) {
    Sequence& sequence = table_.add(columns.id(s));
    sequence.first_tick = columns.ticks[2 * s];
    sequence.last_tick = columns.ticks[2 * s + 1];
    std::ranges::copy(columns.numbers.subspan(s * width, width), sequence.numbers.begin());
    sequence.parts = columns.parts(s);
    sequence.event = columns.events[s];
    sequence.start = columns.times[2 * s];
    sequence.gap = columns.times[2 * s + 1];
    if (!columns.past.empty()) sequence.past.swap(columns.past[s]);
  }
}

}  // namespace t2v
