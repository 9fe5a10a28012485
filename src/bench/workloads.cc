#include <algorithm>
#include <utility>
#include <vector>

#include "base/named.h"
#include "bench/encode_work.h"
#include "bench/head_work.h"
#include "bench/limits.h"
#include "bench/made_events.h"
#include "bench/model_work.h"
#include "bench/stream_work.h"
#include "bench/workload.h"
#include "nn/cell.h"

namespace t2v::bench {
namespace {

constexpr int64_t kSines = 64;
constexpr int64_t kHeadRows = 208;  // of a product of a head over 5,000 types
constexpr int64_t kManyTypes = 5000;

data::EventStore pixels(const BenchConfig& config) {
  return config.mnist.empty() ? made_pixels(12'800) : data::open_store(config.mnist);
}

data::EventStore badges(const BenchConfig& config) {
  return config.badges.empty() ? made_badges(6'000, 22) : data::open_store(config.badges);
}

/// Classes of sequences from times alone.
ModelWork digits(data::EventStore store, const BenchConfig& config, std::string_view encoder,
                 int64_t hidden) {
  ModelWork work{std::move(store), Task::kClassify, {}, "", 512, config.batches};
  work.model.times = {nn::TimeEncoderConfig{}};
  work.model.times[0].kind = encoder;
  work.model.times[0].k = kSines;
  work.model.hidden = hidden;
  return work;
}

/// The next type at each event.
ModelWork next_types(data::EventStore store, int64_t batches, std::string_view cell, int64_t hidden,
                     TimeInput input) {
  ModelWork work{std::move(store), Task::kNext, {}, "d", 128, batches};
  work.model.times = {nn::TimeEncoderConfig{}};
  work.model.times[0].k = kSines;
  work.model.times[0].input = input;
  work.model.cell = cell;
  work.model.hidden = hidden;
  work.model.heads[0].each_step = true;
  return work;
}

ModelWork badge_work(const BenchConfig& config) {
  return next_types(badges(config), config.batches, "lstm", 103, TimeInput::kStart);
}

/// A Time-LSTM on 5,000 types. Without the head over all of them it predicts a number: what is left is the
/// recurrence and the update of the rows of events.
ModelWork time_lstm(const BenchConfig& config, std::string_view cell, int64_t batch, bool head) {
  data::EventStore store = config.many.empty() ? made_badges(320, kManyTypes) : data::open_store(config.many);
  ModelWork work = next_types(std::move(store), config.batches, cell, 128, TimeInput::kGap);
  work.batch = batch;
  if (head) return work;
  work.task = Task::kForecast;
  work.model.heads[0].kind = "mse";
  return work;
}

/// All sequences equally long, as others like them.
ModelWork equal_lengths(const BenchConfig& config) {
  data::EventStore store = pixels(config);
  cut_to_equal(store, 69);
  return digits(std::move(store), config, "t2v", 100);
}

/// oneDNN on the shape of a step.
MakeWorkload gates_limit(int64_t hidden) {
  return [=](const BenchConfig&, ThreadPool& pool) {
    return matrix_limit(pool, kShardRows, hidden, 4 * hidden);
  };
}

using MakeWork = std::function<ModelWork(const BenchConfig& config)>;

WorkloadKind training(std::string name, std::string what, double goal, MakeWork make, int64_t hidden) {
  const auto work = [make = std::move(make)](const BenchConfig& config, ThreadPool& pool) {
    return training_work(make(config), pool);
  };
  return {std::move(name), "training: " + std::move(what), "events", goal, work, gates_limit(hidden)};
}

WorkloadKind prediction(std::string name, std::string what, MakeWork make, int64_t hidden) {
  const auto work = [make = std::move(make)](const BenchConfig& config, ThreadPool& pool) {
    return prediction_work(make(config), pool);
  };
  return {std::move(name), "predicting: " + std::move(what), "events", 0.7, work, gates_limit(hidden)};
}

WorkloadKind encoding() {
  return {"encode",
          "Time2Vec of Unix times, k = 64",
          "phases",
          0.6,
          [](const BenchConfig& config, ThreadPool& pool) { return encode_work(config.times, kSines, pool); },
          [](const BenchConfig& config, ThreadPool& pool) {
            return copy_limit(pool, std::min(encoded_bytes(config.times, kSines), kCopied));
          }};
}

WorkloadKind streaming() {
  return {"stream",
          "one event at a time: LSTM + Time2Vec, k = 64, H = 128, 22 types",
          "events",
          1 / 1.5,
          [](const BenchConfig&, ThreadPool&) { return stream_work(stream_model()); },
          [](const BenchConfig&, ThreadPool&) { return read_limit(weight_bytes(stream_model())); },
          true};
}

/// Time-LSTM on 5,000 types, as the paper has it: whole, without its head, and in batches of 5.
void add_time_lstm(std::vector<WorkloadKind>& all, const std::string& cell) {
  const auto work = [&](int64_t batch, bool head) {
    return [=](const BenchConfig& config) { return time_lstm(config, cell, batch, head); };
  };
  const std::string what = cell + " + Time2Vec, k = 64, H = 128, V = 5000, batches of ";
  all.push_back(training("train-" + cell, what + "64", 0, work(64, true), 128));
  all.push_back(
      training("train-" + cell + "-recurrence", what + "64, without the head", 0.5, work(64, false), 128));
  all.push_back(training("train-" + cell + "-5", what + "5", 0, work(5, true), 128));
}

/// The head over 5,000 types, which is the same in both.
WorkloadKind time_lstm_head() {
  return {
      "train-tlstm3-head",
      "training: the head of tlstm3 alone, H = 128, V = 5000, batches of 64",
      "events",
      0.8,
      [](const BenchConfig& config, ThreadPool& pool) {
        return head_work(time_lstm(config, "tlstm3", 64, true), time_lstm(config, "tlstm3", 64, false), pool);
      },
      [](const BenchConfig&, ThreadPool& pool) { return matrix_limit(pool, kHeadRows, 128, kManyTypes); }};
}

/// The same model with each cell.
void add_cells(std::vector<WorkloadKind>& all) {
  for (const nn::Cell& cell : nn::cells()) {
    if (cell.has_time_gates() && cell.inner != "sigmoid") continue;
    const auto work = [name = std::string(cell.name)](const BenchConfig& config) {
      ModelWork made = next_types(made_badges(640, 22), config.batches, name, 128, TimeInput::kGap);
      made.batch = 64;
      return made;
    };
    all.push_back(training("cell-" + std::string(cell.name),
                           std::string(cell.name) + " + Time2Vec, k = 64, H = 128, 22 types, batches of 64",
                           0.5, work, 128));
  }
}

std::vector<WorkloadKind> all_workloads() {
  const auto with_t2v = [](const BenchConfig& c) { return digits(pixels(c), c, "t2v", 100); };
  const auto with_raw = [](const BenchConfig& c) { return digits(pixels(c), c, "raw", 128); };
  std::vector<WorkloadKind> all;
  all.push_back(encoding());
  all.push_back(training("train-mnist-t2v", "Event-MNIST, LSTM + Time2Vec, k = 64, H = 100, batches of 512",
                         1, with_t2v, 100));
  all.push_back(
      training("train-mnist-t", "Event-MNIST, LSTM + raw time, H = 128, batches of 512", 0.8, with_raw, 128));
  all.push_back(training("train-sof", "Stack Overflow, LSTM + Time2Vec, k = 64, H = 103, batches of 128",
                         0.75, badge_work, 103));
  add_time_lstm(all, "tlstm1");
  add_time_lstm(all, "tlstm3");
  all.push_back(time_lstm_head());
  add_cells(all);
  all.push_back(prediction("predict-mnist", "Event-MNIST, LSTM + Time2Vec, k = 64, H = 100", with_t2v, 100));
  all.push_back(prediction("predict-equal", "the same, the first 69 events of each", equal_lengths, 100));
  all.push_back(prediction("predict-mnist-t", "Event-MNIST, LSTM + raw time, H = 128", with_raw, 128));
  all.push_back(
      prediction("predict-sof", "Stack Overflow, LSTM + Time2Vec, k = 64, H = 103", badge_work, 103));
  const auto with_gates = [](const BenchConfig& c) { return time_lstm(c, "tlstm3", 64, true); };
  all.push_back(
      prediction("predict-tlstm3", "tlstm3 + Time2Vec, k = 64, H = 128, V = 5000", with_gates, 128));
  all.push_back(streaming());
  return all;
}

}  // namespace

std::span<const WorkloadKind> workloads() {
  static const std::vector<WorkloadKind> kinds = all_workloads();
  return kinds;
}

const WorkloadKind& workload_named(std::string_view name) {
  return find_named(workloads(), name, "workload");
}

}  // namespace t2v::bench
