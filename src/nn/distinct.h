#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace t2v::nn {

/// The distinct values of a list in order of first appearance, and for each entry of the list the number of
/// its value. Equal means equal bits. Reuses its memory from list to list.
template <class T>
class Distinct {
 public:
  void find(std::span<const T> list) {
    clear();
    extend(list);
  }

  void clear() {
    values_.clear();
    slots_.clear();
  }

  /// Goes on with another list: values keep their numbers, index() is that of the new list.
  void extend(std::span<const T> list) {
    const std::size_t slots = std::bit_ceil((values_.size() + list.size()) * 2 + 1);
    if (slots > slots_.size()) {
      slots_.assign(slots, -1);
      for (std::size_t i = 0; i < values_.size(); ++i) slots_[slot_of(values_[i])] = static_cast<int32_t>(i);
    }
    index_.resize(list.size());
    for (std::size_t e = 0; e < list.size(); ++e) index_[e] = number_of(list[e]);
  }

  std::span<const T> values() const { return values_; }
  std::span<const int32_t> index() const { return index_; }

 private:
  static uint64_t bits(double x) { return std::bit_cast<uint64_t>(x); }
  static uint64_t bits(int32_t x) { return static_cast<uint32_t>(x); }

  /// The slot of a value: its own, or the free one where it would go.
  std::size_t slot_of(T value) const {
    // Fibonacci hashing; the upper bits are the mixed ones. Then the next slot until one fits.
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = (bits(value) * 0x9E3779B97F4A7C15U >> 32) & mask;
    while (slots_[slot] >= 0 && bits(values_[static_cast<std::size_t>(slots_[slot])]) != bits(value)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  int32_t number_of(T value) {
    int32_t& number = slots_[slot_of(value)];
    if (number < 0) {
      number = static_cast<int32_t>(values_.size());
      values_.push_back(value);
    }
    return number;
  }

  std::vector<T> values_;
  std::vector<int32_t> index_;
  std::vector<int32_t> slots_;
};

}  // namespace t2v::nn
