#include "bench/limits.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "bench/clock.h"
#include "bench/measurement.h"
#include "bench/read_all.h"
#include "kernels/matmul.h"

namespace t2v::bench {
namespace {

class MatrixLimit final : public Workload {
 public:
  MatrixLimit(ThreadPool& pool, int64_t rows, int64_t inner, int64_t columns)
      : pool_(pool), rows_(rows), inner_(inner), columns_(columns) {
    for (int i = 0; i < pool.threads(); ++i) {
      a_.emplace_back(static_cast<std::size_t>(rows * inner), 0.01F);
      b_.emplace_back(static_cast<std::size_t>(inner * columns), 0.01F);
      c_.emplace_back(static_cast<std::size_t>(rows * columns), 0.0F);
    }
    // About a tenth of a second at 100 GFLOP/s a thread.
    products_ = std::max<int64_t>(1, 10'000'000'000 / (2 * rows * inner * columns));
  }

  Repetition run() override {
    Repetition done;
    done.amount = static_cast<double>(pool_.threads() * products_);
    done.operations = done.amount * 2 * static_cast<double>(rows_ * inner_ * columns_);
    done.seconds = seconds_of(
        [&] { pool_.run(pool_.threads(), [&](int64_t i) { multiply(static_cast<std::size_t>(i)); }); });
    return done;
  }

 private:
  void multiply(std::size_t i) {
    for (int64_t r = 0; r < products_; ++r) {
      kernels::matmul(c_[i].data(), columns_, kernels::Matrix<float>{a_[i].data(), inner_},
                      kernels::Matrix<float>{b_[i].data(), columns_}, rows_, columns_, inner_, 0);
    }
  }

  ThreadPool& pool_;
  int64_t rows_;
  int64_t inner_;
  int64_t columns_;
  int64_t products_;
  std::vector<std::vector<float>> a_;
  std::vector<std::vector<float>> b_;
  std::vector<std::vector<float>> c_;
};

class CopyLimit final : public Workload {
 public:
  CopyLimit(ThreadPool& pool, int64_t bytes)
      : pool_(pool), from_(static_cast<std::size_t>(bytes), 1), to_(static_cast<std::size_t>(bytes)) {}

  Repetition run() override {
    const std::size_t share = from_.size() / static_cast<std::size_t>(pool_.threads());
    const auto bytes = static_cast<double>(share * static_cast<std::size_t>(pool_.threads()));
    const double seconds = seconds_of([&] {
      pool_.run(pool_.threads(), [&](int64_t i) {
        const std::size_t at = share * static_cast<std::size_t>(i);
        std::memcpy(to_.data() + at, from_.data() + at, share);
      });
    });
    return {seconds, bytes, bytes};
  }

 private:
  ThreadPool& pool_;
  std::vector<char> from_;
  std::vector<char> to_;
};

/// Looks for a byte that is not there, as the C library does it, or loads all words: whichever is faster.
class ReadLimit final : public Workload {
 public:
  explicit ReadLimit(int64_t bytes)
      : words_(static_cast<std::size_t>(bytes) / sizeof(uint32_t), 0x01010101) {}

  Repetition run() override {
    const double seconds = std::min(seconds_of([&] { search(); }), seconds_of([&] { load(); }));
    return {seconds, kRounds, kRounds * static_cast<double>(words_.size() * sizeof(uint32_t))};
  }

 private:
  static constexpr int kRounds = 1000;

  void search() {
    for (int r = 0; r < kRounds; ++r) {
      const void* found = std::memchr(words_.data(), 2 + r % 2, words_.size() * sizeof(uint32_t));
      if (found != nullptr) fail("a byte was found that is not there");
    }
  }
  void load() {
    const uint32_t expected = words_.size() % 2 == 0 ? 0 : 0x01010101;
    for (int r = 0; r < kRounds; ++r) {
      if (xor_of(words_) != expected) fail("words were read that are not there");
    }
  }

  std::vector<uint32_t> words_;
};

class EmptyCall final : public Workload {
 public:
  explicit EmptyCall(ThreadPool& pool) : pool_(pool) {}

  Repetition run() override {
    constexpr int kCalls = 1000;
    const double seconds = seconds_of([&] {
      for (int i = 0; i < kCalls; ++i) pool_.run(pool_.threads(), [](int64_t) {});
    });
    return {seconds, kCalls, kCalls};
  }

 private:
  ThreadPool& pool_;
};

/// What it does of `operations` a second: the median of a few, after one to warm up.
double rate_of(Workload& work) {
  constexpr int kRepetitions = 5;
  work.run();
  std::vector<double> rates;
  for (int r = 0; r < kRepetitions; ++r) {
    const Repetition done = work.run();
    rates.push_back(done.operations / done.seconds);
  }
  return middle_of(std::move(rates)).median;
}

}  // namespace

std::unique_ptr<Workload> matrix_limit(ThreadPool& pool, int64_t rows, int64_t inner, int64_t columns) {
  return std::make_unique<MatrixLimit>(pool, rows, inner, columns);
}
std::unique_ptr<Workload> copy_limit(ThreadPool& pool, int64_t bytes) {
  return std::make_unique<CopyLimit>(pool, bytes);
}
std::unique_ptr<Workload> read_limit(int64_t bytes) { return std::make_unique<ReadLimit>(bytes); }
std::unique_ptr<Workload> empty_call(ThreadPool& pool) { return std::make_unique<EmptyCall>(pool); }

MachineLimits machine_limits(ThreadPool& pool) {
  return {rate_of(*matrix_limit(pool, kShardRows, 128, 512)), rate_of(*copy_limit(pool, kCopied)),
          1 / rate_of(*empty_call(pool))};
}

}  // namespace t2v::bench
