#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "forecast/series.h"

namespace t2v::forecast {

/// What a series has left of a pattern, and its running means.
struct Residuals {
  static constexpr int64_t kMeans = 4;  // over about 2, 8, 32 and 128 steps

  std::vector<double> times = {};
  std::vector<float> left = {};   // [n]
  std::vector<float> means = {};  // [n, kMeans], each up to and with its value

  int64_t size() const { return static_cast<int64_t>(times.size()); }
  void add(double time, double residual, double step);
};

/// What the last values say of the next: sum_j a_j(h) g_j over the last residual, running means of residuals,
/// and the residuals one season and up to four seasons ago. The weights a_j are piecewise linear in the
/// logarithm of the horizon h, so the last values count near and the season far ahead.
struct Correction {
  double step = 1;                   // the usual distance of values, in units
  double horizon = 1;                // the farthest that it was fitted for
  std::vector<double> seasons = {};  // in units
  std::vector<double> weights = {};  // [terms * knots]; empty: no correction

  int64_t terms() const { return 1 + Residuals::kMeans + 2 * static_cast<int64_t>(seasons.size()); }
  int64_t knots() const;
  /// What is to be added to the pattern at `time`, as known at residual number `origin`.
  double at(const Residuals& residuals, int64_t origin, double time) const;
  /// The features of `weights`, zeros but for two knots.
  void fill(float* out, const Residuals& residuals, int64_t origin, double time) const;
};

/// The number of the value nearest to a time, among the first `count`; -1 if none is within a step.
int64_t nearest(std::span<const double> times, int64_t count, double time, double step);

/// Fits the weights of a correction that has all else, by `origins` origins of all series and a few times up
/// to the horizon after each. On a thread of a ThreadPool.
void fit_correction(Correction& correction, std::span<const Residuals> series, int64_t origins,
                    bool absolute);

}  // namespace t2v::forecast
