#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nn/time_encoder.h"

namespace t2v::paper {

/// The paper's synthesised data (Section 5.2): days 1..365, class 1 every seventh day; the first 273 days
/// train, the others test. A model without recurrence: the logistic function of a weighted sum of t2v(day).

/// What is changed about the data or the layer.
struct ToyVariant {
  std::string name;
  double scale = 1;  // the days are multiplied by it
  double noise = 0;  // share of the training labels that are flipped; the test labels are not
  nn::Activation activation = nn::Activation::kSin;
  int64_t sines = 31;  // periodic terms; the linear one comes on top
};

/// How it is trained.
struct ToyRecipe {
  std::string name;
  std::string describes;
  nn::OmegaStart start;
  double learning_rate;
  double time_factor;  // times the learning rate for frequencies and phases
  double l1;           // on the outgoing weights of the periodic terms
  int64_t batch;
  int64_t epochs;
  bool keep_best;  // the weights of the epoch with the least loss over all training days, not the last
};

/// A periodic term: its frequency and phase, folded on the grid of days and for a positive weight, and the
/// size of its outgoing weight.
struct ToyTerm {
  double omega;
  double phi;
  double weight;
  int harmonic;  // n if omega is n * 2π/7 (n = 1, 2, 3; 2π/14 for days times two), else 0
};

/// What one run ended with.
struct ToyRun {
  double train_accuracy;
  double test_accuracy;
  ToyTerm main;                         // the periodic term with the largest outgoing weight
  int64_t active;                       // periodic terms with at least 5 % of that weight
  std::vector<ToyTerm> start = {};      // before training
  std::vector<ToyTerm> learned = {};    // after it
  std::vector<double> test_times = {};  // the test days, times the scale
  std::vector<double> test_sums = {};   // what the logistic function is taken of, for each of them
};

const std::vector<ToyVariant>& toy_variants();
const std::vector<ToyRecipe>& toy_recipes();

/// The share of the test days that are in the larger class.
double toy_majority();
int64_t toy_test_days();

/// One run, on one core.
ToyRun run_toy(const ToyVariant& variant, const ToyRecipe& recipe, uint64_t seed);

}  // namespace t2v::paper
