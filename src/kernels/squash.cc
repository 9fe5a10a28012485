#include "kernels/squash.h"

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/squash.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"
#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void Squash(float* x, int64_t n) {
  using D = hn::ScalableTag<float>;
  for (int64_t i = 0; i < n; i += lane_count(D())) {
    const First<D> some(n - i);
    some.store(tanh(some.load(x + i)), x + i);
  }
}

void SquashBackward(float* HWY_RESTRICT dy, const float* HWY_RESTRICT y, int64_t n) {
  using D = hn::ScalableTag<float>;
  for (int64_t i = 0; i < n; i += lane_count(D())) {
    const First<D> some(n - i);
    const auto value = some.load(y + i);
    const auto slope = hn::Sub(hn::Set(D(), 1.0F), hn::Mul(value, value));
    some.store(hn::Mul(some.load(dy + i), slope), dy + i);
  }
}

}  // namespace t2v::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::kernels {

HWY_EXPORT(Squash);
HWY_EXPORT(SquashBackward);

void squash(float* x, int64_t n) { T2V_DISPATCH(Squash)(x, n); }
void squash_backward(float* dy, const float* y, int64_t n) { T2V_DISPATCH(SquashBackward)(dy, y, n); }

}  // namespace t2v::kernels
#endif
