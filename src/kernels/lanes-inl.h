// Loading and storing the end of a row, for inclusion once per target. Highway 1.0's own masked load reads
// (and requires alignment) beyond the end before AVX2.

#if defined(T2V_KERNELS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef T2V_KERNELS_LANES_INL_H_
#undef T2V_KERNELS_LANES_INL_H_
#else
#define T2V_KERNELS_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace t2v::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE int64_t lane_count(D d) {
  return static_cast<int64_t>(hn::Lanes(d));
}

/// The first `left` lanes of a vector, or all of them where `left` is as many or more. Loads fill up with
/// zeros.
template <class D>
class First {
 public:
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;

  explicit HWY_INLINE First(int64_t left)
      : count_(std::min(left, lane_count(D()))), mask_(hn::FirstN(D(), static_cast<std::size_t>(count_))) {}

  HWY_INLINE bool whole() const { return count_ == lane_count(D()); }
  HWY_INLINE hn::Mask<D> mask() const { return mask_; }

  HWY_INLINE V load(const T* p) const {
    if (whole()) return hn::LoadU(D(), p);
#if HWY_TARGET <= HWY_AVX2
    return hn::MaskedLoad(mask_, D(), p);
#else
    HWY_ALIGN T buffer[hn::MaxLanes(D())] = {};
    std::memcpy(buffer, p, sizeof(T) * static_cast<std::size_t>(count_));
    return hn::Load(D(), buffer);
#endif
  }

  HWY_INLINE void store(V v, T* p) const {
    if (whole()) {
      hn::StoreU(v, D(), p);
      return;
    }
#if HWY_TARGET <= HWY_AVX2
    hn::BlendedStore(v, mask_, D(), p);
#else
    HWY_ALIGN T buffer[hn::MaxLanes(D())];
    hn::Store(v, D(), buffer);
    std::memcpy(p, buffer, sizeof(T) * static_cast<std::size_t>(count_));
#endif
  }

 private:
  int64_t count_;
  hn::Mask<D> mask_;
};

}  // namespace t2v::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // T2V_KERNELS_LANES_INL_H_
