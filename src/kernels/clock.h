#pragma once

#include <cstdint>

#include "kernels/wide.h"

namespace t2v::kernels {

/// How far the units of a phased cell are open at a time (nn/clock.h says what it means). Share x of the
/// period, x = (τ + s) / |r| modulo 1; κ is linear in x in three pieces.
inline constexpr double kClockOpen = 0.05;
inline constexpr double kClockLeak = 1e-3;

/// The units as they act: 1 / |r|, the sign of r, and s, [H] each.
template <class W>
struct ClockUnits {
  const W* rate;
  const double* sign;
  const W* shift;
  int64_t hidden;
};

/// The largest integer not above x, for |x| < 2^51, without a call.
inline double floor_of(double x) {
  constexpr double kRounder = 0x1.8p52;
  const double nearest = (x + kRounder) - kRounder;
  return nearest > x ? nearest - 1 : nearest;
}

/// κ [H] at one time.
template <class T>
void clock_forward(T* kappa, double tau, const ClockUnits<T>& units) {
  constexpr double kHalf = kClockOpen / 2;
  for (int64_t j = 0; j < units.hidden; ++j) {
    const T x = (T(tau) + units.shift[j]) * units.rate[j];
    const T share = x - T(floor_of(real_part(x)));
    kappa[j] = real_part(share) <= kHalf        ? share * T(1 / kHalf)
               : real_part(share) <= kClockOpen ? T(2) - share * T(1 / kHalf)
                                                : share * T(kClockLeak);
  }
}

/// dx/ds = 1/|r| and dx/dr = -sign (τ + s) / r² = -sign x / |r|, x not reduced. Adds to dperiod and dshift
/// [H].
template <class T>
void clock_backward(T* dperiod, T* dshift, const T* dkappa, double tau, const ClockUnits<T>& units) {
  constexpr double kHalf = kClockOpen / 2;
  for (int64_t j = 0; j < units.hidden; ++j) {
    const T x = (T(tau) + units.shift[j]) * units.rate[j];
    const double share = real_part(x) - floor_of(real_part(x));
    const double slope = share <= kHalf ? 1 / kHalf : share <= kClockOpen ? -1 / kHalf : kClockLeak;
    const T dx = dkappa[j] * T(slope) * units.rate[j];
    dshift[j] += dx;
    dperiod[j] -= dx * x * T(units.sign[j]);
  }
}

/// The fast path: times, periods and shifts in double, κ in float.
void clock_forward(float* kappa, double tau, const ClockUnits<double>& units);
void clock_backward(double* dperiod, double* dshift, const float* dkappa, double tau,
                    const ClockUnits<double>& units);

}  // namespace t2v::kernels
