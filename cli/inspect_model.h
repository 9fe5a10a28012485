#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/trained_model.h"

namespace t2v::cli {

/// What a model is, in words: its task, its parts and their sizes, how it was trained, what its inputs mean
/// and the `top` most important periods that it learned of each of its times.
std::string model_text(const TrainedModel& trained, int64_t top);

/// Its task, the sizes of its tensors by group, and all that it learned about time.
nlohmann::json model_json(const TrainedModel& trained);

}  // namespace t2v::cli
