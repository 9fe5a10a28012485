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
#include "kernels/target.h"
#include "matrix_limit.h"
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

  SequenceBatch batch() const { return {.offsets = offsets, .times = {times}, .labels = labels}; }
};

/// Returns the fraction.
double run(int threads, int repetitions) {
  ModelConfig config;
  config.times = {nn::TimeEncoderConfig{}};
  config.times[0].k = kSines;
  config.hidden = kHidden;
  config.heads[0].classes = 10;
  const Model model(config);
  ThreadPool pool(threads);
  Trainer<float> trainer(model, nn::convert<float>(initialise(model, 1)), {}, pool);
  const MadeEvents data(1);
  bench::MatrixLimit limit(pool, 64, kHidden);
  const auto times =
      bench::interleaved(repetitions, {[&] { trainer.step(data.batch()); }, [&] { limit.run(); }});
  const auto events = static_cast<double>(data.times.size());
  const double useful = events * 3 * 2 * 4 * kHidden * (kHidden + kSines + 1);
  const double ours = useful / times[0];
  const double most = limit.operations() / times[1];
  fmt::print(
      "{} thread{}: {:7.0f} events/s, {:6.1f} GFLOP/s useful, limit {:6.1f} GFLOP/s, fraction {:.3f}\n",
      threads, threads == 1 ? " " : "s", events / times[0], ours * 1e-9, most * 1e-9, ours / most);
  return ours / most;
}

}  // namespace
}  // namespace t2v

int main(int argc, char** argv) {
  // bench_train [repetitions] [fraction that must be reached on all cores]
  const int repetitions = argc > 1 ? std::stoi(argv[1]) : 15;
  const double least = argc > 2 ? std::stod(argv[2]) : 0;
  fmt::print("Event-MNIST shape, LSTM+T2V, k = {}, H = {}, {} sequences, {}, median of {}\n", t2v::kSines,
             t2v::kHidden, t2v::kSequences, t2v::kernels::active_target(), repetitions);
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  double fraction = 0;
  for (int threads = 1; threads <= cores; ++threads) fraction = t2v::run(threads, repetitions);
  return fraction >= least ? 0 : 1;
}
