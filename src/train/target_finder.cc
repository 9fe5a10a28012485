#include "train/target_finder.h"

#include <algorithm>
#include <cmath>

namespace t2v {

using data::Piece;
using data::ValueTarget;

int64_t drop_short(std::vector<Piece>& pieces, Task task) {
  if (task != Task::kNext && task != Task::kRecommend && task != Task::kForecast) return 0;
  return static_cast<int64_t>(std::erase_if(
      pieces, [](const Piece& piece) { return piece.end <= std::max(piece.begin + 1, piece.first_target); }));
}

TargetFinder::TargetFinder(const data::Events& events, const TrainedModel& model)
    : events_(events), model_(model) {
  if (model.task == Task::kClassify) codes_ = data::codes_of(*model.encoding.label, events.label->names);
  if (model.task != Task::kNext && model.task != Task::kRecommend) return;
  codes_ = data::codes_of(*model.encoding.event, events.event->names);
  std::ranges::replace(codes_, model.encoding.event->unknown_code(), -1);
}

bool TargetFinder::operator()(const Piece& piece) const {
  const auto sequence = static_cast<std::size_t>(piece.sequence);
  if (model_.task == Task::kClassify) {
    return codes_[static_cast<std::size_t>(events_.label->codes[sequence])] >= 0;
  }
  if (model_.values == ValueTarget::kOfSequence) return !std::isnan(events_.target->values[sequence]);
  events_.check(piece.begin, piece.end);
  const int64_t first = model_.values == ValueTarget::kOfEvent ? piece.begin : piece.begin + 1;
  for (int64_t e = std::max(first, piece.first_target); e < piece.end; ++e) {
    if (is_target(static_cast<std::size_t>(e))) return true;
  }
  return false;
}

bool TargetFinder::is_target(std::size_t event) const {
  if (model_.values != ValueTarget::kNone) return !std::isnan(events_.value->values[event]);
  return codes_[static_cast<std::size_t>(events_.event->codes[event])] >= 0;
}

}  // namespace t2v
