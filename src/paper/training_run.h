#pragma once

#include "paper/run.h"
#include "train/train_config.h"

namespace t2v::paper {

/// A model of the paper that is trained on a data set with a test part, and measured on that after each
/// epoch.
struct TrainingSpec {
  std::string home;
  std::string model;
  DataRequest data;
  TrainConfig train;
  /// Choose the hidden size so that it has as many parameters as the same model with raw times and one layer
  /// of so many hidden units; 0: as `train` says.
  int64_t like_raw_hidden = 0;
};

/// What the paper writes of the models that its authors trained with PyTorch: Adam with rate 1e-3, no
/// clipping, no validation, the last weights; frequencies and phases uniform in (-1, 1).
TrainConfig paper_training();

/// The run of a spec for a seed. `train_events`, `test_events`: about how many there are, for the estimate of
/// the time.
Run training_run(const TrainingSpec& spec, Scale scale, int64_t epochs, uint64_t seed, double train_events,
                 double test_events);

}  // namespace t2v::paper
