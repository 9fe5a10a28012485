#pragma once

#include <vector>

#include "base/thread_pool.h"
#include "kernels/matmul.h"

namespace t2v::bench {

/// oneDNN alone, on every thread: [rows, H] x [H, 4H], as in a step of a recurrence.
class MatrixLimit {
 public:
  MatrixLimit(ThreadPool& pool, int64_t rows, int64_t hidden) : pool_(pool), rows_(rows), hidden_(hidden) {
    for (int i = 0; i < pool.threads(); ++i) {
      a_.emplace_back(static_cast<std::size_t>(rows * hidden), 0.01F);
      b_.emplace_back(static_cast<std::size_t>(4 * hidden * hidden), 0.01F);
      c_.emplace_back(static_cast<std::size_t>(rows * 4 * hidden), 0.0F);
    }
  }

  void run() {
    pool_.run(pool_.threads(), [&](int64_t i) {
      const auto t = static_cast<std::size_t>(i);
      for (int r = 0; r < kProducts; ++r) {
        kernels::matmul(c_[t].data(), 4 * hidden_, kernels::Matrix<float>{a_[t].data(), hidden_},
                        kernels::Matrix<float>{b_[t].data(), 4 * hidden_}, rows_, 4 * hidden_, hidden_, 0);
      }
    });
  }

  double operations() const {
    return static_cast<double>(pool_.threads() * kProducts * 2 * rows_ * hidden_ * 4 * hidden_);
  }

 private:
  static constexpr int64_t kProducts = 400;
  ThreadPool& pool_;
  int64_t rows_;
  int64_t hidden_;
  std::vector<std::vector<float>> a_;
  std::vector<std::vector<float>> b_;
  std::vector<std::vector<float>> c_;
};

}  // namespace t2v::bench
