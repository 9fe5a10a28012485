#pragma once

#include <cstdint>

namespace t2v::kernels {

/// y [n] = x [k] B [k, n] + beta y, with beta 0 or 1; B row-major with the given stride. Each sum runs over k
/// in order. What one event of a stream needs: it takes the time of reading B.
template <class T>
void row_product(T* y, const T* x, const T* b, int64_t stride, int64_t n, int64_t k, int beta) {
  for (int64_t j = 0; j < n; ++j) {
    T sum = beta == 0 ? T(0) : y[j];
    for (int64_t l = 0; l < k; ++l) sum += x[l] * b[l * stride + j];
    y[j] = sum;
  }
}

/// The fast path.
void row_product(float* y, const float* x, const float* b, int64_t stride, int64_t n, int64_t k, int beta);

}  // namespace t2v::kernels
