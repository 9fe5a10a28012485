#include "model/model_data.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/fail.h"

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
  if (!table.value.empty()) return;
  if (value) table.value = value->name;
  if (encoding.typed_values) table.value = encoding.typed_values->name();
}

/// How the training data were read, where the options say nothing else.
void read_as_in_training(data::LoadOptions& options, const TrainedModel& model, bool targets) {
  data::KnownData known = training_data(model);
  data::TableOptions& table = options.table;
  if (!targets) {
    known.columns.erase(data::Role::kLabel);
    known.columns.erase(data::Role::kTarget);
  }
  table.known = std::move(known.columns);
  if (!known.timezone.empty() && !options.given.contains("timezone")) table.timezone = known.timezone;
  if (table.time_format.empty()) table.time_format = known.time_format;
  if (table.day_first == "auto" && !known.day_first.empty()) table.day_first = known.day_first;
  if (!known.time_unit.empty() && !options.given.contains("time_unit")) table.time_unit = known.time_unit;
  if (!model.times.scale.instants) table.least_decimals = model.times.scale.decimals;
}

}  // namespace

data::KnownData training_data(const TrainedModel& model) {
  const auto data = model.training->find("data");
  return data == model.training->end() ? data::KnownData{} : data::known_data(*data);
}

void refuse_view(const data::LoadOptions& options) {
  if (options.unit == "auto" && options.origin == "auto") return;
  fail("unit and origin of times are those of the model; leave `unit` and `origin` out");
}

data::LoadOptions options_for_model(data::LoadOptions options, const TrainedModel& model, bool targets) {
  refuse_view(options);
  const bool values =
      targets && model.values != data::ValueTarget::kNone && model.values != data::ValueTarget::kOfSequence;
  ask_for_columns(options.table, model, values);
  read_as_in_training(options, model, targets);
  return options;
}

data::TimeZone zone_for_model(const data::LoadOptions& options, const TrainedModel& model) {
  const std::string known = options.given.contains("timezone") ? "" : training_data(model).timezone;
  return data::TimeZone::find(known.empty() ? options.table.timezone : known);
}

data::DataSet load_for_model(const std::vector<data::TableSource>& sources, const data::LoadOptions& options,
                             const TrainedModel& model, bool targets, ThreadPool& pool,
                             const data::Progress& progress) {
  data::DataSet data = data::load(sources, options_for_model(options, model, targets), pool, progress);
  const auto& known = training_data(model).columns;
  const auto id = known.find(data::Role::kId);
  if (options.table.id.empty() && id != known.end() && id->second == "-" && !data.from_store) {
    data.notes.emplace_back("all rows are one sequence, as in training (`id` to change it)");
  }
  fit_to_model(data.store.events, model);
  return data;
}

}  // namespace t2v
