#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/fail.h"
#include "base/version.h"
#include "bench/limits.h"
#include "bench/measurement.h"
#include "commands.h"
#include "data/event_store.h"
#include "kernels/target.h"

namespace t2v::cli {
namespace {

using bench::WorkloadKind;

struct BenchOptions {
  std::vector<std::string> names;
  bench::BenchConfig config;
  int threads = 0;
  int repetitions = 5;
  bool list = false;
  bool json = false;
  bool limits = false;
  bool worker = false;
  bool limit = false;
  double least = 0;
};

void list(bool json) {
  nlohmann::json all = nlohmann::json::array();
  for (const WorkloadKind& kind : bench::workloads()) {
    all.push_back({{"name", kind.name}, {"what", kind.what}, {"unit", kind.amount}, {"goal", kind.goal}});
    if (!json) fmt::print("{:<24} {}\n", kind.name, kind.what);
  }
  if (json) fmt::print("{}\n", all.dump(2));
}

/// Throws t2v::Error for data that cannot be read, before anything is printed.
void check_data(const bench::BenchConfig& config) {
  for (const std::string& path : {config.mnist, config.badges, config.many}) {
    if (!path.empty()) data::open_store(path);
  }
}

std::vector<const WorkloadKind*> chosen(const BenchOptions& options) {
  std::vector<const WorkloadKind*> kinds;
  for (const WorkloadKind& kind : bench::workloads()) {
    if (options.names.empty()) kinds.push_back(&kind);
  }
  for (const std::string& name : options.names) kinds.push_back(&bench::workload_named(name));
  return kinds;
}

/// Answers lines: `go` with a repetition, `score` with how good the model has become.
void serve(bench::Workload& work) {
  work.run();
  fmt::print("{{\"ready\": true, \"peer\": \"t2v {}\", \"variant\": \"{}\"}}\n", kVersion,
             kernels::active_target());
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    nlohmann::json answer;
    if (line == "go") {
      const bench::Repetition done = work.run();
      answer = {{"seconds", done.seconds}, {"amount", done.amount}, {"operations", done.operations}};
      if (done.p999 > 0) answer["p999"] = done.p999;
    } else if (line == "score") {
      const auto score = work.score();
      if (score) answer = to_json(*score);
    } else {
      fail("a worker is told 'go' or 'score', not '{}'", line);
    }
    fmt::print("{}\n", answer.dump());
    std::fflush(stdout);
  }
}

void serve(const BenchOptions& options) {
  if (options.names.size() != 1) fail("--worker needs the name of one workload; 't2v bench --list' has them");
  const WorkloadKind& kind = bench::workload_named(options.names[0]);
  ThreadPool pool(kind.one_thread ? 1 : options.threads);
  serve(*(options.limit ? kind.make_limit : kind.make)(options.config, pool));
}

/// What the machine is and can do, as far as it matters here.
nlohmann::json machine(ThreadPool& pool) {
  const bench::MachineLimits limits = bench::machine_limits(pool);
  return {{"version", kVersion},
          {"target", kernels::active_target()},
          {"threads", pool.threads()},
          {"matrix_gflops", 1e-9 * limits.matrix},
          {"copy_gbytes", 1e-9 * limits.copy},
          {"empty_call_us", 1e6 * limits.empty_call}};
}

std::string describe(const nlohmann::json& machine) {
  return fmt::format(
      "t2v {}, {}, {} threads: products {:.1f} GFLOP/s, copies {:.1f} GB/s, a round of threads {:.1f} us\n",
      machine["version"].get<std::string>(), machine["target"].get<std::string>(),
      machine["threads"].get<int>(), machine["matrix_gflops"].get<double>(),
      machine["copy_gbytes"].get<double>(), machine["empty_call_us"].get<double>());
}

void run(const BenchOptions& options) {
  if (options.list) return list(options.json);
  if (options.worker) return serve(options);
  check_data(options.config);
  const auto kinds = options.limits ? std::vector<const WorkloadKind*>() : chosen(options);
  ThreadPool pool(options.threads);
  nlohmann::json all = machine(pool);
  if (!options.json) fmt::print("{}", describe(all));
  if (!options.json && !options.limits)
    fmt::print("median of {}\n{}", options.repetitions, bench::table_head());
  std::string slow;
  for (const WorkloadKind* kind : kinds) {
    const bench::Measurement measured = measure(*kind, options.config, pool, options.repetitions);
    all["workloads"].push_back(to_json(measured));
    if (!options.json) fmt::print("{}", describe(measured));
    std::fflush(stdout);
    if (measured.fraction.median < options.least) slow += (slow.empty() ? "" : ", ") + kind->name;
  }
  if (options.json) fmt::print("{}\n", all.dump(2));
  if (!slow.empty()) fail("below {} of the limit: {}", options.least, slow);
}

}  // namespace

void add_bench(CLI::App& app) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App* command =
      app.add_subcommand("bench", "How fast is it here? Measure against the machine's limits");
  command->footer(
      "Each workload takes turns with what the machine can do at most of the same kind (matrix products\n"
      "of oneDNN, copies of memory, reads from cache), on the same threads. 'of limit' is the ratio of the\n"
      "two, counting useful arithmetic alone; where equal times are computed once it may exceed 1. Let\n"
      "nothing else run meanwhile. docs/performance.md says what is reached beside other software.\n"
      "Examples:\n"
      "  t2v bench\n"
      "  t2v bench train-sof stream --repetitions 15\n"
      "  t2v bench --json > here.json");
  command->add_option("workloads", options->names, "which; all without")->type_name("NAME")->default_str("");
  command->add_flag("--list", options->list, "list them");
  command->add_option("--threads", options->threads, "0 = one per core")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  command->add_option("--repetitions", options->repetitions, "how often each is measured")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--batches", options->config.batches, "of a repetition of a model; 0 for an epoch")
      ->check(CLI::Range(int64_t{0}, int64_t{1'000'000}))
      ->capture_default_str();
  command->add_option("--times", options->config.times, "how many times to encode")
      ->check(CLI::Range(int64_t{1}, int64_t{1'000'000'000}))
      ->capture_default_str();
  command->add_option("--mnist", options->config.mnist, "event store of Event-MNIST; made data without")
      ->type_name("FILE");
  command
      ->add_option("--badges", options->config.badges,
                   "event store of Stack Overflow's badges; made data without")
      ->type_name("FILE");
  command->add_option("--many", options->config.many, "event store of thousands of types; made data without")
      ->type_name("FILE");
  command->add_option("--least", options->least, "fail if a workload is below this fraction of its limit")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--limits", options->limits, "the limits of the machine alone");
  command->add_flag("--json", options->json, "print JSON");
  command->add_flag("--worker", options->worker,
                    "for scripts: repeat one workload whenever a line 'go' comes in");
  command->add_flag("--limit", options->limit, "with --worker: repeat what limits it instead");
  command->callback([options] { run(*options); });
}

}  // namespace t2v::cli
