#include "stream/sequence_columns.h"

#include <algorithm>
#include <numeric>

namespace t2v {

void SequenceColumns::reserve(int64_t sequences, int64_t numbers_of_each, int64_t bytes_of_ids) {
  const auto count = static_cast<std::size_t>(sequences);
  id_bytes.reserve(static_cast<std::size_t>(bytes_of_ids));
  id_offsets.reserve(count + 1);
  ticks.reserve(2 * count);
  numbers.reserve(count * static_cast<std::size_t>(numbers_of_each));
  events.reserve(count);
  times.reserve(2 * count);
  used.reserve(count);
}

void SequenceColumns::add(const Sequence& sequence) {
  id_bytes += sequence.id;
  id_offsets.push_back(static_cast<int64_t>(id_bytes.size()));
  ticks.insert(ticks.end(), {sequence.first_tick, sequence.last_tick});
  numbers.insert(numbers.end(), sequence.numbers.begin(), sequence.numbers.end());
  events.push_back(sequence.event);
  times.insert(times.end(), {sequence.start, sequence.gap});
  parts.insert(parts.end(), sequence.parts.begin(), sequence.parts.end());
  part_offsets.push_back(static_cast<int64_t>(parts.size()));
  add_past(sequence.past.types(), sequence.past.counts());
  used.push_back(sequence.used);
}

void SequenceColumns::add_past(std::span<const int32_t> types, std::span<const int32_t> counts) {
  past_types.insert(past_types.end(), types.begin(), types.end());
  past_counts.insert(past_counts.end(), counts.begin(), counts.end());
  past_offsets.push_back(static_cast<int64_t>(past_types.size()));
}

std::string_view SequenceColumns::id(std::size_t s) const {
  return std::string_view(id_bytes).substr(static_cast<std::size_t>(id_offsets[s]),
                                           static_cast<std::size_t>(id_offsets[s + 1] - id_offsets[s]));
}

SequenceColumns SequenceColumns::sorted() const {
  std::vector<std::size_t> order(used.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t s) { return used[s]; });
  const std::size_t width = used.empty() ? 0 : numbers.size() / used.size();
  SequenceColumns result;
  result.reserve(size(), static_cast<int64_t>(width), static_cast<int64_t>(id_bytes.size()));
  for (const std::size_t s : order) {
    const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(s * width);
    result.id_bytes += id(s);
    result.id_offsets.push_back(static_cast<int64_t>(result.id_bytes.size()));
    result.ticks.insert(result.ticks.end(), {ticks[2 * s], ticks[2 * s + 1]});
    result.numbers.insert(result.numbers.end(), first, first + static_cast<std::ptrdiff_t>(width));
    result.events.push_back(events[s]);
    result.times.insert(result.times.end(), {times[2 * s], times[2 * s + 1]});
    result.parts.insert(result.parts.end(), parts.begin() + part_offsets[s],
                        parts.begin() + part_offsets[s + 1]);
    result.part_offsets.push_back(static_cast<int64_t>(result.parts.size()));
    const auto begin = static_cast<std::size_t>(past_offsets[s]);
    const auto count = static_cast<std::size_t>(past_offsets[s + 1]) - begin;
    result.add_past(std::span(past_types).subspan(begin, count),
                    std::span(past_counts).subspan(begin, count));
    result.used.push_back(used[s]);
  }
  return result;
}

}  // namespace t2v
