#pragma once

#include "data_options.h"
#include "train/training_data.h"

namespace t2v::cli {

/// "--valid 0.2" is a share, as --valid-share, "--valid late.csv" a file.
void take_valid_share(DataFiles& files, TrainRequest& request);

/// Throws t2v::Error for what can be known to be wrong before any data are read.
void check_training_data(const DataFiles& files, TrainRequest& request);

/// Reads the data, prepares them and says on standard error what was chosen.
TrainingData load_training_data(const DataFiles& files, TrainRequest& request, ThreadPool& pool);

}  // namespace t2v::cli
