#pragma once

#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "model/trained_model.h"
#include "train/train_config.h"
#include "train/training_data.h"

namespace t2v {

/// Whether what is asked for is fitted in closed form, by train_forecast: values to come, by no option of a
/// network. Throws t2v::Error for options that contradict each other.
bool is_closed_form(const TrainingData& data, const TrainConfig& config, const TrainedModel* init);

/// A model that came of data in closed form, and what is worth knowing, a sentence each.
struct ForecastTraining {
  TrainedModel model = {};
  std::vector<std::string> choices = {};
  std::vector<std::string> remarks = {};
};

/// Learns to forecast from all but the test part. Deterministic: the same bits on any number of threads.
ForecastTraining train_forecast(const TrainingData& data, const TrainConfig& config, ThreadPool& pool);

}  // namespace t2v
