#include "bench/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace t2v::bench {

Middle middle_of(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const std::size_t count = numbers.size();
  const double median = (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
  return {median, (numbers[count - 1 - count / 4] - numbers[count / 4]) / 2};
}

Measurement measure(const WorkloadKind& kind, const BenchConfig& config, ThreadPool& pool, int repetitions) {
  ThreadPool one(1);
  ThreadPool& threads = kind.one_thread ? one : pool;
  const auto work = kind.make(config, threads);
  const auto limit = kind.make_limit(config, threads);
  work->run();
  limit->run();
  std::vector<double> rates;
  std::vector<double> fractions;
  std::vector<double> limits;
  std::vector<double> tails;
  for (int r = 0; r < repetitions; ++r) {
    const Repetition ours = work->run();
    const Repetition most = limit->run();
    rates.push_back(ours.amount / ours.seconds);
    limits.push_back(most.operations / most.seconds);
    fractions.push_back(ours.operations / ours.seconds / limits.back());
    tails.push_back(ours.p999);
  }
  return {&kind,
          threads.threads(),
          middle_of(std::move(rates)),
          middle_of(std::move(fractions)),
          middle_of(std::move(limits)).median,
          middle_of(std::move(tails)).median,
          work->score()};
}

std::string table_head() {
  return fmt::format("{:<24} {:>7} {:>12} {:<9} {:>6} {:>9} {:>6} {:>5}\n", "workload", "threads", "a second",
                     "", "+-", "of limit", "+-", "goal");
}

std::string describe(const Measurement& m) {
  std::string more;
  if (m.score)
    more = fmt::format("  {} {:.4g} after {} steps", m.score->name, m.score->value, m.score->steps);
  if (m.p999 > 0)
    more = fmt::format("  median {:.2f} us, p99.9 {:.2f} us", 1e6 / m.rate.median, 1e6 * m.p999);
  const std::string goal = m.kind->goal > 0 ? fmt::format("{:.2f}", m.kind->goal) : "-";
  return fmt::format("{:<24} {:>7} {:>12.4g} {:<9} {:>5.1f}% {:>9.3f} {:>6.3f} {:>5}{}\n", m.kind->name,
                     m.threads, m.rate.median, m.kind->amount, 100 * m.rate.spread / m.rate.median,
                     m.fraction.median, m.fraction.spread, goal, more);
}

nlohmann::json to_json(const Score& score) {
  return {{"name", score.name}, {"value", score.value}, {"steps", score.steps}, {"epochs", score.epochs}};
}

nlohmann::json to_json(const Measurement& m) {
  nlohmann::json json = {{"workload", m.kind->name},
                         {"what", m.kind->what},
                         {"threads", m.threads},
                         {"unit", m.kind->amount},
                         {"per_second", m.rate.median},
                         {"per_second_spread", m.rate.spread},
                         {"fraction", m.fraction.median},
                         {"fraction_spread", m.fraction.spread},
                         {"limit", m.limit},
                         {"goal", m.kind->goal}};
  if (m.score) json["score"] = to_json(*m.score);
  if (m.p999 > 0) {
    json["median_us"] = 1e6 / m.rate.median;
    json["p999_us"] = 1e6 * m.p999;
  }
  return json;
}

}  // namespace t2v::bench
