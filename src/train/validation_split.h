#pragma once

#include <cstdint>
#include <string>

#include "data/event_store.h"
#include "data/pieces.h"

namespace t2v {

/// What a data set says about its parts: the split of a store, or the parts that its source gave, or all to
/// learn from.
data::Split first_split(const data::EventStore& store);

/// Takes a share of the training pieces for validation. late: what comes after an instant, so that so much of
/// the events does, with what is before as context; else whole sequences, drawn by the seed: at least one,
/// and at least one is left. None where there is a single sequence, or a single instant.
void split_off_validation(data::Split& split, const data::Events& events, double share, bool late,
                          uint64_t seed);

/// One line, for people.
std::string describe_split(const data::Split& split, bool late);

}  // namespace t2v
