#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "base/fail.h"
#include "base/file_system.h"
#include "base/thread_pool.h"
#include "base/version.h"
#include "commands.h"
#include "kernels/target.h"
#include "paper/toy.h"
#include "say.h"

namespace t2v::cli {
namespace {

struct Options {
  std::vector<std::string> names;
  int64_t seeds = 16;
  int threads = 0;
  std::string folder = "reproduction";
};

/// A line on stderr that rewrites itself on a terminal; nothing elsewhere.
class ProgressLine {
 public:
  explicit ProgressLine(std::string name) : name_(std::move(name)), shown_(isatty(STDERR_FILENO) == 1) {}
  ~ProgressLine() {
    if (shown_) say("\r\033[K");
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(double share) {
    if (!shown_) return;
    const std::chrono::duration<double> so_far = std::chrono::steady_clock::now() - start_;
    constexpr int kWidth = 30;
    const auto full = static_cast<int>(share * kWidth);
    say("\r\033[K{} [{:=<{}}{: <{}}] {:3.0f} %, {:.0f} s left", name_, "", full, "", kWidth - full,
        100 * share, so_far.count() * (1 - share) / share);
    std::fflush(stderr);
  }

 private:
  std::string name_;
  bool shown_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The dominant periods of the runs, most frequent first, with the mean phase of each: "7.00 d φ +1.57
/// (12x)".
std::string dominant_periods(const paper::ToyResult& result) {
  struct Group {
    int count = 0;
    double period = 0;
    double sine = 0;
    double cosine = 0;
  };
  std::map<int, Group> groups;
  for (const paper::ToyRun& run : result.runs) {
    Group& group = groups[run.harmonic];
    ++group.count;
    group.period += 2 * std::numbers::pi / run.omega;
    group.sine += std::sin(run.phi);
    group.cosine += std::cos(run.phi);
  }
  std::string text;
  for (const auto& [harmonic, group] : groups) {
    if (harmonic == 0) continue;
    text += fmt::format("{}{:.2f} d, phase {:+.2f} ({}x)", text.empty() ? "" : "; ",
                        group.period / group.count, std::atan2(group.sine, group.cosine), group.count);
  }
  const auto other = groups.find(0);
  if (other != groups.end()) {
    text += fmt::format("{}other ({}x)", text.empty() ? "" : "; ", other->second.count);
  }
  return text;
}

bool periodic(const paper::ToyResult& result) { return result.variant.activation == nn::Activation::kSin; }

void print_verdicts(const std::vector<paper::Verdict>& verdicts) {
  fmt::print("\n{:<42}", "The paper's claims (runs that agree)");
  for (const paper::ToyRecipe& recipe : paper::toy_recipes()) fmt::print("{:<20}", recipe.name);
  std::string claim;
  for (const paper::Verdict& verdict : verdicts) {
    if (verdict.claim != claim) fmt::print("\n  {:<40}", verdict.claim);
    claim = verdict.claim;
    fmt::print("{:<20}", fmt::format("{} ({}/{})", verdict.verdict, verdict.agreeing, verdict.runs));
  }
  fmt::print("\n");
}

void print_toy(const std::vector<paper::ToyResult>& results) {
  fmt::print(
      "Days 1..365, class 1 every 7th day; trained on days 1..273, tested on the rest (majority {:.4f}).\n",
      paper::toy_majority());
  for (const paper::ToyRecipe& recipe : paper::toy_recipes()) {
    fmt::print("\n{}: {}\n", recipe.name, recipe.describes);
    fmt::print("  {:<10} {:>8} {:>8} {:>9} {:>8}  {}\n", "variant", "perfect", ">= 97 %", "mean acc.",
               "period", "dominant sine (on the grid of days)");
    for (const paper::ToyResult& result : results) {
      if (result.recipe.name != recipe.name) continue;
      const std::string found =
          periodic(result) ? fmt::format("{:.0f} %", 100 * result.share_with_period()) : "-";
      fmt::print("  {:<10} {:>6.0f} % {:>6.0f} % {:>9.4f} {:>8}  {}\n", result.variant.name,
                 100 * result.share_perfect(), 100 * result.share_at_least(0.97), result.mean_accuracy(),
                 found, periodic(result) ? dominant_periods(result) : "-");
    }
  }
  print_verdicts(paper::toy_verdicts(results));
}

void reproduce_toy(const Options& options) {
  if (options.folder.empty()) fail("--output needs the name of a folder");
  create_folders(FileSystem::real(), options.folder);  // before the work, not after it, if it cannot be
  ThreadPool pool(options.threads);
  const auto start = std::chrono::steady_clock::now();
  std::vector<paper::ToyResult> results;
  {
    ProgressLine line("toy");
    results = paper::run_toys(options.seeds, pool, [&](double share) { line.update(share); });
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  print_toy(results);
  nlohmann::json json = paper::to_json(results);
  json["version"] = kVersion;
  json["target"] = kernels::active_target();
  json["threads"] = pool.threads();
  json["seconds"] = took.count();
  const std::string path = options.folder + "/toy.json";
  write_file_atomically(FileSystem::real(), path, json.dump(1) + "\n");
  fmt::print("\n{} seeds each, {:.0f} s on {} threads; written to {}\n", options.seeds, took.count(),
             pool.threads(), path);
}

struct Experiment {
  std::string_view name;
  std::string_view shows;
  void (*run)(const Options& options);
};

constexpr Experiment kExperiments[] = {
    {"toy", "days 1..365, every seventh of class 1 (Section 5.2 of the paper); 3 to 4 minutes on 2 cores",
     reproduce_toy},
};

std::string experiment_names(std::string_view between) {
  std::string all;
  for (const Experiment& experiment : kExperiments) {
    all += std::string(all.empty() ? "" : between) + std::string(experiment.name);
  }
  return all;
}

const Experiment& experiment_from(const std::string& name) {
  for (const Experiment& experiment : kExperiments) {
    if (experiment.name == name) return experiment;
  }
  fail("there is no experiment '{}'; there is: {}", name, experiment_names(", "));
}

void run(const Options& options) {
  std::vector<const Experiment*> chosen;  // all names are looked up before the first one runs
  for (const std::string& name : options.names) chosen.push_back(&experiment_from(name));
  for (const Experiment* experiment : chosen) experiment->run(options);
}

std::string footer() {
  std::string text = "Experiments:\n";
  for (const Experiment& experiment : kExperiments) {
    text += fmt::format("  {:<6}{}\n", experiment.name, experiment.shows);
  }
  return text + "\nExample:\n  t2v reproduce toy --seeds 4 -o results";
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("reproduce", "Run an experiment of the Time2Vec paper, and compare the results");
  command->footer(footer());
  command->add_option("experiment", options->names, "what to run; see below")
      ->required()
      ->type_name("{" + experiment_names(",") + "}")
      ->default_str("");
  command->add_option("--seeds", options->seeds, "runs of each variant, with seeds 1, 2, ...")
      ->check(CLI::Range(int64_t{1}, int64_t{100000}));
  command->add_option("--threads", options->threads, "threads to work with; 0: one a core")
      ->check(CLI::Range(0, 1024));
  command->add_option("-o,--output", options->folder, "the folder to write results to, as JSON")
      ->type_name("FOLDER");
  command->callback([options] { run(*options); });
}

}  // namespace t2v::cli
