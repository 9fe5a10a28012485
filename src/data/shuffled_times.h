#pragma once

#include <cstdint>

#include "data/events.h"

namespace t2v::data {

/// The same events with the gaps within each sequence in a random order, drawn by the seed. The first time of
/// each sequence stays, and so do its last time, its gaps taken together, the order of its events, their
/// types, values and labels: only which gap comes before which event is left to chance. Gaps that a source
/// gave (Events::interval) go with theirs. A sequence of equal gaps stays as it is (see moved_times). The
/// copy has times of its own and keeps the memory of the rest. Reads all times: throws t2v::Error if a file
/// is damaged.
Events shuffle_times(const Events& events, uint64_t seed);

/// How many events of two such data sets have different times.
int64_t moved_times(const Events& events, const Events& shuffled);

}  // namespace t2v::data
