#include "nn/clock.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/fail.h"

namespace t2v::nn {
namespace {

/// Some units as they act at any time: few enough to lie on the stack, so that a step of a stream allocates
/// nothing.
template <class W>
struct Units {
  static constexpr int64_t kMost = 64;
  std::array<W, kMost> rate;
  std::array<double, kMost> sign;
  const W* shift;
  int64_t first;
  int64_t count;

  Units(const W* period, const W* shifts, int64_t begin, int64_t hidden)
      : shift(shifts + begin), first(begin), count(std::min(kMost, hidden - begin)) {
    for (int64_t j = 0; j < count; ++j) {
      const auto i = static_cast<std::size_t>(j);
      sign[i] = real_part(period[begin + j]) < 0 ? -1 : 1;
      rate[i] = W(sign[i]) / period[begin + j];
    }
  }
  kernels::ClockUnits<W> view() const { return {rate.data(), sign.data(), shift, count}; }
};

/// Calls visit(units) for all units, some at a time.
template <class T, class Visit>
void over_units(const Parameters<T>& parameters, const Tensor& period, const Tensor& shift, int64_t hidden,
                const Visit& visit) {
  for (int64_t begin = 0; begin < hidden; begin += Units<Wide<T>>::kMost) {
    visit(Units<Wide<T>>(parameters.wide_data(period), parameters.wide_data(shift), begin, hidden));
  }
}

double largest_of(std::span<const double> tau) {
  double most = 0;
  for (const double t : tau) {
    if (!std::isfinite(t)) fail("the clock of a phased cell needs finite times; one is {}", t);
    most = std::max(most, std::abs(t));
  }
  return most;
}

template <class W>
void check(double most, const Units<W>& units) {
  for (int64_t j = 0; j < units.count; ++j) {
    const double rate = std::abs(real_part(units.rate[static_cast<std::size_t>(j)]));
    const double shift = real_part(units.shift[j]);
    if ((most + std::abs(shift)) * rate <= Clock::kMaxTurns) continue;  // false for NaN
    fail(
        "unit {}: period {:g} with shift {:g} at time {:g} is more than {:g} periods; use an origin nearer "
        "to the data",
        units.first + j, 1 / rate, shift, most, Clock::kMaxTurns);
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
  const double most = largest_of(tau);
  over_units(parameters, layout[period_], layout[shift_], hidden_, [&](const auto& units) {
    check(most, units);
    for (std::size_t e = 0; e < tau.size(); ++e) {
      kernels::clock_forward(kappa + static_cast<int64_t>(e) * stride + units.first, tau[e], units.view());
    }
  });
}

template <class T>
void Clock::backward(Parameters<T>& gradient, const T* dkappa, int64_t stride, std::span<const double> tau,
                     const Layout& layout, const Parameters<T>& parameters) const {
  over_units(parameters, layout[period_], layout[shift_], hidden_, [&](const auto& units) {
    for (std::size_t e = 0; e < tau.size(); ++e) {
      kernels::clock_backward(gradient.wide_data(layout[period_]) + units.first,
                              gradient.wide_data(layout[shift_]) + units.first,
                              dkappa + static_cast<int64_t>(e) * stride + units.first, tau[e], units.view());
    }
  });
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
