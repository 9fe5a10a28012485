#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace t2v::report {

/// A text as it stands, in HTML: within elements and within attributes in quotes.
std::string escaped(std::string_view text);

/// With a capital letter at the start.
std::string capitalised(std::string_view text);

/// A number as people read it, with the exact one beside it for programs: <data value="0.93012">0.930</data>.
/// NaN, which is a missing value, is the text alone.
std::string number_html(double value, std::string_view text);

/// A document for <script type="application/json">, which no text within it can end.
std::string json_html(const nlohmann::json& document);

}  // namespace t2v::report
