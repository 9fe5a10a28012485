#include "train/common_origin.h"

#include "model/task.h"

namespace t2v {

void use_common_origin(data::Events& events, const TrainConfig& config) {
  const Task task = config.task == "auto" ? suggested_task(events) : task_from(config.task);
  const data::ValueTarget values = value_target(task, events);
  const bool over_time = values == data::ValueTarget::kOfNextEvent || values == data::ValueTarget::kOfEvent;
  if (!over_time || events.view.origin != data::OriginKind::kSequence) return;
  events.check(0, events.size());
  data::set_origin(events, data::OriginKind::kDataSet);
}

}  // namespace t2v
