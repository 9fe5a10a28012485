#include "train/calibrate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "made_training.h"
#include "train/evaluation.h"

namespace t2v {
namespace {

using data::MadeEvents;
using data::says;
using testing::complaint_of;
using testing::OwnTraining;
using testing::store_of;
using testing::tiny_config;

TEST(BestTemperature, FindsByHowMuchOutputsAreTooSure) {
  Random random(7);
  for (const double wrong : {0.5, 1.0, 2.0}) {
    std::vector<float> outputs;
    std::vector<int32_t> labels;
    for (int i = 0; i < 4000; ++i) {
      const double z = 2 * random.normal();
      labels.push_back(random.uniform() < 1 / (1 + std::exp(-z)) ? 1 : 0);
      outputs.push_back(0);
      outputs.push_back(static_cast<float>(wrong * z));
    }
    EXPECT_NEAR(best_temperature(outputs, labels, 2), wrong, 0.1 * wrong);
  }
}

TEST(BestTemperature, StaysNearOneWhereLittleIsKnown) {
  const std::vector<float> outputs = {0, 3};
  EXPECT_NEAR(best_temperature(outputs, std::vector<int32_t>{0}, 2), 1, 0.35);
}

/// A long table: of each patient, at some times, two measurements whose values differ in scale by 10^6. One
/// in eight is ill: then the pressure is high once, which the end of the sequence does not show.
data::Events patients(int64_t count, uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<int64_t>> ticks(static_cast<std::size_t>(count));
  std::vector<std::string> types;
  std::vector<double> values;
  std::vector<std::string> labels;
  for (auto& sequence : ticks) {
    const bool ill = random.uniform() < 0.125;
    const uint64_t high = random.below(6);
    for (uint64_t i = 0; i < 8; ++i) {
      const auto tick = static_cast<int64_t>(10 * i + random.below(5));
      sequence.insert(sequence.end(), {tick, tick});
      types.insert(types.end(), {"cells", "pressure"});
      const double more = ill && i == high ? 3 : 0;
      values.insert(values.end(), {1e6 * (5 + random.normal()), more + random.normal()});
    }
    labels.emplace_back(ill ? "ill" : "well");
  }
  return MadeEvents(ticks).types(types).value(values).label(labels).events();
}

TrainConfig long_config() {
  TrainConfig config = tiny_config("classify");
  config.hidden = 8;
  config.batch = 32;
  config.epochs = 25;
  config.epoch_steps = 10;
  return config;
}

Evaluation measured(const TrainedModel& model, data::Events events) {
  fit_to_model(events, model);
  std::vector<data::Piece> pieces;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    pieces.push_back({s, events.begin(s), events.end(s), events.begin(s)});
  }
  ThreadPool pool(1);
  return evaluate(model, Model(model.config), model.baselines, events, pieces, {}, pool);
}

TEST(LongTable, IsLearnedFromItsValuesAndTheRareClassIsPredicted) {
  OwnTraining training(store_of(patients(500, 1)), long_config());
  training.run();
  const TrainedModel model = training.training.result();
  EXPECT_TRUE(model.encoding.together);
  EXPECT_TRUE(model.encoding.typed_values);
  ASSERT_TRUE(model.threshold);
  const Evaluation evaluation = measured(model, patients(400, 2));
  const MeasureTable& table = evaluation.table("classes");
  EXPECT_GT(table.at("model", "AUC"), 0.75);
  EXPECT_LT(table.at("model", "log loss"), table.at("majority class", "log loss"));
  EXPECT_GT(table.at("model", "macro F1"), table.at("majority class", "macro F1") + 0.1);
  EXPECT_LT(table.at("model", "calibration error"), 0.1);
}

TEST(LongTable, IsTheSameInWhateverUnitItsValuesAre) {
  const auto weights_of = [](double unit) {
    data::Events events = patients(80, 1);
    std::vector<double> values(events.value->values.begin(), events.value->values.end());
    for (double& value : values) value *= unit;
    events.value->values = values;
    TrainConfig config = long_config();
    config.epochs = 1;
    OwnTraining training(store_of(events), config);
    training.run();
    return training.fit().best();
  };
  EXPECT_TRUE(testing::same_bits(weights_of(1), weights_of(0.25)));
}

TEST(LongTable, LeavesProbabilitiesAndThresholdAloneIfAskedTo) {
  TrainConfig config = long_config();
  config.epochs = 1;
  config.no_calibrate = true;
  OwnTraining training(store_of(patients(200, 1)), config);
  training.run();
  const TrainedModel model = training.training.result();
  EXPECT_FALSE(model.threshold);
  EXPECT_TRUE(testing::same_bits(model.parameters, training.fit().best()));
}

TEST(LongTable, WithAClassOfOneMemberOrOneTimeOrOneTypeIsLearnedSoundly) {
  data::Events rare = patients(60, 3);
  std::vector<int32_t> codes(60, 0);
  codes[7] = 1;
  rare.label->codes = codes;
  data::Events one_time = patients(60, 3);
  const std::vector<int64_t> ticks(static_cast<std::size_t>(one_time.size()), 5);
  one_time.ticks = ticks;
  one_time.grid = 0;
  data::Events one_type = patients(60, 3);
  const std::vector<int32_t> same(static_cast<std::size_t>(one_type.size()), 0);
  one_type.event->codes = same;
  for (const data::Events& events : {rare, one_time, one_type}) {
    OwnTraining training(store_of(events), long_config());
    training.run();
    const TrainedModel model = training.training.result();
    const MeasureTable table = measured(model, events).table("classes");
    EXPECT_TRUE(std::isfinite(table.at("model", "log loss")));
  }
}

TEST(LongTable, SaysWhyEventsCannotBeTakenTogether) {
  TrainConfig config = long_config();
  config.together = "yes";
  config.typed_values = "no";
  EXPECT_TRUE(says(complaint_of(store_of(patients(60, 1)), config),
                   "`together` yes cannot be: the values are not scaled by type"));
  config = tiny_config("next");
  config.together = "yes";
  EXPECT_TRUE(says(complaint_of(store_of(patients(60, 1)), config), "each event is predicted"));
  config.together = "auto";
  config.typed_values = "yes";
  EXPECT_TRUE(says(complaint_of(store_of(patients(60, 1)), config), "`typed_values` yes cannot be"));
}

}  // namespace
}  // namespace t2v
