#include "paper/toy.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/fail.h"
#include "base/random.h"
#include "model/initialise.h"
#include "model/model.h"
#include "nn/frequency.h"
#include "train/trainer.h"

namespace t2v::paper {
namespace {

using std::numbers::pi;

constexpr int64_t kDays = 365;
constexpr int64_t kTrainDays = 273;
constexpr int64_t kPeriod = 7;
/// How near a frequency must come to a harmonic, in rad a day: half the width of a peak over the training
/// days.
constexpr double kNear = 0.01;
constexpr double kRate = 1e-3;  // of Adam

// Random streams of a run, beside those of the model's tensors.
constexpr uint64_t kNoiseStream = 1001;
constexpr uint64_t kShuffleStream = 1002;

/// Days as sequences of one event each.
struct Days {
  std::vector<int64_t> offsets{0};
  std::vector<double> times;
  std::vector<int32_t> labels;

  void add(double time, int32_t label) {
    times.push_back(time);
    labels.push_back(label);
    offsets.push_back(static_cast<int64_t>(times.size()));
  }
  void resize(std::size_t n) {
    times.resize(n);
    labels.resize(n);
    offsets.resize(n + 1);
    std::iota(offsets.begin(), offsets.end(), 0);
  }
  SequenceBatch batch() const { return {.offsets = offsets, .times = {times}, .labels = labels}; }
};

struct ToyData {
  Days train;
  Days test;
};

ToyData make_data(const ToyConfig& config, uint64_t seed) {
  ToyData data;
  for (int64_t day = 1; day <= kDays; ++day) {
    Days& part = day <= kTrainDays ? data.train : data.test;
    part.add(static_cast<double>(day), day % kPeriod == 0 ? 1 : 0);
  }
  std::vector<int64_t> order(static_cast<std::size_t>(kTrainDays));
  std::iota(order.begin(), order.end(), 0);
  Random(seed, kNoiseStream).shuffle(order);
  const auto flips = std::llround(config.noise * static_cast<double>(kTrainDays));
  for (std::size_t i = 0; i < static_cast<std::size_t>(flips); ++i) {
    int32_t& label = data.train.labels[static_cast<std::size_t>(order[i])];
    label = 1 - label;
  }
  return data;
}

ModelConfig model_config(const ToyConfig& toy) {
  nn::TimeEncoderConfig time;
  time.k = toy.sines;
  time.activation = toy.activation;
  time.start = toy.start;
  ModelConfig config;
  config.times = {time};
  config.cell = "none";
  config.heads[0].kind = "logistic";
  return config;
}

double accuracy(const Model& model, const nn::Parameters<float>& parameters, const Days& days,
                Workspace<float>& work, ThreadPool& pool) {
  std::vector<float> probabilities(days.labels.size() * 2);
  model.predict(probabilities, 0, parameters, days.batch(), work, pool);
  int64_t right = 0;
  for (std::size_t i = 0; i < days.labels.size(); ++i) {
    right += (probabilities[2 * i + 1] > 0.5F) == (days.labels[i] == 1) ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(days.labels.size());
}

/// One pass over the training days in a new order.
void run_epoch(Trainer<float>& trainer, const Days& train, int64_t batch_size, std::vector<int64_t>& order,
               Days& batch, Random& random) {
  random.shuffle(order);
  for (std::size_t begin = 0; begin < order.size(); begin += static_cast<std::size_t>(batch_size)) {
    const std::size_t n = std::min(static_cast<std::size_t>(batch_size), order.size() - begin);
    batch.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto day = static_cast<std::size_t>(order[begin + i]);
      batch.times[i] = train.times[day];
      batch.labels[i] = train.labels[day];
    }
    trainer.step(batch.batch());
  }
}

nn::Parameters<float> train(const Model& model, nn::Parameters<float> start, const ToyConfig& config,
                            const Days& days, uint64_t seed, ThreadPool& pool) {
  OptimizerConfig adam;
  adam.learning_rate = kRate;
  Trainer<float> trainer(model, std::move(start), adam, pool);
  Random random(seed, kShuffleStream);
  std::vector<int64_t> order(days.labels.size());
  std::iota(order.begin(), order.end(), 0);
  Days batch;
  for (int64_t epoch = 0; epoch < config.epochs; ++epoch) {
    run_epoch(trainer, days, config.batch, order, batch, random);
  }
  return trainer.parameters();
}

int harmonic_of(double omega) {
  for (int n = 1; n <= kPeriod / 2; ++n) {
    if (std::abs(omega - n * 2 * pi / kPeriod) < kNear) return n;
  }
  return 0;
}

std::vector<ToyTerm> terms_of(const Model& model, const nn::Parameters<float>& parameters) {
  const nn::TimeEncoder& encoder = model.times().encoders()[0];
  const nn::Layout& layout = model.layout();
  const float* weights = parameters.data(layout[model.time_weights()[0].tensor]);
  const double* omega = parameters.wide_data(layout[encoder.omega()]);
  const double* phi = parameters.wide_data(layout[encoder.phi()]);
  std::vector<ToyTerm> terms;
  for (int64_t i = encoder.first_periodic(); i < encoder.width(); ++i) {
    const auto weight = static_cast<double>(weights[i]);
    const nn::Folded folded = nn::fold(omega[i], phi[i], weight, 1);
    terms.push_back({folded.omega, folded.phi, std::abs(weight), harmonic_of(folded.omega)});
  }
  return terms;
}

}  // namespace

double toy_majority() {
  const ToyData data = make_data({}, 0);
  const auto ones = std::accumulate(data.test.labels.begin(), data.test.labels.end(), 0.0);
  return 1 - ones / static_cast<double>(data.test.labels.size());
}

ToyRun run_toy(const ToyConfig& config, uint64_t seed) {
  const ToyData data = make_data(config, seed);
  const Model model(model_config(config));
  ThreadPool alone(1);
  Workspace<float> work;
  const nn::TimeScale scale = nn::time_scale_of_labels(data.train.batch(), TimeInput::kStart, 2);
  const auto start = nn::convert<float>(initialise(model, seed, {}, std::span(&scale, 1)));
  const auto parameters = train(model, start, config, data.train, seed, alone);
  ToyRun run{};
  run.train_accuracy = accuracy(model, parameters, data.train, work, alone);
  run.test_accuracy = accuracy(model, parameters, data.test, work, alone);
  run.start = terms_of(model, start);
  run.learned = terms_of(model, parameters);
  run.main = *std::ranges::max_element(run.learned, {}, &ToyTerm::weight);
  return run;
}

}  // namespace t2v::paper
