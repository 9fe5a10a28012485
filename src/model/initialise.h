#pragma once

#include <cstdint>
#include <span>

#include "model/model.h"
#include "nn/omega_start.h"

namespace t2v {

/// Starting values as PyTorch gives them: every weight and bias uniform in ±1/√n, where n is the hidden size
/// for a cell and the number of inputs for a linear layer; frequencies and phases by their encoder's start.
/// Each tensor has a random stream of its own under the seed. `scales` has one entry for each time encoder,
/// or none where no start needs the data.
nn::Parameters<double> initialise(const Model& model, uint64_t seed,
                                  std::span<const nn::TimeScale> scales = {});

}  // namespace t2v
