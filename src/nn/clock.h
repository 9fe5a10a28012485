#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kernels/clock.h"
#include "nn/parameters.h"

namespace t2v::nn {

/// The clock of a phased LSTM: each unit has a period r and a shift s, and is open by κ at time τ. With the
/// phase φ = (τ + s) mod |r|, κ rises to 1 over the first half of the open part of the period, falls over the
/// second, and leaks a little beyond it:
///   κ = φ / m                 for φ <= m,   m half of the open part, kOpen |r| / 2
///   κ = 2 - φ / m             for m < φ <= 2m
///   κ = kLeak φ / |r|         beyond
class Clock {
 public:
  static constexpr double kOpen = kernels::kClockOpen;
  static constexpr double kLeak = kernels::kClockLeak;
  /// Periods that a time may lie beyond the shift: up to there κ is right to 2e-6.
  static constexpr double kMaxTurns = 0x1p28;

  /// Adds "<name>.period" and "<name>.shift".
  Clock(Layout& layout, const std::string& name, int64_t hidden);

  int period() const { return period_; }
  int shift() const { return shift_; }

  /// κ for E times and H units: kappa[e * stride + j]. Throws t2v::Error for times out of range.
  template <class T>
  void forward(T* kappa, int64_t stride, std::span<const double> tau, const Layout& layout,
               const Parameters<T>& parameters) const;

  /// Adds to the gradients of periods and shifts.
  template <class T>
  void backward(Parameters<T>& gradient, const T* dkappa, int64_t stride, std::span<const double> tau,
                const Layout& layout, const Parameters<T>& parameters) const;

 private:
  int64_t hidden_;
  int period_;
  int shift_;
};

}  // namespace t2v::nn
