#include "bench/encode_work.h"

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "bench/clock.h"
#include "kernels/time2vec.h"

namespace t2v::bench {
namespace {

class EncodeWork final : public Workload {
 public:
  EncodeWork(int64_t times, int64_t k, ThreadPool& pool)
      : pool_(pool),
        terms_(k + 1),
        tau_(static_cast<std::size_t>(times)),
        omega_(static_cast<std::size_t>(terms_)),
        phi_(static_cast<std::size_t>(terms_)),
        out_(static_cast<std::size_t>(times * terms_)) {
    Random random(1);
    for (double& t : tau_) t = 1.7e9 + 1e6 * random.uniform();
    for (double& w : omega_) w = random.uniform(-1, 1);
    for (double& p : phi_) p = random.uniform(-1, 1);
  }

  Repetition run() override {
    const auto blocks = static_cast<int64_t>((tau_.size() + kBlock - 1) / kBlock);
    const double seconds = seconds_of(
        [&] { pool_.run(blocks, [&](int64_t b) { encode(static_cast<std::size_t>(b) * kBlock); }); });
    const auto phases = static_cast<double>(out_.size());
    return {seconds, phases, phases * sizeof(float)};
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 14;

  void encode(std::size_t begin) {
    const std::size_t count = std::min(kBlock, tau_.size() - begin);
    const kernels::Terms<double> terms{kernels::Activation::kSin, true, terms_, omega_.data(), phi_.data()};
    kernels::time2vec_forward(out_.data() + begin * static_cast<std::size_t>(terms_), nullptr, terms_, terms,
                              std::span<const double>(tau_).subspan(begin, count));
  }

  ThreadPool& pool_;
  int64_t terms_;
  std::vector<double> tau_;
  std::vector<double> omega_;
  std::vector<double> phi_;
  std::vector<float> out_;
};

}  // namespace

std::unique_ptr<Workload> encode_work(int64_t times, int64_t k, ThreadPool& pool) {
  return std::make_unique<EncodeWork>(times, k, pool);
}

int64_t encoded_bytes(int64_t times, int64_t k) {
  return times * (k + 1) * static_cast<int64_t>(sizeof(float));
}

}  // namespace t2v::bench
