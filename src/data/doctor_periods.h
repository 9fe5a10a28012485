#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/events.h"

namespace t2v::data {

/// A cycle in the times of events.
struct Cycle {
  double period;    // seconds where times have a unit, else units of the view
  double strength;  // events: how far the rate swings around its mean, as a share of it;
                    // gaps: the share of the variance of their logarithms that it explains
  int64_t part_of;  // -1, or the number of a longer cycle in the list of which this is a whole fraction
};

struct Cycles {
  std::vector<Cycle> found;  // strongest first, at most kMostCycles
  double shortest = 0;       // what was looked at; 0 if there are too few events to look at all
  double longest = 0;
  int64_t left_out = 0;  // events far from all others, which were not looked at
};

inline constexpr int64_t kMostCycles = 5;
/// How often, at most, times without any cycle seem to have one.
inline constexpr double kFalseAlarm = 0.01;

/// Cycles in when events happen, all sequences on one clock: peaks of the power |Σ exp(iωt)|² of the point
/// process, with a Hann taper over its span, against the median power of the frequencies around. So neither
/// a trend nor bursts nor a rate that wanders count as a cycle. Periods that fit into the span four times.
/// Of the 1 % of the events on either side (or the 3, if that is more), those that are farther from all the
/// others than these span are left out: one wrong time would make the span too long to see anything in it.
/// What times are rounded to is no cycle, nor is the step at which most of them follow each other.
Cycles cycles_of_events(const Events& events);

/// The same for how long the gap before each event is, as its logarithm at the time of the event; the
/// strength is that of the generalised Lomb-Scargle periodogram.
Cycles cycles_of_gaps(const Events& events);

/// The same for values of the events [N], NaN for none, whose mean and trend were taken away; the strength is
/// the share of their variance.
Cycles cycles_of_values(const Events& events, std::span<const double> values);

}  // namespace t2v::data
