#pragma once

#include <cstdint>
#include <vector>

#include "data/events.h"
#include "data/pieces.h"
#include "model/trained_model.h"

namespace t2v {

/// Leaves out pieces that are too short for anything to be predicted in them; returns how many.
int64_t drop_short(std::vector<data::Piece>& pieces, Task task);

/// Tells in which pieces there is something to predict: a known type, a value, a known class. The events and
/// the model must outlive it.
class TargetFinder {
 public:
  TargetFinder(const data::Events& events, const TrainedModel& model);

  bool operator()(const data::Piece& piece) const;

 private:
  bool is_target(std::size_t event) const;

  const data::Events& events_;
  const TrainedModel& model_;
  std::vector<int32_t> codes_;  // -1 for what is not to be predicted
};

}  // namespace t2v
