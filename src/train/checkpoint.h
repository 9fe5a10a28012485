#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/container.h"

namespace t2v {

/// What checkpoints are called among containers.
inline constexpr const char* kCheckpointKind = "checkpoint";

/// Metadata of a file as JSON. Throws t2v::Error if they are none.
nlohmann::json parsed_metadata(const Container& file, const char* key);

/// Throws t2v::Error if options that a checkpoint was made with are not those asked for, naming one. Those
/// that only say how long to go on may differ.
void check_options(const nlohmann::json& saved, const nlohmann::json& asked, const std::string& path);

}  // namespace t2v
