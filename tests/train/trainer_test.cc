#include "train/trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "base/random.h"
#include "model/initialise.h"
#include "model/made_batch.h"
#include "t2v/error.h"

namespace t2v {
namespace {

using namespace testing;

ModelConfig config_with_everything(const std::string& cell) {
  ModelConfig config;
  config.event_types = 11;
  config.features = 2;
  config.times.resize(2);
  config.times[0].k = 9;
  config.times[0].l1 = 1e-3;
  config.times[1].k = 4;
  config.times[1].input = TimeInput::kGap;
  config.cell = cell;
  config.hidden = 67;  // parameters and gradients fill several blocks
  config.heads[0].classes = 5;
  return config;
}

constexpr uint64_t kSteps = 200;

/// The parameters after some steps on batches of changing size, with dropout, clipping and everything else.
nn::Parameters<float> trained(const ModelConfig& config, int threads) {
  const Model model(config);
  ThreadPool pool(threads);
  OptimizerConfig optimizer;
  optimizer.clip = 0.5;
  Trainer<float> trainer(model, nn::convert<float>(initialise(model, 3)), optimizer, pool, 9);
  for (uint64_t step = 0; step < kSteps; ++step) {
    Random random(step, 77);
    std::vector<int64_t> lengths(1 + random.below(300));
    for (int64_t& length : lengths) length = 1 + static_cast<int64_t>(random.below(6));
    const MadeBatch batch(lengths, config, step, step % 2 == 0);
    trainer.step(batch.view());
  }
  EXPECT_EQ(trainer.skipped(), 0);
  return trainer.parameters();
}

TEST(Trainer, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const ModelConfig& cell : all_cell_configs()) {
    ModelConfig config = config_with_everything(cell.cell);
    config.inner = cell.inner;
    const Model model(config);
    const nn::Parameters<float> one = trained(config, 1);
    for (const int threads : {2, 3, 4}) {
      const nn::Parameters<float> more = trained(config, threads);
      for (const nn::Tensor& tensor : model.layout().tensors()) {
        const std::size_t width = tensor.wide() ? sizeof(double) : sizeof(float);
        const void* a = tensor.wide() ? static_cast<const void*>(one.wide_data(tensor)) : one.data(tensor);
        const void* b = tensor.wide() ? static_cast<const void*>(more.wide_data(tensor)) : more.data(tensor);
        EXPECT_EQ(std::memcmp(a, b, width * static_cast<std::size_t>(tensor.size())), 0)
            << describe(config) << " " << threads << " threads: " << tensor.name;
      }
    }
    // A test of equal bits says nothing about parameters that never moved.
    const auto start = nn::convert<float>(initialise(model, 3));
    for (const nn::Tensor& tensor : model.layout().tensors()) {
      EXPECT_NE(values_of(one, tensor), values_of(start, tensor)) << tensor.name;
    }
  }
}

TEST(Trainer, LearnsToTellSequencesApartByTheirTimesAlone) {
  ModelConfig config;
  config.times = {nn::TimeEncoderConfig{}};
  config.times[0].k = 8;
  config.hidden = 16;
  MadeBatch batch(std::vector<int64_t>(60, 8), config, 1, false);
  for (std::size_t b = 0; b < batch.labels.size(); ++b) {  // class 1 has events every 1.5, class 0 every 1
    batch.labels[b] = static_cast<int32_t>(b % 2);
    for (std::size_t i = 0; i < 8; ++i)
      batch.times[0][b * 8 + i] = static_cast<double>(i) * (b % 2 == 0 ? 1 : 1.5);
  }
  const Model model(config);
  ThreadPool pool(2);
  OptimizerConfig adam;
  adam.learning_rate = 1e-2;
  Trainer<float> trainer(model, nn::convert<float>(initialise(model, 1)), adam, pool);
  double loss = 0;
  for (int step = 0; step < 60; ++step) loss = trainer.step(batch.view());
  EXPECT_LT(loss, 0.05);
}

struct Poisoned {
  ModelConfig config;
  Model model;
  ThreadPool pool{2};
  MadeBatch good;
  MadeBatch bad;
  Trainer<float> trainer;

  Poisoned()
      : config(config_with_everything("lstm")),
        model(config),
        good({3, 2, 4}, config, 1, false),
        bad(good),
        trainer(model, nn::convert<float>(initialise(model, 3)), {}, pool) {
    bad.features[3] = std::numeric_limits<float>::quiet_NaN();
  }
};

TEST(Trainer, DoesNotApplyAStepWhoseGradientIsNotFiniteButCountsIt) {
  Poisoned p;
  p.trainer.step(p.good.view());
  const nn::Parameters<float> before = p.trainer.parameters();
  EXPECT_FALSE(std::isfinite(p.trainer.step(p.bad.view())));
  EXPECT_EQ(p.trainer.skipped(), 1);
  for (const nn::Tensor& tensor : p.model.layout().tensors()) {
    EXPECT_EQ(values_of(p.trainer.parameters(), tensor), values_of(before, tensor)) << tensor.name;
  }
}

TEST(Trainer, DoesNotApplyAStepWhoseGradientAloneIsNotFinite) {
  ModelConfig config = config_with_everything("lstm");
  config.heads[0].kind = "mse";
  const Model model(config);
  MadeBatch far({3}, config, 1, false);
  far.values[0] = 3e38F;  // the square of the distance is a double, its slope too much for a float
  ThreadPool pool(1);
  const nn::Parameters<float> before = nn::convert<float>(initialise(model, 3));
  Trainer<float> trainer(model, before, {}, pool);
  EXPECT_TRUE(std::isfinite(trainer.step(far.view())));
  EXPECT_EQ(trainer.skipped(), 1);
  for (const nn::Tensor& tensor : model.layout().tensors()) {
    EXPECT_EQ(values_of(trainer.parameters(), tensor), values_of(before, tensor)) << tensor.name;
  }
}

TEST(Trainer, StopsAtTheThirdBadStepInARowAndNamesStepAndTensor) {
  Poisoned p;
  p.trainer.step(p.bad.view());
  p.trainer.step(p.bad.view());
  p.trainer.step(p.good.view());  // a good one in between: the count starts again
  p.trainer.step(p.bad.view());
  p.trainer.step(p.bad.view());
  try {
    p.trainer.step(p.bad.view());
    FAIL() << "three bad steps in a row went unnoticed";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("step 6: the gradient of 'time0.omega'"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(p.trainer.skipped(), 5);
}

TEST(Trainer, ReportsATimeThatCannotBeEncodedAtOnce) {
  Poisoned p;
  p.bad = p.good;
  p.bad.times[1][2] = INFINITY;
  EXPECT_THROW(p.trainer.step(p.bad.view()), Error);
  EXPECT_NO_THROW(p.trainer.step(p.good.view()));
}

}  // namespace
}  // namespace t2v
