// Training speed of every cell, as a fraction of what oneDNN's matrix product reaches alone on the same
// threads in the same run: next event at each step, V = 22 types, H = 128, batches of 64 sequences of about
// 72 events, Time2Vec with k = 64 on gaps that all differ. Only useful arithmetic counts, of products alone;
// event rows are looked up:
//   an event: 3 * 2 * (columns fed by h * H + columns fed by time * (k + 1) + H * V)
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

constexpr int64_t kHidden = 128;
constexpr int64_t kSines = 64;
constexpr int64_t kSequences = 64;

struct MadeEvents {
  std::vector<int64_t> offsets{0};
  std::vector<double> start;
  std::vector<double> gap;
  std::vector<int32_t> events;
  std::vector<int32_t> next;

  MadeEvents(int64_t types, uint64_t seed) {
    Random random(seed);
    const auto v = static_cast<uint64_t>(types);
    for (int64_t b = 0; b < kSequences; ++b) {
      const int64_t length = 41 + static_cast<int64_t>(-31 * std::log(1 - random.uniform()));
      double t = 0;
      for (int64_t i = 0; i < length; ++i) {
        gap.push_back(10 * random.uniform());
        start.push_back(t += gap.back());
        events.push_back(static_cast<int32_t>(random.below(v)));
        next.push_back(i + 1 < length ? static_cast<int32_t>(random.below(v)) : -1);
      }
      offsets.push_back(static_cast<int64_t>(start.size()));
    }
  }
  SequenceBatch batch() const {
    return {.offsets = offsets, .times = {start, gap}, .events = events, .next_events = next};
  }
};

ModelConfig config_for(const nn::Cell& cell, int64_t types) {
  ModelConfig config;
  config.event_types = types;
  config.times = {nn::TimeEncoderConfig{}};
  config.times[0].k = kSines;
  config.times[0].input = TimeInput::kGap;
  config.cell = cell.name;
  if (!cell.inner.empty()) config.inner = cell.inner;
  config.hidden = kHidden;
  config.heads[0].each_step = true;
  config.heads[0].classes = types;
  return config;
}

double recurrence_operations(const nn::Cell& cell) {
  return static_cast<double>(3 * 2 * kHidden *
                             (cell.hidden.count() * kHidden + cell.time.count() * (kSines + 1)));
}

double head_operations(int64_t types) { return 3.0 * 2 * kHidden * static_cast<double>(types); }

void run(const nn::Cell& cell, int64_t types, ThreadPool& pool, double lstm_rate, double& rate) {
  const Model model(config_for(cell, types));
  Trainer<float> trainer(model, nn::convert<float>(initialise(model, 1)), {}, pool);
  const MadeEvents data(types, 1);
  bench::MatrixLimit limit(pool, 32, kHidden);
  const auto times = bench::interleaved(9, {[&] { trainer.step(data.batch()); }, [&] { limit.run(); }});
  const auto events = static_cast<double>(data.start.size());
  const double work = recurrence_operations(cell) + head_operations(types);
  const double fraction = events * work / times[0] / (limit.operations() / times[1]);
  rate = times[0] / events / work;  // seconds an operation
  fmt::print("{:<9} {:<8} V {:>5} {:>9.0f} events/s  fraction {:.3f}", cell.name, cell.inner, types,
             events / times[0], fraction);
  if (lstm_rate > 0) fmt::print("  time an operation, in relation to the LSTM {:.2f}", rate / lstm_rate);
  fmt::print("\n");
}

}  // namespace
}  // namespace t2v

int main() {
  t2v::ThreadPool pool;
  fmt::print("Cells, H = {}, k = {}, {} sequences, {}, {} threads, median of 9\n", t2v::kHidden, t2v::kSines,
             t2v::kSequences, t2v::kernels::active_target(), pool.threads());
  double lstm = 0;
  for (const t2v::nn::Cell& cell : t2v::nn::cells()) {
    double rate = 0;
    t2v::run(cell, 22, pool, lstm, rate);
    if (cell.name == "lstm") lstm = rate;
  }
  for (const char* name : {"lstm", "tlstm3"}) {
    double rate = 0;
    t2v::run(t2v::nn::cell_from(name), 5000, pool, 0, rate);
    const double share = t2v::head_operations(5000) /
                         (t2v::head_operations(5000) + t2v::recurrence_operations(t2v::nn::cell_from(name)));
    fmt::print("          of the useful arithmetic, the head is {:.0f} %\n", 100 * share);
  }
}
