#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/file_system.h"
#include "base/version.h"
#include "commands.h"
#include "config_file.h"
#include "data/doctor_text.h"
#include "data/human_time.h"
#include "distinct_files.h"
#include "exit_code.h"
#include "option_flags.h"
#include "output.h"
#include "say.h"
#include "stop_signal.h"
#include "train/ablation.h"
#include "train_request.h"

namespace t2v::cli {
namespace {

struct AblateOptions {
  DataFiles files;
  TrainRequest request;
  AblationConfig ablation;
  std::string config;
  std::string output;
  bool force = false;
  bool json = false;
};

/// A line for each run, with the time that is left.
class RunLines {
 public:
  void add(const AblationVariant& variant, int64_t done, int64_t all) const {
    const AblationRun& run = variant.runs.back();
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const double left = seconds / static_cast<double>(done) * static_cast<double>(all - done);
    say("run {} of {}: seed {}, {}: {:.5g}, loss {:.4f}, {}, {}{}\n", done, all, run.seed, variant.name,
        run.measure, run.loss, data::counted(run.epochs, "epoch"), data::human_duration(run.seconds),
        done < all ? fmt::format("; about {} left", data::human_duration(left)) : "");
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

void show(const Ablation& ablation, const AblateOptions& options) {
  nlohmann::json json = to_json(ablation);
  json["version"] = kVersion;
  if (!options.output.empty()) {
    write_file_atomically(FileSystem::real(), options.output, printable(json, 2) + "\n");
  }
  if (options.json) {
    fmt::print("{}\n", printable(json, 2));
    return;
  }
  tell("{}", describe(ablation));
  for (const std::string& sentence : verdict(ablation)) tell("{}\n", sentence);
}

std::unique_ptr<Output> output_of(const AblateOptions& options) {
  std::vector<std::string> inputs = files_of(options.files);
  inputs.push_back(options.config);
  refuse_to_overwrite(inputs, {options.output});
  return output_if_file(options.output, kAblationFile, options.force);
}

void run(AblateOptions& options, CLI::App& command) {
  if (!options.config.empty()) read_config_file(command, options.config);
  take_valid_share(options.files, options.request);
  check_training_data(options.files, options.request);
  const std::unique_ptr<Output> output = output_of(options);
  StopSignal signals;  // before other threads
  ThreadPool pool(options.request.data.threads);
  const TrainingData data = load_training_data(options.files, options.request, pool);
  options.ablation.train = options.request.train;
  const RunLines lines;
  AblationHooks hooks;
  hooks.choice = [](const std::string& choice) { say("{}\n", in_flags(choice)); };
  hooks.run = [&](const AblationVariant& variant, int64_t done, int64_t all) {
    lines.add(variant, done, all);
  };
  hooks.stop = [&] { return signals.received() != 0; };
  signals.arm();
  const Ablation ablation = ablate(data.store, options.ablation, pool, hooks);
  if (!ablation.complete) say("stopped; this is what was finished\n");
  show(ablation, options);
  if (!ablation.complete) throw ExitCode{128 + signals.received()};
}

/// All options of a training but those that the ablation chooses: which times, the seeds, and not when.
OptionTable model_options(TrainRequest& request) {
  OptionTable table = options_of(request);
  for (const char* name : {"time", "seed", "when", "components"}) table.remove(name);
  return table;
}

OptionTable own_options(AblateOptions& options) {
  OptionTable table;
  table.add({.name = "seeds",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "how often each is trained: with the seeds 1 to this",
             .least = 1,
             .most = 10'000},
            &options.ablation.seeds);
  table.add({.name = "variants",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "what is compared, with commas between: none, raw, log, calendar, t2v or t2v:k with k "
                     "periodic terms, shuffled",
             .takes = "NAMES"},
            &options.ablation.variants);
  table.add({.name = "config",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "options as a JSON file, under the same names",
             .takes = "FILE"},
            &options.config);
  table.add({.name = "output",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "write all results to this JSON file",
             .takes = "FILE",
             .letter = 'o'},
            &options.output);
  table.add(force_option(options.force, kOptionsGroup));
  table.add({.name = "json",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "all results as JSON instead of a table"},
            &options.json);
  return table;
}

}  // namespace

void add_ablate(CLI::App& app) {
  const auto options = std::make_shared<AblateOptions>();
  CLI::App* command =
      app.add_subcommand("ablate", "Is time worth it? Train with and without it, and compare");
  command->footer(
      "Trains models of equal size without times (none), with times as plain numbers (raw), with Time2Vec\n"
      "(t2v), and with Time2Vec on times whose gaps are shuffled within each sequence (shuffled), each with\n"
      "the same seeds; measures them on the test part (a fifth of the sequences, if the data have none) and\n"
      "says whether they differ by more than chance. Ctrl-C prints what is finished.\n"
      "docs/metrics.md has the whole procedure.\n"
      "Examples:\n"
      "  t2v ablate clicks.csv\n"
      "  t2v ablate churn.events --seeds 10 --hidden 64 -o churn.json\n"
      "  t2v ablate visits.csv --variants none,calendar,t2v:64 --split time");
  add_data_files(*command, options->files);
  add_options(*command, model_options(options->request));
  add_options(*command, own_options(*options));
  command->get_option("--variants")->default_str("none,raw,t2v,shuffled");
  command->callback([options, command] { run(*options, *command); });
}

}  // namespace t2v::cli
