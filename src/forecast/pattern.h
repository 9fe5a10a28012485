#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "forecast/series.h"

namespace t2v::forecast {

/// sin and cos of so many harmonics of a period.
struct Cycle {
  double period = 1;  // in units
  int64_t harmonics = 1;

  bool operator==(const Cycle&) const = default;
};

enum class Trend : uint8_t {
  kNone,
  kLinear,
  kDamped,  // linear as far as there are data, then it fades
};

/// The terms of a function of time: Time2Vec with frequencies that the calendar or a periodogram gives.
struct Shape {
  std::vector<Cycle> cycles = {};
  Trend trend = Trend::kNone;
  bool own = false;  // each series deviates from what all have in common

  int64_t terms() const;
  bool operator==(const Shape&) const = default;
};

std::string describe(const Shape& shape, double day);

/// A function of time, sum_j w_j f_j(t), for each series of a panel in its standard units.
struct Pattern {
  Shape shape = {};
  Span span = {0, 0};                // of the data it was learned from
  std::vector<double> weights = {};  // [terms]
  std::vector<double> own = {};      // [series, terms] deviations, or empty

  /// The features f_j at a time, [terms].
  void fill(float* out, double time) const;
  /// `series`: its number in the panel that was learned from, or -1 for one that was not there.
  double at(double time, int64_t series) const;
};

/// How a pattern is fitted: by squares, which is fast, or by absolute errors, which outliers do not bend.
enum class Loss : uint8_t { kSquared, kAbsolute };

/// Of a panel whose values are standardised by `levels`. On a thread of a ThreadPool.
Pattern fit_pattern(const Panel& panel, std::span<const Level> levels, const Shape& shape, Loss loss);

}  // namespace t2v::forecast
