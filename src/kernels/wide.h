#pragma once

#include <complex>
#include <type_traits>

namespace t2v {

using Complex = std::complex<double>;

/// The number types of the engine. A model computes in T: float is the fast path, double its oracle, and
/// Complex lets a test take derivatives by the complex step.
/// Wide<T> is what times, frequencies and phases are kept in: never below double.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, float>, double, T>;

/// The part of a number that decides branches and order.
inline float real_part(float x) { return x; }
inline double real_part(double x) { return x; }
inline double real_part(Complex x) { return x.real(); }

}  // namespace t2v
