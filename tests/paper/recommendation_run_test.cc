#include "paper/recommendation_run.h"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <span>

#include "base/container_mutation.h"
#include "base/disks.h"
#include "base/memory_disk.h"
#include "base/twin_disk.h"
#include "build_paths.h"
#include "data/importer_files.h"
#include "file_cost.h"
#include "made_recommendation.h"
#include "paper/recommendation_source.h"
#include "t2v/error.h"

namespace t2v::paper {
namespace {

template <class T>
bool equal_bits(const Buffer<T>& a, const Buffer<T>& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(T)) == 0;
}

bool equal_bits(const nn::Parameters<float>& a, const nn::Parameters<float>& b) {
  return equal_bits(a.dense, b.dense) && equal_bits(a.table, b.table) && equal_bits(a.wide, b.wide);
}

RecommendationResult run(const RecommendationConfig& config, int threads = 1,
                         const RecommendationObserver& observer = {}) {
  ThreadPool pool(threads);
  return run_recommendation(config, prepare_recommendation(made_log(), config), pool, observer);
}

std::vector<double> losses(const RecommendationResult& result) {
  std::vector<double> values;
  for (const RecommendationEpoch& epoch : result.curve) values.push_back(epoch.loss);
  return values;
}

/// But for how long it took.
nlohmann::json lasting(const RecommendationResult& result) {
  nlohmann::json json = to_json(result);
  for (nlohmann::json& epoch : json.at("epochs")) epoch.erase("seconds");
  return json;
}

/// T1's time weights [k + 1, H].
std::vector<float> first_gate(const RecommendationRun& run) {
  const Model& model = run.model();
  const nn::Tensor& tensor = model.layout()[model.layout().find("cell.time0")];
  const nn::Columns columns = model.constrained_columns(0);
  std::vector<float> weights;
  for (int64_t row = 0; row < tensor.rows; ++row) {
    const float* w = run.parameters().data(tensor) + row * tensor.cols;
    weights.insert(weights.end(), w + columns.begin, w + columns.end);
  }
  return weights;
}

TEST(RecommendationRun, LearnsWhatComesNext) {
  RecommendationConfig config = tiny();
  config.epochs = 40;
  config.hidden = 16;
  config.learning_rate = 0.1;
  config.time_unit = "d";
  const RecommendationResult result = run(config);
  EXPECT_EQ(result.curve.size(), 40U);
  EXPECT_LT(result.curve.back().loss, 1.0);
  EXPECT_GT(result.curve.back().test.mrr, 0.8);
  EXPECT_EQ(result.train_users, 19);
  EXPECT_EQ(result.test_users, 5);
  EXPECT_EQ(result.users.size(), 5U);
  EXPECT_EQ(result.omega.size(), 4U);
}

TEST(RecommendationRun, TrainsEveryCellOfEveryProtocol) {
  for (const char* protocol : {"paper", "as-coded"}) {
    for (const char* cell : {"lstm", "tlstm1", "tlstm2", "tlstm3"}) {
      for (const bool time2vec : {false, true}) {
        RecommendationConfig config = tiny(protocol, cell);
        config.time2vec = time2vec;
        const RecommendationResult result = run(config);
        EXPECT_EQ(result.stopped, "") << protocol << ' ' << cell;
        ASSERT_EQ(result.curve.size(), 3U);
        EXPECT_LT(result.curve.back().loss, result.curve.front().loss) << protocol << ' ' << cell;
        EXPECT_EQ(result.omega.empty(), !time2vec);
      }
    }
  }
}

TEST(RecommendationRun, WalksTheUsersInFileOrderInGroupsOfFive) {
  const RecommendationConfig config = tiny();
  const RecommendationData data = prepare_recommendation(made_log(), config);
  ThreadPool pool(1);
  RecommendationRun run(config, data, pool);
  Trainer<float> trainer(run.model(), run.parameters(), optimizer_config(config), pool);
  for (std::size_t begin = 0; begin < data.train.size(); begin += 5) {
    LessonBatch batch;
    for (std::size_t i = begin; i < std::min(begin + 5, data.train.size()); ++i) {
      batch.add(lesson_of(data.train[i]));
    }
    trainer.step(batch.view());
  }
  run.run_epoch({});
  EXPECT_TRUE(equal_bits(run.parameters(), trainer.parameters()));

  RecommendationConfig shuffled = config;
  shuffled.order = "shuffle";
  RecommendationRun other(shuffled, data, pool);
  other.run_epoch({});
  EXPECT_FALSE(equal_bits(other.parameters(), trainer.parameters()));
}

TEST(RecommendationRun, LearnsFromTestedUsersFromTheSecondEpochAfterTheFirstStageOn) {
  RecommendationConfig config = tiny();
  config.epochs = 50;
  config.first_stage = 10;
  const RecommendationResult with = run(config);
  config.dynamic_updating = false;
  const RecommendationResult without = run(config);
  for (std::size_t epoch = 0; epoch < 50; ++epoch) {
    // 19 events are known: (epoch - 10) * 19 / 40 is 0 up to epoch 12.
    EXPECT_EQ(with.curve[epoch].loss == without.curve[epoch].loss, epoch < 13) << epoch + 1;
    EXPECT_EQ(with.curve[epoch].learned, epoch < 13 ? 19 : 19 + 5) << "prefixes replace shorter ones";
    EXPECT_EQ(without.curve[epoch].learned, 19);
  }
  EXPECT_EQ(with.curve[12].prefix, 1);
  EXPECT_EQ(with.curve[48].prefix, 18);
}

TEST(RecommendationRun, TheCodesTailTeachesOtherThings) {
  RecommendationConfig config = tiny();
  config.epochs = 6;
  config.split = "random";
  const std::vector<double> clean = losses(run(config));
  config.tail = "as_coded";
  const std::vector<double> coded = losses(run(config));
  EXPECT_EQ(clean[0], coded[0]);
  EXPECT_NE(clean[5], coded[5]);
}

TEST(RecommendationRun, TheFloorLeavesTheFirstTimeGateAsItStarts) {
  for (const char* cell : {"tlstm2", "tlstm3"}) {
    for (const char* constraint : {"floor", "nonpositive", "none"}) {
      RecommendationConfig config = tiny("as-coded", cell);
      config.t1_constraint = constraint;
      ThreadPool pool(1);
      RecommendationRun run(config, prepare_recommendation(made_log(), config), pool);
      const std::vector<float> before = first_gate(run);
      run.run_epoch({});
      EXPECT_EQ(first_gate(run) == before, config.t1_constraint == "floor") << cell << ' ' << constraint;
      if (config.t1_constraint == "floor") {
        for (const float w : before) EXPECT_TRUE(w > -1 && w < 0);
      }
    }
  }
}

TEST(RecommendationRun, ScalesTheStartOfTheFrequencies) {
  RecommendationConfig config = tiny();
  const auto start = [&] {
    ThreadPool pool(1);
    const RecommendationRun run(config, prepare_recommendation(made_log(), config), pool);
    const double* omega = run.parameters().wide.data();
    return std::vector<double>(omega, omega + config.k + 1);
  };
  const std::vector<double> plain = start();
  config.linear_scale = 1e-3;
  config.omega_scale = 2;
  const std::vector<double> scaled = start();
  EXPECT_EQ(scaled[0], plain[0] * 1e-3);
  for (std::size_t i = 1; i < plain.size(); ++i) EXPECT_EQ(scaled[i], plain[i] * 2);
}

TEST(RecommendationRun, HasEqualBitsForAnyNumberOfThreadsAndOthersForAnotherSeed) {
  RecommendationConfig config = tiny("paper", "tlstm3");
  const nlohmann::json one = lasting(run(config, 1));
  EXPECT_EQ(one, lasting(run(config, 3)));
  config.seed = 2;
  EXPECT_NE(one.at("epochs"), lasting(run(config, 1)).at("epochs"));
}

TEST(RecommendationRun, SumsWhatEachUserGetsOverTheEpochsThatCount) {
  RecommendationConfig config = tiny();
  config.epochs = 12;  // three of them count
  const RecommendationResult result = run(config);
  double of_users = 0;
  for (const double recall : result.users) of_users += recall / static_cast<double>(result.test_users);
  double of_epochs = 0;
  for (std::size_t epoch = 9; epoch < 12; ++epoch) of_epochs += result.curve[epoch].test.recall;
  EXPECT_NEAR(of_users, of_epochs, 1e-12);
}

TEST(RecommendationRun, GoesOnFromACheckpointWithTheSameBits) {
  const data::OwnFiles files;
  for (const char* protocol : {"as-coded", "paper"}) {
    RecommendationConfig config = tiny(protocol);
    config.epochs = 6;
    RecommendationObserver observer;
    observer.checkpoint = files.path(protocol);
    observer.checkpoint_seconds = 0;
    int64_t seen = 0;
    observer.epoch = [&](const RecommendationEpoch& epoch) { seen = epoch.epoch; };
    observer.stop = [&] { return seen == 4; };
    const RecommendationResult half = run(config, 1, observer);
    EXPECT_EQ(half.curve.size(), 4U);
    observer.stop = nullptr;
    const RecommendationResult rest = run(config, 1, observer);
    EXPECT_EQ(lasting(rest), lasting(run(config)));

    config.seed = 9;
    EXPECT_THROW(run(config, 1, observer), Error) << "a checkpoint of another run";
  }
}

TEST(MutatedRecommendation, IsRefusedOrUsable) {
  RecommendationConfig config = tiny("as-coded");
  config.epochs = 3;
  ThreadPool pool(1);
  const RecommendationData data = prepare_recommendation(made_log(), config);
  TwinDisk saved;
  RecommendationRun own(config, data, pool);
  own.run_epoch(nullptr);
  own.run_epoch(nullptr);
  own.save(saved, "/d/c");
  const Container whole = Container::open("/d/c", "", saved);
  const ContainerMutation mutation(whole);
  Random random(10);
  int taken = 0;
  for (int i = 0; i < 5'000; ++i) {
    SCOPED_TRACE(i);
    const std::string bytes = mutation.mutated(random);
    MemoryDisk disk(std::as_bytes(std::span(bytes)));
    const testing::FileCost cost(bytes.size());
    const bool good = error_of([&] { own.restore(disk, "f"); }).empty();
    cost.expect_little();
    if (!good) continue;
    ++taken;
    error_of([&] { own.run_epoch(nullptr); });
  }
  EXPECT_GT(taken, 5);  // few: the configuration and a digest of the data must be the same
}

TEST(RecommendationRun, EndsWithAReasonWhereItDiverges) {
  RecommendationConfig config = tiny();
  config.omega_scale = 1e15;
  const RecommendationResult result = run(config);
  EXPECT_NE(result.stopped, "");
  EXPECT_TRUE(result.curve.empty());
  EXPECT_EQ(lasting(recommendation_result_from(to_json(result))), lasting(result));
}

TEST(RecommendationResult, GoesThroughJson) {
  const RecommendationResult result = run(tiny());
  EXPECT_EQ(to_json(recommendation_result_from(nlohmann::json::parse(to_json(result).dump()))),
            to_json(result));
  nlohmann::json broken = to_json(result);
  broken["users"] = {0.5};
  EXPECT_THROW(recommendation_result_from(broken), Error);
  broken["users"] = nlohmann::json::array();
  broken.erase("omega");
  EXPECT_THROW(recommendation_result_from(broken), Error);
}

/// One epoch on real data, where it is: better than chance at once, by what is popular.
void expect_above_chance(const std::string& file, double unit, std::size_t test_users) {
  const std::string path = test_data(file);
  if (path.empty()) GTEST_SKIP() << no_test_data(file);
  RecommendationConfig config = recommendation_protocol("as-coded");
  config.epochs = 1;
  config.hidden = 16;
  const RecommendationData data = prepare_recommendation(read_item_lines(path, unit), config);
  EXPECT_EQ(data.items, 5000);
  EXPECT_EQ(data.test.size(), test_users);
  ThreadPool pool;
  const RecommendationResult result = run_recommendation(config, data, pool);
  EXPECT_GT(result.curve[0].test.recall, 0.11);
  EXPECT_NEAR(result.curve[0].test.recall, result.curve[0].test.sampled_recall, 0.02);
}

TEST(RecommendationOnRealData, LearnsFromFoursquare) {
  expect_above_chance("foursquare_nyc/checkins.tsv", 60, 217);
}

TEST(RecommendationOnRealData, LearnsFromBibsonomy) { expect_above_chance("bibsonomy/posts.tsv", 1, 158); }

}  // namespace
}  // namespace t2v::paper
