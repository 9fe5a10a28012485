#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/encoding.h"
#include "data/pieces.h"
#include "model/trained_model.h"
#include "train/train_config.h"

namespace t2v {

/// Settles how the events of a sequence that is judged as a whole are seen: whether events of one time are
/// one step (`together`), and whether values are scaled by the type of their event (`typed_values`). Both
/// options become yes or no. Throws t2v::Error for a yes that cannot be.
void choose_event_form(data::Encoding& encoding, TrainConfig& config, const TrainedModel& model,
                       const data::Events& events, std::span<const data::Piece> train,
                       std::vector<std::string>& choices);

/// That of a model to go on from. Throws t2v::Error if the options ask for another.
void keep_event_form(TrainConfig& config, const data::Encoding& encoding);

}  // namespace t2v
