#include "nn/dropout.h"

#include "base/random.h"
#include "kernels/wide.h"

namespace t2v::nn {

template <class T>
void drop(T* x, int64_t hidden, double rate, uint64_t key, uint32_t layer, std::span<const int32_t> source) {
  if (rate <= 0) return;
  const auto threshold = static_cast<uint32_t>(rate * 0x1p32);
  const T scale = T(1 / (1 - rate));
  for (std::size_t e = 0; e < source.size(); ++e) {
    for (int64_t j = 0; j < hidden; j += 4) {
      const auto draws =
          philox({static_cast<uint32_t>(source[e]), static_cast<uint32_t>(j), layer, 0x64726F70},
                 {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)});
      for (int64_t i = j; i < hidden && i < j + 4; ++i) {
        T& value = x[static_cast<int64_t>(e) * hidden + i];
        value = draws[static_cast<std::size_t>(i - j)] < threshold ? T(0) : value * scale;
      }
    }
  }
}

template void drop<float>(float*, int64_t, double, uint64_t, uint32_t, std::span<const int32_t>);
template void drop<double>(double*, int64_t, double, uint64_t, uint32_t, std::span<const int32_t>);
template void drop<Complex>(Complex*, int64_t, double, uint64_t, uint32_t, std::span<const int32_t>);

}  // namespace t2v::nn
