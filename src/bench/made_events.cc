#include "bench/made_events.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"

namespace t2v::bench {
namespace {

/// Adds an empty sequence and says what it is for.
int32_t add_sequence(data::EventTable& table) {
  const int32_t number = table.ids.add(std::to_string(table.ids.size()));
  table.part.push_back(number % 5 == 4 ? data::Part::kTest : data::Part::kTrain);
  return number;
}

/// Groups the events and splits the sequences by their parts.
data::EventStore store_of(data::EventTable table) {
  data::EventStore store;
  data::GroupCounts counts;
  store.events = data::group(std::move(table), data::Order::kSort, counts);
  store.split.emplace();
  for (int64_t s = 0; s < store.events.sequences(); ++s) {
    const data::Piece piece{s, store.events.begin(s), store.events.end(s), store.events.begin(s)};
    const bool test = store.events.part[static_cast<std::size_t>(s)] == data::Part::kTest;
    (test ? store.split->test : store.split->train).push_back(piece);
  }
  return store;
}

/// Positions of a made digit.
std::vector<int64_t> bright_pixels(Random& random, int64_t digit, int64_t length) {
  constexpr int64_t kPixels = 784;
  std::vector<int64_t> pixels;
  for (int64_t i = 0; i < kPixels; ++i) {
    if ((i + 5 * digit) % 28 < 18) pixels.push_back(i);
  }
  random.shuffle(pixels);
  pixels.resize(static_cast<std::size_t>(length));
  std::sort(pixels.begin(), pixels.end());
  return pixels;
}

}  // namespace

data::EventStore made_pixels(int64_t sequences) {
  Random random(1);
  data::EventTable table;
  table.label = data::Categories{"digit", {}, {}};
  for (int64_t digit = 0; digit < 10; ++digit) table.label->names.add(std::to_string(digit));
  for (int64_t i = 0; i < sequences; ++i) {
    const int32_t number = add_sequence(table);
    const auto digit = static_cast<int64_t>(random.below(10));
    table.label->codes.push_back(static_cast<int32_t>(digit));
    const auto length = std::clamp<int64_t>(std::llround(69 + 27 * random.normal()), 2, 283);
    for (const int64_t pixel : bright_pixels(random, digit, length)) {
      table.sequence.push_back(number);
      table.ticks.push_back(pixel);
    }
  }
  return store_of(std::move(table));
}

data::EventStore made_badges(int64_t sequences, int64_t types) {
  Random random(1);
  const auto count = static_cast<uint64_t>(types);
  data::EventTable table;
  table.scale = {.instants = true, .decimals = 9};
  table.event = data::Categories{"badge", {}, {}};
  table.value = data::Numbers{"value", {}};
  for (int64_t type = 0; type < types; ++type) table.event->names.add(std::to_string(type));
  for (int64_t i = 0; i < sequences; ++i) {
    const int32_t number = add_sequence(table);
    const int64_t length = 41 + static_cast<int64_t>(-31 * std::log(1 - random.uniform()));
    auto tick = static_cast<int64_t>(1.3e18 + 1e16 * random.uniform());
    uint64_t type = random.below(count);
    for (int64_t e = 0; e < length; ++e) {
      tick += static_cast<int64_t>(1e15 * random.uniform());
      type = random.uniform() < 0.3 ? (type + 1) % count : random.below(count);
      table.sequence.push_back(number);
      table.ticks.push_back(tick);
      table.event->codes.push_back(static_cast<int32_t>(type));
      table.value->values.push_back(random.uniform());
    }
  }
  return store_of(std::move(table));
}

}  // namespace t2v::bench
