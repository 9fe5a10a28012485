#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace t2v {

/// The first byte that is NUL or not part of valid UTF-8; the size of the text if there is none.
std::size_t first_bad_byte(std::string_view text);

/// A text with everything that a terminal would not print as it stands (control characters of ASCII and
/// Unicode, changes of direction, bytes that are no UTF-8) as \xHH, but for the characters to be kept.
std::string escaped(std::string_view text, std::string_view kept = "");

/// A text as it can be shown in a message: at most 40 bytes of it, then "...", with bytes that cannot be
/// printed as \xHH.
std::string shown(std::string_view text);
/// The same as '...'.
inline std::string in_quotes(std::string_view text) { return "'" + shown(text) + "'"; }

}  // namespace t2v
