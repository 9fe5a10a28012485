#pragma once

#include <span>

#include "base/thread_pool.h"
#include "data/events.h"
#include "data/pieces.h"
#include "model/trained_model.h"
#include "train/evaluation.h"

namespace t2v {

/// What was measured of a forecaster, and on which part of the data.
struct ForecastEvaluation {
  Evaluation evaluation = {};
  bool seen = false;  // the model learned from the values that it is measured on
};

/// Measures a model that has a forecaster, and simple rules, by rolling origins: from what is known at the
/// end of the training data, a horizon later and so on, of all values up to a horizon ahead. Where the data
/// end with the training data it is their last fifth; with `backtest` by a forecaster that is fitted anew to
/// what is before. Throws t2v::Error if there is nothing to measure on.
ForecastEvaluation evaluate_forecast(const TrainedModel& model, const data::Events& events,
                                     std::span<const data::Piece> pieces, bool backtest, ThreadPool& pool);

}  // namespace t2v
