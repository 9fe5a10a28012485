#include "nn/clock.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/fail.h"

namespace t2v::nn {
namespace {

/// A unit's period made positive, and what follows from it.
template <class W>
struct Unit {
  W period;  // |r|
  double sign;
  W rate;  // 1 / |r|
  W shift;
};

template <class W>
Unit<W> unit_of(W period, W shift) {
  const double sign = real_part(period) < 0 ? -1 : 1;
  const W size = period * W(sign);
  return {size, sign, W(1) / size, shift};
}

/// The phase as a share of the period, x = φ / |r|, and the whole periods n before it.
template <class W>
struct Phase {
  W share;
  double turns;
};

/// The largest integer not above x, for |x| < 2^51.
inline double floor_of(double x) {
  constexpr double kRounder = 0x1.8p52;
  const double nearest = (x + kRounder) - kRounder;
  return nearest > x ? nearest - 1 : nearest;
}

template <class W>
Phase<W> phase_of(const Unit<W>& unit, double tau) {
  const W x = (W(tau) + unit.shift) * unit.rate;
  const double turns = floor_of(real_part(x));
  return {x - W(turns), turns};
}

constexpr double kHalfOpen = Clock::kOpen / 2;

/// κ is linear in the share of the period, in three pieces.
template <class W>
struct Piece {
  W value;
  double slope;
};

template <class W>
Piece<W> openness(W share) {
  const double x = real_part(share);
  if (x <= kHalfOpen) return {share * W(1 / kHalfOpen), 1 / kHalfOpen};
  if (x <= Clock::kOpen) return {W(2) - share * W(1 / kHalfOpen), -1 / kHalfOpen};
  return {share * W(Clock::kLeak), Clock::kLeak};
}

template <class W>
std::vector<Unit<W>> units_of(const W* period, const W* shift, int64_t hidden) {
  std::vector<Unit<W>> units;
  for (int64_t j = 0; j < hidden; ++j) units.push_back(unit_of(period[j], shift[j]));
  return units;
}

template <class W>
void check(std::span<const double> tau, const std::vector<Unit<W>>& units) {
  double most = 0;
  for (const double t : tau) {
    if (!std::isfinite(t)) fail("the clock of a phased cell needs finite times; one is {}", t);
    most = std::max(most, std::abs(t));
  }
  for (std::size_t j = 0; j < units.size(); ++j) {
    const double turns = (most + std::abs(real_part(units[j].shift))) * std::abs(real_part(units[j].rate));
    if (turns <= Clock::kMaxTurns) continue;  // false for NaN
    fail(
        "unit {}: period {:g} with shift {:g} at time {:g} is more than {:g} periods; use an origin nearer "
        "to the data",
        j, real_part(units[j].period), real_part(units[j].shift), most, Clock::kMaxTurns);
  }
}

}  // namespace

Clock::Clock(Layout& layout, const std::string& name, int64_t hidden)
    : hidden_(hidden),
      period_(layout.add(name + ".period", Role::kPeriod, 1, hidden)),
      shift_(layout.add(name + ".shift", Role::kShift, 1, hidden)) {}

template <class T>
void Clock::forward(T* kappa, int64_t stride, std::span<const double> tau, const Layout& layout,
                    const Parameters<T>& parameters) const {
  const auto units =
      units_of(parameters.wide_data(layout[period_]), parameters.wide_data(layout[shift_]), hidden_);
  check(tau, units);
  for (std::size_t e = 0; e < tau.size(); ++e) {
    T* row = kappa + static_cast<int64_t>(e) * stride;
    for (std::size_t j = 0; j < units.size(); ++j) {
      row[j] = static_cast<T>(openness(phase_of(units[j], tau[e]).share).value);
    }
  }
}

template <class T>
void Clock::backward(Parameters<T>& gradient, const T* dkappa, int64_t stride, std::span<const double> tau,
                     const Layout& layout, const Parameters<T>& parameters) const {
  const auto units =
      units_of(parameters.wide_data(layout[period_]), parameters.wide_data(layout[shift_]), hidden_);
  Wide<T>* dperiod = gradient.wide_data(layout[period_]);
  Wide<T>* dshift = gradient.wide_data(layout[shift_]);
  for (std::size_t e = 0; e < tau.size(); ++e) {
    const T* row = dkappa + static_cast<int64_t>(e) * stride;
    for (std::size_t j = 0; j < units.size(); ++j) {
      const auto& unit = units[j];
      const auto phase = phase_of(unit, tau[e]);
      // x = (τ + s) / |r| - n: dx/ds = 1/|r|, dx/dr = -sign (τ + s) / r² = -sign (x + n) / |r|.
      const Wide<T> dx = Wide<T>(row[j]) * Wide<T>(openness(phase.share).slope) * unit.rate;
      dshift[j] += dx;
      dperiod[j] -= dx * (phase.share + Wide<T>(phase.turns)) * Wide<T>(unit.sign);
    }
  }
}

#define T2V_INSTANTIATE(T)                                                                                   \
  template void Clock::forward<T>(T*, int64_t, std::span<const double>, const Layout&, const Parameters<T>&) \
      const;                                                                                                 \
  template void Clock::backward<T>(Parameters<T>&, const T*, int64_t, std::span<const double>,               \
                                   const Layout&, const Parameters<T>&) const;
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE

}  // namespace t2v::nn
