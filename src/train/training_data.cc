#include "train/training_data.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/fail.h"
#include "model/task.h"

namespace t2v {
namespace {

/// Whether values over time are to be predicted.
bool is_over_time(const data::Events& events, const TrainConfig& config) {
  const Task task = config.task == "auto" ? suggested_task(events) : task_from(config.task);
  const data::ValueTarget values = value_target(task, events);
  return values == data::ValueTarget::kOfNextEvent || values == data::ValueTarget::kOfEvent;
}

/// Dates have clocks and a calendar only from one origin for all.
bool wants_common_origin(const data::Events& events, const TrainConfig& config) {
  const bool views = (config.time == "auto" || config.time == "plain") && config.time_input == "auto" &&
                     events.scale.instants;
  return views || is_over_time(events, config);
}

void use_common_origin(data::Events& events) {
  if (events.view.origin != data::OriginKind::kSequence) return;
  events.check(0, events.size());
  data::set_origin(events, data::OriginKind::kDataSet);
}

/// Whether the data say what validation is, for the split that was asked for.
bool has_validation(const data::EventStore& store, const data::SplitOptions& split, bool anew) {
  const bool by_source = split.split.kind == "auto" || split.split.kind == "given";
  if (by_source && std::ranges::count(store.events.part, data::Part::kValid) > 0) return true;
  return !anew && store.split && !store.split->valid.empty();
}

/// A split takes the share for validation only if it was given; else it is taken from what is left to learn
/// from.
std::string record_of(data::SplitOptions& split, const TrainConfig& train) {
  nlohmann::json record = nlohmann::json::object();
  const nlohmann::json values = options_of(split).json();
  for (const std::string& name : split.given) record[key_of(name)] = values[key_of(name)];
  const bool share = train.given.contains("valid_share");
  record["valid-share"] = share ? nlohmann::json(train.valid_share) : nlohmann::json();
  return record.dump();
}

}  // namespace

OptionTable options_of(TrainRequest& request) {
  OptionTable table = data::options_of(request.data, "time_column");
  table.add(data::options_of(request.split));
  table.remove("valid_share");  // that of the training serves both
  table.add(options_of(request.train));
  return table;
}

OptionTable options_after_reading(TrainRequest& request) {
  OptionTable table = options_of(request);
  const OptionTable reading = data::options_of(request.data, "time_column");
  for (const OptionTable::Entry& entry : reading.entries()) {
    const std::string_view name = entry.option.name;
    if (name != "unit" && name != "origin" && name != "timezone") table.remove(name);
  }
  return table;
}

TrainingData training_data(data::DataSet data, TrainRequest& request) {
  options_of(request).check();
  TrainingData result;
  data::set_view(data, request.data.unit, request.data.origin, request.data.table.timezone);
  const bool anew = !request.split.given.empty();
  result.store = std::move(data.store);
  if (!data.origin_given && wants_common_origin(result.store.events, request.train)) {
    use_common_origin(result.store.events);
  }
  const bool share = request.train.given.contains("valid_share");
  if (share && has_validation(result.store, request.split, anew)) {
    fail("`valid_share` has no effect, since the data say what validation is; leave it out");
  }
  if (!anew) return result;
  if (share) request.split.split.valid = request.train.valid_share;
  result.notes = split_store(result.store, request.split, request.data.table.timezone);
  result.split_record = record_of(request.split, request.train);
  return result;
}

}  // namespace t2v
