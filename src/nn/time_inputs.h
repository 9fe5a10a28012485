#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/buffer.h"
#include "base/packed_batch.h"
#include "nn/distinct.h"
#include "nn/parameters.h"
#include "nn/time_encoder.h"

namespace t2v::nn {

/// The times of a model's events, each with an encoder of its own. They are encoded once, whichever and
/// however many layers use them; of times that occur more than once, only the distinct ones.
class TimeInputs {
 public:
  /// Adds the encoders' tensors "time0.omega", "time0.phi", "time1.omega", ...; or with another prefix.
  TimeInputs(Layout& layout, const std::vector<TimeEncoderConfig>& configs, std::string_view prefix = "time");

  const std::vector<TimeEncoder>& encoders() const { return encoders_; }

  /// What one shard keeps from forward to backward, for each time input. Reused from batch to batch.
  template <class T>
  struct Encoded {
    std::vector<double> tau;  // [U], or [E] where most differ
    Distinct<double> distinct;
    bool shared = false;  // the times are the distinct ones; distinct.index() says which is whose
    Buffer<T> value;      // [U or E, width]
    Buffer<T> slope;
    Buffer<T> dvalue;

    int64_t rows() const { return static_cast<int64_t>(tau.size()); }
  };
  template <class T>
  using State = std::vector<Encoded<T>>;

  /// Takes the times of the events numbered `source`, which the batch must have (check_times), and encodes
  /// them. Throws t2v::Error if one cannot be encoded exactly.
  template <class T>
  void forward(State<T>& state, const SequenceBatch& batch, std::span<const int32_t> source,
               const Layout& layout, const Parameters<T>& parameters) const;

  /// Clears the gradients of the time vectors, to which the layers add.
  template <class T>
  void start_backward(State<T>& state) const;

  /// From the gradients of the time vectors to those of ω and φ, which it adds to.
  template <class T>
  void backward(Parameters<T>& gradient, State<T>& state, const Layout& layout) const;

 private:
  std::vector<TimeEncoder> encoders_;
};

}  // namespace t2v::nn
