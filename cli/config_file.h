#pragma once

#include <string>

namespace CLI {
class App;
}

namespace t2v::cli {

/// Reads options from a JSON file under the names that a command has, with _ or - within; those that were
/// given on the command line stay. Throws t2v::Error that names the file and the option.
void read_config_file(CLI::App& command, const std::string& path);

}  // namespace t2v::cli
