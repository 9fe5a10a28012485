#pragma once

#include <string>

#include "report/results.h"

namespace t2v::report {

/// The results as one page of HTML that needs nothing else, also no network: the first figure and the table
/// of claims, then the other figures and the machine. The JSON is within it. `charts` is the library that
/// draws (see assets.h).
std::string page_of(const Results& results, std::string_view charts);

}  // namespace t2v::report
