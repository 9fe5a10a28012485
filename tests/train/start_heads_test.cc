#include "train/start_heads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "data/made_events.h"
#include "made_training.h"

namespace t2v {
namespace {

using testing::OwnTraining;
using testing::store_of;
using testing::tiny_config;

/// 2 t + 5 at the times 0, 1, 3, 4, 6, 7, ...
data::EventStore line() {
  std::vector<int64_t> ticks;
  std::vector<double> values;
  for (int64_t i = 0; i < 40; ++i) {
    ticks.push_back(3 * (i / 2) + i % 2);
    values.push_back(2 * static_cast<double>(ticks.back()) + 5);
  }
  data::EventStore store = store_of(data::MadeEvents({ticks}).value(values).events());
  data::set_origin(store.events, data::OriginKind::kDataSet);
  return store;
}

/// The largest error of the starting weights on the training data, in deviations of the values.
double error_of_start(const TrainConfig& config) {
  OwnTraining own(line(), config);
  const Training& training = own.training;
  data::BatchConfig batches = training.description().batches(true);
  data::Batches all(training.events(), training.split().train, training.description().encoding, batches);
  const data::Batch& batch = all.make(0);
  std::vector<float> outputs(static_cast<std::size_t>(batch.view().event_count()));
  Workspace<float> work;
  training.model().outputs_of<float>(outputs, 0, training.fit().best(), batch.view(), work, own.pool);
  double worst = 0;
  for (std::size_t e = 0; e < outputs.size(); ++e) {
    const double value = batch.view().values[e];
    if (std::isfinite(value)) worst = std::max(worst, std::abs(outputs[e] - value));
  }
  return worst;
}

TEST(StartHeads, ValuesOverTimeStartFromTheirStraightLine) {
  for (const char* task : {"forecast", "regress"}) {
    TrainConfig config = tiny_config(task);
    config.cell = "none";
    for (const uint64_t seed : {1, 2, 3}) {
      config.seed = seed;
      EXPECT_LT(error_of_start(config), 1e-5) << task << ", seed " << seed;
    }
    config.no_linear = true;
    EXPECT_GT(error_of_start(config), 0.5) << task;
  }
}

TEST(StartHeads, NothingGoesStraightFromTimesToClassesAtTheStart) {
  OwnTraining own(testing::types_alone(), tiny_config("next"));
  const Model& model = own.training.model();
  ASSERT_GE(model.straight(), 0);
  const nn::Input& straight = model.inputs()[static_cast<std::size_t>(model.straight())];
  ASSERT_FALSE(straight.time_weights().empty());
  for (const int id : straight.time_weights()) {
    const nn::Tensor& tensor = model.layout()[id];
    const float* weights = own.training.fit().best().data(tensor);
    for (int64_t i = 0; i < tensor.size(); ++i) EXPECT_EQ(weights[i], 0) << tensor.name;
  }
}

}  // namespace
}  // namespace t2v
