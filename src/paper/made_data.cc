#include "paper/made_data.h"

#include <algorithm>

#include "base/random.h"

namespace t2v::paper {
namespace {

using data::EventTable;
using data::Part;

constexpr int64_t kTrain = 300;
constexpr int64_t kTest = 100;
constexpr int32_t kClasses = 10;
constexpr int32_t kChannels = 64;
constexpr int32_t kBadges = 22;
constexpr int64_t kPixels = 784;
constexpr int64_t kSecond = 1'000'000'000;

/// Adds a sequence; returns its class, or -1 where sequences have none.
void add_sequence(EventTable& table, int64_t number) {
  table.ids.add(std::to_string(number));
  table.part.push_back(number < kTrain ? Part::kTrain : Part::kTest);
}

void start_labels(EventTable& table) {
  table.label.emplace();
  table.label->name = "label";
  for (int32_t c = 0; c < kClasses; ++c) table.label->names.add(std::to_string(c));
}

/// Bright pixels come in groups, whose distance is the class.
EventTable made_images(bool shift) {
  EventTable table;
  table.from_zero = !shift;
  start_labels(table);
  for (int64_t s = 0; s < kTrain + kTest; ++s) {
    Random random(1, static_cast<uint64_t>(s));
    const auto label = static_cast<int32_t>(random.below(kClasses));
    add_sequence(table, s);
    table.label->codes.push_back(label);
    const auto first = static_cast<int64_t>(random.below(50));
    for (int64_t at = first; at + 2 < kPixels; at += 20 + 4 * label) {
      for (int64_t i = 0; i < 2; ++i) {
        table.sequence.push_back(static_cast<int32_t>(s));
        table.ticks.push_back(at + i - (shift ? first : 0));
      }
    }
  }
  return table;
}

/// Spikes of channels around one that is the class's, faster or slower.
EventTable made_spikes(const std::string& form) {
  EventTable table;
  table.scale = {.instants = false, .decimals = 9, .seconds = true};
  start_labels(table);
  if (form == "raw") {
    table.event.emplace();
    table.event->name = "channel";
    for (int32_t c = 0; c < kChannels; ++c) table.event->names.add(std::to_string(c));
  }
  if (form == "binned") {
    for (int32_t c = 0; c < kChannels; ++c) table.numbers.push_back({"channel" + std::to_string(c), {}});
  }
  for (int64_t s = 0; s < kTrain + kTest; ++s) {
    Random random(2, static_cast<uint64_t>(s));
    const auto label = static_cast<int32_t>(random.below(kClasses));
    add_sequence(table, s);
    table.label->codes.push_back(label);
    int64_t tick = 0;
    for (int i = 0; i < 20; ++i) {
      const auto channel = static_cast<int32_t>(6 * label + static_cast<int32_t>(random.below(5)));
      tick += (5 + label + static_cast<int64_t>(random.below(5))) * kSecond / 1000;
      table.sequence.push_back(static_cast<int32_t>(s));
      table.ticks.push_back(tick);
      if (form == "raw") table.event->codes.push_back(channel);
      for (int32_t c = 0; c < static_cast<int32_t>(table.numbers.size()); ++c) {
        table.numbers[static_cast<std::size_t>(c)].values.push_back(c == channel ? 100 : 0);
      }
    }
  }
  return table;
}

/// A badge is mostly followed by the next one; days to months lie between.
EventTable made_badges() {
  EventTable table;
  table.scale = {.instants = true, .decimals = 9};
  table.event.emplace();
  table.event->name = "event";
  for (int32_t b = 1; b <= kBadges; ++b) table.event->names.add(std::to_string(b));
  for (int64_t s = 0; s < kTrain + kTest; ++s) {
    Random random(3, static_cast<uint64_t>(s));
    add_sequence(table, s);
    int64_t tick = 1'325'376'000 * kSecond;
    auto badge = static_cast<int32_t>(random.below(kBadges));
    for (int i = 0; i < 15; ++i) {
      table.sequence.push_back(static_cast<int32_t>(s));
      table.ticks.push_back(tick);
      table.event->codes.push_back(badge);
      tick += static_cast<int64_t>(3600 + random.below(20 * 86400)) * kSecond;
      badge = random.uniform() < 0.6 ? (badge + 1) % kBadges : static_cast<int32_t>(random.below(kBadges));
    }
  }
  return table;
}

}  // namespace

data::EventTable made_data(const DataRequest& request) {
  if (request.set == "mnist") return made_images(request.shift);
  if (request.set == "spikes") return made_spikes(request.form);
  return made_badges();
}

}  // namespace t2v::paper
