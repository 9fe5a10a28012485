// The loops of cell.h for vectors of floats, for inclusion once per target.

#if defined(T2V_KERNELS_CELL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef T2V_KERNELS_CELL_INL_H_
#undef T2V_KERNELS_CELL_INL_H_
#else
#define T2V_KERNELS_CELL_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/cell.h"
#include "kernels/lanes-inl.h"
#include "kernels/target.h"
#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using FirstFloats = First<Floats>;

/// Fetches lines of memory that are `rows` rows away into the second-level cache: the stored numbers of all
/// steps do not fit there, and fetching them beside the arithmetic hides what the memory takes.
template <int kBlocks>
HWY_INLINE void fetch(const float* gates, int64_t rows, int64_t hidden) {
  const float* away = gates + rows * kBlocks * hidden;
  for (int b = 0; b < kBlocks; ++b) __builtin_prefetch(away + b * hidden, 1, 2);
}

template <class Formula>
HWY_INLINE void forward_lanes(const CellForward<float>& s, int64_t row, int64_t j, const FirstFloats& lanes) {
  using V = FirstFloats::V;
  constexpr int kBlocks = Formula::kBlocks;
  float* gates = s.gates + row * kBlocks * s.hidden + j;
  const int64_t at = row * s.hidden + j;
  V a[kBlocks];
  V p[Formula::kVectors + 1];
  if (s.soon != 0) {
    fetch<kBlocks>(gates, s.soon, s.hidden);
    fetch<1>(s.c + at, s.soon, s.hidden);
    fetch<1>(s.h + at, s.soon, s.hidden);
  }
  for (int b = 0; b < kBlocks; ++b) a[b] = lanes.load(gates + b * s.hidden);
  for (int v = 0; v < Formula::kVectors; ++v) p[v] = lanes.load(s.vectors + v * s.hidden + j);
  V c;
  V h;
  Formula::template forward<V>(a, p, lanes.load(s.c_prev + at), lanes.load(s.h_prev + at), c, h);
  for (int b = 0; b < kBlocks; ++b) lanes.store(a[b], gates + b * s.hidden);
  lanes.store(c, s.c + at);
  lanes.store(h, s.h + at);
  if (row < s.rows_next) lanes.store(h, s.h_next + at);
}

template <class Formula>
HWY_INLINE void backward_lanes(const CellBackward<float>& s, int64_t row, int64_t j,
                               const FirstFloats& lanes) {
  using V = FirstFloats::V;
  constexpr int kBlocks = Formula::kBlocks;
  float* gates = s.gates + row * kBlocks * s.hidden + j;
  const int64_t at = row * s.hidden + j;
  V a[kBlocks];
  V p[Formula::kVectors + 1];
  V dp[Formula::kVectors + 1];
  if (s.soon != 0) {
    fetch<kBlocks>(gates, -s.soon, s.hidden);
    fetch<1>(s.c + at, -s.soon, s.hidden);
    fetch<1>(s.h_prev + at, -s.soon, s.hidden);
  }
  for (int b = 0; b < kBlocks; ++b) a[b] = lanes.load(gates + b * s.hidden);
  for (int v = 0; v < Formula::kVectors; ++v) {
    p[v] = lanes.load(s.vectors + v * s.hidden + j);
    dp[v] = lanes.load(s.dvectors + v * s.hidden + j);
  }
  V dh = lanes.load(s.dh + at);
  V dc = lanes.load(s.dc + at);
  Formula::template backward<V>(a, p, dp, lanes.load(s.c_prev + at), lanes.load(s.h_prev + at),
                                lanes.load(s.c + at), dh, dc);
  for (int v = 0; v < Formula::kVectors; ++v) lanes.store(dp[v], s.dvectors + v * s.hidden + j);
  for (int b = 0; b < kBlocks; ++b) lanes.store(a[b], gates + b * s.hidden);
  lanes.store(dc, s.dc + at);
  if constexpr (Formula::kDirectHidden) lanes.store(dh, s.dh + at);
}

template <class Formula>
void cell_forward(const CellForward<float>& s) {
  const int64_t n = lane_count(Floats());
  const int64_t whole = s.hidden / n * n;
  const FirstFloats all(n);
  const FirstFloats rest(s.hidden - whole);
  for (int64_t row = 0; row < s.rows; ++row) {
    for (int64_t j = 0; j < whole; j += n) forward_lanes<Formula>(s, row, j, all);
    if (whole < s.hidden) forward_lanes<Formula>(s, row, whole, rest);
  }
}

template <class Formula>
void cell_backward(const CellBackward<float>& s) {
  const int64_t n = lane_count(Floats());
  const int64_t whole = s.hidden / n * n;
  const FirstFloats all(n);
  const FirstFloats rest(s.hidden - whole);
  for (int64_t row = 0; row < s.rows; ++row) {
    for (int64_t j = 0; j < whole; j += n) backward_lanes<Formula>(s, row, j, all);
    if (whole < s.hidden) backward_lanes<Formula>(s, row, whole, rest);
  }
}

}  // namespace t2v::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

/// In the namespace of a target: the loops of a formula.
#define T2V_CELL_LOOPS(Formula)                                   \
  void Formula##Forward(const kernels::CellForward<float>& s) {   \
    kernels::HWY_NAMESPACE::cell_forward<Formula>(s);             \
  }                                                               \
  void Formula##Backward(const kernels::CellBackward<float>& s) { \
    kernels::HWY_NAMESPACE::cell_backward<Formula>(s);            \
  }

/// Once a file: Formula##Functions(), the loops of a formula for every number type.
#define T2V_CELL_FUNCTIONS(Formula)                                                   \
  HWY_EXPORT(Formula##Forward);                                                       \
  HWY_EXPORT(Formula##Backward);                                                      \
  static kernels::ByType<kernels::CellFunctions> Formula##Functions() {               \
    using F = HWY_NAMESPACE::Formula;                                                 \
    return {{[](const kernels::CellForward<float>& s) {                               \
               T2V_DISPATCH(Formula##Forward)                                         \
               (s);                                                                   \
             },                                                                       \
             [](const kernels::CellBackward<float>& s) {                              \
               T2V_DISPATCH(Formula##Backward)                                        \
               (s);                                                                   \
             }},                                                                      \
            {kernels::cell_forward<F, double>, kernels::cell_backward<F, double>},    \
            {kernels::cell_forward<F, Complex>, kernels::cell_backward<F, Complex>}}; \
  }

#endif  // T2V_KERNELS_CELL_INL_H_
