#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace t2v::forecast {

/// What was measured over time: times ascend, no value is missing.
struct Series {
  std::string id = {};
  std::vector<double> times = {};  // in units
  std::vector<double> values = {};

  int64_t size() const { return static_cast<int64_t>(times.size()); }
};

/// Several series of the same kind. Gaps in them need no marks: times say where they are.
struct Panel {
  std::vector<Series> series = {};
  double day = 0;  // in units; 0 where times are plain numbers
};

/// Level and spread of a series, in units of which it is predicted.
struct Level {
  double level = 0;
  double spread = 1;

  double standardise(double value) const { return (value - level) / spread; }
  double restore(double standard) const { return level + spread * standard; }
  bool operator==(const Level&) const = default;
};

/// Median, and mean distance from it; a spread of 1 where all values are equal.
Level level_of(std::span<const double> values);

/// The median distance of a value from the one before it; 0 if no two values differ in time.
double step_of(const Panel& panel);

/// First and last time of all series. Throws t2v::Error for a panel without values.
struct Span {
  double first;
  double last;

  double length() const { return last - first; }
};
Span span_of(const Panel& panel);

/// The values until `end`, without series that have none by then.
Panel until(const Panel& panel, double end);

/// The k-th smallest of the values, k = share of their number; they are reordered.
double quantile_of(std::vector<double>& values, double share);

}  // namespace t2v::forecast
