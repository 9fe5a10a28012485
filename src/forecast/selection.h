#pragma once

#include "base/thread_pool.h"
#include "forecast/forecaster.h"

namespace t2v::forecast {

/// Fits a forecaster of the given day, step and horizon: tries shapes of patterns and rules on the last part
/// of the data, learned from what is before it, and fits the best to all of them.
Forecaster select(const Panel& panel, const Forecaster& settings, ThreadPool& pool);

/// How far the forecasts of a forecaster are off, standardised, on the values in (from, to]: from the last
/// known value at `from`, at `from` + horizon and so on, up to a horizon ahead each.
std::vector<ForecastError> rolling_errors(const Forecaster& forecaster, const Panel& panel, double from,
                                          double to, double horizon);

}  // namespace t2v::forecast
