#include "model/model_columns.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace t2v {
namespace {

void ask_for_columns(data::TableOptions& table, const TrainedModel& model, bool targets) {
  const data::Encoding& encoding = model.encoding;
  std::vector<std::string> names;
  const auto fill = [&names](std::vector<std::string>& columns, const auto& numbers, const auto& categories) {
    if (!columns.empty()) return;
    for (const auto& feature : numbers) columns.push_back(feature.name);
    for (const auto& feature : categories) columns.push_back(feature.name);
    for (const auto& feature : categories) names.push_back(feature.name);
  };
  fill(table.features, encoding.numbers, encoding.categories);
  fill(table.sequence_features, encoding.sequence_numbers, encoding.sequence_categories);
  if (table.categories.empty()) table.categories = std::move(names);
  const auto& value = encoding.value || !targets ? encoding.value : encoding.value_scale;
  if (table.value.empty() && value) table.value = value->name;
}

/// How the training data were read, where the options say nothing else.
void read_as_in_training(data::TableOptions& table, const TrainedModel& model, bool targets,
                         GivenTableOptions given) {
  data::KnownData known = training_data(model);
  if (!targets) {
    known.columns.erase(data::Role::kLabel);
    known.columns.erase(data::Role::kTarget);
  }
  table.known = std::move(known.columns);
  if (!known.timezone.empty() && !given.timezone) table.timezone = known.timezone;
  if (table.time_format.empty()) table.time_format = known.time_format;
  if (table.day_first == "auto" && !known.day_first.empty()) table.day_first = known.day_first;
  if (!known.time_unit.empty() && !given.time_unit) table.time_unit = known.time_unit;
}

}  // namespace

data::KnownData training_data(const TrainedModel& model) {
  const auto data = model.training->find("data");
  return data == model.training->end() ? data::KnownData{} : data::known_data(*data);
}

void complete_for_model(data::TableOptions& table, const TrainedModel& model, bool targets,
                        GivenTableOptions given) {
  const bool values =
      targets && model.values != data::ValueTarget::kNone && model.values != data::ValueTarget::kOfSequence;
  ask_for_columns(table, model, values);
  read_as_in_training(table, model, targets, given);
}

}  // namespace t2v
