#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "made_batch.h"
#include "model/model.h"
#include "model/trained_model.h"

namespace t2v::testing {

/// A small model of the task `next` with `types` event types "a", "b", ..., a feature and two times, in days.
inline TrainedModel made_model(const std::string& cell = "lstm", int64_t types = 4, int64_t hidden = 5) {
  TrainedModel model;
  model.encoding.event.emplace();
  for (int64_t i = 0; i < types; ++i) model.encoding.event->names.emplace_back(1, static_cast<char>('a' + i));
  model.encoding.numbers.push_back({"price", 2, 0.5, true, 3});
  model.config.cell = cell;
  model.config.hidden = hidden;
  model.config.event_types = types;
  model.config.features = model.encoding.features();
  model.config.t1_constraint = "none";
  model.config.times.resize(2);
  model.config.times[0].k = 3;
  model.config.times[1].k = 2;
  model.config.times[1].input = TimeInput::kGap;
  model.config.heads[0].classes = types;
  model.config.heads[0].each_step = true;
  model.times.scale = {true, 9};
  model.times.view = {"d", 86400e9, data::OriginKind::kSequence, 0};
  model.times.grid = 1 / 86400.0;
  model.parameters = nn::convert<float>(made_parameters(Model(model.config), 1));
  model.options = {{"hidden", hidden}};
  model.training = {{"epochs", 3}};
  return model;
}

}  // namespace t2v::testing
