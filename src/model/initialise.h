#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "model/model.h"
#include "nn/omega_start.h"

namespace t2v {

/// How a model's parameters start.
struct InitialiserConfig {
  /// pytorch: every weight and bias uniform in ±1/√n, n being the hidden size for a cell and the number of
  /// inputs for a linear layer. lasagne, as the released Time-LSTM code has it: weights normal with deviation
  /// 0.1, those of the heads 0.01, biases 0, T1's time weights uniform in (-1, 0).
  std::string kind = "pytorch";
  double event_bound = 0;  // rows of event types that feed a cell are uniform in ±this; 0: as other weights
  double forget_bias = 0;  // added to the forget gate's bias
  // For a phased cell, in the model's clock_scale.
  double period_low = 10;
  double period_high = 100;
  double shift_high = 1000;
};

/// Starting values. Each tensor has a random stream of its own under the seed. `scales` has one entry for
/// each time encoder, or none where no start of the frequencies needs the data. Throws t2v::Error for an
/// unknown kind.
nn::Parameters<double> initialise(const Model& model, uint64_t seed, const InitialiserConfig& config = {},
                                  std::span<const nn::TimeScale> scales = {});

}  // namespace t2v
