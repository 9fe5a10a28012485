#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "kernels/losses.h"

namespace t2v::nn {

template <class T>
struct HeadFunctions {
  /// The loss of one sequence; writes scale * its gradient to dlogits unless that is null.
  Wide<T> (*loss)(T* dlogits, const T* logits, int64_t outputs, int64_t label, T scale);
};

/// What the last numbers of a model mean: an entry of the one table.
struct Head {
  std::string_view name;
  /// How many outputs it has for so many classes.
  int64_t (*outputs)(int64_t classes);
  /// Turns one row of logits into the probabilities of the classes.
  void (*probabilities)(float* probabilities, const float* logits, int64_t classes);
  HeadFunctions<float> fast;
  HeadFunctions<double> twin;
  HeadFunctions<Complex> complex;

  template <class T>
  const HeadFunctions<T>& functions() const {
    if constexpr (std::is_same_v<T, float>) {
      return fast;
    } else if constexpr (std::is_same_v<T, double>) {
      return twin;
    } else {
      return complex;
    }
  }
};

/// softmax: one of C classes. logistic: one of two, by a single output.
std::span<const Head> heads();
/// By name; throws t2v::Error that lists the names.
const Head& head_from(std::string_view name);

}  // namespace t2v::nn
