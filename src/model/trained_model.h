#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/file_system.h"
#include "base/json_value.h"
#include "data/encoding.h"
#include "data/events.h"
#include "forecast/forecaster.h"
#include "model/baselines.h"
#include "model/config.h"
#include "model/model.h"
#include "model/task.h"

namespace t2v {

/// The times that a model was trained on, and how it sees them.
struct ModelTimes {
  data::TickScale scale;  // of the training data: instants or plain numbers
  data::TimeView view;    // unit and origin
  double grid = 0;        // in units; all times of a sequence differ by multiples of it, 0 if they have none
  double least_gap = 0;   // for `when`: shorter gaps are taken for this, in units
};

/// All that is needed to use a model: what a file of a model holds (docs/file-format.md).
struct TrainedModel {
  Task task = Task::kNext;
  data::ValueTarget values = data::ValueTarget::kNone;  // what kRegress and kForecast predict
  ModelConfig config;
  data::Encoding encoding;
  ModelTimes times;
  /// Of two classes: from which probability of class 1 on it is predicted. None: the more probable one is.
  std::optional<double> threshold;
  nn::Parameters<float> parameters;
  std::optional<forecast::Forecaster> forecaster = {};  // predicts values over time instead of the network
  Baselines baselines;                                  // what simpler rules need, to be measured beside it
  JsonValue options;                                    // the effective configuration of its training
  JsonValue training;                                   // what came of it: epochs, losses, measures, data

  /// The batches it needs; with what is to be predicted, if `targets`.
  data::BatchConfig batches(bool targets) const {
    data::BatchConfig batches = batch_config(config, task, values, targets);
    batches.least_gap = times.least_gap;
    return batches;
  }
};

/// The network of a model, ready to compute; of another configuration, if one is given, such as with heads at
/// other places.
Model network_of(const TrainedModel& model, const ModelConfig& config);
Model network_of(const TrainedModel& model);

/// Gives a data set the model's unit and origin. Throws t2v::Error if its times are of another kind (dates
/// for plain numbers), or if it lacks columns that the model needs, and names the difference.
void fit_to_model(data::Events& events, const TrainedModel& model);

/// Writes a model as one file, atomically.
void write_model(FileSystem& files, const std::string& path, const TrainedModel& model);

/// Reads one, checking everything: checksums, the configuration, shapes, finite numbers. Throws t2v::Error.
/// Costs no more memory than twice the file.
TrainedModel read_model(const std::string& path, FileSystem& files = FileSystem::real());

}  // namespace t2v
