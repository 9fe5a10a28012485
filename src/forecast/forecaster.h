#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "forecast/bands.h"
#include "forecast/correction.h"
#include "forecast/pattern.h"
#include "forecast/rules.h"
#include "forecast/series.h"

namespace t2v::forecast {

/// How something did on the validation data.
struct Score {
  std::string name;
  double error;  // mean absolute error, in spreads of each series
};

/// Values to come of each series of a panel: a pattern over time, fitted in closed form, and a correction
/// from the last values; mixed with a simple rule, or replaced by it, where that did better on the validation
/// data.
struct Forecaster {
  double day = 0;                     // in units of time; 0 where times are plain numbers
  double step = 1;                    // the usual distance of values
  double horizon = 1;                 // the farthest that it was made for
  std::vector<std::string> ids = {};  // of the series that it was learned from
  std::vector<Level> levels = {};     // of each
  Pattern pattern = {};
  Correction correction = {};
  std::optional<FittedRule> rule = {};  // what is mixed in
  double rule_share = 0;                // of the forecast: 1 for the rule alone
  Bands bands = {};                     // how far off it was on the validation data
  std::vector<Score> scores = {};       // what predicts, the best pattern, and all rules; best first

  /// What predicts, for people: the rule, or the shape of the pattern.
  std::string description() const;
};

/// Learns from a panel, and chooses by its last part: which cycles, how many harmonics, which trend; or a
/// rule. `horizon`: how far ahead will be asked; 0 for default_horizon. Deterministic: the same bits on any
/// number of threads. Throws t2v::Error for a panel without values.
Forecaster fit_forecaster(const Panel& panel, double horizon, ThreadPool& pool);

/// The same forecaster for times that are multiplied by a factor.
void rescale(Forecaster& forecaster, double factor);

/// A day, a week or a year, the first that has several steps; for plain numbers the strongest period, or a
/// number of steps.
double default_horizon(const Panel& panel);

/// What a forecaster makes of the known values of a series, to predict from any of them.
class Track {
 public:
  /// The forecaster must outlive it. Series are known by their id; another gets its level from its values.
  Track(const Forecaster& forecaster, const Series& series);

  /// The value expected at `time` from what is known at value number `origin`; -1: from none of them.
  double at(int64_t origin, double time) const;
  /// The quantiles of what will be measured then, in the order of `shares`; none below one before it.
  std::vector<double> quantiles(int64_t origin, double time, std::span<const double> shares) const;
  int64_t size() const { return residuals_.size(); }
  const Level& level() const { return level_; }

 private:
  double standard_at(int64_t origin, double time) const;

  const Forecaster& forecaster_;
  int64_t series_;
  Level level_;
  std::vector<float> standard_;
  Residuals residuals_;
};

}  // namespace t2v::forecast
