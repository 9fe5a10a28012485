#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/file_system.h"
#include "base/thread_pool.h"
#include "paper/data_sets.h"
#include "paper/plan.h"

namespace t2v::paper {

/// Measures on the test data by name, such as accuracy.
using Measures = std::map<std::string, double>;

/// What a run is given to work with.
struct RunContext {
  ThreadPool& pool;
  DataShelf& data;
  FileSystem& files;
  /// What its files start with while it is not finished: it may write PARTIAL.checkpoint and PARTIAL.curve.
  std::string partial;
  std::function<bool()> stop;                                   // whether to stop; asked often
  std::function<void(double share)> progress;                   // of this run that is done
  std::function<void(int64_t epoch, const Measures&)> epoch;    // after each
  std::function<void(const nlohmann::json& about)> found = {};  // the data; throws if they will not do
};

/// One run, as a description: a model, a seed, and all that decides what comes out.
struct Run {
  std::string home;   // the folder of its file: event-mnist, spikes, stackoverflow, lastfm, citeulike, toy
  std::string model;  // such as lstm-t2v-64
  uint64_t seed = 1;
  Scale scale = Scale::kQuick;
  std::string data_set = {};   // that it needs; empty for none
  nlohmann::json config = {};  // all that decides what comes out, but seed and epochs
  int64_t epochs = 0;
  bool longer_serves = true;  // whether the first epochs of a longer run are this one
  bool one_core = false;      // uses one core: several may run at once
  double work = 0;            // multiply-adds, about
  /// Does it: {parameters, curve: {measure: [value of each epoch]}, seconds, data, ...}; nothing if it was
  /// stopped, and then the same call goes on.
  std::function<std::optional<nlohmann::json>(RunContext&)> go = {};
};

/// Multiply-adds a second of two cores, by which times are told before anything was measured: training an
/// LSTM with 128 hidden units on 240,000 events a second.
inline constexpr double kWorkRate = 240e3 * 3 * 4 * 128 * 129;

/// The run of a name such as event-mnist/lstm-t2v-64. Throws t2v::Error for one that is not declared.
Run run_of(std::string_view name, int64_t epochs, uint64_t seed, const Plan& plan);

// By kind, likewise; nothing for a name of another kind.
std::optional<Run> trained_run(std::string_view name, int64_t epochs, uint64_t seed, const Plan& plan);
std::optional<Run> toy_run(std::string_view name, int64_t epochs, uint64_t seed, const Plan& plan);
std::optional<Run> recommendation_run(std::string_view name, int64_t epochs, uint64_t seed, const Plan& plan);

}  // namespace t2v::paper
