#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "comm/thread_ranks.h"
#include "made_training.h"
#include "model/made_batch.h"
#include "train/evaluation.h"
#include "train/rank_gradient.h"

// Several ranks, as threads, do what one process does, to the same bits.
namespace t2v {
namespace {

using comm::Communicator;
using comm::run_ranks;
using testing::made_sequences;
using testing::MadeBatch;
using testing::Outcome;
using testing::OwnTraining;
using testing::same_bits;
using testing::store_of;
using testing::tiny_config;
using testing::types_alone;
using Texts = std::vector<std::string>;

Texts fine(int ranks) { return Texts(static_cast<std::size_t>(ranks)); }

/// Sequences of many lengths: some shards' worth.
MadeBatch large_batch(const ModelConfig& config, int64_t sequences) {
  std::vector<int64_t> lengths;
  for (int64_t i = 0; i < sequences; ++i) lengths.push_back(1 + i * 7 % 5);
  lengths[0] = 3;
  return {lengths, config, 5, true};
}

ModelConfig config_of(const std::string& cell) {
  ModelConfig config;
  config.cell = cell;
  config.event_types = 40;
  config.features = 1;
  config.hidden = 6;
  config.layers = 2;
  config.dropout = 0.3;
  config.times.resize(1);
  config.times[0].k = 3;
  config.times[0].l1 = 0.01;
  config.heads.resize(2);
  config.heads[0].each_step = true;
  config.heads[0].classes = 3;
  config.heads[0].class_weights = {0.3, 1, 0.7};
  config.heads[1].kind = "mse";
  config.heads[1].each_step = true;
  return config;
}

/// The gradients of two batches one after another, since the first leaves things behind.
void expect_same_gradient(const std::string& cell, int64_t sequences) {
  const Model model(config_of(cell));
  const auto parameters = nn::convert<float>(testing::made_parameters(model, 3));
  const MadeBatch batches[] = {large_batch(model.config(), sequences),
                               large_batch(model.config(), sequences / 2 + 1)};
  for (int size = 2; size <= 5; ++size) {
    const Texts ends = run_ranks(size, [&](Communicator& ranks) {
      ThreadPool pool(1 + ranks.rank() % 2);
      Workspace<float> alone;
      Workspace<float> shared;
      RankGradient<float> ranked(model, ranks);
      for (const MadeBatch& batch : batches) {
        alone.dropout_key = shared.dropout_key = 77;
        const double loss = model.gradient(parameters, batch.view(), alone, pool);
        EXPECT_EQ(ranked.gradient(parameters, batch.view(), shared, pool), loss);
        EXPECT_TRUE(same_bits(shared.gradient, alone.gradient))
            << cell << ", " << sequences << " sequences, rank " << ranks.rank() << " of " << ranks.size();
        EXPECT_EQ(shared.touched_rows, alone.touched_rows);
      }
    });
    EXPECT_EQ(ends, fine(size));
  }
}

TEST(RankGradient, HasTheBitsOfOneProcess) {
  for (const int64_t sequences : {10, 130, 500}) {  // fewer shards than ranks; some; many
    expect_same_gradient("lstm", sequences);
    expect_same_gradient("gru", sequences);
  }
}

TEST(RankGradient, IsOfAModelWithoutACellToo) { expect_same_gradient("none", 200); }

TEST(RankGradient, DoesNotLookAtWhatOtherRanksHave) {
  const Model model(config_of("lstm"));
  const auto parameters = nn::convert<float>(testing::made_parameters(model, 3));
  const MadeBatch whole = large_batch(model.config(), 200);
  ThreadPool pool(1);
  Workspace<float> alone;
  const double loss = model.gradient(parameters, whole.view(), alone, pool);
  const Texts ends = run_ranks(3, [&](Communicator& ranks) {
    RankGradient<float> ranked(model, ranks);
    MadeBatch mine = whole;
    const std::vector<bool> in = in_share(whole.offsets, ranked.share());
    for (std::size_t b = 0; b < in.size(); ++b) {
      if (in[b]) continue;
      for (auto e = static_cast<std::size_t>(whole.offsets[b]);
           e < static_cast<std::size_t>(whole.offsets[b + 1]); ++e) {
        mine.events[e] = 1'000'000;
        mine.next_events[e] = 1'000'000;
        mine.values[e] = 1e30F;
      }
    }
    ThreadPool own(1);
    Workspace<float> work;
    EXPECT_EQ(ranked.gradient(parameters, mine.view(), work, own), loss);
    EXPECT_TRUE(same_bits(work.gradient, alone.gradient));
  });
  EXPECT_EQ(ends, fine(3));
}

/// What comes of a training on all ranks, which is checked to be the same on each.
Outcome outcome_on(int size, const data::EventStore& store, const TrainConfig& config) {
  std::vector<Outcome> outcomes(static_cast<std::size_t>(size));
  const Texts ends = run_ranks(size, [&](Communicator& ranks) {
    ThreadPool pool(1 + ranks.rank() % 2);
    Training training(store, config, pool, nullptr, ranks);
    training.check_same_on_all_ranks();
    const FitEnd end = training.run({});
    outcomes[static_cast<std::size_t>(ranks.rank())] = testing::outcome_of(training, end);
  });
  EXPECT_EQ(ends, fine(size));
  for (const Outcome& outcome : outcomes) EXPECT_TRUE(testing::same(outcome, outcomes[0]));
  return outcomes[0];
}

TEST(Ranks, TrainToTheBitsOfOneProcess) {
  for (const char* cell : {"lstm", "tlstm3"}) {
    const data::EventStore store = types_alone(300);
    TrainConfig config = tiny_config();
    config.cell = cell;
    config.batch = 140;
    config.average = 0.5;
    config.no_rules = std::string(cell) == "lstm";
    config.layers = 2;
    config.dropout = 0.2;
    const Outcome alone = OwnTraining(store, config).run();
    for (const int size : {2, 3, 4})
      EXPECT_TRUE(testing::same(outcome_on(size, store, config), alone)) << size;
  }
}

TEST(Ranks, TrainOtherTasksToTheBitsOfOneProcess) {
  for (const char* task : {"classify", "regress", "forecast"}) {
    const data::EventStore store = store_of(made_sequences(150));
    TrainConfig config = tiny_config(task);
    config.batch = 100;
    if (config.task == "classify") config.class_weights = "balanced";
    const Outcome alone = OwnTraining(store, config).run();
    EXPECT_TRUE(testing::same(outcome_on(3, store, config), alone)) << task;
  }
}

TEST(Ranks, GoOnFromTheCheckpointOfAnyNumberOfThem) {
  const data::EventStore store = types_alone(300);
  TrainConfig config = tiny_config();
  config.batch = 70;
  const Outcome whole = OwnTraining(store, config).run();
  const data::OwnFiles files;
  const std::string path = files.path("checkpoint");
  for (const int saving : {1, 2, 3}) {
    for (const int going_on : {1, 2, 3}) {
      const Texts stopped = run_ranks(saving, [&](Communicator& ranks) {
        ThreadPool pool(1);
        Training training(store, config, pool, nullptr, ranks);
        int64_t steps = 0;
        // Only one of them wants to stop: all do.
        const bool stops = ranks.rank() == saving - 1;
        EXPECT_EQ(
            training.run({[&](const FitProgress&) { ++steps; }, {}, [&] { return stops && steps == 5; }}),
            FitEnd::kStopped);
        EXPECT_EQ(training.fit().steps(), 5);
        if (ranks.rank() == 0) training.save_checkpoint(FileSystem::real(), path);
      });
      EXPECT_EQ(stopped, fine(saving));
      const Texts ended = run_ranks(going_on, [&](Communicator& ranks) {
        ThreadPool pool(1);
        Training training(store, config, pool, nullptr, ranks);
        training.restore_checkpoint(path);
        training.check_same_on_all_ranks();
        const FitEnd end = training.run({});
        const Outcome outcome = testing::outcome_of(training, end);
        EXPECT_TRUE(testing::same(outcome, whole)) << saving << " ranks, then " << going_on;
      });
      EXPECT_EQ(ended, fine(going_on));
    }
  }
}

TEST(Ranks, EvaluateToTheNumbersOfOneProcess) {
  for (const char* task : {"next", "classify", "forecast"}) {
    const data::EventStore store = store_of(made_sequences(90));
    TrainConfig config = tiny_config(task);
    config.when = config.task == "next";
    OwnTraining own(store, config);
    own.run();
    const TrainedModel trained = own.training.result();
    const Model model(trained.config);
    EvaluationConfig how;
    how.batch = 16;
    const auto pieces = own.training.split().train;
    const std::string alone =
        to_json(evaluate(trained, model, trained.baselines, own.training.events(), pieces, how, own.pool))
            .dump();
    for (const int size : {2, 3, 7}) {
      const Texts ends = run_ranks(size, [&](Communicator& ranks) {
        ThreadPool pool(1);
        const Evaluation shared =
            evaluate(trained, model, trained.baselines, own.training.events(), pieces, how, pool, ranks);
        if (ranks.rank() == 0) {
          EXPECT_EQ(to_json(shared).dump(), alone) << task;
        }
      });
      EXPECT_EQ(ends, fine(size));
    }
  }
}

TEST(Ranks, RefuseToStartWithOtherDataOptionsOrWeights) {
  const data::EventStore store = types_alone(40);
  const auto ends_with = [&](const std::function<void(TrainConfig&)>& change, const data::EventStore& data) {
    return run_ranks(3, [&](Communicator& ranks) {
      TrainConfig config = tiny_config();
      const bool odd = ranks.rank() == 2;
      if (odd) change(config);
      ThreadPool pool(1);
      Training training(odd ? data : store, config, pool, nullptr, ranks);
      training.check_same_on_all_ranks();
    });
  };
  const auto same = [](TrainConfig&) {};
  EXPECT_EQ(ends_with(same, store), fine(3));
  const std::string first = "rank 2 of 3 has `hidden` 5, but rank 0 has 3; start all ranks with the same";
  EXPECT_EQ(ends_with([](TrainConfig& config) { config.hidden = 5; }, store), (Texts{first, first, first}));
  for (const std::string& end : ends_with(same, types_alone(41))) {
    EXPECT_TRUE(end.starts_with("rank 2 of 3 has the number of events ")) << end;
  }
  data::EventStore others = store;
  const auto changed =
      std::make_shared<std::vector<int64_t>>(store.events.ticks.begin(), store.events.ticks.end());
  ++changed->back();
  others.events.ticks = *changed;
  for (const std::string& end : ends_with(same, others)) {
    EXPECT_TRUE(end.starts_with("rank 2 of 3 has the data as they are split and encoded ")) << end;
  }
}

TEST(Ranks, NameOneThatIsLostInTheMidst) {
  const data::EventStore store = types_alone(200);
  TrainConfig config = tiny_config();
  config.batch = 70;
  for (const int64_t after : {0, 3, 11, 25}) {
    const Texts ends = run_ranks(3,
                                 [&](Communicator& ranks) {
                                   ThreadPool pool(1);
                                   Training training(store, config, pool, nullptr, ranks);
                                   training.check_same_on_all_ranks();
                                   training.run({});
                                 },
                                 0.05, {{1, after}});
    EXPECT_EQ(ends[1], "lost");
    for (const int rank : {0, 2}) {
      const std::string& end = ends[static_cast<std::size_t>(rank)];
      EXPECT_TRUE(end.starts_with("rank 1 of 3 is lost: ")) << after << ": " << end;
    }
  }
}

}  // namespace
}  // namespace t2v
