#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/config.h"

namespace t2v {

/// All fields of a configuration under their names.
nlohmann::json to_json(const ModelConfig& config);

/// Fields that are absent keep their defaults. Throws t2v::Error for a field that is unknown, of another type
/// or beyond any sense, so that a model of that configuration can be laid out.
ModelConfig model_config_from_json(const nlohmann::json& json);

}  // namespace t2v
