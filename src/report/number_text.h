#pragma once

#include <string>
#include <string_view>

namespace t2v::report {

/// Whether a format is one of those that number_text() takes: what d3 and we both know,
/// "[+][,][.digits][type]" with the types f, e, g, d and %; or empty.
bool is_number_format(std::string_view format);

/// A number for people. Without a format: whole numbers as they are, others with five digits that count.
/// NaN is a dash.
std::string number_text(double value, std::string_view format = "");

/// The same number for programs: the shortest decimal that is this double.
std::string exact_text(double value);

}  // namespace t2v::report
