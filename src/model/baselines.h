#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/container.h"
#include "base/container_writer.h"
#include "data/batches.h"
#include "data/encoding.h"
#include "data/events.h"
#include "data/pieces.h"
#include "model/task.h"

namespace t2v {

/// What predictors without a network need to know of the training data (docs/metrics.md): a model is worth
/// something if it does better than these. Filled for what a task predicts, empty for the rest.
struct Baselines {
  std::vector<double> classes;     // [C] share of the training sequences
  std::vector<double> popularity;  // [V] share of the training events, each type counted once more
  // How often a type came right after another: of type u the entries markov_offsets[u] ..
  // markov_offsets[u+1]-1, by ascending type.
  std::vector<int64_t> markov_offsets;  // [V + 1]
  std::vector<int32_t> markov_types;
  std::vector<double> markov_counts;  // above 0
  std::vector<double> value;          // [2] mean of what is to be predicted; season, 0 for none
  std::vector<double>
      gap;  // [2] mean and standard deviation of log(gap); [3] where gaps of zero have a share
  /// [V, 3] the same of the gap before each type, where what and when are predicted together.
  std::vector<double> type_gaps = {};

  /// Types that the encoding does not know are not counted as something to be predicted. Times are in the
  /// unit of the view; gaps below `least_gap` count as that. If it is 0, those of zero have a share of their
  /// own with `type_gaps`, and do not count at all without.
  static Baselines fit(const data::Events& events, std::span<const data::Piece> train,
                       const data::Encoding& encoding, Task task, data::ValueTarget values,
                       double least_gap = 0, bool type_gaps = false);

  /// Adds tensors 'baseline.*'. This object must stay as it is until the file is written.
  void add_to(ContainerWriter& writer) const;
  /// Empty ones for a file without them. Throws t2v::Error for numbers that fit() cannot have made for such
  /// an encoding.
  static Baselines read_from(const Container& file, const data::Encoding& encoding);

  double mean() const { return value[0]; }
  double season() const { return value[1]; }
  bool operator==(const Baselines&) const = default;
};

/// A cycle that explains less of the variance of the values is no season.
inline constexpr double kLeastSeasonShare = 0.1;
/// The prior of a sequence's own frequencies and of the Markov chain: it counts like so many events of the
/// popularity.
inline constexpr double kUserPrior = 3;
inline constexpr double kMarkovPrior = 1;
/// That of the gap before a type, in gaps of all types.
inline constexpr double kGapPrior = 3;

/// Types and how often each was counted, each type once.
struct TypeCounts {
  std::span<const int32_t> types = {};
  std::span<const double> counts = {};
};

struct TypeRank {
  int64_t rank;  // 1 + how many types are higher, or equal and of a lower code
  double loss;   // -log of the probability
};

/// Ranks types by counts over a prior: score(v) = count(v) + prior · popularity(v), whose share of the sum of
/// all scores is the probability. The baselines, which have popularity, must outlive it. Any number of
/// threads.
class TypeRanking {
 public:
  explicit TypeRanking(const Baselines& baselines);

  TypeRank by_popularity(int32_t target) const { return rank(target, {}, 1); }
  /// After an event of type `before`.
  TypeRank by_markov(int32_t target, int32_t before) const;
  /// In a sequence with this past.
  TypeRank by_past(int32_t target, const TypeCounts& past) const { return rank(target, past, kUserPrior); }

 private:
  TypeRank rank(int32_t target, const TypeCounts& counts, double prior) const;

  const Baselines& baselines_;
  std::vector<int32_t> order_;  // types by popularity, highest first, equal ones by code
};

/// The frequencies of the types of a sequence so far.
class TypePast {
 public:
  explicit TypePast(int64_t types) : place_(static_cast<std::size_t>(types), -1) {}

  void clear();
  void add(int32_t type);
  TypeCounts counts() const { return {types_, counts_}; }

 private:
  std::vector<int32_t> place_;  // [V] of the type in the lists, -1 if it is not there
  std::vector<int32_t> types_;
  std::vector<double> counts_;
};

/// The values of a sequence so far, and what they say of the next. The mean where there is none yet.
class ValuePast {
 public:
  ValuePast(double mean, double season) : mean_(mean), season_(season) {}

  void clear();
  /// Times never run backwards; a value that is NaN is none.
  void add(double time, double value);
  double last() const { return values_.empty() ? mean_ : values_.back(); }
  /// The value whose time is nearest to one season before `time`; the last one, where the past does not reach
  /// back that far.
  double one_season_before(double time) const;

 private:
  double mean_;
  double season_;
  std::vector<double> times_;
  std::vector<double> values_;
};

/// What a log-normal distribution says of a gap.
struct GapPrediction {
  double loss;         // -log of its density, in nats
  double median;       // of the distribution
  double share_below;  // of the distribution: below the gap
  double mean;         // of the distribution
};
/// By the baseline's distribution; `gap` is above 0, unless gaps of zero have a share.
GapPrediction predict_gap(const Baselines& baselines, double gap);

}  // namespace t2v
