#pragma once

#include <vector>

#include "forecast/pattern.h"
#include "forecast/rules.h"
#include "forecast/series.h"

namespace t2v::forecast {

inline constexpr double kYear = 365.2425;  // days
/// Of a correction.
inline constexpr std::size_t kMostSeasons = 3;

/// Strong periods of the values that no calendar knows, strongest first; at most two.
std::vector<double> found_periods(const Panel& panel, double step);

/// The seasons that the data span at least twice: day, week and year where times are dates, and found ones.
std::vector<double> seasons_of(const Panel& panel, double step, const std::vector<double>& found);

/// The shapes of patterns that the data could have, by their span and step.
std::vector<Shape> candidate_shapes(const Panel& panel, double step, const std::vector<double>& found);

std::vector<Rule> candidate_rules(const std::vector<double>& seasons);

}  // namespace t2v::forecast
