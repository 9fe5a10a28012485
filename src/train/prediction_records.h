#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/thread_pool.h"
#include "comm/communicator.h"
#include "data/batches.h"
#include "model/model.h"
#include "model/targets.h"
#include "train/metrics.h"

namespace t2v {

/// What one head of a model predicted: a small record of each place where there was something to predict, in
/// the order of the batches and of the places in them. One of the lists of records is filled, by what the
/// head predicts.
class HeadRecords {
 public:
  /// `medians`: whether those of gaps are computed, which takes long.
  /// `threshold`: TrainedModel::threshold. `grid`: of the times, in units; 0 for none.
  HeadRecords(const nn::HeadConfig& head, bool medians, std::optional<double> threshold = std::nullopt,
              double grid = 0);

  /// Makes room for a batch. Throws t2v::Error if it lacks what the head predicts.
  void start(const SequenceBatch& batch);
  /// Records the outputs at a place of it; several threads may do so at once, at different places.
  void record(int64_t place, const float* outputs);

  const nn::HeadConfig& head() const { return head_; }
  nn::TargetKind kind() const { return kind_->target; }
  bool at_each_event() const { return targets_.at_each_event(); }
  /// Where the record of a place of the last batch is; -1 if there is none.
  int64_t slot_of(int64_t place) const { return slots_[static_cast<std::size_t>(place)]; }
  int64_t count() const { return static_cast<int64_t>(losses_.size()); }
  double loss_of(std::size_t slot) const { return losses_[slot]; }
  /// The mean loss, weighted by the classes' weights.
  double mean_loss() const;

  /// Appends the records of all other ranks to those of rank 0.
  void gather(comm::Communicator& others);

  std::vector<ClassRecord> classes;
  std::vector<RankRecord> ranks;
  std::vector<ValueRecord> values;  // in units of the model
  std::vector<GapRecord> gaps;

 private:
  ClassRecord class_record(const float* outputs, const nn::Target& target, double loss) const;
  RankRecord rank_record(const float* outputs, const nn::Target& target, double loss) const;
  GapRecord gap_record(const float* outputs, const nn::Target& target, double loss) const;
  void check(const nn::Target& target) const;
  void grow();

  nn::HeadConfig head_;
  const nn::Head* kind_;
  Targets targets_;
  bool medians_;
  std::optional<double> threshold_;
  double grid_;
  std::vector<int64_t> slots_;      // [places of the batch]
  std::vector<nn::Target> wanted_;  // of all records
  std::vector<double> losses_;      // of all records
};

/// Gives all batches of a share to a model and records what all heads predict; after each batch, calls
/// `done`. False if `stop`, asked before each batch, ended it.
bool record_predictions(std::vector<HeadRecords>& heads, const Model& model,
                        const nn::Parameters<float>& parameters, const data::Batches& batches,
                        Workspace<float>& work, ThreadPool& pool,
                        const std::function<void(const data::Batch&)>& done = {},
                        const std::function<bool()>& stop = {}, Share share = {});

}  // namespace t2v
