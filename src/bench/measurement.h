#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/workload.h"

namespace t2v::bench {

/// The middle of some numbers, and how far they lie apart: half of what the middle half of them covers.
struct Middle {
  double median = 0;
  double spread = 0;
};
/// At least one number.
Middle middle_of(std::vector<double> numbers);

/// A workload and its limit, measured in turns.
struct Measurement {
  const WorkloadKind* kind = nullptr;
  int threads = 1;
  Middle rate;       // amount a second
  Middle fraction;   // of the limit, repetition by repetition
  double limit = 0;  // what the limit does of operations (or bytes) a second
  double p999 = 0;   // seconds, as in a Repetition
  std::optional<Score> score;

  bool reached() const { return fraction.median >= kind->goal; }
};

/// The noise of the machine meets both alike: they take turns. One repetition of each to warm up.
Measurement measure(const WorkloadKind& kind, const BenchConfig& config, ThreadPool& pool, int repetitions);

/// A line for people, and the line of names above.
std::string describe(const Measurement& measurement);
std::string table_head();
nlohmann::json to_json(const Score& score);
nlohmann::json to_json(const Measurement& measurement);

}  // namespace t2v::bench
