#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/events.h"

namespace t2v::data {

/// Makes a small data set from literal sequences. Columns of events are given flat, sequence after sequence.
class MadeEvents {
 public:
  explicit MadeEvents(const std::vector<std::vector<int64_t>>& ticks) {
    std::vector<int64_t> offsets = {0};
    std::vector<int64_t> flat;
    std::vector<std::string> ids;
    for (const auto& sequence : ticks) {
      flat.insert(flat.end(), sequence.begin(), sequence.end());
      offsets.push_back(static_cast<int64_t>(flat.size()));
      ids.push_back("s" + std::to_string(ids.size()));
    }
    events_.offsets = keep(store_->whole, std::move(offsets));
    events_.ticks = keep(store_->whole, std::move(flat));
    events_.ids = strings(ids);
    events_.grid = grid_of(events_.offsets, events_.ticks);
    events_.owner = store_;
  }

  MadeEvents& types(const std::vector<std::string>& cells) {
    events_.event = column("event", cells);
    return *this;
  }
  MadeEvents& value(std::vector<double> cells) {
    events_.value = column("value", std::move(cells));
    return *this;
  }
  MadeEvents& interval(std::vector<double> cells) {
    events_.interval = column("interval", std::move(cells));
    return *this;
  }
  MadeEvents& number(const std::string& name, std::vector<double> cells) {
    events_.numbers.push_back(column(name, std::move(cells)));
    return *this;
  }
  MadeEvents& category(const std::string& name, const std::vector<std::string>& cells) {
    events_.categories.push_back(column(name, cells));
    return *this;
  }
  MadeEvents& sequence_number(const std::string& name, std::vector<double> cells) {
    events_.sequence_numbers.push_back(column(name, std::move(cells)));
    return *this;
  }
  MadeEvents& sequence_category(const std::string& name, const std::vector<std::string>& cells) {
    events_.sequence_categories.push_back(column(name, cells));
    return *this;
  }
  MadeEvents& label(const std::vector<std::string>& cells) {
    events_.label = column("label", cells);
    return *this;
  }
  MadeEvents& target(std::vector<double> cells) {
    events_.target = column("target", std::move(cells));
    return *this;
  }
  MadeEvents& part(std::vector<Part> cells) {
    events_.part = keep(store_->parts, std::move(cells));
    return *this;
  }
  /// Ticks become nanoseconds since 1970, seen in seconds.
  MadeEvents& instants() {
    events_.scale = {.instants = true, .decimals = 9};
    events_.view.unit = "s";
    events_.view.ticks_per_unit = 1e9;
    return *this;
  }

  Events events() const { return events_; }

 private:
  struct Store {
    std::deque<std::vector<int64_t>> whole;
    std::deque<std::vector<int32_t>> codes;
    std::deque<std::vector<double>> numbers;
    std::deque<std::vector<Part>> parts;
    std::deque<std::vector<char>> bytes;
  };

  template <class T>
  static std::span<const T> keep(std::deque<std::vector<T>>& store, std::vector<T> values) {
    store.push_back(std::move(values));
    return store.back();
  }
  Strings strings(const std::vector<std::string>& texts) {
    std::vector<char> bytes;
    std::vector<int64_t> offsets = {0};
    for (const std::string& text : texts) {
      bytes.insert(bytes.end(), text.begin(), text.end());
      offsets.push_back(static_cast<int64_t>(bytes.size()));
    }
    Strings made;
    made.bytes = keep(store_->bytes, std::move(bytes));
    made.offsets = keep(store_->whole, std::move(offsets));
    return made;
  }
  CategoryColumn column(const std::string& name, const std::vector<std::string>& cells) {
    Names names;
    std::vector<int32_t> codes;
    for (const std::string& cell : cells) codes.push_back(names.add(cell));
    std::vector<std::string> texts;
    for (int32_t i = 0; i < names.size(); ++i) texts.emplace_back(names[i]);
    return {name, keep(store_->codes, std::move(codes)), strings(texts)};
  }
  NumberColumn column(const std::string& name, std::vector<double> cells) {
    return {name, keep(store_->numbers, std::move(cells))};
  }

  std::shared_ptr<Store> store_ = std::make_shared<Store>();
  Events events_;
};

}  // namespace t2v::data
