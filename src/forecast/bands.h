#pragma once

#include <cstdint>
#include <vector>

namespace t2v::forecast {

/// An error on data that were not learned from: how far ahead, and measured less predicted.
struct ForecastError {
  double ahead;
  double error;
};

/// Quantiles of errors by how far ahead they were made, less their median: the forecast itself is the median.
struct Bands {
  static constexpr int64_t kShares = 99;  // 1 %, 2 %, ... 99 %

  std::vector<double> ahead = {};   // [b] ascending: the middle of each group of errors
  std::vector<double> errors = {};  // [b, kShares]

  /// Between groups and shares linearly; beyond them the nearest. 0 without any.
  double at(double ahead, double share) const;
};

/// Groups of the same number of errors each, by how far ahead. Errors of one forecast go together, so they
/// are taken for wider the fewer `forecasts` they are from.
Bands fit_bands(std::vector<ForecastError> errors, double forecasts);

}  // namespace t2v::forecast
