#include "model/task.h"

#include <algorithm>
#include <array>

#include "base/fail.h"
#include "base/text_check.h"
#include "nn/cell.h"

namespace t2v {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"classify", "next", "recommend", "regress", "forecast"};

}  // namespace

std::string_view name_of(Task task) { return kNames[static_cast<std::size_t>(task)]; }

Task task_from(std::string_view name) {
  const auto* found = std::ranges::find(kNames, name);
  if (found == kNames.end()) {
    fail("unknown task '{}'; use classify, next, recommend, regress or forecast", shown(name));
  }
  return static_cast<Task>(found - kNames.begin());
}

Task suggested_task(const data::Events& events) {
  if (events.label) return Task::kClassify;
  if (events.target) return Task::kRegress;
  if (events.event) return events.event->names.size() > kManyTypes ? Task::kRecommend : Task::kNext;
  if (events.value) return Task::kForecast;
  fail(
      "the data have nothing to predict: no label or target of the sequences, no event types and no values; "
      "name a column by `label`, `target`, `event` or `value`");
}

data::ValueTarget value_target(Task task, const data::Events& events) {
  using data::ValueTarget;
  if (task != Task::kRegress && task != Task::kForecast) return ValueTarget::kNone;
  if (task == Task::kRegress && events.target) return ValueTarget::kOfSequence;
  if (!events.value) {
    fail("the task {} needs {}values of events; name their column by `value`", name_of(task),
         task == Task::kRegress ? "a target of each sequence (`target`) or " : "");
  }
  return task == Task::kForecast ? ValueTarget::kOfNextEvent : ValueTarget::kOfEvent;
}

bool knows_query_time(const ModelConfig& model) {
  return std::ranges::any_of(model.times, [](const auto& time) {
    return time.input == TimeInput::kQuery || time.input == TimeInput::kUntil;
  });
}

bool is_timed(const ModelConfig& model) { return !model.heads.empty() && model.heads[0].timed; }

int find_head(const ModelConfig& model, std::string_view kind) {
  const auto found = std::ranges::find(model.heads, kind, &nn::HeadConfig::kind);
  return found == model.heads.end() ? -1 : static_cast<int>(found - model.heads.begin());
}

data::BatchConfig batch_config(const ModelConfig& model, Task task, data::ValueTarget values, bool targets) {
  data::BatchConfig config;
  config.times = {};
  for (const auto& time : model.times) config.times[static_cast<std::size_t>(time.input)] = true;
  if (!model.next_times.empty()) config.times[static_cast<std::size_t>(TimeInput::kStart)] = true;
  for (const auto& time : model.next_times) config.times[static_cast<std::size_t>(time.input)] = targets;
  if (model.cell == "phased") config.times[static_cast<std::size_t>(TimeInput::kStart)] = true;
  config.events = model.event_types > 0;
  config.features = model.features > 0;
  config.standard_values = true;
  if (!targets) return config;
  config.labels = task == Task::kClassify;
  config.next_events = task == Task::kNext || task == Task::kRecommend;
  config.next_gaps = find_head(model, "when") >= 0;
  config.values = values;
  return config;
}

}  // namespace t2v
