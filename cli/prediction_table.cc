#include "prediction_table.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/fail.h"
#include "data/table_schema.h"

namespace t2v::cli {
namespace {

using data::ParquetColumn;
using Type = ParquetColumn::Type;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool has_several(const data::Events& events) {
  return events.sequences() != 1 || events.ids[0] != data::kOneSequence;
}

std::vector<ParquetColumn> columns_of(const TrainedModel& model, const data::Events& events,
                                      const PredictionForm& form) {
  std::vector<ParquetColumn> columns;
  const bool forecast = model.forecaster.has_value();
  if (!forecast || has_several(events)) columns.push_back({"id", Type::kText});
  columns.push_back(data::column_of_ticks("time", events.scale));
  if (forecast) {
    columns.push_back({"value", Type::kNumber});
    for (const double share : form.quantiles) columns.push_back({quantile_name(share), Type::kNumber});
    return columns;
  }
  if (form.has_query) columns.push_back(data::column_of_ticks("at", events.scale));
  if (predicts(model, nn::TargetKind::kClass)) {
    columns.push_back({"rank", Type::kWhole});
    columns.push_back({model.task == Task::kClassify ? "label" : "event", Type::kText});
    columns.push_back({"probability", Type::kNumber});
  }
  if (predicts(model, nn::TargetKind::kValue)) columns.push_back({"value", Type::kNumber});
  if (predicts(model, nn::TargetKind::kGap)) {
    for (const char* name : {"when_p10", "when_median", "when_p90", "when_mean"}) {
      columns.push_back({name, Type::kNumber});
    }
  }
  return columns;
}

}  // namespace

PredictionTable::PredictionTable(const TrainedModel& model, const data::Events& events, PredictionForm form,
                                 const std::string& path, int64_t rows_per_file)
    : model_(model),
      events_(events),
      form_(std::move(form)),
      has_ids_(has_several(events)),
      writer_(FileSystem::real(), path, kPredictionTable, columns_of(model, events, form_), rows_per_file) {}

void PredictionTable::write(int64_t sequence, const Place& place, const Prediction& prediction) {
  if (model_.forecaster) return write_forecast(sequence, place, prediction);
  for (std::size_t rank = 0; rank == 0 || rank < prediction.top.size(); ++rank) {
    write_row(sequence, place, prediction, rank);
  }
}

void PredictionTable::write_forecast(int64_t sequence, const Place& place, const Prediction& prediction) {
  std::size_t column = 0;
  if (has_ids_) writer_.set_text(column++, events_.ids[sequence]);
  writer_.set_whole(column++, *place.query);
  writer_.set_number(column++, *prediction.value);
  for (const Prediction::Quantile& quantile : prediction.quantiles) {
    writer_.set_number(column++, quantile.value);
  }
  writer_.end_row();
}

void PredictionTable::write_row(int64_t sequence, const Place& place, const Prediction& prediction,
                                std::size_t rank) {
  std::size_t column = 0;
  writer_.set_text(column++, events_.ids[sequence]);
  writer_.set_whole(column++, events_.tick(place.event));
  if (form_.has_query) writer_.set_whole(column++, place.query.value_or(0));
  if (predicts(model_, nn::TargetKind::kClass)) {
    const bool there = rank < prediction.top.size();
    writer_.set_whole(column++, static_cast<int64_t>(rank) + 1);
    writer_.set_text(column++, there ? name_of_choice(model_, prediction.top[rank].code) : "");
    writer_.set_number(column++, there ? prediction.top[rank].probability : kNone);
  }
  if (predicts(model_, nn::TargetKind::kValue))
    writer_.set_number(column++, prediction.value.value_or(kNone));
  if (predicts(model_, nn::TargetKind::kGap)) {
    const auto& when = prediction.when;
    for (const double x : {when ? when->p10 : kNone, when ? when->median : kNone, when ? when->p90 : kNone,
                           when ? when->mean : kNone}) {
      writer_.set_number(column++, x);
    }
  }
  writer_.end_row();
}

void check_numbered(const std::string& path, bool force) {
  const std::string first = data::numbered_path(path, 1);
  if (force || !exists(FileSystem::real(), first)) return;
  fail("{}: is there already; remove it, name another output, or overwrite it with `force`", first);
}

}  // namespace t2v::cli
