#include "kernels/matmul.h"

#include <dnnl.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <mutex>
#include <new>

#include "base/fail.h"
#include "kernels/row_product.h"
#include "kernels/target.h"

namespace t2v::kernels {
namespace {

thread_local bool row_by_row = false;

// --- room for the code that oneDNN makes ---

/// oneDNN makes its code when a product of a kind is first asked for, and dies where there is no memory for
/// it. That takes a few MiB at most.
constexpr std::size_t kRoomForCode = std::size_t{64} << 20;

/// Throws std::bad_alloc where a limit of memory leaves no room.
void check_room() {
  void* room = ::mmap(nullptr, kRoomForCode, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) throw std::bad_alloc();
  ::munmap(room, kRoomForCode);
}

/// Sizes that oneDNN has code of their own for: small ones each, others by their magnitude.
std::size_t kind_of(int64_t size) {
  constexpr int64_t kSmall = 16;
  if (size <= kSmall) return static_cast<std::size_t>(size - 1);
  const auto magnitude = static_cast<std::size_t>(std::bit_width(static_cast<uint64_t>(size)));
  return std::min<std::size_t>(kSmall - 5 + magnitude, 31);  // 17 has a magnitude of 5
}

/// Does a product; the first of its kind alone, and with room.
template <class Product>
dnnl_status_t with_room(bool a_transposed, bool b_transposed, int64_t m, int64_t n, const Product& product) {
  static std::array<std::atomic<bool>, 4 * 32 * 32> made = {};
  static std::mutex making;
  const std::size_t form = (a_transposed ? 2 : 0) + (b_transposed ? 1 : 0);
  std::atomic<bool>& known = made[(form * 32 + kind_of(m)) * 32 + kind_of(n)];
  if (known.load(std::memory_order_acquire)) return product();
  const std::scoped_lock lock(making);
  if (!known.load(std::memory_order_relaxed)) check_room();
  const dnnl_status_t status = product();
  known.store(true, std::memory_order_release);
  return status;
}

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
  const dnnl_status_t status = with_room(a.transposed, b.transposed, m, n, [&] {
    return dnnl_sgemm(a.transposed ? 'T' : 'N', b.transposed ? 'T' : 'N', m, n, k, 1.0F, a.data, a.stride,
                      b.data, b.stride, static_cast<float>(beta), c, c_stride);
  });
  if (status == dnnl_out_of_memory) throw std::bad_alloc();
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
