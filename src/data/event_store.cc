#include "data/event_store.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/container.h"
#include "base/container_writer.h"
#include "base/fail.h"
#include "base/json_text.h"

namespace t2v::data {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kKind = "events";
/// Events that are checked together.
constexpr int64_t kGranule = int64_t{1} << 17;

constexpr std::array<std::string_view, 3> kOrigins = {"sequence", "dataset", "instant"};

// --- writing ---

void add_strings(ContainerWriter& writer, const std::string& name, const Strings& strings) {
  writer.add(name + ".bytes", strings.bytes);
  writer.add(name + ".offsets", strings.offsets);
}

void add_column(ContainerWriter& writer, const std::string& name, const NumberColumn& column) {
  writer.add(name, column.values);
}

void add_column(ContainerWriter& writer, const std::string& name, const CategoryColumn& column) {
  writer.add(name + ".codes", column.codes);
  add_strings(writer, name + ".names", column.names);
}

/// The names of some columns, for the metadata; the columns go to the writer.
template <class Column>
Json add_columns(ContainerWriter& writer, const std::string& name, const std::vector<Column>& columns) {
  Json names = Json::array();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    add_column(writer, fmt::format("{}.{}", name, i), columns[i]);
    names.push_back(columns[i].name);
  }
  return names;
}

template <class Column>
void add_optional(ContainerWriter& writer, Json& json, const std::string& name,
                  const std::optional<Column>& column) {
  if (!column) return;
  add_column(writer, name, *column);
  json[name] = column->name;
}

static_assert(sizeof(Piece) == 4 * sizeof(int64_t));
std::span<const int64_t> numbers_of(const std::vector<Piece>& pieces) {
  return {reinterpret_cast<const int64_t*>(pieces.data()), pieces.size() * 4};
}

void add_pieces(ContainerWriter& writer, const std::string& name, const std::vector<Piece>& pieces) {
  writer.add(name, numbers_of(pieces), {static_cast<int64_t>(pieces.size()), 4});
}

std::string text_of(const Json& json) {
  try {
    return json.dump();
  } catch (const Json::exception&) {
    fail("a name in the data is not UTF-8, which is needed to write it; convert the source to UTF-8");
  }
}

// --- reading ---

/// Reads fields of the metadata that a file of ours has.
template <class T>
T field(const Json& json, const std::string& name, const std::string& path) {
  const auto found = json.find(name);
  try {
    if (found != json.end()) return found->get<T>();
  } catch (const Json::exception&) {  // of another type
  }
  fail("{}: the field '{}' of its description is missing or of another type; import the data again", path,
       name);
}

/// Checks the columns of events of a mapped file when they are first used.
class StoreGuard final : public EventGuard {
 public:
  StoreGuard(std::shared_ptr<const Container> file, const Events& events)
      : file_(std::move(file)),
        offsets_(events.offsets),
        ticks_(events.ticks),
        events_(events.size()),
        checked_(static_cast<std::size_t>((events_ + kGranule - 1) / kGranule)) {}

  void watch(std::string name) { columns_.push_back({std::move(name), {}, 0}); }
  void watch_codes(std::string name, std::span<const int32_t> codes, int64_t names) {
    columns_.push_back({std::move(name), codes, names});
  }

  void check(int64_t begin, int64_t end) const override {
    if (begin < 0 || begin > end || end > events_) {
      fail("{}: there are {} events, but [{}, {}) are asked for", file_->path(), events_, begin, end);
    }
    if (begin == end) return;
    for (int64_t i = begin / kGranule; i * kGranule < end; ++i) {
      std::atomic<bool>& checked = checked_[static_cast<std::size_t>(i)];
      if (checked.load(std::memory_order_acquire)) continue;
      check_granule(i * kGranule, std::min((i + 1) * kGranule, events_));
      checked.store(true, std::memory_order_release);
    }
  }
  void check_intact() const override { file_->check_intact(); }

 private:
  struct Column {
    std::string name;
    std::span<const int32_t> codes;  // whose range is checked too
    int64_t names;
  };

