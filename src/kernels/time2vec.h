#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

#include "kernels/scalar_math.h"
#include "kernels/wide.h"

namespace t2v::kernels {

/// F of the periodic terms, with x = ωτ + φ. Of period 2π: sin, cos, triangle = (2/π) asin(sin x),
/// mod = (x mod 2π)/π - 1. Not periodic, the paper's counter-examples: sigmoid, tanh, relu.
enum class Activation { kSin, kCos, kTriangle, kMod, kSigmoid, kTanh, kRelu };

/// |ωτ| and |φ| up to here give exact phases (absolute error below 1e-6 rad; in fact about 1e-15).
inline constexpr double kMaxPhase = 1e12;
/// |τ| and |ω| up to here.
inline constexpr double kMaxTime = 1e30;

/// The terms of a Time2Vec layer: [linear term,] K periodic terms, each with its ω and φ.
template <class W>
struct Terms {
  Activation activation;
  bool linear;     // term 0 is ωτ + φ itself
  int64_t count;   // K, + 1 with the linear term
  const W* omega;  // [count]
  const W* phi;    // [count]
};

/// F(x) and its derivative. Branches look at the real part.
template <class T>
struct ValueAndSlope {
  T value;
  T slope;
};

template <class T>
ValueAndSlope<T> activate(Activation activation, T x) {
  constexpr double kPi = std::numbers::pi;
  switch (activation) {
    case Activation::kSin:
      return {std::sin(x), std::cos(x)};
    case Activation::kCos:
      return {std::cos(x), -std::sin(x)};
    case Activation::kTriangle: {
      const double n = std::round(real_part(x) / kPi);
      const double sign = std::fmod(n, 2) == 0 ? 1 : -1;
      return {(x - T(n * kPi)) * T(sign * 2 / kPi), T(sign * 2 / kPi)};
    }
    case Activation::kMod: {
      const double n = std::floor(real_part(x) / (2 * kPi));
      return {(x - T(n * 2 * kPi)) * T(1 / kPi) - T(1), T(1 / kPi)};
    }
    case Activation::kSigmoid: {
      const T s = sigmoid(x);
      return {s, s * (T(1) - s)};
    }
    case Activation::kTanh: {
      const T s = std::tanh(x);
      return {s, T(1) - s * s};
    }
    case Activation::kRelu:
      return real_part(x) > 0 ? ValueAndSlope<T>{x, T(1)} : ValueAndSlope<T>{T(0), T(0)};
  }
  return {};
}

/// t2v of U times: value [U, stride], its first `count` columns, and slope = dF/dx in the same shape, unless
/// null. The twin: phases as they come, for |ωτ| that double resolves.
template <class T>
void time2vec_forward(T* value, T* slope, int64_t stride, const Terms<T>& terms,
                      std::span<const double> tau) {
  for (std::size_t u = 0; u < tau.size(); ++u) {
    for (int64_t i = 0; i < terms.count; ++i) {
      const T x = terms.omega[i] * T(tau[u]) + terms.phi[i];
      const auto [v, s] = terms.linear && i == 0 ? ValueAndSlope<T>{x, T(1)} : activate(terms.activation, x);
      const auto at = static_cast<int64_t>(u) * stride + i;
      value[at] = v;
      if (slope != nullptr) slope[at] = s;
    }
  }
}

/// domega += Σ_u τ_u dvalue slope, dphi += Σ_u dvalue slope, from the shapes above.
template <class T>
void time2vec_backward(Wide<T>* domega, Wide<T>* dphi, const T* dvalue, const T* slope, int64_t stride,
                       int64_t count, std::span<const double> tau) {
  for (std::size_t u = 0; u < tau.size(); ++u) {
    for (int64_t i = 0; i < count; ++i) {
      const auto at = static_cast<int64_t>(u) * stride + i;
      const Wide<T> dx = Wide<T>(dvalue[at]) * Wide<T>(slope[at]);
      domega[i] += Wide<T>(tau[u]) * dx;
      dphi[i] += dx;
    }
  }
}

/// The fast path. ωτ is formed without rounding (as a sum of two doubles) and reduced modulo π before
/// anything becomes a float: for |ωτ|, |φ| <= kMaxPhase and |τ|, |ω| <= kMaxTime the phase is within 1e-6
/// rad, sine and cosine of that phase within 2 ULP, the linear term within 1 ULP. The caller checks the
/// range.
void time2vec_forward(float* value, float* slope, int64_t stride, const Terms<double>& terms,
                      std::span<const double> tau);
void time2vec_backward(double* domega, double* dphi, const float* dvalue, const float* slope, int64_t stride,
                       int64_t count, std::span<const double> tau);

/// The reduced phases themselves, in [-π, π] up to rounding: phase [U, count]. For tests and for reports.
void time2vec_phases(double* phase, const Terms<double>& terms, std::span<const double> tau);

}  // namespace t2v::kernels
