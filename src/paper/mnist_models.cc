#include "paper/mnist_models.h"

namespace t2v::paper {
namespace {

constexpr int64_t kHidden = 128;
constexpr int64_t kBatch = 512;
constexpr int64_t kBestBatch = 128;
constexpr double kEventsOfAnImage = 69;
constexpr int64_t kTrainImages = 60000;
constexpr int64_t kTestImages = 10000;

/// How far each model really gets: time in units of 100 pixels from the corner of the image and the gaps, a
/// start of the weights and frequencies from the data, smaller batches, a rate that falls, two layers with
/// dropout between them (and as many parameters as one), decaying and averaged weights, and those that are
/// best on a tenth of the training images. Layers, dropout, decay and averaging were chosen on that tenth,
/// too: see docs/reproduction.md.
TrainConfig best_training() {
  TrainConfig config = paper_training();
  config.start = "data";
  config.omega_init = "span";
  config.time_input = "start,gap";
  config.rate = 3e-3;
  config.schedule = "cosine";
  config.clip = 1;
  config.layers = 2;
  config.dropout = 0.2;
  config.weight_decay = 0.3;
  config.average = 0.999;
  config.valid_share = 0.1;
  config.patience = 1'000'000;  // keeps the best weights, and never ends early
  return config;
}

TrainingSpec spec_of(const MnistModel& model, const Plan& plan) {
  const Sizes sizes = mnist_sizes(plan);
  const bool best = plan.protocol == Protocol::kBest;
  TrainingSpec spec;
  spec.home = "event-mnist";
  spec.model = model.model;
  spec.data.set = "mnist";
  spec.data.train = sizes.train;
  spec.data.test = sizes.test;
  spec.data.shift = !best && !model.no_shift;
  spec.data.unit_length = best ? 100 : 1;
  spec.data.made = plan.is_made("mnist");
  spec.train = best ? best_training() : paper_training();
  spec.train.task = "classify";
  spec.train.batch = best ? kBestBatch : kBatch;
  spec.train.hidden = kHidden;
  spec.train.time = model.time;
  spec.train.activation = model.activation;
  spec.own_start = !model.omega_init.empty();
  if (spec.own_start) spec.train.omega_init = model.omega_init;
  spec.train.freeze = model.freeze;
  spec.train.no_linear = model.no_linear;
  spec.like_raw_hidden = model.time == "raw" || model.hidden > 0 ? 0 : kHidden;
  if (model.hidden > 0) spec.train.hidden = model.hidden;
  spec.rescaled = model.time != "raw" && model.activation == "sin" && !model.freeze;
  return spec;
}

}  // namespace

Sizes mnist_sizes(const Plan& plan) {
  const bool best = plan.protocol == Protocol::kBest;  // ends sooner
  return plan.of({300, 100, 2, 2}, {15000, 5000, 8, 3}, best ? Sizes{0, 0, 30, 3} : Sizes{0, 0, 200, 5});
}

std::vector<Run> mnist_runs(const std::vector<MnistModel>& models, const Plan& plan) {
  const Sizes sizes = mnist_sizes(plan);
  const auto train = static_cast<double>(sizes.train > 0 ? sizes.train : kTrainImages);
  const auto test = static_cast<double>(sizes.test > 0 ? sizes.test : kTestImages);
  std::vector<Run> runs;
  for (int64_t seed = 1; seed <= sizes.seeds; ++seed) {
    for (const MnistModel& model : models) {
      runs.push_back(training_run(spec_of(model, plan), plan, sizes.epochs, static_cast<uint64_t>(seed),
                                  kEventsOfAnImage * train, kEventsOfAnImage * test));
    }
  }
  return runs;
}

}  // namespace t2v::paper
