#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "base/container.h"
#include "base/container_writer.h"
#include "base/disks.h"
#include "made_training.h"

namespace t2v {
namespace {

using data::complaint;
using data::OwnFiles;
using data::says;
using testing::made_sequences;
using testing::Outcome;
using testing::OwnTraining;
using testing::same;
using testing::store_of;
using testing::tiny_config;
using testing::types_alone;
using Json = nlohmann::json;

/// One that cuts its rate and ends by itself, some epochs after its best one.
TrainConfig restless_config() {
  TrainConfig config = tiny_config();
  config.epochs = 30;
  config.rate = 0.2;
  config.patience = 2;
  config.rate_cuts = 1;
  config.seed = 2;
  return config;
}

/// Saves after every step, takes up each of the files in a new training, and compares the ends.
void expect_same_from_every_step(const data::EventStore& store, const TrainConfig& config) {
  const OwnFiles files;
  const Outcome whole = OwnTraining(store, config).run();
  ASSERT_GT(whole.history.size(), 2U);
  OwnTraining saving(store, config, 2);
  int64_t saved = 0;
  const auto path = [&](int64_t i) { return files.path(std::to_string(i)); };
  Fit::Hooks hooks;
  hooks.step = [&](const FitProgress&) {
    saving.training.save_checkpoint(FileSystem::real(), path(saved++));
  };
  EXPECT_TRUE(same(saving.run(hooks), whole));
  ASSERT_EQ(saved, whole.steps);
  for (int64_t i = 0; i < saved; ++i) {
    OwnTraining resumed(store, config, static_cast<int>(1 + i % 3));
    resumed.training.restore_checkpoint(path(i));
    EXPECT_EQ(resumed.fit().steps(), i + 1);
    EXPECT_TRUE(same(resumed.run(), whole)) << "after step " << i + 1;
  }
}

TEST(Checkpoint, OfAnyStepGoesOnToTheSameBitsAlsoAfterACut) {
  const data::EventStore store = store_of(made_sequences());
  const TrainConfig config = restless_config();
  const Outcome whole = OwnTraining(store, config).run();
  EXPECT_EQ(whole.end, FitEnd::kConverged);
  EXPECT_LT(whole.history.back().rate, 1);
  EXPECT_LT(whole.best_epoch, static_cast<int64_t>(whole.history.size()));
  expect_same_from_every_step(store, config);
}

TEST(Checkpoint, GoesOnToTheSameBitsWithAnAverage) {
  TrainConfig config = restless_config();
  config.average = 0.6;
  expect_same_from_every_step(store_of(made_sequences()), config);
}

TEST(Checkpoint, GoesOnToTheSameBitsWithDropoutAndTwoLayers) {
  TrainConfig config = restless_config();
  config.epochs = 5;
  config.layers = 2;
  config.dropout = 0.4;
  config.when = true;
  config.schedule = "cosine";
  config.warmup = 3;
  expect_same_from_every_step(store_of(made_sequences()), config);
}

TEST(Checkpoint, GoesOnToTheSameBitsWithEachOptimizer) {
  for (const char* optimizer : {"adagrad", "sgd"}) {
    TrainConfig config = restless_config();
    config.epochs = 5;
    config.optimizer = optimizer;
    config.weight_decay = 0.01;
    config.average = 0.9;
    expect_same_from_every_step(store_of(made_sequences()), config);
  }
}

TEST(Checkpoint, GoesOnToTheSameBitsWithoutValidationAndWithoutPatience) {
  TrainConfig config = restless_config();
  config.epochs = 3;
  config.valid_share = 0;
  expect_same_from_every_step(store_of(made_sequences()), config);
  config.valid_share = 0.25;
  config.patience = 0;
  expect_same_from_every_step(store_of(made_sequences()), config);
}

/// Stops a training at each time that it asks whether to, takes it up again, and compares the ends. Returns
/// how often it asked.
int64_t expect_same_from_every_stop(const data::EventStore& store, const TrainConfig& config) {
  const Outcome whole = OwnTraining(store, config).run();
  const OwnFiles files;
  for (int64_t answers = 0;; ++answers) {
    int64_t left = answers;
    Fit::Hooks hooks;
    hooks.stop = [&] { return left-- <= 0; };
    OwnTraining stopped(store, config);
    if (stopped.training.run(hooks) != FitEnd::kStopped && stopped.training.make_result(hooks.stop))
      return answers;
    stopped.training.save_checkpoint(FileSystem::real(), files.path("c"));
    OwnTraining resumed(store, config, 2);
    resumed.training.restore_checkpoint(files.path("c"));
    EXPECT_TRUE(same(resumed.run(), whole)) << "stopped at question " << answers + 1;
  }
}

TEST(Checkpoint, OfAFitThatIsStoppedAnywhereGoesOnToTheSameBits) {
  TrainConfig config = restless_config();
  config.epochs = 2;
  const data::EventStore store = store_of(made_sequences());
  const int64_t steps = OwnTraining(store, config).run().steps;
  EXPECT_GT(expect_same_from_every_stop(store, config), 2 * steps);  // also within steps
  config.batch = 200;                                                // several shards a step
  expect_same_from_every_stop(store_of(made_sequences(200)), config);
}

TEST(Checkpoint, OfATrainingThatIsStoppedAfterItsFitGoesOnToTheSameBits) {
  TrainConfig rules = restless_config();
  rules.epochs = 1;
  rules.no_rules = false;
  rules.batch = 100;
  expect_same_from_every_stop(types_alone(30), rules);
  TrainConfig calibrated = tiny_config("classify");
  calibrated.epochs = 1;
  calibrated.batch = 100;
  expect_same_from_every_stop(store_of(made_sequences(250)), calibrated);
}

/// A checkpoint amid the second epoch.
class SavedFit : public ::testing::Test {
 protected:
  SavedFit() : store(store_of(made_sequences())), config(restless_config()) {
    OwnTraining training(store, config);
    Fit::Hooks hooks;
    hooks.step = [&](const FitProgress&) {
      if (training.fit().steps() == 5) training.training.save_checkpoint(FileSystem::real(), path());
    };
    training.run(hooks);
    std::ifstream file(path(), std::ios::binary);
    bytes = {std::istreambuf_iterator<char>(file), {}};
  }
  std::string path() const { return files.path("c"); }
  std::string complaint_with(const TrainConfig& other) const { return complaint_with(other, store); }
  std::string complaint_with(const TrainConfig& other, const data::EventStore& data) const {
    return complaint([&] { OwnTraining(data, other).training.restore_checkpoint(path()); });
  }
  /// The same file with another description of where the fit is.
  std::string complaint_after(const std::function<void(Json&)>& change) const {
    files.write("whole", bytes);
    const Container from = Container::open(files.path("whole"));
    ContainerWriter writer("checkpoint");
    for (const char* key : {"options", "data"}) writer.set(key, from.get(key));
    Json fit = Json::parse(from.get("fit"));
    change(fit);
    writer.set("fit", fit.dump());
    for (const std::string& name : from.names()) {
      if (from.dtype(name) == dtype_of<float>()) {
        writer.add(name, from.tensor<float>(name), from.shape(name));
      } else {
        writer.add(name, from.tensor<double>(name), from.shape(name));
      }
    }
    writer.write(FileSystem::real(), path());
    return complaint_with(config);
  }

