#include "bench/read_all.h"

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/read_all.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace t2v::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::ScalableTag<uint32_t>;

/// Eight sums at once: as many loads are on their way, and none waits for the one before.
uint32_t XorOf(const uint32_t* HWY_RESTRICT words, std::size_t count) {
  constexpr std::size_t kSums = 8;
  const Words d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Words> sums[kSums];
  for (auto& sum : sums) sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + kSums * lanes <= count; i += kSums * lanes) {
    for (std::size_t s = 0; s < kSums; ++s) sums[s] = hn::Xor(sums[s], hn::LoadU(d, words + i + s * lanes));
  }
  for (std::size_t s = 1; s < kSums; ++s) sums[0] = hn::Xor(sums[0], sums[s]);
  HWY_ALIGN uint32_t parts[hn::MaxLanes(d)];
  hn::Store(sums[0], d, parts);
  uint32_t all = 0;
  for (std::size_t l = 0; l < lanes; ++l) all ^= parts[l];
  for (; i < count; ++i) all ^= words[i];
  return all;
}

}  // namespace t2v::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::bench {

HWY_EXPORT(XorOf);

uint32_t xor_of(std::span<const uint32_t> words) { return T2V_DISPATCH(XorOf)(words.data(), words.size()); }

}  // namespace t2v::bench
#endif
