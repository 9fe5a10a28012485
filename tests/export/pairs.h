#pragma once

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

namespace t2v::testing {

/// Choices, one of each factor, such that any two choices of two factors occur together in one of them: far
/// fewer than all combinations. `sizes`: how many choices each factor has.
inline std::vector<std::vector<int>> pairwise(const std::vector<int>& sizes) {
  using Pair = std::tuple<std::size_t, int, std::size_t, int>;
  const std::size_t n = sizes.size();
  std::set<Pair> missing;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      for (int a = 0; a < sizes[i]; ++a) {
        for (int b = 0; b < sizes[j]; ++b) missing.insert({i, a, j, b});
      }
    }
  }
  const auto pair_of = [](std::size_t i, int a, std::size_t j, int b) {
    return i < j ? Pair{i, a, j, b} : Pair{j, b, i, a};
  };
  std::vector<std::vector<int>> rows;
  while (!missing.empty()) {
    std::vector<int> row(n, -1);
    const auto [first, a, second, b] = *missing.begin();
    row[first] = a;
    row[second] = b;
    for (std::size_t i = 0; i < n; ++i) {
      if (row[i] >= 0) continue;
      int best = -1;
      for (int choice = 0; choice < sizes[i]; ++choice) {
        int gained = 0;
        for (std::size_t j = 0; j < n; ++j) {
          if (row[j] >= 0) gained += static_cast<int>(missing.count(pair_of(i, choice, j, row[j])));
        }
        if (gained > best) {
          best = gained;
          row[i] = choice;
        }
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) missing.erase({i, row[i], j, row[j]});
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace t2v::testing
