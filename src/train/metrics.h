#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/thread_pool.h"

namespace t2v {

// Measures of predictions, from a small record of each (docs/metrics.md has the formulas). Sums are taken in
// the order of the records, in double, so that nothing depends on threads. A mean over nothing is NaN.

/// One prediction of a class.
struct ClassRecord {
  int32_t target = 0;
  int32_t predicted = 0;  // the most probable
  double confidence = 0;  // its probability
  double loss = 0;        // -log of the probability of the target
  double brier = 0;       // Σ over the classes of (probability - 1 for the target)²
  double second = -1;     // of two classes: the probability of class 1; else -1
};

/// How often a class was taken for another, or for itself.
struct Confusion {
  int32_t target;
  int32_t predicted;
  int64_t count;

  bool operator==(const Confusion&) const = default;
};

struct ClassMeasures {
  int64_t count = 0;
  double accuracy = 0;
  double macro_f1 = 0;
  double log_loss = 0;
  double calibration_error = 0;
  double brier = 0;
  // Of two classes that both occur, else NaN: how well probabilities order the sequences, and the average
  // precision for the class that occurs less often.
  double auc = 0;
  double average_precision = 0;
  std::vector<Confusion> confusion;  // those that occur, by target, then by prediction
};

/// Bins of equal width for the expected calibration error.
inline constexpr int kCalibrationBins = 15;

ClassMeasures class_measures(std::span<const ClassRecord> records);

/// From which probability of class 1 on, of two classes, it is predicted: the one with the largest macro F1
/// on these records, of several the middle one of those nearest to 1/2. 1/2 where a class does not occur.
double best_threshold(std::span<const ClassRecord> records);

/// Where the score of the target is among the scores of all types.
struct RankRecord {
  int64_t rank = 1;  // 1 + how many others are not lower: ties count against the target
  int64_t ties = 0;  // how many others are equal
  double loss = 0;   // -log of the probability of the target
};

/// Rank and ties of one of the scores. NaN counts against the target, whosever score it is.
RankRecord rank_of(std::span<const float> scores, int64_t target);

struct RankMeasures {
  int64_t count = 0;
  int64_t tied = 0;            // predictions whose target's score is not its alone
  std::vector<double> recall;  // for each q
  std::vector<double> mrr_at;  // likewise
  double mrr = 0;
  double log_loss = 0;
};

/// Over all types; `at` has the lengths q of the lists.
RankMeasures rank_measures(std::span<const RankRecord> records, std::span<const int64_t> at);

/// How a ranking among some candidates is measured: the target and so many other types, which are drawn
/// uniformly and without replacement (all others, if there are no more).
struct CandidateConfig {
  int64_t types = 1;  // V, at least 1
  int64_t negatives = 100;
  int64_t draws = 20;  // of candidates for each prediction
  uint64_t seed = 1;
};

struct CandidateMeasures {
  std::vector<double> recall;  // for each q
  std::vector<double> mrr_at;  // likewise
};

/// With candidates drawn at random: a function of seed, draws and the place of a record alone.
CandidateMeasures sampled_measures(std::span<const RankRecord> records, std::span<const int64_t> at,
                                   const CandidateConfig& config, ThreadPool& pool);
/// What sampling gives on average.
CandidateMeasures expected_measures(std::span<const RankRecord> records, std::span<const int64_t> at,
                                    const CandidateConfig& config);

/// One prediction of a number.
struct ValueRecord {
  double target = 0;
  double predicted = 0;
};

struct ValueMeasures {
  int64_t count = 0;
  double rmse = 0;
  double mae = 0;
  double variance_left = 0;  // mean squared error / variance of the targets; NaN if these are all equal
};

ValueMeasures value_measures(std::span<const ValueRecord> records);

/// One prediction of the time until the next event, as a distribution.
struct GapRecord {
  double gap = 0;
  double loss = 0;                                         // -log of the density at the gap
  double median = 0;                                       // of the distribution
  double share_below = 0;                                  // of the distribution: below the gap
  double mean = 0;                                         // of the distribution
  double crps = std::numeric_limits<double>::quiet_NaN();  // see crps_of
  double cell_loss =
      std::numeric_limits<double>::quiet_NaN();  // -log of the probability of the gap's cell of the grid
};

/// The continuous ranked probability score, from quantiles in the middle of shares of equal size: twice the
/// mean of their pinball losses.
double crps_of(std::span<const double> quantiles, double gap);

struct GapMeasures {
  int64_t count = 0;
  double nll = 0;       // nats
  double cell_nll = 0;  // NaN without a grid
  double mae_of_median = 0;
  double rmse_of_mean = 0;
  double crps = 0;
  double pit_error =
      0;  // the mean distance of the sorted shares below from where they would be if calibrated
  double below[3] = {0, 0, 0};  // share of the gaps below the predicted quantiles kQuantiles
};
inline constexpr double kQuantiles[3] = {0.1, 0.5, 0.9};

GapMeasures gap_measures(std::span<const GapRecord> records);

}  // namespace t2v
