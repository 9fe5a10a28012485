#pragma once

#include <cstdint>
#include <vector>

#include "forecast/bands.h"
#include "forecast/forecaster.h"
#include "forecast/series.h"

namespace t2v::forecast {

/// A value of a series that is to be predicted from what is known at another.
struct RollingTarget {
  int64_t series;
  int64_t origin;  // number of the last known value
  int64_t target;
};

/// Forecasts again and again: from what is known at `from`, at `from` + horizon and so on, of all values up
/// to a horizon later, until `to`.
struct Rolling {
  double from;
  double to;
  double horizon;
  int64_t most_series = INT64_MAX;  // of more, every n-th
  int64_t most_targets = INT64_MAX;
};

std::vector<RollingTarget> rolling_targets(const Panel& panel, const Rolling& rolling, double step);

/// How far off the forecasts are, in the spread of each series.
std::vector<ForecastError> rolling_errors(const Forecaster& forecaster, const Panel& panel,
                                          const Rolling& rolling);

}  // namespace t2v::forecast
