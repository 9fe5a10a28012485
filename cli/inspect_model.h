#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/trained_model.h"

namespace t2v::cli {

/// What a model is, in words: its task, its parts, and the `top` most important periods that it learned of
/// each of its times; with `all` also the sizes of its parts, how it was trained and what its inputs mean.
std::string model_text(const TrainedModel& trained, int64_t top, bool all);

/// Its task, the sizes of its tensors by group, and all that it learned about time.
nlohmann::json model_json(const TrainedModel& trained);

}  // namespace t2v::cli
