#pragma once

#include <string>
#include <string_view>

#include "base/options.h"

namespace CLI {
class App;
}

namespace t2v::cli {

/// Adds the options of a table to a command. The struct behind the table must outlive the command.
void add_options(CLI::App& command, const OptionTable& table);

/// The names of all options of all commands, for in_flags. To be called once they are there.
void collect_option_names(const CLI::App& app);

/// A message of the library with options as the command line has them.
std::string in_flags(std::string_view message);

/// A text for a help, in lines of a fitting width.
std::string wrapped(const std::string& text);

}  // namespace t2v::cli
