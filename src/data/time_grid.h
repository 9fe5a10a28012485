#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/events.h"

namespace t2v::data {

/// The step in ticks of which all times of a sequence differ by multiples; 0 if they never differ. Unlike
/// Events::grid it is found through rounding: whole seconds that are written as hours to 16 digits are
/// multiples of a second here. Dates are exact.
double time_grid(const Events& events);

/// The same for times of one clock, in ticks.
double clock_grid(std::span<const int64_t> ticks, const TickScale& scale);

/// Months are of one length up to this share of it.
inline constexpr double kAsMonths = 0.125;
/// The gap that at least half of the gaps between events of a sequence differ from by no more than a share of
/// it, in ticks: how often something was measured. 0 if there is none.
double regular_step(const Events& events, double share);

/// The median gap between events of a sequence at different times, in ticks; 0 for none.
double median_gap(const Events& events);

}  // namespace t2v::data
