#pragma once

#include <CLI/CLI.hpp>

// One function a command: it adds the command with its options and help, and what it does when chosen.
namespace t2v::cli {

void add_reproduce(CLI::App& app);

}  // namespace t2v::cli
