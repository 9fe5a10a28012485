#pragma once

#include "model/config.h"
#include "train/train_config.h"

namespace t2v {

/// Sets what a model takes over from the options of its training as they are: all but its inputs, times and
/// heads. Throws t2v::Error for a start of the weights that is unknown.
void take_model_options(ModelConfig& model, const TrainConfig& config);

}  // namespace t2v
