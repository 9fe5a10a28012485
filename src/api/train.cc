#include "t2v/train.h"

#include <utility>

#include "api/event_log.h"
#include "api/time_model.h"
#include "train/forecast_training.h"
#include "train/race.h"
#include "train/training.h"
#include "train/training_data.h"

namespace t2v {
namespace {

Fit::Hooks hooks_of(const TrainOptions& options) {
  Fit::Hooks hooks;
  hooks.stop = options.stop;
  if (options.epoch) {
    hooks.epoch = [&options](const EpochReport& report) {
      options.epoch({report.epoch, report.loss, report.valid_loss, report.measure, report.rate,
                     report.seconds, report.best});
    };
  }
  return hooks;
}

TrainEnd public_end(FitEnd end) {
  switch (end) {
    case FitEnd::kConverged:
      return TrainEnd::kConverged;
    case FitEnd::kEpochs:
      return TrainEnd::kEpochs;
    case FitEnd::kTime:
      return TrainEnd::kTime;
    case FitEnd::kStopped:
      break;
  }
  return TrainEnd::kStopped;
}

TrainResult train_forecaster(const TrainingData& data, const TrainConfig& config, ThreadPool& pool) {
  ForecastTraining training = train_forecast(data, config, pool);
  std::vector<std::string> notes = data.notes;
  notes.insert(notes.end(), training.choices.begin(), training.choices.end());
  notes.insert(notes.end(), training.remarks.begin(), training.remarks.end());
  return {api::model_of(std::move(training.model)), TrainEnd::kConverged, 0, std::move(notes)};
}

}  // namespace

TrainResult train(const EventLog& log, const TrainOptions& options) {
  TrainRequest request;
  const OptionTable table = options_after_reading(request);
  for (const auto& [name, text] : options.settings) table.set(name, text);
  const TrainingData data = training_data(log.impl().data, request);
  ThreadPool pool(options.threads);
  if (is_closed_form(data, request.train, nullptr)) return train_forecaster(data, request.train, pool);
  Race race(data, request.train, pool);
  race.run({{}, options.stop});
  Training training(data, race.winner(), pool);
  training.fit().add_seconds(race.seconds());
  const FitEnd end = training.run(hooks_of(options));
  TrainedModel trained = training.result();
  std::vector<std::string> notes = data.notes;
  for (const std::string& choice : training.choices()) notes.push_back(choice);
  for (std::string& remark : training.remarks(end, trained)) notes.push_back(std::move(remark));
  return {api::model_of(std::move(trained)), public_end(end), training.fit().best_epoch(), std::move(notes)};
}

}  // namespace t2v
