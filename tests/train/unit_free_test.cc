#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "data/duration.h"
#include "made_training.h"

// Training does not depend on the unit of time.
namespace t2v {
namespace {

using namespace testing;

/// The sequences of made_sequences as dates, so far apart that the longest spans about so many seconds.
data::EventStore dates(double span) {
  data::Events events = made_sequences(16);
  int64_t longest = 0;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    longest = std::max(longest, events.tick(events.end(s) - 1) - events.tick(events.begin(s)));
  }
  const auto step = static_cast<int64_t>(span / static_cast<double>(longest) * 1e9);
  auto ticks = std::make_shared<std::vector<int64_t>>(events.ticks.begin(), events.ticks.end());
  for (int64_t& tick : *ticks) tick *= step;
  events.ticks = *ticks;
  events.owner = std::make_shared<std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(
      events.owner, ticks);
  events.scale = {.instants = true, .decimals = 9};
  events.grid *= step;
  return store_of(std::move(events));
}

TrainConfig config_of(const std::string& task) {
  TrainConfig config = tiny_config(task);
  config.time = "t2v:3";
  config.omega_init = "auto";
  config.l1 = 0.001;
  config.average = 0.9;
  config.epochs = 20;
  return config;
}

/// The losses of the last epoch, without what the unit of a density adds to them.
std::vector<double> losses(data::EventStore store, const TrainConfig& config, const data::UnitOfTime& unit) {
  data::set_unit(store.events, unit.name);
  ThreadPool pool(1);
  Training training(store, config, pool);
  training.run({});
  const EpochReport& last = training.fit().history().back();
  const double density = config.when ? std::log(static_cast<double>(unit.nanoseconds)) : 0;
  return {last.loss + density, last.valid_loss + density};
}

void expect_same_in_all_units(const data::EventStore& store, const TrainConfig& config,
                              const std::string& what) {
  const std::vector<double> in_seconds = losses(store, config, data::kModelUnits[0]);
  for (const data::UnitOfTime& unit : data::kModelUnits) {
    const std::vector<double> in_unit = losses(store, config, unit);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(in_unit[i], in_seconds[i], 1e-3 * std::abs(in_seconds[i])) << what << " in " << unit.name;
    }
  }
}

constexpr const char* kTasks[] = {"classify", "next", "recommend", "regress", "forecast"};

TEST(UnitOfTime, DoesNotChangeTheLossesOfAnyTaskOverAnySpan) {
  for (const double span : {1e3, 1e6, 1e9}) {
    const data::EventStore store = dates(span);
    for (const char* task : kTasks) {
      expect_same_in_all_units(store, config_of(task), std::string(task) + " over " + std::to_string(span));
    }
  }
}

TEST(UnitOfTime, DoesNotChangeTheLossesOfAnyCell) {
  const data::EventStore store = dates(1e6);
  for (const char* cell : {"none", "peephole", "tlstm1", "tlstm2", "tlstm3", "gru", "phased"}) {
    TrainConfig config = config_of("next");
    config.cell = cell;
    expect_same_in_all_units(store, config, cell);
  }
}

TEST(UnitOfTime, DoesNotChangeTheLossesHoweverTimesAreSeenAndStepsAreTaken) {
  const data::EventStore store = dates(1e6);
  const std::pair<const char*, std::function<void(TrainConfig&)>> kWays[] = {
      {"raw", [](TrainConfig& config) { config.time = "raw"; }},
      {"log", [](TrainConfig& config) { config.time = "log"; }},
      {"raw in time gates", [](TrainConfig& config) { config.time = "raw", config.cell = "tlstm3"; }},
      {"one origin", [](TrainConfig& config) { config.time_input = "start"; }},
      {"sgd", [](TrainConfig& config) { config.optimizer = "sgd"; }},
      {"adagrad", [](TrainConfig& config) { config.optimizer = "adagrad"; }},
      {"clip", [](TrainConfig& config) { config.clip = 0.01; }},
      {"decay", [](TrainConfig& config) { config.weight_decay = 0.1; }},
      {"penalty", [](TrainConfig& config) { config.l1 = 0.1; }},
      {"periodogram", [](TrainConfig& config) { config.omega_init = "periodogram"; }},
      {"freeze", [](TrainConfig& config) { config.freeze = true; }},
      {"query", [](TrainConfig& config) { config.query_time = true; }},
      {"when", [](TrainConfig& config) { config.when = true; }},
  };
  for (const auto& [name, change] : kWays) {
    TrainConfig config = config_of("next");
    config.l1 = 0;
    change(config);
    expect_same_in_all_units(store, config, name);
  }
}

TEST(UnitOfTime, MattersWhereTimesAreUsedAsTheyAre) {
  const data::EventStore store = dates(1e6);
  TrainConfig config = config_of("next");
  config.time_scale = "unit";
  const double in_seconds = losses(store, config, data::kModelUnits[0])[0];
  const double in_weeks = losses(store, config, data::kModelUnits[4])[0];
  EXPECT_GT(std::abs(in_weeks - in_seconds), 1e-2 * in_seconds);
}

TEST(UnitOfTime, OriginFarFromTheDataDoesNotMoveTheSteps) {
  data::EventStore near = dates(1e6);
  data::set_unit(near.events, "d");
  data::EventStore far = near;
  data::set_origin(near.events, data::OriginKind::kDataSet);
  data::set_origin(far.events, data::OriginKind::kInstant,
                   near.events.view.origin_tick - 1'700'000'000'000'000'000);
  TrainConfig config = config_of("regress");
  config.time_input = "start";
  ThreadPool pool(1);
  double loss[2];
  for (const bool is_far : {false, true}) {
    Training training(is_far ? far : near, config, pool);
    training.run({});
    loss[is_far ? 1 : 0] = training.fit().history().back().loss;
  }
  EXPECT_NEAR(loss[1], loss[0], 1e-3 * loss[0]);
}

}  // namespace
}  // namespace t2v
