#pragma once

#include "paper/training_run.h"

namespace t2v::paper {

/// The models that are compared on Event-MNIST; all experiments on it share the runs.
struct MnistModel {
  std::string model;  // name of the run
  std::string time;   // raw, or t2v:k
  std::string activation = "sin";
  std::string omega_init = {};  // empty: as the protocol has it
  bool freeze = false;
  bool no_linear = false;
  bool no_shift = false;  // positions from the corner of the image, not from its first bright pixel
  int64_t hidden = 0;     // 0: for as many parameters as the others
};

/// How many images, epochs and seeds a plan has.
Sizes mnist_sizes(const Plan& plan);
/// All models for one seed after another.
std::vector<Run> mnist_runs(const std::vector<MnistModel>& models, const Plan& plan);

}  // namespace t2v::paper
