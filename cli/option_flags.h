#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace t2v::cli {

/// The heading of options that need no other.
inline constexpr std::string_view kOptionsGroup = "Options";

/// Adds the options of a table to a command. The struct behind the table must outlive the command.
void add_options(CLI::App& command, const OptionTable& table);

/// What was added to the command of this name, in order.
const OptionTable& table_of(const std::string& command);
/// Whether an option is left to --help-all.
bool is_expert(const CLI::Option& option);
void make_expert(const CLI::Option& option);
/// Takes an option off a command that does not know it.
void remove_option(CLI::App& command, const std::string& name);

/// The arguments of the program, with "--resume auto" as "--resume=auto": a word after an option that may
/// stand alone is its value only if it is one of its choices.
std::vector<std::string> join_values(int argc, char** argv);

/// The names of all options of all commands, for in_flags. To be called once they are there.
void collect_option_names(const CLI::App& app);

/// A message of the library with options as the command line has them.
std::string in_flags(std::string_view message);

/// A text for a help, in lines of a fitting width.
std::string wrapped(const std::string& text);

}  // namespace t2v::cli
