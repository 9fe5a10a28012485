#pragma once

#include <cstdint>

#include "data/event_store.h"

// Data sets with the shapes of real ones, for measurements where those are absent. Every fifth sequence or so
// is for tests.
namespace t2v::bench {

/// Like Event-MNIST: strictly increasing positions in 0..783, 2 to 283 of them, 69 in the mean, and one of
/// ten classes, which shifts the positions a little.
data::EventStore made_pixels(int64_t sequences);

/// Like Stack Overflow's badges: 41 events and more, 72 in the mean, at times that all differ, of `types`
/// types, each of which depends on the one before, with a value drawn at random.
data::EventStore made_badges(int64_t sequences, int64_t types);

}  // namespace t2v::bench
