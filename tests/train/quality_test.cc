// What training with the defaults must reach on made data of known law.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "base/random.h"
#include "data/event_table.h"
#include "data/events.h"
#include "data/splits.h"
#include "train/evaluation.h"
#include "train/training.h"

namespace t2v {
namespace {

constexpr int kDecimals = 6;

int64_t tick_of(double time) { return std::llround(time * std::pow(10.0, kDecimals)); }

data::Events grouped(data::EventTable&& table) {
  table.scale = {false, kDecimals};
  data::GroupCounts counts;
  return data::group(std::move(table), data::Order::kSort, counts);
}

/// 3 sin(2π t / 7) + t / 20 + noise of deviation 0.1, at times drawn over 200 days.
data::Events sine_and_trend(uint64_t draw) {
  data::EventTable table;
  table.ids.add("one");
  table.value = data::Numbers{"y", {}};
  Random random(draw);
  for (int i = 0; i < 800; ++i) {
    const double t = random.uniform(0, 200);
    table.sequence.push_back(0);
    table.ticks.push_back(tick_of(t));
    table.value->values.push_back(3 * std::sin(2 * std::numbers::pi * t / 7 + 0.3) + t / 20 +
                                  0.1 * random.normal());
  }
  return grouped(std::move(table));
}

nlohmann::json forecast_of(uint64_t draw, uint64_t seed) {
  data::EventStore store;
  store.events = sine_and_trend(draw);
  data::set_origin(store.events, data::OriginKind::kDataSet);
  data::SplitConfig split;
  split.kind = "time";
  split.test = 0.25;
  data::SplitCounts counts;
  store.split = data::make_split(store.events, split, counts);
  TrainConfig config;
  config.seed = seed;
  ThreadPool pool(2);
  Training training(store, config, pool);
  EXPECT_EQ(training.description().task, Task::kForecast);
  training.run({});
  const TrainedModel model = training.result();
  return to_json(evaluate(model, training.model(), model.baselines, training.events(), store.split->test, {},
                          pool))["values"];
}

TEST(TrainingQuality, ForecastsASineAndATrendBeyondTheTrainingRangeWhateverTheSeed) {
  for (const uint64_t draw : {1, 2, 3}) {
    for (const uint64_t seed : {1, 2}) {
      const nlohmann::json measured = forecast_of(draw, seed);
      SCOPED_TRACE(fmt::format("draw {}, seed {}: {}", draw, seed, measured.dump(1)));
      EXPECT_LE(measured["model"]["variance_left"].get<double>(), 0.02);
      EXPECT_GT(measured["baselines"]["last_value"]["variance_left"].get<double>(), 0.04);
    }
  }
}

struct LogNormal {
  double mu;
  double sigma;
};
constexpr LogNormal kShort{-1, 0.3};
constexpr LogNormal kLong{1.5, 0.5};
constexpr double kShortShare = 0.6;

double draw_gap(Random& random) {
  const LogNormal& law = random.uniform() < kShortShare ? kShort : kLong;
  return std::exp(law.mu + law.sigma * random.normal());
}

double density(double gap, const LogNormal& law) {
  const double z = (std::log(gap) - law.mu) / law.sigma;
  return std::exp(-z * z / 2) / (gap * law.sigma * std::sqrt(2 * std::numbers::pi));
}

TEST(TrainingQuality, SaysWhenTheNextEventComesNearlyAsWellAsTheLawItself) {
  data::EventTable table;
  table.event = data::Categories{"event", {}, {}};
  table.event->names.add("x");
  Random random(2);
  for (int32_t s = 0; s < 1000; ++s) {
    table.ids.add(std::to_string(s));
    double t = 0;
    for (int i = 0; i < 50; ++i, t += draw_gap(random)) {
      table.sequence.push_back(s);
      table.ticks.push_back(tick_of(t));
      table.event->codes.push_back(0);
    }
  }
  data::EventStore store;
  store.events = grouped(std::move(table));
  data::SplitConfig split;
  split.test = 0.5;
  data::SplitCounts counts;
  store.split = data::make_split(store.events, split, counts);
  TrainConfig config;
  config.when = true;
  config.hidden = 16;
  ThreadPool pool(2);
  Training training(store, config, pool);
  training.run({});
  const TrainedModel model = training.result();
  const Evaluation evaluation =
      evaluate(model, training.model(), model.baselines, training.events(), store.split->test, {}, pool);
  // The entropy of the law on the very gaps that are tested, so that their chance does not matter.
  double entropy = 0;
  int64_t gaps = 0;
  for (const data::Piece& piece : store.split->test) {
    for (int64_t e = piece.begin + 1; e < piece.end; ++e, ++gaps) {
      const double gap = store.events.view.at(store.events.tick(e), store.events.tick(e - 1));
      entropy -= std::log(kShortShare * density(gap, kShort) + (1 - kShortShare) * density(gap, kLong));
    }
  }
  entropy /= static_cast<double>(gaps);
  const nlohmann::json measured = to_json(evaluation)["gaps"];
  EXPECT_NEAR(measured["model"]["nll"].get<double>(), entropy, 0.02 * entropy) << measured.dump(1);
}

}  // namespace
}  // namespace t2v
