#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/buffer.h"
#include "base/packed_batch.h"
#include "nn/distinct.h"
#include "nn/parameters.h"
#include "nn/time_encoder.h"

namespace t2v::nn {

/// What an event consists of.
struct InputConfig {
  int64_t event_types = 0;               // V, 0 for none
  int64_t features = 0;                  // F, numbers beside it
  std::vector<TimeEncoderConfig> times;  // its times, each with an encoder of its own
};

/// Columns [begin, end) of a matrix of sums.
struct Columns {
  int64_t begin;
  int64_t end;
  int64_t count() const { return end - begin; }
};

/// The first layer: turns events into sums for the next one,
///   sums[e] = base + events_row[type] + features W_f + Σ t2v(τ) W_τ,
/// where events and features feed one range of columns and times another. The one-hot product of an event's
/// type is a row look-up, and the times that occur more than once are encoded and multiplied once.
class Input {
 public:
  /// Adds the encoders' tensors ("time0.omega", ...) and the weights ("<prefix>.events", "<prefix>.features",
  /// "<prefix>.time0", ...) to the layout. `columns` is the number of all columns.
  Input(Layout& layout, const std::string& prefix, const InputConfig& config, int64_t columns, Columns events,
        Columns times);

  const InputConfig& config() const { return config_; }
  const std::vector<TimeEncoder>& encoders() const { return encoders_; }
  /// The number of inputs as a dense layer would count them: V + F + all time vectors.
  int64_t width() const;
  /// The weights of encoder i, [its width, columns for times].
  int time_weight(std::size_t i) const { return time_weights_[i]; }
  /// The table of event rows, or -1.
  int event_table() const { return event_rows_; }

  /// What one shard keeps from forward to backward. Reused from batch to batch.
  template <class T>
  struct State {
    struct Time {
      std::vector<double> tau;  // [E]
      Distinct<double> distinct;
      bool shared = false;  // the distinct times are few: work on them
      Buffer<T> value;      // [U or E, width]
      Buffer<T> slope;
      Buffer<T> dvalue;
      Buffer<T> sums;  // [U, columns for times], if shared
    };
    std::vector<int32_t> events;  // [E]
    Buffer<T> features;           // [E, F]
    std::vector<Time> times;
    Distinct<int32_t> distinct_events;
    int64_t count = 0;  // E
  };

  /// Takes the events numbered `source` out of the batch. Throws t2v::Error if the batch lacks something, or
  /// has an event type or a time that the model cannot take.
  template <class T>
  void load(State<T>& state, const SequenceBatch& batch, std::span<const int32_t> source) const;

  /// sums [E, columns]. `base` [columns] is what every row starts from (the biases).
  template <class T>
  void forward(T* sums, State<T>& state, const T* base, const Layout& layout,
               const Parameters<T>& parameters) const;

  /// Adds to the dense and wide gradients, and writes the gradient of the event rows.
  template <class T>
  void backward(Parameters<T>& gradient, RowGradient<T>& rows, State<T>& state, const T* dsums,
                const Layout& layout, const Parameters<T>& parameters) const;

 private:
  template <class T>
  void forward_time(T* sums, typename State<T>::Time& time, std::size_t i, const T* carried,
                    const Layout& layout, const Parameters<T>& parameters) const;
  template <class T>
  void backward_time(Parameters<T>& gradient, typename State<T>::Time& time, std::size_t i, const T* dsums,
                     const Layout& layout, const Parameters<T>& parameters) const;

  InputConfig config_;
  int64_t columns_;
  Columns event_columns_;
  Columns time_columns_;
  std::vector<TimeEncoder> encoders_;
  int event_rows_ = -1;
  int feature_weights_ = -1;
  std::vector<int> time_weights_;
};

}  // namespace t2v::nn
