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

/// y += Σ x[r] row r of B, for kRows rows: as many streams of memory, read from end to end. Their sum is made
/// first and then added, which rounds less often at the size of y.
template <int kRows>
HWY_INLINE void add_rows(float* HWY_RESTRICT y, const float* HWY_RESTRICT x, const float* HWY_RESTRICT b,
                         int64_t stride, int64_t n) {
  const Floats d;
  const int64_t lanes = lane_count(d);
  hn::Vec<Floats> factor[kRows];
  for (int r = 0; r < kRows; ++r) factor[r] = hn::Set(d, x[r]);
  int64_t j = 0;
  for (; j + 2 * lanes <= n; j += 2 * lanes) {
    auto low = hn::Mul(factor[0], hn::LoadU(d, b + j));
    auto high = hn::Mul(factor[0], hn::LoadU(d, b + j + lanes));
    for (int r = 1; r < kRows; ++r) {
      low = hn::MulAdd(factor[r], hn::LoadU(d, b + r * stride + j), low);
      high = hn::MulAdd(factor[r], hn::LoadU(d, b + r * stride + j + lanes), high);
    }
    hn::StoreU(hn::Add(hn::LoadU(d, y + j), low), d, y + j);
    hn::StoreU(hn::Add(hn::LoadU(d, y + j + lanes), high), d, y + j + lanes);
  }
  for (; j < n; j += lanes) {
    const First<Floats> some(n - j);
    auto sum = hn::Mul(factor[0], some.load(b + j));
    for (int r = 1; r < kRows; ++r) sum = hn::MulAdd(factor[r], some.load(b + r * stride + j), sum);
    some.store(hn::Add(some.load(y + j), sum), y + j);
  }
}

void RowProduct(float* y, const float* x, const float* b, int64_t stride, int64_t n, int64_t k) {
  int64_t l = 0;
  for (; l + 8 <= k; l += 8) add_rows<8>(y, x + l, b + l * stride, stride, n);
  if ((k & 4) != 0) add_rows<4>(y, x + l, b + l * stride, stride, n);
  l += k & 4;
  if ((k & 2) != 0) add_rows<2>(y, x + l, b + l * stride, stride, n);
  l += k & 2;
  if ((k & 1) != 0) add_rows<1>(y, x + l, b + l * stride, stride, n);
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
