#include "kernels/rows.h"

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE void add_row(float* HWY_RESTRICT to, const float* HWY_RESTRICT from, int64_t n) {
  const hn::ScalableTag<float> d{};
  const int64_t lanes = lane_count(d);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(hn::Add(hn::LoadU(d, to + i), hn::LoadU(d, from + i)), d, to + i);
  }
  if (i < n) {
    const First<decltype(d)> rest(n - i);
    rest.store(hn::Add(rest.load(to + i), rest.load(from + i)), to + i);
  }
}

void Add(float* to, const float* from, int64_t n) { add_row(to, from, n); }

void GatherAdd(float* to, int64_t to_stride, const float* from, int64_t from_stride,
               std::span<const int32_t> index, int64_t n) {
  for (const int32_t row : index) {
    add_row(to, from + row * from_stride, n);
    to += to_stride;
  }
}

void GatherOnBase(float* HWY_RESTRICT to, int64_t to_stride, const float* HWY_RESTRICT base,
                  const float* HWY_RESTRICT from, std::span<const int32_t> index, int64_t n) {
  const hn::ScalableTag<float> d;
  for (const int32_t row : index) {
    const float* source = from + row * n;
    for (int64_t i = 0; i < n; i += lane_count(d)) {
      const First<hn::ScalableTag<float>> some(n - i);
      some.store(hn::Add(some.load(base + i), some.load(source + i)), to + i);
    }
    to += to_stride;
  }
}

void ScatterAdd(float* to, int64_t to_stride, const float* from, int64_t from_stride,
                std::span<const int32_t> index, int64_t n) {
  for (const int32_t row : index) {
    add_row(to + row * to_stride, from, n);
    from += from_stride;
  }
}

void AddColumnSums(float* sums, const float* from, int64_t stride, int64_t rows, int64_t n) {
  for (int64_t row = 0; row < rows; ++row) add_row(sums, from + row * stride, n);
}

bool AllFinite(const float* x, int64_t n) {
  const hn::ScalableTag<float> d;
  auto bad = hn::Zero(d);  // x * 0 is NaN, and stays it in a sum, for any x that is not finite
  for (int64_t i = 0; i < n; i += lane_count(d)) {
    const First<hn::ScalableTag<float>> some(n - i);
    bad = hn::Add(bad, hn::Mul(some.load(x + i), hn::Zero(d)));
  }
  return hn::AllFalse(d, hn::IsNaN(bad));
}

}  // namespace t2v::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::kernels {

HWY_EXPORT(Add);
HWY_EXPORT(GatherAdd);
HWY_EXPORT(GatherOnBase);
HWY_EXPORT(ScatterAdd);
HWY_EXPORT(AddColumnSums);
HWY_EXPORT(AllFinite);

void add(float* to, const float* from, int64_t n) { T2V_DISPATCH(Add)(to, from, n); }

void gather_add(float* to, int64_t to_stride, const float* from, int64_t from_stride,
                std::span<const int32_t> index, int64_t n) {
  T2V_DISPATCH(GatherAdd)(to, to_stride, from, from_stride, index, n);
}

void gather_on_base(float* to, int64_t to_stride, const float* base, const float* from,
                    std::span<const int32_t> index, int64_t n) {
  T2V_DISPATCH(GatherOnBase)(to, to_stride, base, from, index, n);
}

void scatter_add(float* to, int64_t to_stride, const float* from, int64_t from_stride,
                 std::span<const int32_t> index, int64_t n) {
  T2V_DISPATCH(ScatterAdd)(to, to_stride, from, from_stride, index, n);
}

void add_column_sums(float* sums, const float* from, int64_t stride, int64_t rows, int64_t n) {
  T2V_DISPATCH(AddColumnSums)(sums, from, stride, rows, n);
}

bool all_finite(const float* x, int64_t n) { return T2V_DISPATCH(AllFinite)(x, n); }

}  // namespace t2v::kernels
#endif
