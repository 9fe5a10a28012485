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
constexpr double kActiveShare = 0.05;

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

ToyData make_data(const ToyVariant& variant, uint64_t seed) {
  ToyData data;
  for (int64_t day = 1; day <= kDays; ++day) {
    Days& part = day <= kTrainDays ? data.train : data.test;
    part.add(static_cast<double>(day) * variant.scale, day % kPeriod == 0 ? 1 : 0);
  }
  std::vector<int64_t> order(static_cast<std::size_t>(kTrainDays));
  std::iota(order.begin(), order.end(), 0);
  Random(seed, kNoiseStream).shuffle(order);
  const auto flips = std::llround(variant.noise * static_cast<double>(kTrainDays));
  for (std::size_t i = 0; i < static_cast<std::size_t>(flips); ++i) {
    int32_t& label = data.train.labels[static_cast<std::size_t>(order[i])];
    label = 1 - label;
  }
  return data;
}

ModelConfig model_config(const ToyVariant& variant, const ToyRecipe& recipe) {
  nn::TimeEncoderConfig time;
  time.k = variant.sines;
  time.activation = variant.activation;
  time.start = recipe.start;
  time.l1 = recipe.l1;
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

/// Trains and returns the parameters that the recipe keeps.
nn::Parameters<float> train(const Model& model, nn::Parameters<float> start, const ToyRecipe& recipe,
                            const Days& days, uint64_t seed, Workspace<float>& work, ThreadPool& pool) {
  OptimizerConfig adam;
  adam.learning_rate = recipe.learning_rate;
  adam.time_factor = recipe.time_factor;
  Trainer<float> trainer(model, std::move(start), adam, pool);
  Random random(seed, kShuffleStream);
  std::vector<int64_t> order(days.labels.size());
  std::iota(order.begin(), order.end(), 0);
  Days batch;
  nn::Parameters<float> best;
  double least = INFINITY;
  for (int64_t epoch = 0; epoch < recipe.epochs; ++epoch) {
    run_epoch(trainer, days, recipe.batch, order, batch, random);
    if (!recipe.keep_best) continue;
    const double loss = model.loss(trainer.parameters(), days.batch(), work, pool);
    if (loss < least) {
      least = loss;
      best = trainer.parameters();
    }
  }
  return recipe.keep_best ? std::move(best) : trainer.parameters();
}

int harmonic_of(double omega, double scale) {
  for (int n = 1; n <= kPeriod / 2; ++n) {
    if (std::abs(omega * scale - n * 2 * pi / kPeriod) < kNear) return n;
  }
  return 0;
}

std::vector<ToyTerm> terms_of(const Model& model, const nn::Parameters<float>& parameters, double scale) {
  const nn::TimeEncoder& encoder = model.times().encoders()[0];
  const nn::Layout& layout = model.layout();
  const float* weights = parameters.data(layout[model.time_weights()[0].tensor]);
  const double* omega = parameters.wide_data(layout[encoder.omega()]);
  const double* phi = parameters.wide_data(layout[encoder.phi()]);
  std::vector<ToyTerm> terms;
  for (int64_t i = encoder.first_periodic(); i < encoder.width(); ++i) {
    const auto weight = static_cast<double>(weights[i]);
    const nn::Folded folded = nn::fold(omega[i], phi[i], weight, scale);
    terms.push_back({folded.omega, folded.phi, std::abs(weight), harmonic_of(folded.omega, scale)});
  }
  return terms;
}

/// What the logistic function is taken of, for each day.
std::vector<double> sums_of(const Model& model, const nn::Parameters<float>& parameters, const Days& days,
                            Workspace<float>& work, ThreadPool& pool) {
  std::vector<float> sums(days.labels.size());
  model.outputs_of<float>(sums, 0, parameters, days.batch(), work, pool);
  return {sums.begin(), sums.end()};
}

}  // namespace

const std::vector<ToyVariant>& toy_variants() {
  using nn::Activation;
  static const std::vector<ToyVariant> kVariants = {
      {.name = "period 7"},
      {.name = "days x 2", .scale = 2},
      {.name = "5 % noise", .noise = 0.05},
      {.name = "4 sines", .sines = 4},
      {.name = "64 sines", .sines = 64},
      {.name = "sigmoid", .activation = Activation::kSigmoid},
      {.name = "tanh", .activation = Activation::kTanh},
      {.name = "relu", .activation = Activation::kRelu},
  };
  return kVariants;
}

const std::vector<ToyRecipe>& toy_recipes() {
  static const std::vector<ToyRecipe> kRecipes = {
      {"paper", "U(-1,1) start, Adam 1e-3, batches of 16, 20,000 epochs", nn::OmegaStart::kU11, 1e-3, 1, 0,
       16, 20000, false},
      {"paper-32", "the same with batches of 32, 10,000 epochs", nn::OmegaStart::kU11, 1e-3, 1, 0, 32, 10000,
       false},
      {"paper-1", "the same with one day a step, 2,000 epochs, weights of the least training loss",
       nn::OmegaStart::kU11, 1e-3, 1, 0, 1, 2000, true},
      {"ours",
       "periodogram start, L1 0.03, Adam 5e-3 (a fifth for the frequencies), batches of 32, 600 epochs",
       nn::OmegaStart::kPeriodogram, 5e-3, 0.2, 0.03, 32, 600, false},
  };
  return kRecipes;
}

double toy_majority() {
  const ToyData data = make_data({}, 0);
  const auto ones = std::accumulate(data.test.labels.begin(), data.test.labels.end(), 0.0);
  return 1 - ones / static_cast<double>(data.test.labels.size());
}

int64_t toy_test_days() { return static_cast<int64_t>(make_data({}, 0).test.labels.size()); }

ToyRun run_toy(const ToyVariant& variant, const ToyRecipe& recipe, uint64_t seed) {
  const ToyData data = make_data(variant, seed);
  const Model model(model_config(variant, recipe));
  ThreadPool alone(1);
  Workspace<float> work;
  const nn::TimeScale scale = nn::time_scale_of_labels(data.train.batch(), TimeInput::kStart, 2);
  const auto start = nn::convert<float>(initialise(model, seed, {}, std::span(&scale, 1)));
  const auto parameters = train(model, start, recipe, data.train, seed, work, alone);
  ToyRun run{};
  run.train_accuracy = accuracy(model, parameters, data.train, work, alone);
  run.test_accuracy = accuracy(model, parameters, data.test, work, alone);
  run.start = terms_of(model, start, variant.scale);
  run.learned = terms_of(model, parameters, variant.scale);
  run.main = *std::ranges::max_element(run.learned, {}, &ToyTerm::weight);
  run.active = std::ranges::count_if(
      run.learned, [&](const ToyTerm& term) { return term.weight >= kActiveShare * run.main.weight; });
  run.test_times = data.test.times;
  run.test_sums = sums_of(model, parameters, data.test, work, alone);
  return run;
}

}  // namespace t2v::paper
