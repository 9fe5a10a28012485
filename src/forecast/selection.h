#pragma once

#include "base/thread_pool.h"
#include "forecast/forecaster.h"

namespace t2v::forecast {

/// Fits a forecaster of the given day, step and horizon: tries shapes of patterns and rules on the last part
/// of the data, learned from what is before it, and fits the best to all of them.
Forecaster select(const Panel& panel, const Forecaster& settings, ThreadPool& pool);

/// A rule alone, as a forecaster of the same settings.
Forecaster fit_rule_alone(const Panel& panel, const Forecaster& settings, const Rule& rule);

}  // namespace t2v::forecast
