#pragma once

#include <cstdint>
#include <string>

#include "data/events.h"
#include "data/pieces.h"
#include "data/splits.h"

namespace t2v::cli {

/// What a data set is, in lines of a word and what it is: sequences, events, lengths, times, ...
std::string summary_of(const data::Events& events);

/// A line for each part of a split. Where sequences are cut into several pieces, these are counted too.
std::string parts_of(const data::Split& split, const data::SplitCounts& counts);

/// The lines of a text, each two blanks to the right.
std::string indented(const std::string& text);

}  // namespace t2v::cli
