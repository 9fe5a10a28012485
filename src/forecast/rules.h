#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "forecast/series.h"

namespace t2v::forecast {

enum class RuleKind : uint8_t {
  kMean,           // of all values
  kLast,           // the last value
  kDrift,          // the last value, and on along the line from the first one
  kSeasonalNaive,  // the value one season ago
  kPhaseMean,      // the mean of the values at the same phase of a season
};

/// A simple rule by which a model is measured, and which replaces it where it is better.
struct Rule {
  RuleKind kind = RuleKind::kMean;
  double season = 0;  // in units; of the last two kinds

  bool operator==(const Rule&) const = default;
};

std::string describe(const Rule& rule, double day);

/// What a rule has learned of a panel, in the standard units of each series.
struct FittedRule {
  Rule rule = {};
  double step = 1;                  // phases are so long
  std::vector<double> means = {};   // [series] kMean
  std::vector<double> slopes = {};  // [series] kDrift, a unit of time
  std::vector<double> phases = {};  // [series, phases] kPhaseMean; NaN where there was no value

  int64_t phase_count() const;
  /// The value at `time`, as known at value number `origin` of a series whose values are standardised.
  /// `series`: as in Pattern::at.
  double at(std::span<const double> times, std::span<const float> values, int64_t origin, double time,
            int64_t series) const;
};

FittedRule fit_rule(const Rule& rule, const Panel& panel, std::span<const Level> levels, double step);

}  // namespace t2v::forecast
