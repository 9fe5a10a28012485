#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace t2v::cli {

/// Gives a tool and all its commands, which must be there already, a help in which defaults stand in
/// brackets.
void set_up_help(CLI::App& app);

/// What is wrong with the arguments, as one line that names the command and where its help is: "t2v import:
/// there is no option '--spilt' (did you mean '--split'?); see 't2v import --help'".
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

/// The same of an empty value among the words of a command line; nothing if there is none.
std::string empty_value(const std::vector<std::string>& words);

/// CLI11's own words about a wrong value, with the most frequent of them put as we put things.
std::string plain_words(const CLI::App& command, const std::string& what);

}  // namespace t2v::cli