  void check_granule(int64_t begin, int64_t end) const {
    for (const Column& column : columns_) {
      file_->check(column.name, begin, end);
      if (column.codes.empty()) continue;
      check_codes(
          column.name,
          column.codes.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)),
          column.names, file_->path());
    }
    check_order(begin, end);
  }

  /// Times must not run backwards within a sequence.
  void check_order(int64_t begin, int64_t end) const {
    auto next = std::ranges::upper_bound(offsets_, begin);  // where the sequence of the event ends
    for (int64_t e = begin + 1; e < end; ++e) {
      if (e == *next) {
        ++next;
      } else if (ticks_[static_cast<std::size_t>(e)] < ticks_[static_cast<std::size_t>(e - 1)]) {
        fail("{}: 'ticks' run backwards within a sequence at event {}; import the data again", file_->path(),
             e);
      }
    }
  }

 public:
  static void check_codes(const std::string& name, std::span<const int32_t> codes, int64_t names,
                          const std::string& path) {
    for (const int32_t code : codes) {
      if (code >= 0 && code < names) continue;
      fail("{}: '{}' has the code {}, but there are {} names; import the data again", path, name, code,
           names);
    }
  }

 private:
  std::shared_ptr<const Container> file_;
  std::span<const int64_t> offsets_;
  std::span<const int64_t> ticks_;
  int64_t events_;
  std::vector<Column> columns_;
  mutable std::vector<std::atomic<bool>> checked_;
};

/// Of a description: columns and settings.
constexpr std::size_t kMostEntries = 50'000;

class StoreReader {
 public:
  StoreReader(const std::string& path, FileSystem& files)
      : path_(path), file_(std::make_shared<Container>(Container::open(path, kKind, files))) {
    const Json parsed = parse_json_text(file_->get("events"), kMostEntries);
    if (!parsed.is_object()) fail("{}: its description is not a JSON object; import the data again", path);
    json_ = parsed;
  }

  EventStore read() {
    EventStore store;
    Events& events = store.events;
    events.offsets = copied("offsets");
    events.ticks = file_->unchecked_tensor<int64_t>("ticks");
    offsets_ = events.offsets;
    sequences_ = events.sequences();
    size_ = events.size();
    guard_ = std::make_shared<StoreGuard>(file_, events);
    guard_->watch("ticks");
    check_offsets(events.offsets, size_, "offsets");
    check_sequences(events.offsets);
    events.ids = strings("ids", sequences_);
    read_times(events);
    events.event = optional_category("event", true);
    events.value = optional_number("value", true);
    events.interval = optional_number("interval", true);
    for (const std::string& name : names("numbers"))
      events.numbers.push_back(number(next("numbers"), name, true));
    for (const std::string& name : names("categories")) {
      events.categories.push_back(category(next("categories"), name, true));
    }
    for (const std::string& name : names("sequence_numbers")) {
      events.sequence_numbers.push_back(number(next("sequence_numbers"), name, false));
    }
    for (const std::string& name : names("sequence_categories")) {
      events.sequence_categories.push_back(category(next("sequence_categories"), name, false));
    }
    events.label = optional_category("label", false);
    events.target = optional_number("target", false);
    events.part = parts();
    events.provenance = field<std::string>(json_, "provenance", path_);
    events.owner = kept_;
    events.guard = guard_;
    read_split(store);
    if (const auto encoding = file_->find("encoding")) store.encoding = encoding_of(*encoding);
    file_->check_intact();
    return store;
  }

 private:
  std::string next(const std::string& list) { return fmt::format("{}.{}", list, counts_[list]++); }

  std::vector<std::string> names(const std::string& list) const {
    return field<std::vector<std::string>>(json_, list, path_);
  }

  template <class T>
  void check_size(std::span<const T> column, const std::string& name, int64_t expected) const {
    if (static_cast<int64_t>(column.size()) == expected) return;
    fail("{}: '{}' has {} entries, not {}; import the data again", path_, name, column.size(), expected);
  }

  void check_offsets(std::span<const int64_t> offsets, int64_t end, const std::string& name) const {
    const bool good =
        !offsets.empty() && offsets.front() == 0 && offsets.back() == end && std::ranges::is_sorted(offsets);
    if (!good) fail("{}: '{}' does not rise from 0 to {}; import the data again", path_, name, end);
  }

  void check_sequences(std::span<const int64_t> offsets) const {
    const bool good = offsets.size() > 1 && std::ranges::adjacent_find(offsets) == offsets.end();
    if (!good) fail("{}: it has no event, or a sequence without one; import the data again", path_);
  }

