#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>

#include "event_set.h"
#include "model/model.h"
#include "model/trained_model.h"

namespace t2v::python {

/// A trained model and the network that it describes.
class Trained {
 public:
  explicit Trained(TrainedModel model) : model_(std::move(model)), network_(network_of(model_)) {}
  Trained(const Trained&) = delete;  // large, and there may be streams that look at it
  Trained& operator=(const Trained&) = delete;

  const TrainedModel& model() const { return model_; }
  TrainedModel& model() { return model_; }
  const Model& network() const { return network_; }
  /// The data set with the unit and origin of the model. Throws t2v::Error if its times are of another kind.
  data::Events fitted(const EventSet& set) const {
    data::Events events = set.events();
    fit_to_model(events, model_);
    return events;
  }

 private:
  TrainedModel model_;
  Model network_;
};

/// JSON for Python's json.loads.
std::string text_of(const nlohmann::json& json);

}  // namespace t2v::python
