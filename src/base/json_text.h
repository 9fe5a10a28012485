#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace t2v {

/// Whether a text may go to the parser: false if it is long and has a fault within a string, a string that
/// does not end, or a number or word of more than 64 characters. Of such a token, which may be all of the
/// text, the parser would make many copies for a message.
bool has_sound_tokens(std::string_view text);

/// Parses JSON that somebody else may have written. Gives a discarded value, never an exception, for what is
/// not JSON, for what is nested more than 64 levels deep (those who copy, write or destroy a value call
/// themselves once a level), and for more than `most` entries in all (a value takes many times the memory of
/// its text).
nlohmann::json parse_json_text(std::string_view text, std::size_t most = 100'000);

}  // namespace t2v
