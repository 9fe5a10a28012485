#pragma once

#include <cstdint>
#include <span>

#include "t2v/error.h"
#include "t2v/export.h"

namespace t2v {

/// F of the periodic terms, with x = ωτ + φ. Of period 2π: sin, cos, triangle = (2/π) asin(sin x), and
/// mod = (x mod 2π)/π - 1. Without a period, the paper's counter-examples: sigmoid, tanh, relu.
enum class Activation : std::uint8_t { kSin, kCos, kTriangle, kMod, kSigmoid, kTanh, kRelu };

/// How frequencies ω and phases φ start.
enum class FrequencyStart : std::uint8_t {
  kU11,         // ω, φ uniform in (-1, 1)
  kU01,         // ω, φ uniform in (0, 1)
  kN1,          // ω, φ normal, standard deviation 1
  kN01,         // ω, φ normal, standard deviation 0.1
  kGeometric,   // ω from 1 down to 1e-9 in equal ratios, φ = 0
  kEqual,       // ω_n = 2πn/k, φ = 0
  kPositional,  // ω_j = 10000^(-j/k), φ = 0 for even j, π/2 for odd j
  kSpan,        // ω log-uniform from 2π/span to π/(median gap) of given times, φ uniform in (-π, π)
};

/// The shape of a layer.
struct Time2VecConfig {
  std::int64_t k = 64;  // periodic terms
  Activation activation = Activation::kSin;
  bool linear = true;  // entry 0 of the vector is ω₀τ + φ₀ itself
};

/// The layer alone, to be put into any program that trains by gradients: vectors of times,
///   t2v(τ) = (ω₀τ + φ₀, F(ω₁τ + φ₁), ..., F(ω_k τ + φ_k)),
/// and their derivatives. It has no weights of its own: ω and φ, [width] doubles each, stay where the caller
/// keeps them. U is the number of times. Matrices lie row by row, [U, width], without gaps.
///
/// Times, ω, φ and their gradients are doubles; vectors are floats (fast, on vectors of the CPU) or doubles
/// (for gradient checks and oracles). ωτ is formed without rounding and reduced modulo π before anything is
/// rounded: the phase is right to 1e-6 rad (in fact about 1e-15) for |ωτ| and |φ| up to 1e12 and |ω|, |τ| up
/// to 1e30. Outside of that range, for times that are not finite, and for spans whose sizes do not fit, every
/// function throws t2v::Error and has written nothing.
///
/// All functions are const and may be called from any number of threads at once. None allocates.
class T2V_API Time2Vec {
 public:
  /// Throws t2v::Error if k is negative or the vector would be empty.
  explicit Time2Vec(const Time2VecConfig& config);

  const Time2VecConfig& config() const { return config_; }
  /// Entries of a vector: k, and one more with the linear term, which is the first.
  std::int64_t width() const { return width_; }

  /// Starting values, the same on every machine for a seed. `times`, some that the layer will see, are for
  /// kSpan alone, which throws t2v::Error if they do not differ. This one allocates.
  void start(std::span<double> omega, std::span<double> phi, FrequencyStart how, std::uint64_t seed,
             std::span<const double> times = {}) const;

  /// value [U, width].
  void encode(std::span<float> value, std::span<const double> omega, std::span<const double> phi,
              std::span<const double> times) const;
  void encode(std::span<double> value, std::span<const double> omega, std::span<const double> phi,
              std::span<const double> times) const;

  /// The same, and slope [U, width] = F'(ωτ + φ), which backward needs.
  void forward(std::span<float> value, std::span<float> slope, std::span<const double> omega,
               std::span<const double> phi, std::span<const double> times) const;
  void forward(std::span<double> value, std::span<double> slope, std::span<const double> omega,
               std::span<const double> phi, std::span<const double> times) const;

  /// From the gradient of a loss by the vectors, dvalue [U, width], to those by the weights: adds
  /// Σ_u τ_u dvalue slope to domega [width] and Σ_u dvalue slope to dphi [width].
  void backward(std::span<double> domega, std::span<double> dphi, std::span<const float> dvalue,
                std::span<const float> slope, std::span<const double> times) const;
  void backward(std::span<double> domega, std::span<double> dphi, std::span<const double> dvalue,
                std::span<const double> slope, std::span<const double> times) const;

  /// The gradient by the times themselves, for those who learn them: adds Σ_i ω_i dvalue slope to dtimes [U].
  void backward_times(std::span<double> dtimes, std::span<const float> dvalue, std::span<const float> slope,
                      std::span<const double> omega) const;
  void backward_times(std::span<double> dtimes, std::span<const double> dvalue, std::span<const double> slope,
                      std::span<const double> omega) const;

 private:
  Time2VecConfig config_;
  std::int64_t width_;
};

}  // namespace t2v
