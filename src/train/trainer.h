#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/packed_batch.h"
#include "base/thread_pool.h"
#include "comm/communicator.h"
#include "model/model.h"
#include "train/optimizer.h"
#include "train/rank_gradient.h"

namespace t2v {

/// Trains a model step by step. The seed is that of the dropout. A step whose loss or gradient is not finite
/// is not applied but counted; three in a row stop the training. On several ranks each takes the same steps,
/// to the same bits as one process: they share the work on the gradient.
template <class T>
class Trainer {
 public:
  Trainer(const Model& model, nn::Parameters<T> parameters, const OptimizerConfig& optimizer,
          ThreadPool& pool, uint64_t seed = 0, comm::Communicator& ranks = comm::only_rank());

  /// The share of each batch that this rank needs.
  Share share() const { return ranked_.share(); }
  /// One step on a batch, of which it needs this share alone; returns its loss before the step. Throws
  /// t2v::Error for the third step in a row that is not finite, naming the step and the tensor. On one
  /// process alone a step may be stopped: then it throws Stopped, and nothing has changed.
  double step(const SequenceBatch& batch, const std::function<bool()>& stop = {});

  const nn::Parameters<T>& parameters() const { return parameters_; }
  nn::Parameters<T>& parameters() { return parameters_; }
  Optimizer<T>& optimizer() { return optimizer_; }
  const Optimizer<T>& optimizer() const { return optimizer_; }
  Workspace<T>& workspace() { return work_; }
  /// What the sum of gradients of a batch over the ranks takes; to be called by all of them.
  ExchangePrice exchange_price(const SequenceBatch& batch) {
    ranked_.gradient(parameters_, batch, work_, pool_);
    return ranked_.price(work_, pool_);
  }
  int64_t steps() const { return steps_; }
  /// Steps that were not applied.
  int64_t skipped() const { return skipped_; }

  /// How far it is, beside its parameters and its optimizer.
  struct Position {
    int64_t steps = 0;
    int64_t skipped = 0;
    int64_t skipped_in_a_row = 0;
  };
  Position position() const { return {steps_, skipped_, skipped_in_a_row_}; }
  void restore(const Position& position) {
    steps_ = position.steps;
    skipped_ = position.skipped;
    skipped_in_a_row_ = position.skipped_in_a_row;
  }

 private:
  double gradient(const SequenceBatch& batch, const std::function<bool()>& stop);
  /// Of a table; all its other rows are zero.
  bool touched_rows_are_finite() const;
  /// The name of what is not finite, or "".
  std::string not_finite(double loss) const;

  const Model& model_;
  nn::Parameters<T> parameters_;
  Optimizer<T> optimizer_;
  ThreadPool& pool_;
  uint64_t seed_;
  RankGradient<T> ranked_;
  Workspace<T> work_;
  int64_t steps_ = 0;
  int64_t skipped_ = 0;
  int64_t skipped_in_a_row_ = 0;
};

}  // namespace t2v
