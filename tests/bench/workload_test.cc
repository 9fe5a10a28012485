#include "bench/workload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bench/made_events.h"
#include "bench/measurement.h"
#include "bench/model_work.h"
#include "bench/stream_work.h"
#include "t2v/error.h"

namespace t2v::bench {
namespace {

TEST(Middle, IsTheMedianAndHalfOfWhatTheMiddleHalfCovers) {
  const Middle odd = middle_of({9, 1, 3, 7, 5});
  EXPECT_EQ(odd.median, 5);
  EXPECT_EQ(odd.spread, 2);
  const Middle even = middle_of({4, 1, 2, 3});
  EXPECT_EQ(even.median, 2.5);
  EXPECT_EQ(even.spread, 0.5);
  EXPECT_EQ(middle_of({8}).median, 8);
  EXPECT_EQ(middle_of({8}).spread, 0);
}

TEST(MadePixels, HaveTheShapeOfEventMnist) {
  const data::EventStore store = made_pixels(500);
  const data::Events& events = store.events;
  EXPECT_EQ(events.sequences(), 500);
  EXPECT_EQ(events.label->names.size(), 10);
  EXPECT_NEAR(static_cast<double>(events.size()) / 500, 69, 5);
  for (int64_t s = 0; s < events.sequences(); ++s) {
    for (int64_t e = events.begin(s) + 1; e < events.end(s); ++e) {
      ASSERT_GT(events.tick(e), events.tick(e - 1));
      ASSERT_LT(events.tick(e), 784);
    }
  }
  EXPECT_EQ(store.split->train.size(), 400U);
  EXPECT_EQ(store.split->test.size(), 100U);
}

TEST(MadePixels, MayAllBeOfOneLength) {
  const data::Events events = made_equal_pixels(20, 69).events;
  for (int64_t s = 0; s < events.sequences(); ++s) ASSERT_EQ(events.length(s), 69);
}

TEST(MadeBadges, HaveAllTypesAndTimesThatDiffer) {
  const data::Events events = made_badges(100, 22).events;
  EXPECT_EQ(events.event->names.size(), 22);
  EXPECT_NEAR(static_cast<double>(events.size()) / 100, 72, 12);
  std::set<int64_t> ticks(events.ticks.begin(), events.ticks.end());
  EXPECT_EQ(static_cast<int64_t>(ticks.size()), events.size());
}

ModelWork small_work(int64_t batches) {
  ModelWork work{made_pixels(60), Task::kClassify, {}, "", 16, batches};
  work.model.times = {nn::TimeEncoderConfig{}};
  work.model.times[0].k = 8;
  work.model.hidden = 12;
  return work;
}

TEST(OperationsOfEvent, CountProductsOfGatesWithStateAndTimes) {
  ModelConfig model = small_work(1).model;
  EXPECT_EQ(operations_of_event(model), 2.0 * 4 * 12 * (12 + 8 + 1));
  model.heads[0].each_step = true;
  model.heads[0].classes = 5;
  EXPECT_EQ(operations_of_event(model), 2.0 * 4 * 12 * (12 + 8 + 1) + 2.0 * 12 * 5);
}

TEST(WeightBytes, AreFourForEachWeightOfAStep) {
  EXPECT_EQ(weight_bytes(stream_model()), 4 * (4 * 128 * (128 + 65) + 128 * 22));
}

TEST(TrainingWork, CountsTheEventsOfItsBatchesAndLearns) {
  ThreadPool pool(1);
  const auto work = training_work(small_work(0), pool);
  const double before = work->score()->value;
  const Repetition first = work->run();
  EXPECT_GT(first.seconds, 0);
  EXPECT_EQ(first.operations, 3 * first.amount * operations_of_event(small_work(0).model));
  // An epoch has all events of the training sequences.
  const data::EventStore store = made_pixels(60);
  int64_t events = 0;
  for (const data::Piece& piece : store.split->train) events += piece.end - piece.begin;
  EXPECT_EQ(first.amount, static_cast<double>(events));
  for (int i = 0; i < 200; ++i) work->run();
  EXPECT_GT(work->score()->value, before);
}

TEST(PredictionWork, CountsAThirdOfTheOperationsOfTraining) {
  ThreadPool pool(1);
  const Repetition predicted = prediction_work(small_work(2), pool)->run();
  EXPECT_EQ(predicted.operations, predicted.amount * operations_of_event(small_work(2).model));
}

TEST(ModelWork, NeedsATestPart) {
  ThreadPool pool(1);
  ModelWork work = small_work(1);
  work.store.split->test.clear();
  EXPECT_THROW(training_work(std::move(work), pool), Error);
}

TEST(StreamWork, GivesTheMedianOfAStepAndItsTail) {
  const auto work = stream_work(stream_model());
  const Repetition step = work->run();
  EXPECT_EQ(step.amount, 1);
  EXPECT_GE(work->score()->value, 1e6 * step.seconds);
}

TEST(Workloads, HaveNamesOfTheirOwnAndAreFoundByThem) {
  std::set<std::string> names;
  for (const WorkloadKind& kind : workloads()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_EQ(&workload_named(kind.name), &kind);
  }
  EXPECT_THROW(workload_named("train-nothing"), Error);
}

TEST(Measure, ComparesAWorkloadWithItsLimit) {
  ThreadPool pool(2);
  BenchConfig config;
  config.times = 1000;
  const Measurement measured = measure(workload_named("encode"), config, pool, 3);
  EXPECT_EQ(measured.threads, 2);
  EXPECT_GT(measured.rate.median, 0);
  EXPECT_GT(measured.fraction.median, 0);
  EXPECT_EQ(to_json(measured)["workload"], "encode");
  const Measurement alone = measure(workload_named("stream"), config, pool, 1);
  EXPECT_EQ(alone.threads, 1);
}

}  // namespace
}  // namespace t2v::bench
