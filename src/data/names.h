#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace t2v::data {

/// Distinct strings, numbered in order of first appearance. The strings lie one after another in memory; a
/// view of one is good until the next is added.
class Names {
 public:
  /// The number of a name, which is new or known.
  int32_t add(std::string_view name) { return add(name, hash_of(name)); }
  /// The same with a hash that is known already.
  int32_t add(std::string_view name, uint64_t hash);
  /// The number of a name, -1 if there is no such name.
  int32_t find(std::string_view name) const { return find(name, hash_of(name)); }
  int32_t find(std::string_view name, uint64_t hash) const;

  int32_t size() const { return static_cast<int32_t>(hashes_.size()); }
  std::string_view operator[](int32_t number) const {
    const auto i = static_cast<std::size_t>(number);
    return {bytes_.data() + offsets_[i], static_cast<std::size_t>(offsets_[i + 1] - offsets_[i])};
  }
  uint64_t hash(int32_t number) const { return hashes_[static_cast<std::size_t>(number)]; }
  void clear();

  const std::vector<char>& bytes() const { return bytes_; }
  const std::vector<int64_t>& offsets() const { return offsets_; }  // [size + 1]

  static uint64_t hash_of(std::string_view name);

 private:
  struct Slot {
    uint32_t tag = 0;  // upper half of the hash
    int32_t number = -1;
  };
  /// The slot of a name: its own, or the free one where it would go.
  std::size_t slot_of(std::string_view name, uint64_t hash) const;
  void grow();

  std::vector<char> bytes_;
  std::vector<int64_t> offsets_{0};
  std::vector<uint64_t> hashes_;
  std::vector<Slot> slots_;  // a power of two of them, at least twice as many as names
};

}  // namespace t2v::data
