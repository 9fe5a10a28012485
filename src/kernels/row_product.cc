#include "kernels/row_product.h"

#include <algorithm>

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_product.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;

/// y += Σ x[r] row r of B, for kRows rows: as many streams of memory, read from end to end.
template <int kRows>
HWY_INLINE void add_rows(float* HWY_RESTRICT y, const float* HWY_RESTRICT x, const float* HWY_RESTRICT b,
                         int64_t stride, int64_t n) {
  const Floats d;
  const int64_t lanes = lane_count(d);
  hn::Vec<Floats> factor[kRows];
  for (int r = 0; r < kRows; ++r) factor[r] = hn::Set(d, x[r]);
  int64_t j = 0;
  for (; j + 2 * lanes <= n; j += 2 * lanes) {
    auto low = hn::LoadU(d, y + j);
    auto high = hn::LoadU(d, y + j + lanes);
    for (int r = 0; r < kRows; ++r) {
      low = hn::MulAdd(factor[r], hn::LoadU(d, b + r * stride + j), low);
      high = hn::MulAdd(factor[r], hn::LoadU(d, b + r * stride + j + lanes), high);
    }
    hn::StoreU(low, d, y + j);
    hn::StoreU(high, d, y + j + lanes);
  }
  for (; j < n; j += lanes) {
    const First<Floats> some(n - j);
    auto sum = some.load(y + j);
    for (int r = 0; r < kRows; ++r) sum = hn::MulAdd(factor[r], some.load(b + r * stride + j), sum);
    some.store(sum, y + j);
  }
}

void RowProduct(float* y, const float* x, const float* b, int64_t stride, int64_t n, int64_t k) {
  constexpr int kRows = 8;
  int64_t l = 0;
  for (; l + kRows <= k; l += kRows) add_rows<kRows>(y, x + l, b + l * stride, stride, n);
  for (; l < k; ++l) add_rows<1>(y, x + l, b + l * stride, stride, n);
}

}  // namespace t2v::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::kernels {

HWY_EXPORT(RowProduct);

void row_product(float* y, const float* x, const float* b, int64_t stride, int64_t n, int64_t k, int beta) {
  if (beta == 0) std::fill_n(y, n, 0.0F);
  T2V_DISPATCH(RowProduct)(y, x, b, stride, n, k);
}

}  // namespace t2v::kernels
#endif
