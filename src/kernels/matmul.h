#pragma once

#include <cstdint>
#include <string>

namespace t2v::kernels {

/// A matrix as it lies in memory (rows x cols, row-major, `stride` numbers from row to row), to be used as it
/// is or transposed.
template <class T>
struct Matrix {
  const T* data;
  int64_t stride;
  bool transposed = false;
};

template <class T>
Matrix<T> transposed(Matrix<T> m) {
  m.transposed = !m.transposed;
  return m;
}

/// C [m, n] = A [m, k] B [k, n] + beta C, with beta 0 or 1; C row-major with the given stride. With beta 0,
/// what C held before does not matter, not even a NaN.
template <class T>
void matmul(T* c, int64_t c_stride, Matrix<T> a, Matrix<T> b, int64_t m, int64_t n, int64_t k, int beta) {
  const auto at = [](const Matrix<T>& x, int64_t i, int64_t j) {
    return x.transposed ? x.data[j * x.stride + i] : x.data[i * x.stride + j];
  };
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      T sum = beta == 0 ? T(0) : c[i * c_stride + j];
      for (int64_t l = 0; l < k; ++l) sum += at(a, i, l) * at(b, l, j);
      c[i * c_stride + j] = sum;
    }
  }
}

/// The fast path: oneDNN, on the calling thread alone when that is a ThreadPool's. One row of A, with neither
/// transposed, is row_product's, which needs no ThreadPool for that.
void matmul(float* c, int64_t c_stride, Matrix<float> a, Matrix<float> b, int64_t m, int64_t n, int64_t k,
            int beta);

/// While it lives, products of this thread with neither matrix transposed are made row by row. For work that
/// is so little that the 40 ms in which oneDNN prepares its first product would be most of it.
class RowByRow {
 public:
  explicit RowByRow(bool on);
  ~RowByRow();
  RowByRow(const RowByRow&) = delete;
  RowByRow& operator=(const RowByRow&) = delete;

 private:
  bool before_;
};

/// The version of oneDNN: others may round otherwise.
std::string matmul_version();

}  // namespace t2v::kernels
