#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/trained_model.h"

namespace t2v {

/// Unit and origin of times as the options of a training that ask for them: {"unit": "h", "origin":
/// "sequence"}. Plain numbers of no known unit have none.
nlohmann::json time_options(const ModelTimes& times);

}  // namespace t2v
