#pragma once

#include <string_view>

/// Files that are part of the program.
namespace t2v::report {

std::string_view page_style();
std::string_view page_script();

/// Vega, Vega-Lite and vega-embed, as scripts/fetch-vega gets them. Throws t2v::Error that says how to get
/// them if they were not there when the program was built.
std::string_view chart_library();

}  // namespace t2v::report
