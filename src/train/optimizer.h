#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "model/model.h"
#include "nn/parameters.h"
#include "train/schedule.h"

namespace t2v {

/// Options of the optimizer, with PyTorch's defaults.
struct OptimizerConfig {
  std::string kind = "adam";  // adam, adagrad or sgd
  double learning_rate = 1e-3;
  double time_factor = 1;       // times the learning rate for frequencies, phases and clocks
  double beta1 = 0.9;           // adam
  double beta2 = 0.999;         // adam
  double epsilon = 1e-8;        // adam, adagrad
  bool epsilon_inside = false;  // adagrad: within the root, as Lasagne has it
  double momentum = 0;          // sgd
  double weight_decay = 0;      // adam: decoupled, as AdamW; adagrad, sgd: added to the gradient
  bool decay_all = false;       // decay also biases, frequencies, phases and clocks
  double clip = 0;              // scale the gradient down to this norm, over all parameters; 0 for never
  ScheduleConfig schedule;
};

/// A tensor of times whose steps are taken on other numbers u, such that w = scale · u: frequencies in
/// radians per span of the data, clocks in typical gaps. So a step is the same in any unit of time.
struct StepScale {
  int tensor;
  double scale;
  int phase = -1;     // of frequencies: their phases
  double centre = 0;  // and the time at which these are kept, whatever the frequencies do
};

/// Those of a model, by the scales in its configuration; none for times that are used as they are.
std::vector<StepScale> step_scales(const Model& model);

/// An optimizer over all parameters of a model. What it remembers is kept in the type of the parameter: that
/// of frequencies and phases in double.
template <class T>
class Optimizer {
 public:
  /// Throws t2v::Error for a configuration that makes no sense.
  Optimizer(const nn::Layout& layout, const OptimizerConfig& config, std::vector<StepScale> scales = {});

  /// One update; may scale the gradient (clipping). `touched` are the rows of the table whose gradient is not
  /// zero: where the others would not move (adagrad, sgd, both without decay and momentum), they are not
  /// visited. Equal bits for any number of threads.
  void step(nn::Parameters<T>& parameters, nn::Parameters<T>& gradient, std::span<const int32_t> touched,
            ThreadPool& pool);

  /// Changes the learning rate from the next step on.
  void set_learning_rate(double rate) { config_.learning_rate = rate; }
  /// The learning rate of the last step, as the schedule made it; before the first step, of that.
  double rate() const {
    return config_.learning_rate * rate_factor(config_.schedule, steps_ > 0 ? steps_ - 1 : 0);
  }
  int64_t steps() const { return steps_; }
  /// What it remembers: first moments (adam), sums of squares (adagrad) or velocities (sgd); second moments
  /// (adam alone).
  const nn::Parameters<T>& first() const { return first_; }
  const nn::Parameters<T>& second() const { return second_; }
  /// Goes on from what another one remembered after so many steps.
  void restore(int64_t steps, nn::Parameters<T> first, nn::Parameters<T> second);
  /// The norm of the last gradient, before clipping; only where it clips.
  double gradient_norm() const { return norm_; }

 private:
  /// From the gradients of w to those of u.
  void scale_gradients(nn::Parameters<T>& gradient) const;
  void remember_frequencies(const nn::Parameters<T>& parameters);
  /// Keeps the phases at the centre as the step left them.
  void turn_phases(nn::Parameters<T>& parameters) const;
  double scale_of(const nn::Tensor& tensor) const;
  void clip(nn::Parameters<T>& gradient, ThreadPool& pool);
  bool skips_untouched_rows() const;
  /// Numbers [begin, begin + count) of a tensor.
  struct Piece {
    const nn::Tensor* tensor;
    int64_t begin;
    int64_t count;
  };
  void update(nn::Parameters<T>& parameters, const nn::Parameters<T>& gradient, const Piece& piece,
              double rate);
  template <class W>
  void update(W* w, W* first, W* second, const W* g, int64_t n, double rate, double decay) const;

  OptimizerConfig config_;
  nn::Layout layout_;
  std::vector<StepScale> scales_;
  Buffer<Wide<T>> before_;  // frequencies, and all other numbers of their kind, before a step
  int64_t steps_ = 0;
  double norm_ = 0;
  nn::Parameters<T> first_;
  nn::Parameters<T> second_;
  std::vector<Piece> pieces_;  // the work of a step; kept for its memory
};

}  // namespace t2v
