#include "data/shuffled_times.h"

#include <memory>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace t2v::data {
namespace {

constexpr uint64_t kShuffleStream = 13;

/// What the copy has of its own, and the memory of the original.
struct Memory {
  std::vector<int64_t> ticks;
  std::vector<double> intervals;
  std::shared_ptr<const void> original;
};

/// Gives the event after the first at place i the gap of the event at order[i], counted from `begin`.
void reorder_gaps(Memory& memory, const Events& events, int64_t begin, std::span<const int64_t> order) {
  const auto tick = [&](int64_t e) { return static_cast<uint64_t>(events.tick(e)); };
  uint64_t now = tick(begin);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int64_t from = begin + order[i];
    const std::size_t to = static_cast<std::size_t>(begin) + 1 + i;
    now += tick(from) - tick(from - 1);  // modulo 2^64, as the sum never passes the last time
    memory.ticks[to] = static_cast<int64_t>(now);
    if (events.interval) memory.intervals[to] = events.interval->values[static_cast<std::size_t>(from)];
  }
}

}  // namespace

Events shuffle_times(const Events& events, uint64_t seed) {
  events.check(0, events.size());
  const auto memory = std::make_shared<Memory>();
  memory->ticks.assign(events.ticks.begin(), events.ticks.end());
  if (events.interval) {
    memory->intervals.assign(events.interval->values.begin(), events.interval->values.end());
  }
  memory->original = events.owner;
  Random random(seed, kShuffleStream);
  std::vector<int64_t> order;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    order.resize(static_cast<std::size_t>(events.length(s) - 1));
    std::iota(order.begin(), order.end(), 1);
    random.shuffle(order);
    reorder_gaps(*memory, events, events.begin(s), order);
  }
  Events shuffled = events;
  shuffled.ticks = memory->ticks;
  if (shuffled.interval) shuffled.interval->values = memory->intervals;
  shuffled.owner = memory;
  return shuffled;
}

int64_t moved_times(const Events& events, const Events& shuffled) {
  int64_t moved = 0;
  for (int64_t e = 0; e < events.size(); ++e) moved += events.tick(e) != shuffled.tick(e) ? 1 : 0;
  return moved;
}

}  // namespace t2v::data
