#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/by_type.h"

namespace t2v::nn {

/// What a model predicts, and how it is judged. The single source of the options' names and defaults.
struct HeadConfig {
  std::string kind = "softmax";       // an entry of heads()
  bool each_step = false;             // at each event, of what comes after it; else once, at the last
  std::string pool = "last";          // once a sequence: from the last state, or all (nn/pool.h)
  int64_t classes = 2;                // for softmax and logistic
  std::vector<double> class_weights;  // one for each class, or none
  int64_t components = 3;             // for when: of the mixture
  double centre = 0;                  // for when: what means of log(gap) are counted from,
  double spread = 1;                  // and in units of what
  double floor = 0;                   // for when: the grid of times, which no component is narrower than
  bool atom = false;                  // for when: whether gaps of zero have a probability
  double delta = 1;                   // for huber: where the square turns into a line
  double weight = 1;                  // of this head's loss among several
  bool rules = false;                 // for softmax at each event: simple rules are terms of the logits
  int64_t units = 0;   // at each event: of a hidden layer beside the straight way from the cell
  bool timed = false;  // for softmax at each event: that layer sees the times of the next event
};

/// What a head's target is.
enum class TargetKind { kClass, kValue, kGap };

/// What was to be predicted in one place.
struct Target {
  int64_t label;
  double value;
};

template <class T>
struct HeadFunctions {
  /// The loss of one prediction; writes scale * its gradient to dlogits unless that is null.
  Wide<T> (*loss)(T* dlogits, const T* logits, const HeadConfig& config, const Target& target, T scale);
};

/// A kind of head: an entry of the one table.
struct Head {
  std::string_view name;
  TargetKind target;
  /// How many outputs it has.
  int64_t (*outputs)(const HeadConfig& config);
  kernels::ByType<HeadFunctions> functions;
};

/// softmax: one of C classes, by cross-entropy. logistic: one of two, by a single output. mse, mae, huber: a
/// value. when: the time until the next event, as a mixture of log-normal distributions (when.h), by its
/// negative log-likelihood.
std::span<const Head> heads();
/// By the configuration's kind. Throws t2v::Error for one that makes no sense.
const Head& head_from(const HeadConfig& config);

/// The probabilities of the classes from one row of a softmax's or logistic head's outputs.
void class_probabilities(float* probabilities, const float* logits, const HeadConfig& config);

}  // namespace t2v::nn
