#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/packed_batch.h"
#include "kernels/time2vec.h"
#include "nn/parameters.h"

namespace t2v::nn {

using kernels::Activation;

/// How the frequencies and phases of Time2Vec start.
enum class OmegaStart {
  kU11,         // ω, φ uniform in (-1, 1)
  kU01,         // ω, φ uniform in (0, 1)
  kN1,          // ω, φ normal, standard deviation 1
  kN01,         // ω, φ normal, standard deviation 0.1
  kGeometric,   // ω from 1 down to 1e-9 in equal ratios, φ = 0
  kEqual,       // ω_n = 2πn/k, φ = 0
  kPositional,  // ω_j = 10000^(-j/k), φ = 0 for even j, π/2 for odd j
  kSpan,    // |ω| log-uniform from 2π/span to π/(median positive gap) of the data; φ uniform in (-π, π)
  kCycles,  // the cycles that the data allow, with a sine and a cosine each; then as kSpan, of periods seen
            // twice
  kPeriodogram,  // the strongest periods of what is to be predicted, with their phases; then as kSpan
};

/// One time input and its encoder. The single source of the options' names and defaults.
struct TimeEncoderConfig {
  std::string kind = "t2v";             // an entry of time_encoders()
  TimeInput input = TimeInput::kStart;  // which time
  // For t2v:
  int64_t k = 64;                            // periodic terms
  Activation activation = Activation::kSin;  // F
  bool linear = true;                        // entry 0 is ωτ + φ
  bool frozen = false;                       // keep the periodic terms as they start
  OmegaStart start = OmegaStart::kU11;
  double l1 = 0;  // penalty on the outgoing weights of the periodic terms
  // What times are measured by, in units of the model. raw is (τ - centre) / scale; log is
  // (sign(τ) log(1 + |τ| / scale) - centre) / spread. t2v itself is ωτ + φ whatever they are, but an
  // optimizer steps on ν = ω scale and on the phase at `centre`, so that a step is the same in any unit.
  double scale = 1;
  double centre = 0;
  double spread = 1;
  // For calendar: times are in `unit` seconds since `origin`, in seconds since 1970-01-01 00:00.
  double unit = 86400;
  double origin = 0;
};

std::string_view name_of(Activation activation);
std::string_view name_of(OmegaStart start);
std::string_view name_of(TimeInput input);
/// By name; throws t2v::Error that lists the names.
Activation activation_from(std::string_view name);
OmegaStart omega_start_from(std::string_view name);
TimeInput time_input_from(std::string_view name);

/// A kind of encoder: an entry of the one table.
struct TimeEncoderKind {
  std::string_view name;
  int64_t (*width)(const TimeEncoderConfig& config);
  /// Writes `width` numbers for one time; null for Time2Vec, which has parameters.
  void (*encode)(double* out, const TimeEncoderConfig& config, double tau);
};

/// raw (the time itself) and log (sign(τ) log(1 + |τ|)), both as `scale` and `centre` have it; week (sine
/// and cosine of the hour of the day and of the week), calendar (these and those of the year), t2v.
std::span<const TimeEncoderKind> time_encoders();

/// Throws t2v::Error if the batch lacks a time input or one of its times is not finite, naming sequence and
/// event.
void check_times(const SequenceBatch& batch, TimeInput input);

/// One encoder of a model, with its place in the model's parameters.
class TimeEncoder {
 public:
  /// Adds ω and φ, if any, to the layout as "<name>.omega" and "<name>.phi".
  TimeEncoder(Layout& layout, const std::string& name, const TimeEncoderConfig& config);

  const TimeEncoderConfig& config() const { return config_; }
  int64_t width() const { return width_; }
  bool learned() const { return omega_ >= 0; }
  int omega() const { return omega_; }
  int phi() const { return phi_; }
  /// The outputs [first, width) are periodic terms.
  int64_t first_periodic() const { return learned() && config_.linear ? 1 : learned() ? 0 : width_; }

  /// value [U, width] and, where it is not null, slope in the same shape, which backward needs.
  /// Throws t2v::Error for a time or a phase that cannot be encoded exactly.
  template <class T>
  void forward(T* value, T* slope, const Layout& layout, const Parameters<T>& parameters,
               std::span<const double> tau) const;

  /// Adds to the gradients of ω and φ.
  template <class T>
  void backward(const Layout& layout, Parameters<T>& gradient, const T* dvalue, const T* slope,
                std::span<const double> tau) const;

 private:
  static void check_times(std::span<const double> tau);
  template <class W>
  void check_phases(const std::string& name, const W* omega, const W* phi, std::span<const double> tau) const;
  template <class T>
  kernels::Terms<Wide<T>> terms(const Layout& layout, const Parameters<T>& parameters) const;

  TimeEncoderConfig config_;
  const TimeEncoderKind* kind_;
  int64_t width_;
  int omega_ = -1;
  int phi_ = -1;
};

}  // namespace t2v::nn
