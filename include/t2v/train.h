#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "t2v/model.h"

namespace t2v {

/// What came of an epoch.
struct TrainedEpoch {
  std::int64_t epoch;  // from 1 on
  double loss;         // mean over its steps, before each
  double valid_loss;   // NaN without validation data
  double measure;      // of the validation data: accuracy, recall@10 or root mean squared error, by the task
  double rate;         // learning rate of its last step
  double seconds;
  bool best;  // so far
};

enum class TrainEnd : std::uint8_t {
  kConverged,  // the validation loss became no better
  kEpochs,     // all epochs are done
  kTime,       // max-time is over
  kStopped,    // TrainOptions::stop said so
};

struct TrainOptions {
  /// By name: {"hidden", "32"}, {"task", "next"}, {"query_time", "true"}; docs/options.md lists all. Those
  /// not given have their defaults there.
  std::map<std::string, std::string> settings = {};
  int threads = 0;                                      // 0: one per core; the result does not depend on it
  std::function<void(const TrainedEpoch&)> epoch = {};  // called after each, on the calling thread
  std::function<bool()> stop = {};                      // asked after each step: true ends it
};

struct TrainResult {
  TimeModel model;  // with the best weights
  TrainEnd end;
  std::int64_t best_epoch;         // 0 if the starting weights are the best
  std::vector<std::string> notes;  // what was chosen, and what came out: a sentence each, for people
};

/// Learns a model that predicts: what, follows from the columns of the log or the setting `task`. A tenth is
/// split off for validation (`valid-share`), and it stops by itself. The same bits for any number of threads.
/// Throws t2v::Error for settings and data that cannot be, and whatever the callbacks throw.
T2V_API TrainResult train(const EventLog& log, const TrainOptions& options = {});

}  // namespace t2v
