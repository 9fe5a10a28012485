#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "data_options.h"
#include "split_options.h"
#include "train/train_config.h"

namespace t2v::cli {

/// The data that models are trained on, and how they are split.
struct TrainingData {
  DataOptions data;
  SplitOptions split;
  std::optional<double> valid_share;  // if it was given
  bool splits_anew = false;           // whether the split and the vocabulary of a store do not hold
};

void add_training_data(CLI::App& command, TrainingData& options);

/// To be called once all options are known: "--valid 0.2" is a share, as --valid-share, "--valid late.csv" a
/// file. Throws t2v::Error for what can be known to be wrong before any data are read.
void settle_training_data(TrainingData& options, const CLI::App& command);

/// Reads the data, splits them if that was asked for, and sets the share for validation. Values over time
/// get a common origin unless one was given.
data::EventStore load_training_data(const TrainingData& options, TrainConfig& train, ThreadPool& pool);

/// The options about the split that were given, for the record of a model (Training::add_options).
nlohmann::json given_split(const TrainingData& options);

}  // namespace t2v::cli
