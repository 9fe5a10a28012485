#pragma once

#include <type_traits>

#include "kernels/wide.h"

namespace t2v::kernels {

/// The versions of something for each number type of the engine.
template <template <class> class Functions>
struct ByType {
  Functions<float> fast;
  Functions<double> twin;
  Functions<Complex> complex;

  template <class T>
  const Functions<T>& get() const {
    if constexpr (std::is_same_v<T, float>) {
      return fast;
    } else if constexpr (std::is_same_v<T, double>) {
      return twin;
    } else {
      return complex;
    }
  }
};

}  // namespace t2v::kernels
