#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace t2v::cli {

// Scripts that complete the commands of a tool, their options, values out of a fixed set, and files
// elsewhere. They are made from the tool's options and do not call it.

std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);

}  // namespace t2v::cli
