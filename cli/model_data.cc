#include "model_data.h"

namespace t2v::cli {
namespace {

void ask_for_columns(data::TableOptions& table, const TrainedModel& model) {
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
  if (table.value.empty() && encoding.value) table.value = encoding.value->name;
}

}  // namespace

LoadedData load_for_model(DataOptions options, const TrainedModel& model, ThreadPool& pool) {
  ask_for_columns(options.table, model);
  LoadedData data = load_data(options, pool);
  fit_to_model(data.store.events, model);
  return data;
}

}  // namespace t2v::cli