  Encoding encoding_of(const std::string& text) const {
    // The names of its vocabularies are names of columns, which have offsets.
    const auto names = static_cast<std::size_t>(file_->payload_bytes()) / sizeof(int64_t);
    try {
      return encoding_from_json(parse_json_text(text, kMostEntries + names));
    } catch (const Error& error) {
      fail("{}: {}", path_, error.what());
    }
  }

  /// What is used as an index lies in memory of its own: a file that is cut off meanwhile reads as zeros.
  std::span<const int64_t> copied(const std::string& name) const {
    const std::span<const int64_t> numbers = file_->tensor<int64_t>(name);
    return kept_->numbers.emplace_back(numbers.begin(), numbers.end());
  }

  Strings strings(const std::string& name, int64_t expected) const {
    const Strings result{file_->tensor<char>(name + ".bytes"), copied(name + ".offsets")};
    check_offsets(result.offsets, static_cast<int64_t>(result.bytes.size()), name + ".offsets");
    if (expected >= 0) check_size(result.offsets, name + ".offsets", expected + 1);
    return result;
  }

  /// A column, at once or watched.
  template <class T>
  std::span<const T> column(const std::string& name, bool of_events) const {
    const std::span<const T> values = of_events ? file_->unchecked_tensor<T>(name) : file_->tensor<T>(name);
    check_size(values, name, of_events ? size_ : sequences_);
    return values;
  }

  NumberColumn number(const std::string& tensor, const std::string& name, bool of_events) {
    if (of_events) guard_->watch(tensor);
    return {name, column<double>(tensor, of_events)};
  }

  CategoryColumn category(const std::string& tensor, const std::string& name, bool of_events) {
    CategoryColumn result{name, column<int32_t>(tensor + ".codes", of_events),
                          strings(tensor + ".names", -1)};
    if (of_events) {
      guard_->watch_codes(tensor + ".codes", result.codes, result.names.size());
    } else {
      StoreGuard::check_codes(tensor + ".codes", result.codes, result.names.size(), path_);
    }
    return result;
  }

  std::optional<NumberColumn> optional_number(const std::string& role, bool of_events) {
    if (!json_.contains(role)) return std::nullopt;
    return number(role, field<std::string>(json_, role, path_), of_events);
  }
  std::optional<CategoryColumn> optional_category(const std::string& role, bool of_events) {
    if (!json_.contains(role)) return std::nullopt;
    return category(role, field<std::string>(json_, role, path_), of_events);
  }

  void read_times(Events& events) const {
    events.scale = {field<bool>(json_, "instants", path_), field<int>(json_, "decimals", path_),
                    json_.contains("seconds") && field<bool>(json_, "seconds", path_)};
    constexpr int kMostPlainDecimals = 18;
    const int decimals = events.scale.decimals;
    if (events.scale.instants ? decimals != 9 : decimals < 0 || decimals > kMostPlainDecimals) {
      fail("{}: its times have {} decimals, which cannot be; import the data again", path_, decimals);
    }
    try {
      set_unit(events, field<std::string>(json_, "unit", path_));
    } catch (const Error& error) {
      fail("{}: {}", path_, error.what());
    }
    const auto* const origin = std::ranges::find(kOrigins, field<std::string>(json_, "origin", path_));
    if (origin == kOrigins.end()) fail("{}: unknown origin of its times; import the data again", path_);
    events.view.origin = static_cast<OriginKind>(origin - kOrigins.begin());
    events.view.origin_tick = field<int64_t>(json_, "origin_tick", path_);
    events.grid = field<int64_t>(json_, "grid", path_);
    if (events.grid < 0) fail("{}: the grid of its times is {}; import the data again", path_, events.grid);
  }

  std::span<const Part> parts() const {
    if (!file_->has("part")) return {};
    const std::span<const uint8_t> codes = column<uint8_t>("part", false);
    if (std::ranges::any_of(codes, [](uint8_t code) { return code > static_cast<uint8_t>(Part::kTest); })) {
      fail("{}: 'part' has an unknown code; import the data again", path_);
    }
    return {reinterpret_cast<const Part*>(codes.data()), codes.size()};
  }

