#pragma once

#include <utility>

#include "data/time_reader.h"
#include "model/model.h"
#include "model/prediction.h"
#include "model/trained_model.h"
#include "t2v/model.h"

namespace t2v {

struct TimeModel::Impl {
  explicit Impl(TrainedModel read) : trained(std::move(read)), model(network_of(trained)) {}

  TrainedModel trained;
  Model model;
};

namespace api {

TimeModel model_of(TrainedModel trained);

/// Reads times as the training data were read.
data::TimeReader time_reader(const TrainedModel& model);

/// What a model said, by names. Reuses the memory of `out`, whose id and times stay.
void name_choices(Predicted& out, const Prediction& prediction, const TrainedModel& model);

}  // namespace api
}  // namespace t2v
