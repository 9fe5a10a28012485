#pragma once

#include <string>
#include <vector>

#include "base/options.h"
#include "data/load.h"
#include "data/split_options.h"
#include "train/train_config.h"

namespace t2v {

/// All that can be said of a training.
struct TrainRequest {
  data::LoadOptions data = {};
  data::SplitOptions split = {};
  TrainConfig train = {};
};

/// All options; the column of times is `time_column`, since `time` is how a model sees them.
OptionTable options_of(TrainRequest& request);
/// Those that have an effect on data that have been read.
OptionTable options_after_reading(TrainRequest& request);

/// A data set as it is trained on: seen in its unit and from its origin, split as was asked for.
struct TrainingData {
  data::EventStore store = {};
  /// Split options that were given, with their values, as JSON; for the record of a model.
  std::string split_record = "{}";
  std::vector<std::string> notes = {};  // what came out, a line each
};

/// The one way from a data set to what a training takes. Values over time are counted from the first event of
/// all unless an origin was given: they follow the calendar, not the start of each sequence. Sets the share
/// for validation of the request. Throws t2v::Error for what cannot be.
TrainingData training_data(data::DataSet data, TrainRequest& request);

}  // namespace t2v
