#pragma once

#include <map>
#include <string>
#include <vector>

#include "paper/run_files.h"

namespace t2v::paper {

/// The runs of one model, by seed.
struct ModelRuns {
  std::string model;
  int64_t epochs = 0;
  std::vector<nlohmann::json> records = {};
  std::vector<nlohmann::json> diverged = {};  // runs that did not come to their end; in none of the numbers
  bool trains = true;                         // false: a predictor without a network

  bool empty() const { return records.empty(); }
  /// The values of a measure after the last epoch, one a run. A run without one is left out.
  std::vector<double> last(const std::string& measure) const;
  /// After an epoch, from 1 on.
  std::vector<double> at(const std::string& measure, int64_t epoch) const;
  double mean_last(const std::string& measure) const;  // NaN without runs
};

/// The runs of two models of the seeds that both have.
struct SharedSeeds {
  ModelRuns a;
  ModelRuns b;
};
SharedSeeds shared_seeds(const ModelRuns& a, const ModelRuns& b);

/// Values of two models of the seeds that both have.
struct Pairs {
  std::vector<double> a;
  std::vector<double> b;
};
/// After the last epoch.
Pairs pairs_of(const ModelRuns& a, const ModelRuns& b, const std::string& measure);
/// After an epoch, from 1 on.
Pairs pairs_at(const ModelRuns& a, const ModelRuns& b, const std::string& measure, int64_t epoch);

/// All finished runs of an experiment.
class FinishedRuns {
 public:
  /// Looks for every seed of the models of these runs.
  FinishedRuns(const RunFiles& files, const std::vector<Run>& runs);

  /// Without records if there are none.
  const ModelRuns& of(const std::string& model) const;
  const std::vector<ModelRuns>& models() const { return models_; }
  /// Of the models that are trained.
  int64_t most_seeds() const;

 private:
  std::vector<ModelRuns> models_;
};

}  // namespace t2v::paper
