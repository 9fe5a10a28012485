#include "bench/model_work.h"

#include <gtest/gtest.h>

#include <vector>

#include "bench/made_events.h"
#include "t2v/error.h"

namespace t2v::bench {
namespace {

/// Little data for a little model.
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
  EXPECT_EQ(work->score()->steps, 3);
  EXPECT_EQ(work->score()->epochs, 1);
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

TEST(CutToEqual, LeavesTheFirstEventsOfSequencesThatAreLongEnough) {
  data::EventStore store = made_pixels(60);
  const std::vector<data::Piece> before = store.split->train;
  cut_to_equal(store, 69);
  for (const auto* part : {&store.split->train, &store.split->test}) {
    EXPECT_FALSE(part->empty());
    for (const data::Piece& piece : *part) EXPECT_EQ(piece.end - piece.begin, 69);
  }
  std::size_t kept = 0;
  for (const data::Piece& piece : before) {
    if (piece.end - piece.begin < 69) continue;
    ASSERT_LT(kept, store.split->train.size());
    EXPECT_EQ(store.split->train[kept].sequence, piece.sequence);
    EXPECT_EQ(store.split->train[kept++].begin, piece.begin);
  }
  EXPECT_EQ(kept, store.split->train.size());
  EXPECT_LT(kept, before.size());
}

}  // namespace
}  // namespace t2v::bench
