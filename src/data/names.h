#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace t2v::data {

/// Distinct strings, numbered in order of first appearance.
class Names {
 public:
  Names() = default;
  Names(Names&&) = default;
  Names& operator=(Names&&) = default;
  Names(const Names& other) { *this = other; }
  Names& operator=(const Names& other) {
    if (this == &other) return *this;
    names_.clear();
    numbers_.clear();
    for (int32_t i = 0; i < other.size(); ++i) add(other[i]);
    return *this;
  }
  ~Names() = default;

  /// The number of a name, which is new or known.
  int32_t add(std::string_view name) {
    const auto known = numbers_.find(name);
    if (known != numbers_.end()) return known->second;
    const auto number = static_cast<int32_t>(names_.size());
    names_.emplace_back(name);
    numbers_.emplace(names_.back(), number);
    return number;
  }
  /// The number of a name, -1 if there is no such name.
  int32_t find(std::string_view name) const {
    const auto known = numbers_.find(name);
    return known == numbers_.end() ? -1 : known->second;
  }
  int32_t size() const { return static_cast<int32_t>(names_.size()); }
  const std::string& operator[](int32_t number) const { return names_[static_cast<std::size_t>(number)]; }

 private:
  std::deque<std::string> names_;  // stays where it is, so the map can look into it
  std::unordered_map<std::string_view, int32_t> numbers_;
};

}  // namespace t2v::data
