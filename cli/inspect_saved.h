#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/container.h"

namespace t2v::cli {

/// What a checkpoint of a training is, in words: what is trained, how far it is, how to go on.
std::string checkpoint_text(const Container& file);
nlohmann::json checkpoint_json(const Container& file);

/// What a snapshot of a stream is, in words: what it knows, how to go on.
std::string snapshot_text(const Container& file);
nlohmann::json snapshot_json(const Container& file);

}  // namespace t2v::cli
