#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <string>

#include "base/random.h"
#include "forecast/series.h"

namespace t2v::forecast {

/// A sine of a period, in units.
inline double wave(double time, double period) { return std::sin(2 * std::numbers::pi * time / period); }

/// n values of a function of time, a step apart, with normal noise; times in hours where day is 24.
inline Panel made_panel(int64_t n, double step, double day, const std::function<double(double)>& value,
                        double noise, uint64_t seed = 1) {
  Random random(seed);
  Panel panel;
  panel.day = day;
  panel.series.resize(1);
  for (int64_t i = 0; i < n; ++i) {
    const double time = static_cast<double>(i) * step;
    panel.series[0].times.push_back(time);
    panel.series[0].values.push_back(value(time) + noise * random.normal());
  }
  return panel;
}

}  // namespace t2v::forecast
