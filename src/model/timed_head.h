#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/model.h"
#include "nn/when.h"

namespace t2v {

/// Moments at which the next event may come, for what is expected without knowing when: so many quantiles of
/// the gap, in the middle of shares of equal size.
inline constexpr int64_t kGapNodes = 32;

/// A timed head (nn::HeadConfig) at places whose next event comes at a time that is given, or that the head
/// 'when' says. It takes what the model gives with Workspace::open. Any number of threads may use it at once.
class TimedHead {
 public:
  /// All must outlive it and stay as they are.
  TimedHead(const Model& model, const nn::Parameters<float>& parameters, std::size_t head);

  /// logits [gaps, classes] of an event that comes so long after one at `start`, which is since the origin;
  /// in units of the model.
  void logits(std::vector<float>& logits, const float* open, double start,
              std::span<const double> gaps) const;

  /// The probabilities of the first of the classes, as many as there is room for, without knowing when: the
  /// mean over kGapNodes quantiles of the gap, and over its atom. Returns how far a probability may be off:
  /// half of the largest difference between the means over every other quantile.
  double marginal(std::span<double> probabilities, const float* open, double start,
                  const nn::GapMixture& when) const;

  /// The longest gap, in units of the model, that surely all of its encoders can encode exactly.
  double most_gap() const { return most_gap_; }

 private:
  const Model& model_;
  const nn::Parameters<float>& parameters_;
  std::size_t head_;
  double most_gap_;
};

}  // namespace t2v
