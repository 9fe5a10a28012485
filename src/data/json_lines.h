#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/cells.h"

namespace t2v::data {

/// Reads JSON objects, one a line, and keeps of each the values of the wanted keys: strings, numbers (as they
/// are written), true and false; null and a missing key are empty cells. A line that is no object, has a
/// wanted key twice, or has a list or an object under one becomes a fault and is left out. Empty lines are
/// none.
void read_json_lines(CellChunk& chunk, std::string_view text, const std::vector<std::string>& keys);

/// The keys of an object, in order. Throws t2v::Error (without the file's name) if the line is none.
std::vector<std::string> read_json_keys(std::string_view line);

}  // namespace t2v::data
