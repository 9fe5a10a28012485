#include "train/model_options.h"

#include <algorithm>

#include "base/fail.h"
#include "base/text_check.h"

namespace t2v {

void take_model_options(ModelConfig& model, const TrainConfig& config) {
  if (config.start != "data" && config.start != "pytorch") {
    fail("unknown start of the weights '{}'; use data or pytorch", shown(config.start));
  }
  model.cell = config.cell;
  model.hidden = config.hidden;
  model.layers = config.layers;
  model.dropout = config.dropout;
  model.head_dropout = std::max(config.head_dropout, 0.0);  // -1: by the head, once it is settled
  model.skip = !config.no_skip;
  model.biases = config.start == "pytorch" ? 2 : 1;
  model.inner = config.inner;
  model.t1_constraint = config.t1_constraint;
  model.chunk = config.chunk;
}

}  // namespace t2v
