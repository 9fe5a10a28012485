#include "nn/clock.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/fail.h"

namespace t2v::nn {
namespace {

/// The units as they act at any time.
template <class W>
struct Units {
  std::vector<W> rate;
  std::vector<double> sign;
  const W* shift;

  Units(const W* period, const W* shifts, int64_t hidden) : shift(shifts) {
    for (int64_t j = 0; j < hidden; ++j) {
      sign.push_back(real_part(period[j]) < 0 ? -1 : 1);
      rate.push_back(W(sign.back()) / period[j]);
    }
  }
  kernels::ClockUnits<W> view() const {
    return {rate.data(), sign.data(), shift, static_cast<int64_t>(rate.size())};
  }
};

template <class W>
void check(std::span<const double> tau, const Units<W>& units) {
  double most = 0;
  for (const double t : tau) {
    if (!std::isfinite(t)) fail("the clock of a phased cell needs finite times; one is {}", t);
    most = std::max(most, std::abs(t));
  }
  for (std::size_t j = 0; j < units.rate.size(); ++j) {
    const double rate = std::abs(real_part(units.rate[j]));
    const double shift = real_part(units.shift[j]);
    if ((most + std::abs(shift)) * rate <= Clock::kMaxTurns) continue;  // false for NaN
    fail(
        "unit {}: period {:g} with shift {:g} at time {:g} is more than {:g} periods; use an origin nearer "
        "to the data",
        j, 1 / rate, shift, most, Clock::kMaxTurns);
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
  const Units units(parameters.wide_data(layout[period_]), parameters.wide_data(layout[shift_]), hidden_);
  check(tau, units);
  for (std::size_t e = 0; e < tau.size(); ++e) {
    kernels::clock_forward(kappa + static_cast<int64_t>(e) * stride, tau[e], units.view());
  }
}

template <class T>
void Clock::backward(Parameters<T>& gradient, const T* dkappa, int64_t stride, std::span<const double> tau,
                     const Layout& layout, const Parameters<T>& parameters) const {
  const Units units(parameters.wide_data(layout[period_]), parameters.wide_data(layout[shift_]), hidden_);
  for (std::size_t e = 0; e < tau.size(); ++e) {
    kernels::clock_backward(gradient.wide_data(layout[period_]), gradient.wide_data(layout[shift_]),
                            dkappa + static_cast<int64_t>(e) * stride, tau[e], units.view());
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
