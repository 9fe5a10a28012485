#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/file_system.h"

namespace t2v {

/// The object of options that a text is, each of them once; values are of any kind. Throws t2v::Error with
/// the path and the place.
nlohmann::json parse_options(const std::string& path, std::string_view text);

/// The same of a file of at most 1 MiB.
nlohmann::json read_options_file(FileSystem& files, const std::string& path);

}  // namespace t2v
