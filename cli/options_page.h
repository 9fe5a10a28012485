#pragma once

#include <string>

namespace t2v::cli {

/// docs/options.md: all options of reading, splitting and training in tables, as Markdown.
std::string options_page();

}  // namespace t2v::cli
