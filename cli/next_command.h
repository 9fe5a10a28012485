#pragma once

#include <string>

#include "data_options.h"

namespace CLI {
class App;
}

namespace t2v::cli {

/// The line that trains on what a command was given to look at, with the options of reading that it was
/// given; for values over time with a horizon that suits their step, where training takes one.
std::string next_command(const CLI::App& command, const DataFiles& files, const data::Events& events);

}  // namespace t2v::cli
