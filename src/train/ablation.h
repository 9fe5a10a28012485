#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread_pool.h"
#include "data/event_store.h"
#include "model/task.h"
#include "train/paired_test.h"
#include "train/train_config.h"

namespace t2v {

// Is time worth it? The same data are learned from without times, with times as they are, as Time2Vec, and as
// Time2Vec of shuffled times, with equal numbers of parameters and with the same seeds (docs/metrics.md).

/// The single source of the options' names and defaults.
struct AblationConfig {
  TrainConfig train;  // time and seed are the ablation's to choose, and it does not predict when
  int64_t seeds = 5;  // seeds 1 .. so many
  /// none, a kind of time encoder, t2v:k, or shuffled.
  std::vector<std::string> variants = {"none", "raw", "t2v", "shuffled"};
};

/// What is split off for the test where the data have none, by kTestSeed whatever the other seeds are.
inline constexpr double kTestShare = 0.2;
inline constexpr uint64_t kTestSeed = 1;

struct AblationRun {
  uint64_t seed = 0;
  double measure = 0;  // main_measure of the task, on the test part
  double loss = 0;     // mean on the test part: of classes and types the log loss, in nats
  int64_t predictions = 0;
  int64_t epochs = 0;
  double seconds = 0;
};

struct AblationVariant {
  std::string name;
  std::string time;       // TrainConfig::time
  bool shuffled = false;  // trained and tested on shuffled times
  int64_t hidden = 0;     // 0 for a model without a cell
  int64_t parameters = 0;
  std::vector<AblationRun> runs = {};  // of the seeds 1, 2, ...

  std::vector<double> measures() const;
  std::vector<double> losses() const;
};

struct Ablation {
  AblationConfig config;
  Task task = Task::kNext;
  std::string measure;  // its name
  bool higher_is_better = true;
  int64_t test_sequences = 0;
  double moved = 0;      // share of the events whose time was another after shuffling
  bool complete = true;  // false if it was stopped
  std::vector<AblationVariant> variants = {};

  /// Null if there is none. "t2v" finds "t2v:16" too.
  const AblationVariant* find(std::string_view name) const;
};

struct AblationHooks {
  std::function<void(const std::string&)> choice;  // what was decided, a sentence each
  /// After each run: the variant, its last run, and how many runs are done and to be done in all.
  std::function<void(const AblationVariant&, int64_t done, int64_t all)> run;
  std::function<bool()> stop;  // whether to stop; asked often
};

/// All variants for seed 1, then for seed 2, and so on. Equal bits for any number of threads. Throws
/// t2v::Error for what cannot be, before anything is trained where that can be known.
Ablation ablate(const data::EventStore& store, const AblationConfig& config, ThreadPool& pool,
                const AblationHooks& hooks);

/// One variant against another, over the seeds that both have: differences of the main measure.
PairedTest compare(const AblationVariant& variant, const AblationVariant& other);
/// The same of the losses: lower is better.
PairedTest compare_losses(const AblationVariant& variant, const AblationVariant& other);

/// What came out, in sentences: first whether time is worth it, then what shuffled and raw times say. A
/// difference is called one if its p is below kSignificant (docs/metrics.md has the whole rule).
std::vector<std::string> verdict(const Ablation& ablation);
/// A table for people.
std::string describe(const Ablation& ablation);
nlohmann::json to_json(const Ablation& ablation);

}  // namespace t2v
