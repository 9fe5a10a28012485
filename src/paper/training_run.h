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
  bool own_start = false;  // its frequencies start as `train` says, whatever is set
  bool rescaled = false;   // measure also what a change of the unit of time does (Proposition 1)
};

/// What the paper writes of the models that its authors trained with PyTorch: Adam with rate 1e-3, no
/// clipping, no validation, the last weights; frequencies and phases uniform in (-1, 1).
TrainConfig paper_training();

/// The run of a spec for a seed, with the settings of the plan. Throws t2v::Error for a setting that there is
/// not. `train_events`, `test_events`: about how many there are, for the estimate of
/// the time.
Run training_run(TrainingSpec spec, const Plan& plan, int64_t epochs, uint64_t seed, double train_events,
                 double test_events);

/// How much a change of the unit of time changes predictions: the model is rescaled to times that are so
/// many times as large, and gets those.
inline constexpr double kRescaleFactor = 1234.5;

}  // namespace t2v::paper
