#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/thread_pool.h"

namespace t2v::bench {

/// What one repetition of some work took.
struct Repetition {
  double seconds = 0;
  double amount = 0;      // events, or whatever the workload counts
  double operations = 0;  // useful floating-point operations, or bytes: what the limit counts too
  double p999 = 0;        // seconds that 999 of 1,000 pieces of work stay below; 0 where none is timed alone
};

/// How good a model is that was trained on the way, and after how much work, so that nobody compares
/// different work.
struct Score {
  std::string name;
  double value = 0;
  int64_t steps = 0;  // of the optimizer, warming up included
  double epochs = 0;
};

/// A piece of work that can be done again and again, on the threads of a pool.
class Workload {
 public:
  Workload() = default;
  virtual ~Workload() = default;
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;

  virtual Repetition run() = 0;
  virtual std::optional<Score> score() { return std::nullopt; }
};

/// What a run of the benchmark is about.
struct BenchConfig {
  std::string mnist;        // an event store of Event-MNIST; made events of its shape without
  std::string badges;       // an event store of Stack Overflow's badges; the same
  std::string many;         // an event store of thousands of types; the same
  int64_t batches = 0;      // of a repetition of a model, 0 for an epoch
  int64_t times = 1 << 20;  // to be encoded
};

using MakeWorkload = std::function<std::unique_ptr<Workload>(const BenchConfig& config, ThreadPool& pool)>;

/// An entry of the table of workloads.
struct WorkloadKind {
  std::string name;
  std::string what;    // in a few words
  std::string amount;  // what is counted
  double goal;         // the fraction of its limit that it is to reach, 0 for none
  MakeWorkload make;
  MakeWorkload make_limit;  // what the machine can do at most of the same kind, on the same threads
  bool one_thread = false;  // whatever the pool has
};

std::span<const WorkloadKind> workloads();
/// Throws t2v::Error that lists the names.
const WorkloadKind& workload_named(std::string_view name);

}  // namespace t2v::bench
