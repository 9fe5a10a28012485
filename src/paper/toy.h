#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/thread_pool.h"
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

/// What one run ended with.
struct ToyRun {
  double train_accuracy;
  double test_accuracy;
  double omega;  // the periodic term with the largest outgoing weight, folded on the grid of days
  double phi;
  int harmonic;    // n if omega is n * 2π/7 (n = 1, 2, 3; 2π/14 for days times two), else 0
  int64_t active;  // periodic terms with at least 5 % of the largest outgoing weight
};

struct ToyResult {
  ToyVariant variant;
  ToyRecipe recipe;
  std::vector<ToyRun> runs;  // one a seed, 1, 2, ...
  double seconds = 0;        // of all runs, on one core

  double share_perfect() const;
  double share_at_least(double accuracy) const;
  double share_with_period() const;
  double mean_accuracy() const;
};

const std::vector<ToyVariant>& toy_variants();
const std::vector<ToyRecipe>& toy_recipes();

/// The share of the test days that are in the larger class.
double toy_majority();

ToyRun run_toy(const ToyVariant& variant, const ToyRecipe& recipe, uint64_t seed);

/// All variants by all recipes, `seeds` runs each, shared out over the pool. `progress` is called with the
/// share that is done, from any thread, one call at a time.
std::vector<ToyResult> run_toys(int64_t seeds, ThreadPool& pool, const std::function<void(double)>& progress);

/// One claim of the paper, and what came of it here by one recipe.
struct Verdict {
  std::string claim;
  std::string recipe;
  int64_t agreeing;  // runs that bear the claim out
  int64_t runs;
  std::string verdict;  // reproduces, does not, undecided
};
/// For each claim, one verdict a recipe. The paper speaks of 'many' and 'most' runs, which is taken as more
/// than half of them; a share within two standard errors of a half decides nothing.
std::vector<Verdict> toy_verdicts(const std::vector<ToyResult>& results);

nlohmann::json to_json(const std::vector<ToyResult>& results);

}  // namespace t2v::paper
