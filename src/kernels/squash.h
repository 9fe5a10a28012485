#pragma once

#include <cstdint>

#include "kernels/scalar_math.h"

// The hyperbolic tangent of many numbers at once, as the units of a hidden layer have it.
namespace t2v::kernels {

/// x = tanh(x), n numbers.
template <class T>
void squash(T* x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) x[i] = tanh(x[i]);
}
void squash(float* x, int64_t n);

/// dy *= 1 - y², from y = tanh(x): the gradient by y becomes that by x.
template <class T>
void squash_backward(T* dy, const T* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) dy[i] *= T(1) - y[i] * y[i];
}
void squash_backward(float* dy, const float* y, int64_t n);

}  // namespace t2v::kernels
