#pragma once

#include "export/cells.h"

namespace t2v::onnx {

/// The places at which a graph predicts: each event of a batch, the last one of each sequence, or the one of
/// a single step.
class Places {
 public:
  /// `events` must outlive it, and all that is required of them must be known.
  Places(const EventTensors& events, bool every_event);

  /// Of [T, B, ...] those at the places: as they are for every event, else [B, ...].
  Tensor of(const Tensor& x) const;
  /// What was made at the places as an output: [B, T, ...] or [B, ...], NaN from the first event on that was
  /// out of range. `numbers`: of each place, 0 for a single one that has no dimension of its own.
  void output(const Tensor& x, const std::string& name, int64_t numbers, std::string_view about) const;
  /// Whether all events so far were good, [B]; none if they always are. Not for every event.
  const Tensor& good() const { return good_; }

 private:
  const EventTensors& events_;
  bool every_event_;
  Tensor last_;  // [B, 2] int64: step and sequence of each last event
  Tensor good_;  // at the places
};

/// Adds the heads. `seen`: what they see of the uppermost layer at the places, none for a model without a
/// cell.
void add_heads(const Places& places, const EventTensors& events, const Tensor& seen,
               const TrainedModel& trained, const Model& model);

}  // namespace t2v::onnx
