#pragma once

#include <functional>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "paper/experiment.h"
#include "paper/results.h"
#include "paper/run_files.h"

namespace t2v::paper {

/// How far all of it is.
struct Progress {
  int64_t runs = 0;         // to be done, now
  int64_t done = 0;         // of them
  double share = 0;         // of the work
  double seconds_left = 0;  // estimated
};

struct ReproductionHooks {
  std::function<bool()> stop;                                 // whether to stop; asked often
  std::function<void(const Run&, const Progress&)> progress;  // often
  std::function<void(const Run&, int64_t epoch, const Measures&, const Progress&)> epoch;
  std::function<void(const Run&, const nlohmann::json& record, const Progress&)> run;  // finished
};

/// Runs experiments: what is finished already is not run again, what was stopped goes on. Hooks are called by
/// one thread at a time.
class Reproduction {
 public:
  /// Finds out what is to be done. Throws t2v::Error if a finished run was run with other options.
  Reproduction(std::vector<const Experiment*> experiments, Plan plan, const RunFiles& files, DataShelf& data,
               ThreadPool& pool, FileSystem& disk);

  int64_t pending() const { return static_cast<int64_t>(pending_.size()); }
  int64_t finished_before() const { return finished_before_; }
  double seconds_expected() const;

  /// Does it, and writes the results of each experiment when its runs are finished. False if it was stopped.
  bool run(const ReproductionHooks& hooks, const Origin& origin);

 private:
  struct Pending {
    Run run;
    std::size_t experiment;  // the first that needs it
  };
  bool run_from(std::size_t begin, std::size_t end, const ReproductionHooks& hooks);
  bool run_one(const Run& run, const ReproductionHooks& hooks);
  Progress progress() const;
  void note(const Run& run, double share);

  std::vector<const Experiment*> experiments_;
  Plan plan_;
  const RunFiles& files_;
  DataShelf& data_;
  ThreadPool& pool_;
  FileSystem& disk_;
  std::vector<Pending> pending_;
  int64_t finished_before_ = 0;

  std::mutex mutex_;
  std::map<std::string, double> under_way_;    // work done of runs that are not finished, by their files
  std::map<std::string, double> work_before_;  // of those, before this start
  double work_ = 0;                            // of all pending runs
  double work_done_ = 0;                       // of finished ones
  int64_t done_ = 0;
  double started_ = 0;
};

/// Does a run, or goes on with it, and writes its record; what it kept meanwhile is removed then. Nothing if
/// it was stopped.
std::optional<nlohmann::json> complete(const Run& run, const RunFiles& files, RunContext& context);

/// The data sets that an experiment needs and that are not there.
std::vector<std::string> missing_data(const Experiment& experiment, const DataShelf& data);

/// How long an experiment takes on two cores, in seconds, by kWorkRate.
double expected_seconds(const Experiment& experiment, const Plan& plan);

}  // namespace t2v::paper
