#pragma once

#include <cstdint>

#include "model/baselines.h"

namespace t2v {

/// The rule for what and when together: a smoothed Markov chain of types, and before each type a log-normal
/// gap, or one of zero. The baselines, which have both, must outlive it. Any number of threads.
class TypedGaps {
 public:
  explicit TypedGaps(const Baselines& baselines) : baselines_(baselines) {}

  struct Said {
    double loss;   // -log p(type, gap)
    bool given;    // whether the type is the most probable one at that time
    bool without;  // whether it is the most probable one
  };
  /// Of an event of this type so long after one of type `before`.
  Said after(int32_t before, int32_t type, double gap) const;

 private:
  const Baselines& baselines_;
};

/// -log of the density of a log-normal gap with {mean, deviation, share of gaps of zero} of its logarithm, or
/// of the probability of a gap of zero.
double log_normal_loss(const double* of, double gap);

}  // namespace t2v
