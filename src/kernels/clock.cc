#include "kernels/clock.h"

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/clock.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using DF = hn::Rebind<float, D>;
using V = hn::Vec<D>;

HWY_INLINE V set(double x) { return hn::Set(D(), x); }

/// x = (τ + s) / |r| and its part beyond the whole periods.
struct Share {
  V x;
  V share;
};

HWY_INLINE Share share_of(V tau, V shift, V rate) {
  const V rounder = set(0x1.8p52);
  const V x = hn::Mul(hn::Add(tau, shift), rate);
  const V nearest = hn::Sub(hn::Add(x, rounder), rounder);
  const V whole = hn::Sub(nearest, hn::IfThenElseZero(hn::Gt(nearest, x), set(1)));
  return {x, hn::Sub(x, whole)};
}

void ClockForward(float* HWY_RESTRICT kappa, double tau, const ClockUnits<double>& units) {
  constexpr double kHalf = kClockOpen / 2;
  for (int64_t j = 0; j < units.hidden; j += lane_count(D())) {
    const First<D> some(units.hidden - j);
    const V share = share_of(set(tau), some.load(units.shift + j), some.load(units.rate + j)).share;
    const V rising = hn::Mul(share, set(1 / kHalf));
    const V open = hn::IfThenElse(hn::Le(share, set(kHalf)), rising, hn::Sub(set(2), rising));
    const V value = hn::IfThenElse(hn::Le(share, set(kClockOpen)), open, hn::Mul(share, set(kClockLeak)));
    First<DF>(units.hidden - j).store(hn::DemoteTo(DF(), value), kappa + j);
  }
}

void ClockBackward(double* HWY_RESTRICT dperiod, double* HWY_RESTRICT dshift,
                   const float* HWY_RESTRICT dkappa, double tau, const ClockUnits<double>& units) {
  constexpr double kHalf = kClockOpen / 2;
  for (int64_t j = 0; j < units.hidden; j += lane_count(D())) {
    const First<D> some(units.hidden - j);
    const V rate = some.load(units.rate + j);
    const Share at = share_of(set(tau), some.load(units.shift + j), rate);
    const V open = hn::IfThenElse(hn::Le(at.share, set(kHalf)), set(1 / kHalf), set(-1 / kHalf));
    const V slope = hn::IfThenElse(hn::Le(at.share, set(kClockOpen)), open, set(kClockLeak));
    const V dk = hn::PromoteTo(D(), First<DF>(units.hidden - j).load(dkappa + j));
    const V dx = hn::Mul(hn::Mul(dk, slope), rate);
    some.store(hn::Add(some.load(dshift + j), dx), dshift + j);
    const V signed_x = hn::Mul(at.x, some.load(units.sign + j));
    some.store(hn::Sub(some.load(dperiod + j), hn::Mul(dx, signed_x)), dperiod + j);
  }
}

}  // namespace t2v::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::kernels {

HWY_EXPORT(ClockForward);
HWY_EXPORT(ClockBackward);

void clock_forward(float* kappa, double tau, const ClockUnits<double>& units) {
  T2V_DISPATCH(ClockForward)(kappa, tau, units);
}

void clock_backward(double* dperiod, double* dshift, const float* dkappa, double tau,
                    const ClockUnits<double>& units) {
  T2V_DISPATCH(ClockBackward)(dperiod, dshift, dkappa, tau, units);
}

}  // namespace t2v::kernels
#endif
