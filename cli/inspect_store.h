#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace t2v::cli {

/// What an event store holds, for people. Throws t2v::Error if it is damaged.
std::string store_text(const std::string& path);

/// The counts of that text, as JSON.
nlohmann::json store_json(const std::string& path);

}  // namespace t2v::cli
