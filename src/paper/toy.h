#pragma once

#include <cstdint>
#include <vector>

#include "nn/time_encoder.h"

namespace t2v::paper {

/// The paper's synthesised data (Section 5.2): days 1..365, class 1 every seventh day; the first 273 days
/// train, the others test. A model without recurrence: the logistic function of a weighted sum of t2v(day).

/// What a run is made with. The paper names neither batches nor epochs.
struct ToyConfig {
  double noise = 0;  // share of the training labels that are flipped; the test labels are not
  nn::Activation activation = nn::Activation::kSin;
  nn::OmegaStart start = nn::OmegaStart::kU11;
  int64_t sines = 31;  // periodic terms; the linear one comes on top
  int64_t batch = 32;
  int64_t epochs = 10000;
};

/// A periodic term: its frequency and phase, folded on the grid of days and for a positive weight, and the
/// size of its outgoing weight.
struct ToyTerm {
  double omega;
  double phi;
  double weight;
  int harmonic;  // n if omega is n * 2π/7 (n = 1, 2, 3), else 0
};

/// What one run ended with.
struct ToyRun {
  double train_accuracy;
  double test_accuracy;
  ToyTerm main;                       // the periodic term with the largest outgoing weight
  std::vector<ToyTerm> start = {};    // before training
  std::vector<ToyTerm> learned = {};  // after it
};

/// The share of the test days that are in the larger class.
double toy_majority();

/// One run, on one core.
ToyRun run_toy(const ToyConfig& config, uint64_t seed);

}  // namespace t2v::paper
