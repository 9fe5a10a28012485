#include "kernels/matmul.h"

#include <dnnl.h>

#include <algorithm>

#include "base/fail.h"
#include "kernels/row_product.h"
#include "kernels/target.h"

namespace t2v::kernels {
namespace {

thread_local bool row_by_row = false;

}  // namespace

RowByRow::RowByRow(bool on) : before_(row_by_row) { row_by_row = on; }
RowByRow::~RowByRow() { row_by_row = before_; }

void matmul(float* c, int64_t c_stride, Matrix<float> a, Matrix<float> b, int64_t m, int64_t n, int64_t k,
            int beta) {
  choose_target();
  if (m == 0 || n == 0) return;
  if (k == 0) {
    if (beta == 0) {
      for (int64_t i = 0; i < m; ++i) std::fill_n(c + i * c_stride, n, 0.0F);
    }
    return;
  }
  if ((m == 1 || row_by_row) && !a.transposed && !b.transposed) {
    for (int64_t i = 0; i < m; ++i) {
      row_product(c + i * c_stride, a.data + i * a.stride, b.data, b.stride, n, k, beta);
    }
    return;
  }
  const dnnl_status_t status =
      dnnl_sgemm(a.transposed ? 'T' : 'N', b.transposed ? 'T' : 'N', m, n, k, 1.0F, a.data, a.stride, b.data,
                 b.stride, static_cast<float>(beta), c, c_stride);
  if (status != dnnl_success) {
    fail(
        "oneDNN refused a matrix product of {} x {} x {} (status {}); is libtorch_cpu linked before libdnnl?",
        m, k, n, static_cast<int>(status));
  }
}

std::string matmul_version() {
  const dnnl_version_t* version = dnnl_version();
  return fmt::format("{}.{}.{}", version->major, version->minor, version->patch);
}

}  // namespace t2v::kernels
