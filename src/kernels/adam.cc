#include "kernels/adam.h"

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/adam.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void Adam(float* HWY_RESTRICT w, float* HWY_RESTRICT m, float* HWY_RESTRICT v, const float* HWY_RESTRICT g,
          int64_t n, const AdamStep& s) {
  const hn::ScalableTag<float> d;
  const auto set = [d](double x) { return hn::Set(d, static_cast<float>(x)); };
  const auto beta1 = set(s.beta1);
  const auto rest1 = set(1 - s.beta1);
  const auto beta2 = set(s.beta2);
  const auto rest2 = set(1 - s.beta2);
  const auto step = set(s.step);
  const auto scale = set(s.scale);
  const auto epsilon = set(s.epsilon);
  const int64_t lanes = lane_count(d);
  for (int64_t i = 0; i < n; i += lanes) {
    const First<hn::ScalableTag<float>> some(n - i);
    const auto gi = some.load(g + i);
    const auto mi = hn::Add(hn::Mul(beta1, some.load(m + i)), hn::Mul(rest1, gi));
    const auto vi = hn::Add(hn::Mul(beta2, some.load(v + i)), hn::Mul(hn::Mul(rest2, gi), gi));
    const auto root = hn::Add(hn::Mul(hn::Sqrt(vi), scale), epsilon);
    const auto wi = hn::Sub(some.load(w + i), hn::Div(hn::Mul(step, mi), root));
    some.store(mi, m + i);
    some.store(vi, v + i);
    some.store(wi, w + i);
  }
}

}  // namespace t2v::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::kernels {

HWY_EXPORT(Adam);

void adam(float* w, float* m, float* v, const float* g, int64_t n, const AdamStep& s) {
  T2V_DISPATCH(Adam)(w, m, v, g, n, s);
}

}  // namespace t2v::kernels
#endif
