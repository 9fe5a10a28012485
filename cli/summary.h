#pragma once

#include <cstdint>
#include <string>

#include "data/events.h"

namespace t2v::cli {

/// What a data set is, in lines of a word and what it is: sequences, events, lengths, times, ...
std::string summary_of(const data::Events& events);

/// The lines of a text, each two blanks to the right.
std::string indented(const std::string& text);

}  // namespace t2v::cli
