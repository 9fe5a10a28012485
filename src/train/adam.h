#pragma once

#include <cstdint>

#include "base/thread_pool.h"
#include "nn/parameters.h"

namespace t2v {

/// Options of the optimizer Adam, as PyTorch has them.
struct AdamConfig {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double time_factor = 1;  // times the learning rate for frequencies and phases
};

/// Adam over all parameters of a model. Moments are kept in the type of their parameter: those of frequencies
/// and phases in double.
template <class T>
class Adam {
 public:
  Adam(const nn::Layout& layout, const AdamConfig& config);

  /// One update. Equal bits for any number of threads.
  void step(nn::Parameters<T>& parameters, const nn::Parameters<T>& gradient, ThreadPool& pool);

  /// Changes the learning rate from the next step on.
  void set_learning_rate(double rate) { config_.learning_rate = rate; }

 private:
  AdamConfig config_;
  int64_t steps_ = 0;
  nn::Parameters<T> first_;
  nn::Parameters<T> second_;
};

}  // namespace t2v
