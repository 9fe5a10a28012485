#include "kernels/optimizers.h"

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/optimizers.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;

HWY_INLINE hn::Vec<D> set(double x) { return hn::Set(D(), static_cast<float>(x)); }

void Adam(float* HWY_RESTRICT w, float* HWY_RESTRICT m, float* HWY_RESTRICT v, const float* HWY_RESTRICT g,
          int64_t n, const AdamStep& s) {
  const auto beta1 = set(s.beta1);
  const auto rest1 = set(1 - s.beta1);
  const auto beta2 = set(s.beta2);
  const auto rest2 = set(1 - s.beta2);
  for (int64_t i = 0; i < n; i += lane_count(D())) {
    const First<D> some(n - i);
    const auto gi = some.load(g + i);
    const auto mi = hn::Add(hn::Mul(beta1, some.load(m + i)), hn::Mul(rest1, gi));
    const auto vi = hn::Add(hn::Mul(beta2, some.load(v + i)), hn::Mul(hn::Mul(rest2, gi), gi));
    const auto root = hn::Add(hn::Mul(hn::Sqrt(vi), set(s.scale)), set(s.epsilon));
    const auto kept = hn::Mul(set(s.keep), some.load(w + i));
    some.store(mi, m + i);
    some.store(vi, v + i);
    some.store(hn::Sub(kept, hn::Div(hn::Mul(set(s.step), mi), root)), w + i);
  }
}

void Adagrad(float* HWY_RESTRICT w, float* HWY_RESTRICT v, const float* HWY_RESTRICT g, int64_t n,
             const AdagradStep& s) {
  const auto epsilon = set(s.epsilon);
  for (int64_t i = 0; i < n; i += lane_count(D())) {
    const First<D> some(n - i);
    const auto wi = some.load(w + i);
    const auto gi = hn::Add(some.load(g + i), hn::Mul(set(s.decay), wi));
    const auto vi = hn::Add(some.load(v + i), hn::Mul(gi, gi));
    const auto root = s.inside ? hn::Sqrt(hn::Add(vi, epsilon)) : hn::Add(hn::Sqrt(vi), epsilon);
    some.store(vi, v + i);
    some.store(hn::Sub(wi, hn::Div(hn::Mul(set(s.rate), gi), root)), w + i);
  }
}

void Sgd(float* HWY_RESTRICT w, float* HWY_RESTRICT m, const float* HWY_RESTRICT g, int64_t n,
         const SgdStep& s) {
  for (int64_t i = 0; i < n; i += lane_count(D())) {
    const First<D> some(n - i);
    const auto wi = some.load(w + i);
    const auto gi = hn::Add(some.load(g + i), hn::Mul(set(s.decay), wi));
    const auto mi = hn::Add(hn::Mul(set(s.momentum), some.load(m + i)), gi);
    some.store(mi, m + i);
    some.store(hn::Sub(wi, hn::Mul(set(s.rate), mi)), w + i);
  }
}

}  // namespace t2v::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::kernels {

HWY_EXPORT(Adam);
HWY_EXPORT(Adagrad);
HWY_EXPORT(Sgd);

void adam(float* w, float* m, float* v, const float* g, int64_t n, const AdamStep& s) {
  T2V_DISPATCH(Adam)(w, m, v, g, n, s);
}

void adagrad(float* w, float* v, const float* g, int64_t n, const AdagradStep& s) {
  T2V_DISPATCH(Adagrad)(w, v, g, n, s);
}

void sgd(float* w, float* m, const float* g, int64_t n, const SgdStep& s) {
  T2V_DISPATCH(Sgd)(w, m, g, n, s);
}

}  // namespace t2v::kernels
#endif
