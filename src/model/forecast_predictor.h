#pragma once

#include <functional>
#include <span>

#include "model/predictor.h"

namespace t2v {

/// What predict() does for a model that has a forecaster: for each piece the values at the times that are
/// asked for (`at`), at times up to a horizon after its last value (`horizon`, `every`), or, if neither is
/// given, at the times of its events that have no value, if there are any, as known before each. With
/// `every_event` instead the value of each event as known after the one before it. Quantiles beside.
void predict_forecast(const TrainedModel& model, const data::Events& events,
                      std::span<const data::Piece> pieces, const PredictConfig& config, ThreadPool& pool,
                      const PredictionConsumer& consumer, Share share, const std::function<void()>& round);

}  // namespace t2v
