#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/buffer.h"
#include "base/packed_batch.h"
#include "kernels/matmul.h"
#include "nn/distinct.h"
#include "nn/parameters.h"
#include "nn/time_inputs.h"

namespace t2v::nn {

/// Columns [begin, end) of a matrix of sums.
struct Columns {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t count() const { return end - begin; }
};

/// What feeds a layer, and which of its columns.
struct InputShape {
  int64_t event_types = 0;  // V, 0 for none
  int64_t event_rows = 0;   // rows that an event is the sum of some of; 0: its type is its only row
  int64_t features = 0;     // F, numbers beside it
  int64_t below = 0;        // units of the layer below, 0 for none
  bool times = true;        // the model's time vectors
  int64_t columns = 0;      // all columns
  Columns events = {};      // those fed by events, features and the layer below
  Columns time = {};        // those fed by the times
  Columns floored = {};     // those of `time` whose weights never act below `floor`
  double floor = -std::numeric_limits<double>::infinity();
};

/// The products that feed a layer with all but its own state,
///   sums[e] = base + events_row[type] + features W_f + below W_b + Σ t2v(τ) W_τ.
/// The one-hot product of an event's type is a row look-up, and times that occur more than once are
/// multiplied once.
class Input {
 public:
  /// Adds the weights "<prefix>.events", "<prefix>.features", "<prefix>.below", "<prefix>.time0", ...
  Input(Layout& layout, const std::string& prefix, const InputShape& shape, const TimeInputs& times);

  const InputShape& shape() const { return shape_; }
  /// The number of inputs as a dense layer would count them: V + F + the layer below + all time vectors.
  int64_t width(const TimeInputs& times) const;
  /// The weights of each time vector, [its width, columns for times]; none if times do not feed this layer.
  const std::vector<int>& time_weights() const { return time_weights_; }
  /// The table of event rows, or -1.
  int event_table() const { return event_rows_; }

  /// Derived once a batch from the parameters: the weights as they act, where they differ.
  template <class T>
  struct Prepared {
    std::vector<Buffer<T>> time_weights;
  };
  template <class T>
  void prepare(Prepared<T>& prepared, const Layout& layout, const Parameters<T>& parameters) const;

  /// What one shard keeps from forward to backward. Reused from batch to batch.
  template <class T>
  struct State {
    std::vector<int32_t> events;       // [E] types; or the rows of all parts of events
    std::vector<int64_t> part_starts;  // [E + 1] where those of an event start
    std::vector<float> part_weights;   // of each part
    Buffer<T> features;                // [E, F]
    std::vector<Buffer<T>> time_sums;  // [U, columns for times] for each shared time input
    Distinct<int32_t> distinct_events;
    int64_t count = 0;  // E
  };

  /// Before the first chunk of a shard.
  template <class T>
  void start(State<T>& state) const {
    state.distinct_events.clear();
  }

  /// Takes the events numbered `source` out of the batch. Throws t2v::Error if the batch lacks something, or
  /// has an event type that the model does not know.
  template <class T>
  void load(State<T>& state, const SequenceBatch& batch, std::span<const int32_t> source) const;

  /// Once a chunk, before forward(): multiplies the times that occur more than once. `base` [columns] is
  /// what every row starts from (the biases).
  template <class T>
  void start_forward(State<T>& state, const T* base, const TimeInputs::State<T>& times,
                     const Prepared<T>& prepared, const Layout& layout,
                     const Parameters<T>& parameters) const;

  /// sums [E, columns] of some events of the chunk, from below [E, units].
  template <class T>
  void forward(T* sums, const State<T>& state, Events events, const T* base, const T* below,
               const TimeInputs::State<T>& times, const Prepared<T>& prepared, const Layout& layout,
               const Parameters<T>& parameters) const;

  /// Once a chunk, before backward(): makes room for the gradients of event rows and shared times.
  template <class T>
  void start_backward(RowGradient<T>& rows, State<T>& state, const TimeInputs::State<T>& times) const;

  /// For some events of the chunk, from dsums [E, columns]: adds to the dense gradients, to those of the time
  /// vectors and of the event rows and, where there is a layer below, writes that of its outputs, dbelow
  /// [E, units].
  template <class T>
  void backward(Parameters<T>& gradient, RowGradient<T>& rows, T* dbelow, State<T>& state, Events events,
                const T* dsums, const T* below, const TimeInputs& inputs, TimeInputs::State<T>& times,
                const Prepared<T>& prepared, const Layout& layout, const Parameters<T>& parameters) const;

  /// Once a chunk, after backward(): the gradients that come through shared times.
  template <class T>
  void finish_backward(Parameters<T>& gradient, const State<T>& state, const TimeInputs& inputs,
                       TimeInputs::State<T>& times, const Prepared<T>& prepared, const Layout& layout,
                       const Parameters<T>& parameters) const;

  /// Clears the gradient of the weights that do not act because they are below the floor.
  template <class T>
  void mask_floored(Parameters<T>& gradient, const Layout& layout, const Parameters<T>& parameters) const;

 private:
  template <class T>
  const T* weights_of(std::size_t i, const Prepared<T>& prepared, const Layout& layout,
                      const Parameters<T>& parameters) const;
  /// Whether the sums of the first time input, which is shared and feeds all columns, include the base.
  template <class T>
  bool times_carry_base(const TimeInputs::State<T>& times) const {
    return !time_weights_.empty() && times[0].shared && shape_.time.count() == shape_.columns;
  }
  template <class T>
  void start_sums(T* sums, std::span<const int32_t> types, int64_t count, const T* base, const Layout& layout,
                  const Parameters<T>& parameters) const;
  template <class T>
  void load_types(State<T>& state, const SequenceBatch& batch, std::span<const int32_t> source) const;
  template <class T>
  void load_parts(State<T>& state, const SequenceBatch& batch, std::span<const int32_t> source) const;
  /// Calls visit(number of the part, number of the event among these) for all parts of some events.
  template <class T, class Visit>
  static void over_parts(const State<T>& state, Events events, const Visit& visit) {
    for (int64_t e = events.begin; e < events.end; ++e) {
      const auto i = static_cast<std::size_t>(e);
      for (int64_t p = state.part_starts[i]; p < state.part_starts[i + 1]; ++p) {
        visit(static_cast<std::size_t>(p), e - events.begin);
      }
    }
  }
  /// Through the product with a time vector, from dtime [its rows, columns for times].
  template <class T>
  void backward_time(Parameters<T>& gradient, TimeInputs::Encoded<T>& time, Events rows,
                     kernels::Matrix<T> dtime, const TimeEncoder& encoder, int weights_id, const T* weights,
                     const Layout& layout) const;
  /// Calls visit(tensor, index) for every weight that has a floor.
  template <class Visit>
  void over_floored(const Layout& layout, const Visit& visit) const;

  InputShape shape_;
  int event_rows_ = -1;
  int feature_weights_ = -1;
  int below_weights_ = -1;
  std::vector<int> time_weights_;
};

}  // namespace t2v::nn
