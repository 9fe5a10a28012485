#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <span>

// Moving and adding rows of row-major matrices. `stride` is the distance from row to row in numbers, where it
// is not the number of columns. Sums run over the rows in order, so they have the same bits on every run.
namespace t2v::kernels {

/// to += from, element by element.
template <class T>
void add(T* to, const T* from, int64_t n) {
  for (int64_t i = 0; i < n; ++i) to[i] += from[i];
}
void add(float* to, const float* from, int64_t n);

/// to [E, n]: row e += from row index[e].
template <class T>
void gather_add(T* to, int64_t to_stride, const T* from, int64_t from_stride, std::span<const int32_t> index,
                int64_t n) {
  for (std::size_t e = 0; e < index.size(); ++e) {
    add(to + static_cast<int64_t>(e) * to_stride, from + index[e] * from_stride, n);
  }
}
void gather_add(float* to, int64_t to_stride, const float* from, int64_t from_stride,
                std::span<const int32_t> index, int64_t n);

/// to [E, n]: row e = base + from row index[e].
template <class T>
void gather_on_base(T* to, int64_t to_stride, const T* base, const T* from, std::span<const int32_t> index,
                    int64_t n) {
  for (std::size_t e = 0; e < index.size(); ++e) {
    for (int64_t i = 0; i < n; ++i)
      to[static_cast<int64_t>(e) * to_stride + i] = base[i] + from[index[e] * n + i];
  }
}
void gather_on_base(float* to, int64_t to_stride, const float* base, const float* from,
                    std::span<const int32_t> index, int64_t n);

/// to row index[e] += from row e, for from [E, n].
template <class T>
void scatter_add(T* to, int64_t to_stride, const T* from, int64_t from_stride, std::span<const int32_t> index,
                 int64_t n) {
  for (std::size_t e = 0; e < index.size(); ++e) {
    add(to + index[e] * to_stride, from + static_cast<int64_t>(e) * from_stride, n);
  }
}
void scatter_add(float* to, int64_t to_stride, const float* from, int64_t from_stride,
                 std::span<const int32_t> index, int64_t n);

/// sums [n] += Σ_rows from [rows, n].
template <class T>
void add_column_sums(T* sums, const T* from, int64_t stride, int64_t rows, int64_t n) {
  for (int64_t row = 0; row < rows; ++row) add(sums, from + row * stride, n);
}
void add_column_sums(float* sums, const float* from, int64_t stride, int64_t rows, int64_t n);

/// Whether no number is infinite or NaN.
template <class T>
bool all_finite(const T* x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (!std::isfinite(std::abs(x[i]))) return false;
  }
  return true;
}
bool all_finite(const float* x, int64_t n);

}  // namespace t2v::kernels
