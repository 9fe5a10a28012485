#include <algorithm>
#include <array>
#include <utility>

#include "base/named.h"
#include "bench/encode_work.h"
#include "bench/limits.h"
#include "bench/made_events.h"
#include "bench/model_work.h"
#include "bench/stream_work.h"
#include "bench/workload.h"

namespace t2v::bench {
namespace {

constexpr int64_t kSines = 64;
constexpr int64_t kShardRows = 64;  // of a product within a step
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
ModelWork time_lstm(std::string_view cell, int64_t batch, bool head) {
  const int64_t sequences = 5 * std::max<int64_t>(batch, 20);
  ModelWork work = next_types(made_badges(sequences, kManyTypes), 0, cell, 128, TimeInput::kGap);
  work.batch = batch;
  if (head) return work;
  work.task = Task::kForecast;
  work.model.heads[0].kind = "mse";
  return work;
}

/// All sequences equally long, as others like them.
ModelWork equal_lengths(const BenchConfig& config) {
  return digits(made_equal_pixels(12'800, 69), config, "t2v", 100);
}

using Config = const BenchConfig&;
using Made = std::unique_ptr<Workload>;

template <int64_t kHidden>
Made gates_limit(Config, ThreadPool& pool) {
  return matrix_limit(pool, kShardRows, kHidden, 4 * kHidden);
}

template <class Cell>
Made train_time_lstm(ThreadPool& pool, int64_t batch, bool head) {
  return training_work(time_lstm(Cell::kName, batch, head), pool);
}
struct Tlstm1 {
  static constexpr std::string_view kName = "tlstm1";
};
struct Tlstm3 {
  static constexpr std::string_view kName = "tlstm3";
};

constexpr auto kKinds = std::to_array<WorkloadKind>({
    {"encode", "Time2Vec of Unix times, k = 64", "phases", 0.6, false,
     [](Config c, ThreadPool& p) -> Made { return encode_work(c.times, kSines, p); },
     [](Config c, ThreadPool& p) -> Made { return copy_limit(p, encoded_bytes(c.times, kSines)); }},
    {"train-mnist-t2v", "training on Event-MNIST, LSTM + Time2Vec, k = 64, H = 100, batches of 512", "events",
     1.0, false,
     [](Config c, ThreadPool& p) -> Made { return training_work(digits(pixels(c), c, "t2v", 100), p); },
     gates_limit<100>},
    {"train-mnist-t", "training on Event-MNIST, LSTM + raw time, H = 128, batches of 512", "events", 0.8,
     false,
     [](Config c, ThreadPool& p) -> Made { return training_work(digits(pixels(c), c, "raw", 128), p); },
     gates_limit<128>},
    {"train-sof", "training on Stack Overflow's badges, LSTM + Time2Vec, k = 64, H = 103, batches of 128",
     "events", 0.75, false, [](Config c, ThreadPool& p) -> Made { return training_work(badge_work(c), p); },
     gates_limit<103>},
    {"train-tlstm1", "training TLSTM1 + Time2Vec, k = 64, H = 128, V = 5000, batches of 64", "events", 0.7,
     false, [](Config, ThreadPool& p) { return train_time_lstm<Tlstm1>(p, 64, true); }, gates_limit<128>},
    {"train-tlstm1-recurrence", "the same without the head", "events", 0.5, false,
     [](Config, ThreadPool& p) { return train_time_lstm<Tlstm1>(p, 64, false); }, gates_limit<128>},
    {"train-tlstm1-5", "the same with the head, batches of 5", "events", 0, false,
     [](Config, ThreadPool& p) { return train_time_lstm<Tlstm1>(p, 5, true); }, gates_limit<128>},
    {"train-tlstm3", "training TLSTM3 + Time2Vec, k = 64, H = 128, V = 5000, batches of 64", "events", 0.7,
     false, [](Config, ThreadPool& p) { return train_time_lstm<Tlstm3>(p, 64, true); }, gates_limit<128>},
    {"train-tlstm3-recurrence", "the same without the head", "events", 0.5, false,
     [](Config, ThreadPool& p) { return train_time_lstm<Tlstm3>(p, 64, false); }, gates_limit<128>},
    {"train-tlstm3-5", "the same with the head, batches of 5", "events", 0, false,
     [](Config, ThreadPool& p) { return train_time_lstm<Tlstm3>(p, 5, true); }, gates_limit<128>},
    {"predict-mnist", "predicting Event-MNIST, LSTM + Time2Vec, k = 64, H = 100", "events", 0.7, false,
     [](Config c, ThreadPool& p) -> Made { return prediction_work(digits(pixels(c), c, "t2v", 100), p); },
     gates_limit<100>},
    {"predict-equal", "the same on sequences of 69 events each", "events", 0.7, false,
     [](Config c, ThreadPool& p) -> Made { return prediction_work(equal_lengths(c), p); }, gates_limit<100>},
    {"predict-sof", "predicting Stack Overflow's badges, LSTM + Time2Vec, k = 64, H = 103", "events", 0.7,
     false, [](Config c, ThreadPool& p) -> Made { return prediction_work(badge_work(c), p); },
     gates_limit<103>},
    {"stream", "one event at a time, LSTM + Time2Vec, k = 64, H = 128, 22 types", "events", 1 / 1.5, true,
     [](Config, ThreadPool&) -> Made { return stream_work(stream_model()); },
     [](Config, ThreadPool&) -> Made { return read_limit(weight_bytes(stream_model())); }},
});

}  // namespace

std::span<const WorkloadKind> workloads() { return kKinds; }

const WorkloadKind& workload_named(std::string_view name) { return find_named(kKinds, name, "workload"); }

}  // namespace t2v::bench