  OwnFiles files;
  data::EventStore store;
  TrainConfig config;
  std::string bytes;
};

TEST_F(SavedFit, IsRefusedWithOtherOptionsByName) {
  const auto expect_named = [&](const char* name, auto change) {
    TrainConfig other = config;
    change(other);
    EXPECT_SAYS(complaint_with(other), std::string("with `") + name + "` ");
  };
  expect_named("hidden", [](TrainConfig& other) { other.hidden = 4; });
  expect_named("rate", [](TrainConfig& other) { other.rate = 0.1; });
  expect_named("seed", [](TrainConfig& other) { other.seed = 3; });
  expect_named("average", [](TrainConfig& other) { other.average = 0.5; });
  expect_named("optimizer", [](TrainConfig& other) { other.optimizer = "sgd"; });
  expect_named("rate_cut", [](TrainConfig& other) { other.rate_cut = 0.5; });
  expect_named("when", [](TrainConfig& other) {
    other.when = true;
    other.head_dropout = 0;  // whose default it changes
  });
  TrainConfig other = config;
  other.hidden = 4;
  EXPECT_SAYS(complaint_with(other), "with `hidden` 3, but now it is 4; ");
}

TEST_F(SavedFit, MayGoOnForMoreEpochsOrLonger) {
  TrainConfig other = config;
  other.epochs = 31;
  other.max_time = 1000;
  EXPECT_EQ(complaint_with(other), "");
  other.epochs = 1;  // fewer than are done: it ends at once
  OwnTraining training(store, other);
  training.training.restore_checkpoint(path());
  const Outcome outcome = training.run();
  EXPECT_EQ(outcome.end, FitEnd::kEpochs);
  EXPECT_EQ(outcome.steps, 5);
}

TEST_F(SavedFit, IsRefusedWithOtherData) {
  EXPECT_SAYS(complaint_with(config, store_of(made_sequences(13))), "was made with other data");
  EXPECT_SAYS(complaint_with(config, store_of(made_sequences(12, 4))), "was made with other data");
  const auto with = [&](auto change) {
    data::Events events = made_sequences();
    change(events);
    return complaint_with(config, store_of(events));
  };
  EXPECT_EQ(with([](data::Events&) {}), "");
  EXPECT_SAYS(with([](data::Events& events) { events.view.ticks_per_unit = 2; }), "was made with other data");
  EXPECT_SAYS(with([](data::Events& events) { events.view.origin = data::OriginKind::kDataSet; }),
              "was made with `origin` sequence, but now it is dataset");
  std::vector<double> values(store.events.value->values.begin(), store.events.value->values.end());
  const data::Piece held_out = OwnTraining(store, config).training.split().valid[0];
  values[static_cast<std::size_t>(held_out.begin)] += 1e-9;  // of which no mean is learned
  EXPECT_SAYS(with([&](data::Events& events) { events.value->values = values; }), "was made with other data");
  std::vector<int32_t> labels(store.events.label->codes.begin(), store.events.label->codes.end());
  labels[2] = 1 - labels[2];
  EXPECT_SAYS(with([&](data::Events& events) { events.label->codes = labels; }), "was made with other data");
}

TEST_F(SavedFit, CutAnywhereIsRefused) {
  for (std::size_t size = 0; size < bytes.size(); size += bytes.size() / 60 + 1) {
    files.write("c", bytes.substr(0, size));
    EXPECT_SAYS(complaint_with(config), path());
  }
}

TEST_F(SavedFit, WithAnyBitFlippedIsRefused) {
  for (std::size_t at = 0; at < bytes.size(); at += bytes.size() / 150 + 1) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
    files.write("c", flipped);
    EXPECT_SAYS(complaint_with(config), path());
  }
}

TEST_F(SavedFit, AtAPlaceThatCannotBeIsRefused) {
  EXPECT_EQ(complaint_after([](Json&) {}), "");
  const auto refused = [&](const char* name, const Json& value, const char* why) {
    EXPECT_SAYS(complaint_after([&](Json& fit) { fit[name] = value; }), why) << name << " " << value;
  };
  const char* const kNowhere = "where no run can be";
  refused("epoch", 7, kNowhere);
  refused("epoch", -1, kNowhere);
  refused("epoch", INT64_MAX, kNowhere);
  refused("batch", -1, kNowhere);
  refused("batch", 100, kNowhere);
  refused("batch", 0, kNowhere);  // and yet steps of it are done
  refused("steps", 3, kNowhere);
  refused("steps", -5, kNowhere);
  refused("skipped", -1, kNowhere);
  refused("skipped", 6, kNowhere);
  refused("skipped_in_a_row", 1, kNowhere);
  refused("optimizer_steps", 4, kNowhere);
  refused("best_epoch", 2, kNowhere);
  refused("best_epoch", -1, kNowhere);
  refused("worse", -1, kNowhere);
  refused("worse", 9, kNowhere);
  refused("cuts", -1, kNowhere);
  refused("cuts", 5, kNowhere);
  refused("converged", true, kNowhere);
  refused("seconds", -1, kNowhere);
  refused("history", Json::array(), kNowhere);
  const char* const kType = "lacks a field or has one of another type";
  refused("epoch", 1.5, kType);
  refused("epoch", "1", kType);
  refused("loss_sum", nullptr, kType);
  refused("converged", 0, kType);
  refused("history", 3, kType);
  EXPECT_SAYS(complaint_after([](Json& fit) { fit.erase("cuts"); }), kType);
}

TEST_F(SavedFit, OfAnotherKindOfFileIsRefused) {
  files.write("c", "user,time,event\n");
  EXPECT_SAYS(complaint_with(config), path());
  write_model(FileSystem::real(), path(), OwnTraining(store, config).training.result());
  EXPECT_SAYS(complaint_with(config), "checkpoint");
  std::filesystem::remove(path());
  EXPECT_SAYS(complaint_with(config), "cannot open");
}

TEST_F(SavedFit, StaysAsItIsWhereThereIsNoRoomForANewOne) {
  OwnTraining training(store, config);
  FaultyDisk disk;
  disk.space = 1000;
  EXPECT_SAYS(complaint([&] { training.training.save_checkpoint(disk, path()); }), path());
  EXPECT_EQ(complaint_with(config), "");
}

}  // namespace
}  // namespace t2v
