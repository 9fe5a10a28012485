#pragma once

#include <cmath>
#include <concepts>

#include "kernels/wide.h"

// The scalar twins of vector_math-inl.h, under the same names, so that one formula serves vectors and
// scalars.
namespace t2v::kernels {

template <class T>
concept Scalar = std::floating_point<T> || std::same_as<T, Complex>;

template <Scalar T>
T constant(T /*like*/, double value) {
  return static_cast<T>(value);
}

template <Scalar T>
T sigmoid(T x) {
  // exp of a large positive number is infinite, and its reciprocal the right 0; of a complex one it is NaN.
  return real_part(x) >= 0 ? T(1) / (T(1) + std::exp(-x)) : std::exp(x) / (T(1) + std::exp(x));
}

template <Scalar T>
T tanh(T x) {
  return std::tanh(x);
}

}  // namespace t2v::kernels
