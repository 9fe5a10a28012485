#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace t2v::cli {

/// The man page t2v(1) as roff, made from the help of a tool and of its commands. Needs set_up_help() before.
std::string manual(const CLI::App& app);

}  // namespace t2v::cli
