#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "bench/workload.h"
#include "data/event_store.h"
#include "model/config.h"
#include "model/task.h"

namespace t2v::bench {

/// A model at work on a data set.
struct ModelWork {
  data::EventStore store;  // with a split
  Task task;
  ModelConfig model;    // without numbers that the data set tells
  std::string unit;     // of time, or empty for the store's own
  int64_t batch = 512;  // sequences
  int64_t batches = 0;  // of a repetition, 0 for an epoch
};

/// Leaves the first `length` events of the sequences that have so many, in all parts of the split; drops the
/// others.
void cut_to_equal(data::EventStore& store, int64_t length);

/// Useful operations of one event: of the products that cannot be done without, forward. Event rows are
/// looked up. Training does three times as many.
double operations_of_event(const ModelConfig& model);

/// Training: making the batches, in an order drawn anew for each pass, forward, backward, update.
std::unique_ptr<Workload> training_work(ModelWork work, ThreadPool& pool);

/// Forward alone, all outputs.
std::unique_ptr<Workload> prediction_work(ModelWork work, ThreadPool& pool);

}  // namespace t2v::bench