  std::vector<Piece> pieces(const std::string& name) const {
    const std::span<const int64_t> numbers = file_->tensor<int64_t>(name);
    if (const auto& shape = file_->shape(name); shape.size() != 2 || shape[1] != 4) {
      fail("{}: '{}' has not 4 numbers for each piece; import the data again", path_, name);
    }
    std::vector<Piece> result(numbers.size() / 4);
    if (!result.empty()) std::memcpy(result.data(), numbers.data(), result.size() * sizeof(Piece));
    for (const Piece& piece : result) {
      const bool known = piece.sequence >= 0 && piece.sequence < sequences_;
      const auto s = static_cast<std::size_t>(known ? piece.sequence : 0);
      if (!known || piece.begin < offsets_[s] || piece.end > offsets_[s + 1] || piece.begin >= piece.end ||
          piece.first_target < piece.begin || piece.first_target >= piece.end) {
        fail("{}: '{}' has a piece that is not within its sequence; import the data again", path_, name);
      }
    }
    return result;
  }

  void read_split(EventStore& store) const {
    if (!file_->has("split.train")) return;
    store.split = Split{pieces("split.train"), pieces("split.valid"), pieces("split.test")};
  }

  std::string path_;
  std::shared_ptr<const Container> file_;
  /// What the views of the data set are of.
  struct Kept {
    std::shared_ptr<const Container> file;
    std::deque<std::vector<int64_t>> numbers;
  };
  std::shared_ptr<Kept> kept_ = std::make_shared<Kept>(Kept{file_, {}});
  std::span<const int64_t> offsets_;
  std::shared_ptr<StoreGuard> guard_;
  Json json_;
  int64_t sequences_ = 0;
  int64_t size_ = 0;
  std::map<std::string, int> counts_;
};

}  // namespace

void write_store(FileSystem& files, const std::string& path, const EventStore& store) {
  const Events& events = store.events;
  events.check(0, events.size());
  ContainerWriter writer{std::string(kKind)};
  Json json;
  writer.add("offsets", events.offsets);
  writer.add("ticks", events.ticks);
  add_strings(writer, "ids", events.ids);
  add_optional(writer, json, "event", events.event);
  add_optional(writer, json, "value", events.value);
  add_optional(writer, json, "interval", events.interval);
  json["numbers"] = add_columns(writer, "numbers", events.numbers);
  json["categories"] = add_columns(writer, "categories", events.categories);
  json["sequence_numbers"] = add_columns(writer, "sequence_numbers", events.sequence_numbers);
  json["sequence_categories"] = add_columns(writer, "sequence_categories", events.sequence_categories);
  add_optional(writer, json, "label", events.label);
  add_optional(writer, json, "target", events.target);
  if (!events.part.empty()) {
    writer.add("part", std::span(reinterpret_cast<const uint8_t*>(events.part.data()), events.part.size()));
  }
  json["instants"] = events.scale.instants;
  json["decimals"] = events.scale.decimals;
  if (events.scale.seconds) json["seconds"] = true;
  json["unit"] = events.view.unit;
  json["origin"] = kOrigins[static_cast<std::size_t>(events.view.origin)];
  json["origin_tick"] = events.view.origin_tick;
  json["grid"] = events.grid;
  json["provenance"] = events.provenance;
  writer.set("events", text_of(json));
  if (store.split) {
    add_pieces(writer, "split.train", store.split->train);
    add_pieces(writer, "split.valid", store.split->valid);
    add_pieces(writer, "split.test", store.split->test);
  }
  if (store.encoding) writer.set("encoding", text_of(to_json(*store.encoding)));
  events.check_intact();
  writer.write(files, path);
}

EventStore open_store(const std::string& path, FileSystem& files) { return StoreReader(path, files).read(); }

bool IsStore::operator()(const std::string& path, FileSystem& files) const {
  // A pipe must not even be opened: its writer would start, and lose its reader.
  std::error_code ignored;
  const auto there = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) return false;
  if (there.type() == std::filesystem::file_type::none || !exists(files, path)) return false;
  OpenFile file(files, path, FileSystem::Mode::kMap);
  std::array<std::byte, 9> first{};
  if (file.size() < first.size() || file.read(first) < first.size()) return false;
  // The length of a header is far below 2^32, and the header starts with a brace.
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  return std::all_of(first.begin() + 4, first.begin() + 8, is_zero) && first[8] == std::byte{'{'};
}

}  // namespace t2v::data
