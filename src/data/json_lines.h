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

/// What becomes of lists and objects under wanted keys.
enum class Nested { kFault, kEmpty };

/// The same; with `list` of a list of objects or a part of one, [{...}, {...}, which may stretch over lines.
void read_json(CellChunk& chunk, std::string_view text, const std::vector<std::string>& keys, bool list,
               Nested nested = Nested::kFault);

/// The keys of an object, in order: of a line, or with `list` of the object at the start of the text. Throws
/// t2v::Error (without the file's name) if there is none.
std::vector<std::string> read_json_keys(std::string_view text, bool list = false);

}  // namespace t2v::data
