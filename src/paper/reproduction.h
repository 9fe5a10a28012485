#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "paper/rows.h"
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

/// Makes the runs of rows: what is finished already is not run again, what was stopped goes on. Hooks are
/// called by one thread at a time.
class Reproduction {
 public:
  /// Finds out what is to be done. Throws t2v::Error if a finished run was run with other options.
  Reproduction(const std::vector<const Row*>& rows, const Plan& plan, const RunFiles& files, DataShelf& data,
               ThreadPool& pool, FileSystem& disk);

  int64_t pending() const { return static_cast<int64_t>(pending_.size()); }
  int64_t finished_before() const { return finished_before_; }
  double seconds_expected() const;

  /// Does it. False if it was stopped.
  bool run(const ReproductionHooks& hooks);

 private:
  bool run_from(std::size_t begin, std::size_t end, const ReproductionHooks& hooks);
  bool run_one(const Run& run, const ReproductionHooks& hooks);
  Progress progress() const;
  void note(const Run& run, double share);

  const RunFiles& files_;
  DataShelf& data_;
  ThreadPool& pool_;
  FileSystem& disk_;
  std::vector<Run> pending_;
  int64_t finished_before_ = 0;

  std::mutex mutex_;
  std::map<std::string, double> under_way_;    // work done of runs that are not finished, by their files
  std::map<std::string, double> work_before_;  // of those, before this start
  double work_ = 0;                            // of all pending runs
  double work_done_ = 0;                       // of finished ones
  int64_t done_ = 0;
  double started_ = 0;
};

/// The runs of rows at a scale, each once and as long as the longest of them needs it, those of a seed
/// together.
std::vector<Run> runs_of(const std::vector<const Row*>& rows, const Plan& plan);

/// Does a run, or goes on with it, and writes its record; what it kept meanwhile is removed then. Nothing if
/// it was stopped.
std::optional<nlohmann::json> complete(const Run& run, const RunFiles& files, RunContext& context);

/// How long a row takes on two cores, in seconds, by kWorkRate.
double expected_seconds(const Row& row, const Plan& plan);

}  // namespace t2v::paper
