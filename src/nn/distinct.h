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
    values_.clear();
    index_.resize(list.size());
    const std::size_t slots = std::bit_ceil(list.size() * 2 + 1);
    slots_.assign(slots, -1);
    for (std::size_t e = 0; e < list.size(); ++e) index_[e] = number_of(list[e], slots - 1);
  }

  std::span<const T> values() const { return values_; }
  std::span<const int32_t> index() const { return index_; }

 private:
  static uint64_t bits(double x) { return std::bit_cast<uint64_t>(x); }
  static uint64_t bits(int32_t x) { return static_cast<uint32_t>(x); }

  int32_t number_of(T value, std::size_t mask) {
    // Fibonacci hashing; the upper bits are the mixed ones. Then the next free slot.
    std::size_t slot = (bits(value) * 0x9E3779B97F4A7C15U >> 32) & mask;
    for (; slots_[slot] >= 0; slot = (slot + 1) & mask) {
      if (bits(values_[static_cast<std::size_t>(slots_[slot])]) == bits(value)) return slots_[slot];
    }
    slots_[slot] = static_cast<int32_t>(values_.size());
    values_.push_back(value);
    return slots_[slot];
  }

  std::vector<T> values_;
  std::vector<int32_t> index_;
  std::vector<int32_t> slots_;
};

}  // namespace t2v::nn
