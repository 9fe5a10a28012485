#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/events.h"

/// What there is to see in values over time. Values are those of events [N], NaN for none; each sequence is a
/// series of its own.
namespace t2v::data {

/// A straight line that all series share, each with a level of its own.
struct Trend {
  double slope = 0;  // for each tick
  double share = 0;  // of the variance around the levels that it explains
};
Trend trend_of(const Events& events, std::span<const double> values);

/// The values less the level of their series and the trend, over the deviation of their series: series of
/// other scales count alike. 0 where a series is constant.
std::vector<double> without_trend(const Events& events, std::span<const double> values, const Trend& trend);

/// Values far from the two before and the two after them: by more than kFar times what is usual there.
struct Outliers {
  int64_t count = 0;
  int64_t farthest = -1;  // event
};
inline constexpr double kFar = 10;
Outliers outliers_of(const Events& events, std::span<const double> values);

/// Where the level of a series jumps, and does not come back soon.
struct LevelChange {
  int64_t event;  // the first one after
  double before;
  double after;
};
/// The clearest ones of each series, at most three, in the order of the events.
std::vector<LevelChange> level_changes(const Events& events, std::span<const double> values);

}  // namespace t2v::data
