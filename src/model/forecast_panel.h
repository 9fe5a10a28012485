#pragma once

#include <span>

#include "data/events.h"
#include "data/pieces.h"
#include "forecast/series.h"
#include "model/trained_model.h"

namespace t2v {

/// The values of pieces of a data set as series; empty cells are gaps. Times are in the unit of the view,
/// from one origin.
forecast::Panel panel_of(const data::Events& events, std::span<const data::Piece> pieces);
forecast::Series values_over_time(const data::Events& events, const data::Piece& piece);

/// The time of a tick as series have it.
double series_time(const data::Events& events, int64_t tick);

/// How many units of the view make a day; 0 for plain numbers.
double units_of_a_day(const data::Events& events);

}  // namespace t2v
