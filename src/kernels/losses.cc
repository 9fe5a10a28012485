#include "kernels/losses.h"

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/losses.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"
#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;

/// Calls body(offset, the lanes within the row, their logits) over a whole row.
template <class Body>
HWY_INLINE void over_row(const float* logits, int64_t n, const Body& body) {
  const int64_t lanes = lane_count(D());
  for (int64_t i = 0; i < n; i += lanes) {
    const First<D> some(n - i);
    body(i, some, some.load(logits + i));
  }
}

double SoftmaxLoss(float* dlogits, const float* logits, int64_t classes, int64_t label, float scale) {
  const D d;
  auto tops = hn::Set(d, logits[0]);
  over_row(logits, classes, [&](int64_t, const First<D>& some, hn::Vec<D> z) {
    tops = hn::IfThenElse(some.mask(), hn::Max(tops, z), tops);
  });
  const auto top = hn::MaxOfLanes(d, tops);
  auto sums = hn::Zero(d);
  over_row(logits, classes, [&](int64_t, const First<D>& some, hn::Vec<D> z) {
    sums = hn::Add(sums, hn::IfThenElseZero(some.mask(), exp(hn::Sub(z, top))));
  });
  const auto sum = hn::SumOfLanes(d, sums);
  if (dlogits != nullptr) {
    const auto factor = hn::Div(hn::Set(d, scale), sum);
    over_row(logits, classes, [&](int64_t i, const First<D>& some, hn::Vec<D> z) {
      some.store(hn::Mul(factor, exp(hn::Sub(z, top))), dlogits + i);
    });
    dlogits[label] -= scale;
  }
  return std::log(static_cast<double>(hn::GetLane(sum))) + static_cast<double>(hn::GetLane(top)) -
         static_cast<double>(logits[label]);
}

}  // namespace t2v::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::kernels {

HWY_EXPORT(SoftmaxLoss);

double softmax_loss(float* dlogits, const float* logits, int64_t classes, int64_t label, float scale) {
  return T2V_DISPATCH(SoftmaxLoss)(dlogits, logits, classes, label, scale);
}

}  // namespace t2v::kernels
#endif
