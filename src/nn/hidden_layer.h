#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/packed_batch.h"
#include "nn/input.h"
#include "nn/parameters.h"
#include "nn/time_inputs.h"

namespace t2v::nn {

/// Units between the state of a cell and a head, tanh(b + h W_below + Σ t2v(τ) W_τ): what a head sees through
/// them need not be a sum of what h says and what the times say.
class HiddenLayer {
 public:
  /// Adds "<prefix>.bias", "<prefix>.below" unless `below`, the units of the cell, is 0, and, with times, the
  /// weights "<prefix>.time0", ...
  HiddenLayer(Layout& layout, const std::string& prefix, int64_t units, int64_t below,
              const TimeInputs* times);

  int64_t units() const { return units_; }
  int bias() const { return bias_; }
  /// [units of the cell, units], or -1.
  int below() const { return below_weights_; }
  /// Whether it sees times; then their weights, [width, units] each.
  bool timed() const { return times_.has_value(); }
  std::span<const int> time_weights() const { return times_->time_weights(); }

  /// What a shard keeps from forward to backward. Reused from batch to batch.
  template <class T>
  struct State {
    Input::State<T> times;
    Buffer<T> value;   // [E, units]
    Buffer<T> dvalue;  // the same
  };

  /// Of the events numbered `source` of a batch, with the states of the cell [E, below]. `times` is null for
  /// what the units sum up before they see the times.
  template <class T>
  void forward(State<T>& state, const T* below, const SequenceBatch& batch, std::span<const int32_t> source,
               const TimeInputs::State<T>* times, const Layout& layout,
               const Parameters<T>& parameters) const;

  /// From state.dvalue, which is used up: adds to the gradients, to those of the time vectors and to
  /// dbelow.
  template <class T>
  void backward(Parameters<T>& gradient, T* dbelow, State<T>& state, const T* below, const TimeInputs& inputs,
                TimeInputs::State<T>& times, const Layout& layout, const Parameters<T>& parameters) const;

 private:
  int64_t units_;
  int64_t below_;
  int bias_;
  int below_weights_ = -1;
  std::optional<Input> times_;
};

}  // namespace t2v::nn
