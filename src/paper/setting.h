#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "train/train_config.h"

namespace t2v::paper {

/// A value for a field, from text: of the kind that the field has now. Throws t2v::Error if it is not.
nlohmann::json value_like(const nlohmann::json& now, const std::string& name, const std::string& text);

/// Sets an option of `t2v train` by its name, apart from a protocol. Throws t2v::Error for an unknown name,
/// for a value of another kind or a count out of range, and for what the experiment decides (the task, the
/// times, sizes, ...). Words are checked when a run starts.
void set(TrainConfig& config, const std::string& name, const std::string& value);

}  // namespace t2v::paper
