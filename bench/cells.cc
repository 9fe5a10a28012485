// Training speed of every cell, as a fraction of what oneDNN's matrix product reaches alone on the same
// threads in the same run: next event at each step, V = 22 types, H = 128, batches of 64 sequences of about
// 72 events, Time2Vec with k = 64 on gaps that all differ. Only useful arithmetic counts, of products alone;
// event rows are looked up:
//   an event: 3 * 2 * (columns fed by h * H + columns fed by time * (k + 1) + H * V)
// With V = 5,000 types the head is timed apart: as what it adds to the same model with a head of one number.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <memory>
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
  std::vector<float> values;

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
        values.push_back(static_cast<float>(random.uniform()));
      }
      offsets.push_back(static_cast<int64_t>(start.size()));
    }
  }
  SequenceBatch batch() const {
    return {
        .offsets = offsets, .times = {start, gap}, .events = events, .next_events = next, .values = values};
  }
};

enum class HeadOf { kAllTypes, kOneNumber };

ModelConfig config_for(const nn::Cell& cell, int64_t types, HeadOf head) {
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
  if (head == HeadOf::kOneNumber) config.heads[0].kind = "mse";
  return config;
}

double recurrence_operations(const nn::Cell& cell) {
  return static_cast<double>(3 * 2 * kHidden *
                             (cell.hidden.count() * kHidden + cell.time.count() * (kSines + 1)));
}

double head_operations(int64_t types) { return 3.0 * 2 * kHidden * static_cast<double>(types); }

/// A cell at work on one vocabulary.
struct Workload {
  const nn::Cell& cell;
  int64_t types;
  Model model;
  Trainer<float> trainer;
  MadeEvents data;

  Workload(const nn::Cell& which, int64_t vocabulary, HeadOf head, ThreadPool& pool)
      : cell(which),
        types(vocabulary),
        model(config_for(which, vocabulary, head)),
        trainer(model, nn::convert<float>(initialise(model, 1)), {}, pool),
        data(vocabulary, 1) {}

  double events() const { return static_cast<double>(data.start.size()); }
  double operations() const { return recurrence_operations(cell) + head_operations(types); }
};

/// Measures in turns, so that all meet the same noise. With several cells, the first is what the others are
/// compared with: the time of an event over that of the first, in relation to their column blocks.
void run(const std::vector<const nn::Cell*>& cells, int64_t types, ThreadPool& pool) {
  std::vector<std::unique_ptr<Workload>> workloads;
  std::vector<std::function<void()>> works;
  for (const nn::Cell* cell : cells) {
    workloads.push_back(std::make_unique<Workload>(*cell, types, HeadOf::kAllTypes, pool));
    works.emplace_back([w = workloads.back().get()] { w->trainer.step(w->data.batch()); });
  }
  bench::MatrixLimit limit(pool, 32, kHidden);
  works.emplace_back([&] { limit.run(); });
  const std::vector<double> times = bench::interleaved(15, works);
  const double most = limit.operations() / times.back();
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const Workload& w = *workloads[i];
    const double blocks = static_cast<double>(w.cell.blocks) / workloads[0]->cell.blocks;
    fmt::print(
        "{:<9} {:<8} V {:>5} {:>9.0f} events/s  fraction {:.3f}  cost {:.2f} for {:.2f} of the blocks\n",
        w.cell.name, w.cell.inner, types, w.events() / times[i],
        w.events() * w.operations() / times[i] / most, times[i] / times[0], blocks);
  }
}

void run_apart(const nn::Cell& cell, int64_t types, ThreadPool& pool) {
  Workload both(cell, types, HeadOf::kAllTypes, pool);
  Workload recurrence(cell, types, HeadOf::kOneNumber, pool);
  bench::MatrixLimit limit(pool, 32, kHidden);
  const std::vector<double> times = bench::interleaved(
      15, {[&] { both.trainer.step(both.data.batch()); },
           [&] { recurrence.trainer.step(recurrence.data.batch()); }, [&] { limit.run(); }});
  const double head_time = times[0] - times[1];
  const double most = limit.operations() / times[2];
  const double events = both.events();
  fmt::print(
      "{:<9} {:<8} V {:>5} {:>9.0f} events/s  recurrence {:.1f} ms, fraction {:.3f}  head {:.1f} ms, "
      "fraction "
      "{:.3f}\n",
      cell.name, cell.inner, types, events / times[0], 1e3 * times[1],
      events * recurrence_operations(cell) / times[1] / most, 1e3 * head_time,
      events * head_operations(types) / head_time / most);
}

}  // namespace
}  // namespace t2v

int main(int argc, char** argv) {
  t2v::ThreadPool pool;
  fmt::print("Cells, H = {}, k = {}, {} sequences, {}, {} threads, median of 15\n", t2v::kHidden, t2v::kSines,
             t2v::kSequences, t2v::kernels::active_target(), pool.threads());
  std::vector<const t2v::nn::Cell*> cells;
  for (const t2v::nn::Cell& cell : t2v::nn::cells()) {
    if (argc < 2 || cell.name == argv[1]) cells.push_back(&cell);
  }
  t2v::run(cells, 22, pool);
  if (argc > 1) return 0;
  for (const char* name : {"lstm", "tlstm3"}) t2v::run_apart(t2v::nn::cell_from(name), 5000, pool);
}
