#include "nn/pool.h"

#include <algorithm>

#include "kernels/rows.h"
#include "kernels/wide.h"

namespace t2v::nn {

template <class T>
void start_pool(PoolState<T>& state, int64_t rows, int64_t hidden) {
  state.sum.assign_zeros(rows * hidden);
  state.max.assign_zeros(rows * hidden);
  state.counts.assign(static_cast<std::size_t>(rows), 0);
}

template <class T>
void pool_forward(PoolState<T>& state, const Chunk& chunk, const T* h, int64_t hidden) {
  state.max_at.assign(static_cast<std::size_t>(chunk.rows() * hidden), -1);
  for (int64_t t = 0; t < chunk.steps(); ++t) {
    const int64_t first = chunk.start[static_cast<std::size_t>(t)];
    const int64_t rows = chunk.active[static_cast<std::size_t>(t)];
    for (int64_t row = 0; row < rows; ++row) {
      const bool is_first = state.counts[static_cast<std::size_t>(row)]++ == 0;
      const T* from = h + (first + row) * hidden;
      T* max = state.max.data() + row * hidden;
      int32_t* at = state.max_at.data() + row * hidden;
      kernels::add(state.sum.data() + row * hidden, from, hidden);
      for (int64_t j = 0; j < hidden; ++j) {
        const bool larger = is_first || real_part(from[j]) > real_part(max[j]);
        max[j] = larger ? from[j] : max[j];
        at[j] = larger ? static_cast<int32_t>(first + row) : at[j];
      }
    }
  }
}

template <class T>
void read_pool(T* out, const PoolState<T>& state, int64_t row, int64_t hidden) {
  const T share = T(1) / T(static_cast<double>(state.counts[static_cast<std::size_t>(row)]));
  for (int64_t j = 0; j < hidden; ++j) out[j] = state.sum[row * hidden + j] * share;
  std::copy_n(state.max.data() + row * hidden, hidden, out + hidden);
}

template <class T>
void pool_backward(T* dh, const PoolState<T>& state, const Chunk& chunk, int64_t row, const T* dout,
                   int64_t hidden) {
  const T share = T(1) / T(static_cast<double>(state.counts[static_cast<std::size_t>(row)]));
  for (int64_t t = 0; t < chunk.steps() && row < chunk.active[static_cast<std::size_t>(t)]; ++t) {
    T* to = dh + (chunk.start[static_cast<std::size_t>(t)] + row) * hidden;
    for (int64_t j = 0; j < hidden; ++j) to[j] += share * dout[j];
  }
  for (int64_t j = 0; j < hidden; ++j) {
    const int32_t at = state.max_at[static_cast<std::size_t>(row * hidden + j)];
    if (at >= 0) dh[at * hidden + j] += dout[hidden + j];
  }
}

#define T2V_INSTANTIATE(T)                                                       \
  template void start_pool<T>(PoolState<T>&, int64_t, int64_t);                  \
  template void pool_forward<T>(PoolState<T>&, const Chunk&, const T*, int64_t); \
  template void read_pool<T>(T*, const PoolState<T>&, int64_t, int64_t);         \
  template void pool_backward<T>(T*, const PoolState<T>&, const Chunk&, int64_t, const T*, int64_t);
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE

}  // namespace t2v::nn
