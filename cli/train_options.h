#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "train/train_config.h"

namespace t2v::cli {

/// Adds every option of a training to a command, with its help and default.
void add_train_options(CLI::App& command, TrainConfig& config);

/// Options from a JSON file under their names (without dashes in front), for those that were not given on the
/// command line. Throws t2v::Error for an unknown one.
void read_config_file(CLI::App& command, const std::string& path);

}  // namespace t2v::cli
