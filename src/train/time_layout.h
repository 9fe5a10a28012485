#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/packed_batch.h"
#include "data/events.h"
#include "model/config.h"
#include "model/task.h"
#include "model/trained_model.h"
#include "nn/omega_start.h"
#include "train/train_config.h"

namespace t2v {

/// The time encoders that the options ask for. Times that never differ get none, unless they were asked for.
/// `calendar` counts times from 1970, and sets the events' origin to that. `auto` gives several views of each
/// time: logarithms and cycles, and of dates with one origin for all the calendar. Adds to what was decided.
std::vector<nn::TimeEncoderConfig> time_layout(const TrainConfig& config, Task task, data::ValueTarget values,
                                               data::Events& events, std::vector<std::string>& choices);

/// Those of the time of the next event, as a head that sees it has them: of the time itself and of the time
/// until it. None with `time` none.
std::vector<nn::TimeEncoderConfig> next_time_layout(const TrainConfig& config, const data::Events& events);

/// Measures the times of a model by those of a batch, so that learning does not depend on their unit.
void measure_times(ModelConfig& model, const SequenceBatch& batch);

/// The options `time` and `time-input` that ask for the times of a model: "t2v:32", "start,gap"; "none" and
/// "auto" if it has none, "auto" and "auto" for several views.
std::string time_option(const ModelConfig& model);
std::string time_input_option(const ModelConfig& model);

/// What is to be predicted over the times of one input: [places, columns].
struct TargetsOverTime {
  std::vector<double> tau;
  std::vector<double> values;
  int64_t columns = 1;
};

/// The cycles of the calendar that span and grid allow, and those of what is to be predicted, each as a sine
/// and a cosine; of at most half the encoder's terms.
std::vector<Period> start_cycles(const TargetsOverTime& targets, const ModelTimes& times,
                                 const nn::TimeEncoderConfig& encoder, const nn::TimeScale& scale);

/// What the starts of the frequencies need to know, from a batch with targets.
std::vector<nn::TimeScale> time_scales(const ModelConfig& model, const ModelTimes& times,
                                       const SequenceBatch& batch);

}  // namespace t2v
