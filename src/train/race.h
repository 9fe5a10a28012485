#pragma once

#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_system.h"
#include "base/thread_pool.h"
#include "comm/communicator.h"
#include "model/trained_model.h"
#include "train/fit.h"
#include "train/train_config.h"
#include "train/training_data.h"

namespace t2v {

/// The name of a trial that changes nothing.
inline constexpr std::string_view kDefaults = "defaults";

/// A short training with some options other than the defaults, and how it did.
struct Trial {
  std::string name;    // what it changes, such as "time none, cell gru"; "defaults" for nothing
  int64_t epochs = 0;  // it may have stopped before
  double loss = std::numeric_limits<double>::infinity();  // on the validation data
  bool converged = false;                                 // it ended by itself
};

/// Short trainings that choose what the options leave open: how time is seen, rules or none, the cell, sizes.
/// Successive halving: the better third of them goes on with three times the epochs, until one is left, whose
/// sizes are then varied. What is tried follows from counted work alone, never from the clock, so that the
/// choice is the same on any number of threads and ranks.
class Race {
 public:
  /// Options that are given as they are; a race is held only if none of them is about the network. With
  /// `init` there is none.
  Race(const TrainingData& data, const TrainConfig& config, ThreadPool& pool,
       const TrainedModel* init = nullptr, comm::Communicator& ranks = comm::only_rank());

  /// Whether there is anything to choose. If not, the rest does nothing.
  bool is_held() const { return !entrants_.empty(); }
  struct Hooks {
    std::function<void(const Trial&)> trial;  // after each that was run
    Fit::Stop stop;
  };
  /// Runs what was not run yet. False if it was stopped: then winner() is the best so far.
  bool run(const Hooks& hooks);
  const std::vector<Trial>& trials() const { return trials_; }
  /// Whether the limit of time ended it: then the choice depends on the machine.
  bool was_cut_short() const { return out_of_time_; }
  /// What it took since it was started or resumed.
  double seconds() const { return seconds_; }
  /// The options of the winner, with which no further race is held.
  TrainConfig winner() const;

  /// All that there is to resume it by. Throws t2v::Error.
  void save(FileSystem& files, const std::string& path) const;
  /// Takes up the trials of a checkpoint: of a race, or of the training after it. Returns whether that
  /// training had begun. Throws t2v::Error if it is of other options or data.
  bool restore(const std::string& path, FileSystem& files = FileSystem::real());

 private:
  /// An option and its value; those of an entrant are its name.
  using Changes = std::vector<std::pair<std::string, std::string>>;

  bool may_be_held(const TrainedModel* init) const;
  void line_up(const class Training& base);
  void add(const Changes& changes);
  TrainConfig with(const Changes& changes) const;
  /// The loss of a trial, from the record or by running it; nothing if it was stopped.
  std::optional<double> loss_of(const Changes& changes, int64_t epochs, const Hooks& hooks);
  std::optional<Trial> run_trial(const Changes& changes, int64_t epochs, const Hooks& hooks);
  bool halve(const Hooks& hooks);
  bool vary_sizes(const Hooks& hooks);
  nlohmann::json record() const;

  const TrainingData& data_;
  TrainConfig config_;
  ThreadPool& pool_;
  comm::Communicator& ranks_;
  std::string digest_;             // of the data
  std::vector<Changes> entrants_;  // empty: no race
  int64_t first_epochs_ = 0;
  std::vector<Changes> field_;  // those still in it, the best first
  std::vector<Changes> sizes_;
  int64_t epochs_ = 0;  // of the next trials
  double best_ = std::numeric_limits<double>::infinity();
  std::vector<Trial> trials_;
  std::size_t replayed_ = 0;  // trials of the record that were taken up again
  double seconds_ = 0;
  bool out_of_time_ = false;
};

}  // namespace t2v
