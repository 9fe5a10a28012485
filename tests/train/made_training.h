#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/twin_disk.h"
#include "data/importer_files.h"
#include "data/made_events.h"
#include "train/training.h"

namespace t2v::testing {

/// Small sequences of the types a, b, c, mostly in this order, with values that swing with time, a class and
/// a number of the sequence.
inline data::Events made_sequences(int64_t sequences = 12, uint64_t seed = 3) {
  Random random(seed);
  std::vector<std::vector<int64_t>> ticks(static_cast<std::size_t>(sequences));
  std::vector<std::string> types;
  std::vector<std::string> labels;
  std::vector<double> values;
  std::vector<double> targets;
  for (auto& sequence : ticks) {
    const uint64_t kind = random.below(2);
    auto t = static_cast<int64_t>(random.below(20));
    uint64_t type = random.below(3);
    const uint64_t length = 3 + random.below(5);
    for (uint64_t i = 0; i < length; ++i) {
      sequence.push_back(t);
      types.emplace_back(1, static_cast<char>('a' + type));
      values.push_back(5 + 2 * std::sin(0.7 * static_cast<double>(t)) + 0.1 * random.normal());
      t += static_cast<int64_t>(1 + random.below(kind == 0 ? 2 : 6));
      type = (type + (random.uniform() < 0.9 ? 1 : 2)) % 3;
    }
    labels.emplace_back(kind == 0 ? "often" : "seldom");
    targets.push_back(kind == 0 ? 1 : 4);
  }
  return data::MadeEvents(ticks).types(types).value(values).label(labels).target(targets).events();
}

inline data::EventStore store_of(data::Events events) {
  data::EventStore store;
  store.events = std::move(events);
  return store;
}

/// The same without all but the types.
inline data::EventStore types_alone(int64_t sequences = 12, uint64_t seed = 3) {
  data::Events events = made_sequences(sequences, seed);
  events.label.reset();
  events.target.reset();
  events.value.reset();
  return store_of(events);
}

/// A model and a fit that take milliseconds.
inline TrainConfig tiny_config(const std::string& task = "next") {
  TrainConfig config;
  config.task = task;
  config.time = "t2v:2";
  config.omega_init = "span";
  config.l1 = 0;
  config.cell = "lstm";
  config.epoch_steps = 1;
  config.patience_steps = 0;
  config.average = 0;
  config.average_after = 0;
  config.no_rules = true;
  config.hidden = 3;
  config.batch = 4;
  config.epochs = 4;
  config.valid_share = 0.25;
  config.rate = 0.02;
  return config;
}

template <class T>
bool same_bits(const Buffer<T>& a, const Buffer<T>& b) {
  const auto bytes = static_cast<std::size_t>(a.size()) * sizeof(T);
  return a.size() == b.size() && (bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0);
}
inline bool same_bits(const nn::Parameters<float>& a, const nn::Parameters<float>& b) {
  return same_bits(a.dense, b.dense) && same_bits(a.table, b.table) && same_bits(a.wide, b.wide);
}

/// All that came of a fit but the seconds it took.
struct Outcome {
  FitEnd end;
  nn::Parameters<float> best;
  int64_t best_epoch;
  int64_t steps;
  std::vector<EpochReport> history;
  std::string file;  // of the model, byte for byte
};

inline std::string file_of(const TrainedModel& model) {
  TwinDisk disk;
  write_model(disk, "/d/model", model);
  return disk.get("/d/model");
}

inline Outcome outcome_of(const Training& training, FitEnd end) {
  const Fit& fit = training.fit();
  return {end, fit.best(), fit.best_epoch(), fit.steps(), fit.history(), file_of(training.result())};
}

inline bool same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

inline ::testing::AssertionResult same(const Outcome& a, const Outcome& b) {
  if (a.end != b.end) return ::testing::AssertionFailure() << "they end for other reasons";
  if (a.best_epoch != b.best_epoch || a.steps != b.steps || a.history.size() != b.history.size()) {
    return ::testing::AssertionFailure()
           << "best epoch " << a.best_epoch << " and " << b.best_epoch << ", steps " << a.steps << " and "
           << b.steps << ", epochs " << a.history.size() << " and " << b.history.size();
  }
  for (std::size_t i = 0; i < a.history.size(); ++i) {
    const EpochReport& x = a.history[i];
    const EpochReport& y = b.history[i];
    const bool equal = x.epoch == y.epoch && x.loss == y.loss && same_number(x.valid_loss, y.valid_loss) &&
                       same_number(x.measure, y.measure) && x.rate == y.rate && x.best == y.best;
    if (!equal) {
      return ::testing::AssertionFailure() << "epoch " << i + 1 << ": loss " << x.loss << " and " << y.loss
                                           << ", valid " << x.valid_loss << " and " << y.valid_loss;
    }
  }
  if (!same_bits(a.best, b.best)) return ::testing::AssertionFailure() << "other weights";
  if (a.file != b.file) return ::testing::AssertionFailure() << "other files of the model";
  return ::testing::AssertionSuccess();
}

/// A training with threads of its own.
struct OwnTraining {
  OwnTraining(const data::EventStore& store, const TrainConfig& config, int threads = 1,
              const TrainedModel* init = nullptr)
      : pool(threads), training(store, config, pool, init) {}

  Outcome run(const Fit::Hooks& hooks = {}) {
    const FitEnd end = training.run(hooks);
    return outcome_of(training, end);
  }
  Fit& fit() { return training.fit(); }

  ThreadPool pool;
  Training training;
};

/// What a training of these says, "" if nothing.
inline std::string complaint_of(const data::EventStore& store, const TrainConfig& config,
                                const TrainedModel* init = nullptr) {
  return data::complaint([&] { OwnTraining(store, config, 1, init); });
}

}  // namespace t2v::testing
