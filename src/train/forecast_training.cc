#include "train/forecast_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/fail.h"
#include "base/json_text.h"
#include "data/doctor_text.h"
#include "data/human_time.h"
#include "data/provenance.h"
#include "data/splits.h"
#include "data/time_reader.h"
#include "model/forecast_panel.h"
#include "model/model.h"
#include "model/time_options.h"
#include "train/training.h"
#include "train/validation_split.h"

namespace t2v {
namespace {

using data::Piece;

/// Options that say nothing of a network.
constexpr std::array<std::string_view, 5> kOfForecasts = {"task", "horizon", "seed", "valid_share",
                                                          "max_time"};

std::vector<Piece> pieces_to_learn_from(const data::EventStore& store) {
  data::Split split = first_split(store);
  std::vector<Piece> pieces = std::move(split.train);
  pieces.insert(pieces.end(), split.valid.begin(), split.valid.end());
  std::ranges::stable_sort(pieces, {}, &Piece::begin);
  return pieces;
}

/// How far ahead, in units; 0 for auto.
double horizon_of(const TrainConfig& config, const data::Events& events) {
  if (config.horizon == "auto") return 0;
  const data::TimeReader reader(events.scale, std::nullopt, data::TimeZone::find("UTC"));
  const std::string text = config.horizon.starts_with('+') ? config.horizon : "+" + config.horizon;
  const int64_t ticks = reader.span_of(text, "`horizon`");
  if (ticks <= 0) fail("`horizon` is above 0; it is {}", config.horizon);
  return static_cast<double>(ticks) / events.view.ticks_per_unit;
}

/// A network that sees the value alone, with weights of zero: what a file of a model needs.
void lay_out_idle(TrainedModel& model, const data::Events& events, const std::vector<Piece>& pieces) {
  data::EncodingConfig encoding;
  for (const auto& column : events.numbers) encoding.leave_out.push_back(column.name);
  for (const auto& column : events.categories) encoding.leave_out.push_back(column.name);
  for (const auto& column : events.sequence_numbers) encoding.leave_out.push_back(column.name);
  for (const auto& column : events.sequence_categories) encoding.leave_out.push_back(column.name);
  model.encoding = data::learn_encoding(events, pieces, encoding);
  model.encoding.event.reset();
  model.encoding.label.reset();
  model.encoding.target_scale.reset();
  nn::HeadConfig head;
  head.kind = "mse";
  head.each_step = true;
  model.config = {};
  model.config.cell = "none";
  model.config.features = model.encoding.features();
  model.config.heads = {head};
  model.parameters.assign_zeros(Model(model.config).layout());
}

std::string text_of_time(double units, const data::Events& events) {
  if (!events.scale.has_unit()) return fmt::format("{:.6g}", units);
  return data::human_duration(units * 86400 / units_of_a_day(events));
}

nlohmann::json record_of(const forecast::Forecaster& forecaster, const data::Events& events,
                         const std::vector<Piece>& pieces) {
  return {{"epochs", nlohmann::json::array()},
          {"best_epoch", 0},
          {"steps", 0},
          {"skipped_steps", 0},
          {"predicts", forecaster.description()},
          {"train_sequences", pieces.size()},
          {"valid_sequences", 0},
          {"data", data::record_for_model(parse_json_text(events.provenance))}};
}

/// Those that ask for the same run again.
nlohmann::json options_of_forecasts(const TrainConfig& config) {
  nlohmann::json all = to_json(config);
  all["task"] = name_of(Task::kForecast);
  nlohmann::json options = nlohmann::json::object();
  for (const std::string_view name : kOfForecasts) options[key_of(name)] = all.at(key_of(name));
  return options;
}

std::string counted_series(const forecast::Panel& panel) {
  return fmt::format("{} series", data::human_count(static_cast<int64_t>(panel.series.size())));
}

std::vector<std::string> remarks_on(const forecast::Forecaster& forecaster) {
  std::vector<std::string> remarks;
  if (forecaster.scores.empty()) {
    remarks.emplace_back("too few values to choose by: forecasts are " + forecaster.description());
    return remarks;
  }
  const double spread = forecaster.levels.size() == 1 ? forecaster.levels.front().spread : 1;
  const std::string_view unit = forecaster.levels.size() == 1 ? "" : " mean deviations of each series";
  const auto text = [&](const forecast::Score& score) {
    return fmt::format("{} ({:.4g}{})", score.name, score.error * spread, unit);
  };
  std::string others;
  for (std::size_t i = 1; i < std::min<std::size_t>(forecaster.scores.size(), 4); ++i) {
    others += (i > 1 ? ", " : "") + text(forecaster.scores[i]);
  }
  remarks.push_back(fmt::format("mean absolute error on the last part of the data: {}{}{}",
                                text(forecaster.scores.front()), others.empty() ? "" : "; next: ", others));
  if (forecaster.rule_share == 1) {
    remarks.push_back(
        fmt::format("the simple rule '{}' was best, so it is the model", forecaster.description()));
  }
  return remarks;
}

}  // namespace

bool is_closed_form(const TrainingData& data, const TrainConfig& config, const TrainedModel* init) {
  const Task task = config.task != "auto" ? task_from(config.task)
                    : init != nullptr     ? init->task
                                          : suggested_task(data.store.events);
  const auto of_network = std::ranges::find_if(config.given, [](const auto& name) {
    return std::ranges::find(kOfForecasts, std::string_view(name)) == kOfForecasts.end();
  });
  const bool closed = task == Task::kForecast && init == nullptr && of_network == config.given.end();
  if (closed || config.horizon == "auto") return closed;
  if (task != Task::kForecast) fail("`horizon` is for the task forecast, not {}", name_of(task));
  if (init != nullptr) fail("`horizon` is not for a network that predicts the next value; leave `init` out");
  fail("`{}` is for a network that predicts the next value alone, `horizon` for forecasts; use one of them",
       *of_network);
}

ForecastTraining train_forecast(const TrainingData& data, const TrainConfig& config, ThreadPool& pool) {
  const data::Events& events = data.store.events;
  if (events.view.origin == data::OriginKind::kSequence) {
    fail("a forecast counts time from one origin for all sequences; leave `origin` out");
  }
  const std::vector<Piece> pieces = pieces_to_learn_from(data.store);
  if (pieces.empty()) fail("there is no sequence to learn from");
  int64_t values = 0;
  const forecast::Panel panel = panel_of(events, pieces);
  for (const forecast::Series& series : panel.series) values += series.size();
  ForecastTraining training;
  TrainedModel& model = training.model;
  model.task = Task::kForecast;
  model.values = value_target(model.task, events);
  model.forecaster = forecast::fit_forecaster(panel, horizon_of(config, events), pool);
  lay_out_idle(model, events, pieces);
  model.times.scale = events.scale;
  model.times.view = events.view;
  model.times.grid = static_cast<double>(events.grid) / events.view.ticks_per_unit;
  model.options = options_of_forecasts(config);
  model.options->update(time_options(model.times));
  model.options->merge_patch(nlohmann::json::parse(data.split_record));
  model.training = record_of(*model.forecaster, events, pieces);
  training.choices = {
      "task: forecast",
      fmt::format("learned from: {}, {}; horizon {} (`horizon`)", counted_series(panel),
                  data::counted(values, "value"), text_of_time(model.forecaster->horizon, events)),
      "predicts by: " + model.forecaster->description()};
  training.remarks = remarks_on(*model.forecaster);
  return training;
}

}  // namespace t2v
