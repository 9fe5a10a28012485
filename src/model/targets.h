#pragma once

#include <cstdint>
#include <span>

#include "base/packed_batch.h"
#include "nn/head.h"

namespace t2v {

/// What one head of a model has to predict in a batch. It predicts once a sequence or at each event: a
/// `place` is the number of one or of the other.
class Targets {
 public:
  explicit Targets(const nn::HeadConfig& head);

  /// Whether it predicts at each event. When the next event comes is always predicted so.
  bool at_each_event() const { return each_; }
  int64_t places(const SequenceBatch& batch) const { return each_ ? batch.event_count() : batch.sequences(); }

  /// What is to be predicted at a place; false if there is nothing.
  bool get(nn::Target& target, const SequenceBatch& batch, int64_t place) const;
  /// How much a target counts: by the weight of its class, if classes have weights.
  double weight(const nn::Target& target) const;

  /// How many counts there are: one of all targets or, where classes have weights, one a class.
  std::size_t kinds() const { return head_.class_weights.empty() ? 1 : head_.class_weights.size(); }
  /// Adds what some sequences of a batch have to predict to the counts. Throws t2v::Error if the batch lacks
  /// the targets, or one of them makes no sense.
  void count(std::span<int64_t> counts, const SequenceBatch& batch, std::span<const int32_t> sequences) const;
  /// The sum of the weights of so many targets. Throws t2v::Error if there are none.
  double weight_of(std::span<const int64_t> counts) const;

 private:
  void check_size(const SequenceBatch& batch) const;
  void check_target(const nn::Target& target, bool there, int64_t place) const;

  nn::HeadConfig head_;
  nn::TargetKind kind_;
  bool each_;
};

}  // namespace t2v
