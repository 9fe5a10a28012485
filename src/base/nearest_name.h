#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace t2v {

/// How many letters must be put in, taken out, replaced or swapped with their neighbour to turn one word into
/// the other.
inline int64_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<int64_t> before(b.size() + 1);
  std::vector<int64_t> last(b.size() + 1);
  std::vector<int64_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int64_t>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int64_t>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int64_t change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({change, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

/// The name that is most like a mistyped one; empty if none is near (a third of its letters).
template <class Names>
std::string nearest_name(std::string_view mistyped, const Names& names) {
  std::string best;
  int64_t least = static_cast<int64_t>(mistyped.size()) / 3 + 1;
  for (const auto& name : names) {
    const int64_t distance = edit_distance(mistyped, name);
    if (distance >= least && !(distance == least && best.empty())) continue;
    least = distance;
    best = std::string(std::string_view(name));
  }
  return best;
}

}  // namespace t2v
