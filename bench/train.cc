// Training speed on the shape of Event-MNIST (k = 64, H = 100, 512 sequences of 2 to 283 events, mean 69), as
// a fraction of what oneDNN's matrix product reaches alone on the same threads in the same run. Only useful
// arithmetic counts: 3 * 2 * 4H * (H + k + 1) floating-point operations an event.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "base/thread_pool.h"
#include "kernels/matmul.h"
#include "kernels/target.h"
#include "measure.h"
#include "model/initialise.h"
#include "train/trainer.h"

namespace t2v {
namespace {

constexpr int64_t kSequences = 512;
constexpr int64_t kHidden = 100;
constexpr int64_t kSines = 64;

/// Sequences like Event-MNIST's: strictly increasing positions in 0..783 from 0 on. Lengths: about normal
/// around 69, cut to 2..283, with one of each extreme.
struct MadeEvents {
  std::vector<int64_t> offsets{0};
  std::vector<double> times;
  std::vector<int32_t> labels;

  explicit MadeEvents(uint64_t seed) {
    Random random(seed);
    for (int64_t b = 0; b < kSequences; ++b) {
      const double drawn = 69 + 27 * random.normal();
      const int64_t length = b == 0 ? 283 : b == 1 ? 2 : std::clamp<int64_t>(std::llround(drawn), 2, 283);
      std::vector<int64_t> pixels(784);
      for (int64_t i = 0; i < 784; ++i) pixels[static_cast<std::size_t>(i)] = i;
      random.shuffle(pixels);
      pixels.resize(static_cast<std::size_t>(length));
      std::sort(pixels.begin(), pixels.end());
      for (const int64_t pixel : pixels) times.push_back(static_cast<double>(pixel - pixels[0]));
      offsets.push_back(static_cast<int64_t>(times.size()));
      labels.push_back(static_cast<int32_t>(random.below(10)));
    }
  }

  SequenceBatch batch() const { return {offsets, {times, {}, {}}, {}, {}, labels}; }
};

/// oneDNN alone, one product a task on every thread: [64, H] x [H, 4H] as in a step of the recurrence.
struct MatrixLimit {
  static constexpr int64_t kRows = 64;
  static constexpr int kProducts = 200;
  ThreadPool& pool;
  std::vector<std::vector<float>> a;
  std::vector<std::vector<float>> b;
  std::vector<std::vector<float>> c;

  explicit MatrixLimit(ThreadPool& threads) : pool(threads) {
    for (int i = 0; i < threads.threads(); ++i) {
      a.emplace_back(kRows * kHidden, 0.01F);
      b.emplace_back(kHidden * 4 * kHidden, 0.01F);
      c.emplace_back(kRows * 4 * kHidden, 0.0F);
    }
  }
  void run() {
    pool.run(pool.threads(), [&](int64_t i) {
      const auto t = static_cast<std::size_t>(i);
      for (int r = 0; r < kProducts; ++r) {
        kernels::matmul(c[t].data(), 4 * kHidden, kernels::Matrix<float>{a[t].data(), kHidden},
                        kernels::Matrix<float>{b[t].data(), 4 * kHidden}, kRows, 4 * kHidden, kHidden, 0);
      }
    });
  }
  double operations() const {
    return static_cast<double>(pool.threads()) * kProducts * 2 * kRows * kHidden * 4 * kHidden;
  }
};

void run(int threads, int repetitions) {
  ModelConfig config;
  config.input.times = {nn::TimeEncoderConfig{}};
  config.input.times[0].k = kSines;
  config.hidden = kHidden;
  config.classes = 10;
  const Model model(config);
  ThreadPool pool(threads);
  Trainer<float> trainer(model, nn::convert<float>(initialise(model, 1)), {}, pool);
  const MadeEvents data(1);
  MatrixLimit limit(pool);
  const auto times =
      bench::interleaved(repetitions, {[&] { trainer.step(data.batch()); }, [&] { limit.run(); }});
  const auto events = static_cast<double>(data.times.size());
  const double useful = events * 3 * 2 * 4 * kHidden * (kHidden + kSines + 1);
  const double ours = useful / times[0];
  const double most = limit.operations() / times[1];
  fmt::print(
      "{} thread{}: {:7.0f} events/s, {:6.1f} GFLOP/s useful, limit {:6.1f} GFLOP/s, fraction {:.3f}\n",
      threads, threads == 1 ? " " : "s", events / times[0], ours * 1e-9, most * 1e-9, ours / most);
}

}  // namespace
}  // namespace t2v

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::stoi(argv[1]) : 15;
  fmt::print("Event-MNIST shape, LSTM+T2V, k = {}, H = {}, {} sequences, {}, median of {}\n", t2v::kSines,
             t2v::kHidden, t2v::kSequences, t2v::kernels::active_target(), repetitions);
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  for (int threads = 1; threads <= cores; ++threads) t2v::run(threads, repetitions);
}
