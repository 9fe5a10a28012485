#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/packed_batch.h"
#include "base/thread_pool.h"
#include "data/events.h"
#include "data/pieces.h"
#include "model/prediction.h"
#include "model/trained_model.h"

namespace t2v {

/// When the event is that is to be predicted.
struct QueryTime {
  int64_t ticks;            // of the data set
  bool after_last = false;  // counted from the last event of each piece
};

struct PredictConfig {
  int64_t top = 5;                 // choices of each prediction
  std::vector<QueryTime> at = {};  // for models that know the query time: a prediction for each
  bool every_event = false;        // after each event that is not context, instead of the last alone
  // For forecasts; in ticks of the data set.
  int64_t horizon = 0;  // values at times up to so much after the last one; 0: the model's own
  int64_t every = 0;    // at times so far apart; 0: as far as those of the training data usually are
  std::vector<double> quantiles = {0.1, 0.5, 0.9};
};

/// Where a prediction was made: after an event of a piece, for what comes next; or of the event itself, or of
/// the whole piece, by what the model predicts.
struct Place {
  int64_t piece;
  int64_t event;                                // of the data set
  std::optional<int64_t> query = std::nullopt;  // the tick that was asked for

  bool operator==(const Place&) const = default;
};

/// The prediction is good until the call returns.
using PredictionConsumer = std::function<void(const Place& place, const Prediction& prediction)>;

/// Predicts for pieces of a data set that was fitted to the model. What comes next (next, recommend,
/// forecast) is predicted after the last event of each piece, or after every event; a class or a number of
/// the sequence once a piece; a number of each event at each. Pieces, events and query times come in order,
/// on the calling thread, with the same bits for any number of threads.
///
/// A model that knows the query time needs `at` for what comes next. With several, each is predicted from
/// the known events alone: no prediction is taken for an event. After every event the known time of the next
/// one is the query time, so there is no prediction after the last.
///
/// Memory is bounded by the longest piece. Throws t2v::Error for what cannot be predicted.
///
/// Several who share the work take turns with batches: `round` is called after each of them had one, or could
/// have had. So the share's predictions of one round come before those of the next share, and after all of
/// them those of the next round.
void predict(const TrainedModel& model, const data::Events& events, std::span<const data::Piece> pieces,
             const PredictConfig& config, ThreadPool& pool, const PredictionConsumer& consumer,
             Share share = {}, const std::function<void()>& round = {});

}  // namespace t2v
