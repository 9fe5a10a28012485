#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace t2v::bench {

inline double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Median seconds of several pieces of work, measured in turns, so that noise of the machine meets all alike.
inline std::vector<double> interleaved(int repetitions, const std::vector<std::function<void()>>& works) {
  std::vector<std::vector<double>> times(works.size());
  for (const auto& work : works) work();  // warm up
  for (int r = 0; r < repetitions; ++r) {
    for (std::size_t i = 0; i < works.size(); ++i) times[i].push_back(seconds(works[i]));
  }
  std::vector<double> medians;
  for (const auto& t : times) medians.push_back(median(t));
  return medians;
}

}  // namespace t2v::bench
