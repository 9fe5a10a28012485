#include "model_data.h"

namespace t2v::cli {
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
  if (table.categories.empty()) table.categories = names;
  const auto& value = encoding.value || !targets ? encoding.value : encoding.value_scale;
  if (table.value.empty() && value) table.value = value->name;
}

}  // namespace

LoadedData load_for_model(DataOptions options, const TrainedModel& model, ThreadPool& pool, bool targets) {
  const bool values =
      targets && model.values != data::ValueTarget::kNone && model.values != data::ValueTarget::kOfSequence;
  ask_for_columns(options.table, model, values);
  LoadedData data = load_data(options, pool);
  fit_to_model(data.store.events, model);
  return data;
}

}  // namespace t2v::cli
