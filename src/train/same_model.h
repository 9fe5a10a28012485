#pragma once

#include <string_view>

#include "model/trained_model.h"
#include "train/train_config.h"

namespace t2v {

/// Says that an option asks for something else than a model to go on from has.
[[noreturn]] void fail_contradiction(std::string_view option, std::string_view asked,
                                     std::string_view of_model);

/// How raw and logarithmic times are measured is part of what a model computes; steps on frequencies are not.
void take_measures(ModelConfig& asked, const ModelConfig& init);

/// Throws t2v::Error, which names an option, if a model as it was laid out would not compute what the one to
/// go on from computes. How they are trained may differ. `config`: what the first was laid out by.
void check_same_model(const TrainedModel& asked, const TrainConfig& config, const TrainedModel& init);

/// Throws t2v::Error if a model to go on from knows none of the event types of the data, and names some of
/// both.
void check_types_known(const data::Events& events, const data::Encoding& encoding);

}  // namespace t2v
