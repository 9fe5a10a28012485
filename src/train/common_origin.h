#pragma once

#include "data/events.h"
#include "train/train_config.h"

namespace t2v {

/// Where values over time are to be predicted, counts the times of all sequences from the first event of all,
/// unless they have a common origin already: such values follow the calendar, not the start of each sequence.
void use_common_origin(data::Events& events, const TrainConfig& config);

}  // namespace t2v
