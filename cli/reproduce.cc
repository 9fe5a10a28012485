#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/fail.h"
#include "base/file_system.h"
#include "base/thread_pool.h"
#include "commands.h"
#include "data/human_time.h"
#include "data/ntidigits.h"
#include "data_options.h"
#include "distinct_files.h"
#include "exit_code.h"
#include "paper/reproduction.h"
#include "paper/run_record.h"
#include "reproduce_display.h"
#include "say.h"
#include "stop_signal.h"

namespace t2v::cli {
namespace {

using paper::Experiment;

struct Options {
  std::vector<std::string> names;
  bool list = false;
  std::string scale = "quick";
  std::string protocol = "paper";
  int64_t seeds = 0;
  int64_t epochs = 0;
  std::vector<std::string> models;
  std::vector<std::string> settings;
  std::vector<std::string> data;
  std::string data_dir = "data";
  int threads = 0;
  std::string folder = "reproduction";
};

constexpr int kMissing = 2;  // exit code where data that were asked for are missing

/// What stands before and after the '=' of each text.
std::map<std::string, std::string> pairs_of(const std::vector<std::string>& texts, std::string_view option,
                                            std::string_view form) {
  std::map<std::string, std::string> pairs;
  for (const std::string& one : texts) {
    const std::size_t equals = one.find('=');
    if (equals == std::string::npos || equals + 1 == one.size()) {
      fail("{} '{:.60}' is not {}", option, one, form);
    }
    const std::string name = one.substr(0, equals);
    if (!pairs.emplace(name, one.substr(equals + 1)).second) fail("{} names {} twice", option, name);
  }
  return pairs;
}

std::map<std::string, std::string> paths_of(const Options& options) {
  const auto paths = pairs_of(options.data, "--data", "NAME=PATH, such as mnist=data/mnist");
  for (const auto& [name, path] : paths) paper::data_set(name);  // that there is
  return paths;
}

void refuse_to_overwrite_data(const Options& options) {
  std::vector<std::string> inputs;
  for (const auto& [name, path] : paths_of(options)) inputs.push_back(path);
  std::vector<std::string> outputs;
  for (const char* name : {"/results.json", "/results.csv", "/verdicts.csv"}) {
    outputs.push_back(options.folder + name);
  }
  refuse_to_overwrite(inputs, outputs);
}

paper::Plan plan_of(const Options& options) {
  paper::Plan plan;
  plan.scale = paper::scale_from(options.scale);
  plan.protocol = paper::protocol_from(options.protocol);
  plan.seeds = options.seeds;
  plan.epochs = options.epochs;
  plan.models = options.models;
  plan.settings = pairs_of(options.settings, "--set", "NAME=VALUE, such as inner=tanh");
  return plan;
}

/// The experiments that are named, each once, in the order of the table.
std::vector<const Experiment*> chosen(const Options& options) {
  const std::vector<std::string>& names = options.names;
  const bool all = std::ranges::find(names, "all") != names.end();
  std::set<std::string_view> wanted;
  for (const std::string& name : names) {
    if (name != "all") wanted.insert(paper::experiment_from(name).name);
    // Its other half, where there is data for it; but what is set for one is no setting of the other.
    if (name == "linear-term" && options.settings.empty()) wanted.insert("linear-tlstm3");
  }
  std::vector<const Experiment*> experiments;
  for (const Experiment& experiment : paper::experiments()) {
    if (all || wanted.contains(experiment.name)) experiments.push_back(&experiment);
  }
  return experiments;
}

bool knows(const Experiment& experiment, paper::Protocol protocol) {
  return std::ranges::find(experiment.protocols, protocol) != experiment.protocols.end();
}

/// Leaves out what cannot be run, and says so. Returns whether one of them was named.
bool leave_out(std::vector<const Experiment*>& experiments, paper::Plan& plan, const paper::DataShelf& data,
               const std::vector<std::string>& names) {
  bool named = false;
  std::erase_if(experiments, [&](const Experiment* experiment) {
    const bool is_named = std::ranges::find(names, experiment->name) != names.end();
    if (!knows(*experiment, plan.protocol)) {
      say("{} is left out: it knows no protocol {}\n", experiment->name, paper::name_of(plan.protocol));
      named = named || is_named;
      return true;
    }
    for (const std::string& set : paper::missing_data(*experiment, data)) {
      const paper::DataSet& about = paper::data_set(set);
      if (plan.scale == paper::Scale::kSmoke) {
        if (!plan.is_made(set))
          say("{}: not at {}, so invented data take its place\n", about.title, data.place(set));
        if (!plan.is_made(set)) plan.made.push_back(set);
        continue;
      }
      say("{} is left out: no {} at {}; to get it: {}\n", experiment->name, about.title, data.place(set),
          about.how_to_get);
      named = named || is_named;
      return true;
    }
    return false;
  });
  return named;
}

paper::Origin origin_of(const Options& options, int threads) {
  paper::Origin origin;
  origin.options = fmt::format(" --scale {}", options.scale);
  if (options.protocol != "paper") origin.options += " --protocol " + options.protocol;
  if (options.epochs > 0) origin.options += fmt::format(" --epochs {}", options.epochs);
  if (options.data_dir != Options().data_dir) origin.options += " --data-dir " + options.data_dir;
  for (const std::string& data : options.data) origin.options += " --data " + data;
  for (const std::string& setting : options.settings) origin.options += " --set " + setting;
  origin.command = fmt::format("t2v reproduce {}{}", fmt::join(options.names, " "), origin.options);
  if (options.seeds > 0) origin.command += fmt::format(" --seeds {}", options.seeds);
  if (!options.models.empty()) origin.command += fmt::format(" --models {}", fmt::join(options.models, ","));
  origin.threads = threads;
  return origin;
}

/// Whether the spikes are read, which are in an HDF5 file.
bool reads_hdf5(const std::vector<const Experiment*>& experiments, const paper::Plan& plan) {
  return !plan.is_made("spikes") && std::ranges::any_of(experiments, [](const Experiment* experiment) {
    return std::ranges::find(experiment->needs, "spikes") != experiment->needs.end();
  });
}

bool run_all(paper::Reproduction& reproduction, const Options& options, int threads, StopSignal& signals) {
  if (reproduction.finished_before() > 0) {
    say("{} runs are finished already\n", data::human_count(reproduction.finished_before()));
  }
  if (reproduction.pending() > 0) {
    say("{} runs to do, expected to take about {}\n", data::human_count(reproduction.pending()),
        data::human_duration(reproduction.seconds_expected()));
  }
  ReproduceDisplay display;
  paper::ReproductionHooks hooks;
  hooks.stop = [&] { return signals.received() != 0; };
  hooks.progress = [&](const paper::Run& run, const paper::Progress& now) { display.progress(run, now); };
  hooks.epoch = [&](const paper::Run& run, int64_t epoch, const paper::Measures& measures,
                    const paper::Progress& now) { display.epoch(run, epoch, measures, now); };
  hooks.run = [&](const paper::Run& run, const nlohmann::json& record, const paper::Progress& now) {
    display.run(run, record, now);
  };
  signals.arm();
  return reproduction.run(hooks, origin_of(options, threads));
}

void run(const Options& options) {
  paper::DataShelf data(options.data_dir, paths_of(options));
  if (options.list) {
    fmt::print("{}", describe_experiments(data));
    return;
  }
  if (options.names.empty()) fail("name an experiment, or all; --list tells what there is");
  if (options.folder.empty()) fail("--output needs the name of a folder");
  refuse_to_overwrite_data(options);
  std::vector<const Experiment*> experiments = chosen(options);
  paper::Plan plan = plan_of(options);
  for (const Experiment* experiment : experiments) experiment->runs(plan);  // refuses wrong settings
  const bool incomplete = leave_out(experiments, plan, data, options.names);
  if (experiments.empty()) throw ExitCode{kMissing};
  create_folders(FileSystem::real(), options.folder);  // before the work, not after it, if it cannot be
  StopSignal signals;                                  // before other threads
  ThreadPool pool(options.threads);
  const paper::RunFiles files(FileSystem::real(), options.folder);
  paper::Reproduction reproduction(experiments, plan, files, data, pool, FileSystem::real());
  if (reproduction.pending() > 0 && reads_hdf5(experiments, plan)) say("note: {}\n", data::kHdf5Trust);
  if (!run_all(reproduction, options, pool.threads(), signals)) {
    say("stopped; run the same command again to go on\n");
    throw ExitCode{128 + signals.received()};
  }
  for (const Experiment* experiment : experiments) {
    fmt::print("{} ({}), {} scale, protocol {}{}{}\n", experiment->title, experiment->shows, options.scale,
               options.protocol, options.settings.empty() ? "" : " but ", fmt::join(options.settings, ", "));
    const nlohmann::json used = paper::data_of(*experiment, plan, files);
    fmt::print("  data ({}): {}; {}\n", used.value("kind", ""), used.value("name", ""),
               used.value("note", ""));
    fmt::print("{}\n", describe(paper::verdicts_of(*experiment, plan, files)));
  }
  const std::string results = options.folder + "/results.json";
  if (exists(FileSystem::real(), results)) {
    fmt::print("{}\n", describe_summary(paper::read_own_json(FileSystem::real(), results), options.protocol));
  }
  fmt::print("written to {0}/results.json, {0}/results.csv and {0}/verdicts.csv\n", options.folder);
  if (incomplete) throw ExitCode{kMissing};
}

std::string names_of_experiments(std::string_view between) {
  std::string names;
  for (const Experiment& experiment : paper::experiments()) {
    names += fmt::format("{}{}", experiment.name, between);
  }
  return names + "all";
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("reproduce", "Run the experiments of the Time2Vec paper, and judge its claims");
  command->footer(
      "Trains what an experiment needs, measures it, and says of each claim of the paper whether it\n"
      "reproduces, does not, or is undecided, by a rule (docs/reproduction.md). Finished runs are kept in\n"
      "the folder and never trained again; Ctrl-C saves, and the same command goes on. Runs of other\n"
      "experiments are used too.\n"
      "Examples:\n"
      "  t2v reproduce --list\n"
      "  t2v reproduce toy --seeds 4 -o results\n"
      "  t2v reproduce event-mnist --scale paper --epochs 50 --models lstm-t,lstm-t2v-64 -o results\n"
      "  t2v reproduce all --scale smoke -o smoke");
  command->add_option("experiment", options->names, wrapped("what to run: " + names_of_experiments(", ")))
      ->type_name("{" + names_of_experiments(",") + "}")
      ->default_str("");
  command->add_flag("--list", options->list, "say what there is, which data it needs and how long it takes");
  command
      ->add_option(
          "--scale", options->scale,
          wrapped("how much: smoke (all within 2 minutes, to see that it works), quick (all within an hour "
                  "on two cores), paper (its sizes and epochs)"))
      ->check(CLI::IsMember({"smoke", "quick", "paper"}));
  command
      ->add_option(
          "--protocol", options->protocol,
          wrapped("which reading: paper (what it writes), as-coded (what the released Time-LSTM code does), "
                  "best (how far each model really gets)"))
      ->check(CLI::IsMember({"paper", "as-coded", "best"}));
  command->add_option("--seeds", options->seeds, "runs of each model, with seeds 1, 2, ...; 0: by the scale")
      ->check(CLI::Range(int64_t{0}, int64_t{100000}));
  command
      ->add_option("--epochs", options->epochs,
                   wrapped("of each run (times of frames of spikes: five times as many); 0: by the scale"))
      ->check(CLI::Range(int64_t{0}, int64_t{1000000}));
  command->add_option("--models", options->models, "train only these, with commas between (see --list)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str("");
  command
      ->add_option("--set", options->settings,
                   wrapped("one choice that differs from the protocol, such as rate=0.002: an option of 't2v "
                           "train', of recommendations one that docs/recommendations.md lists; may be "
                           "repeated"))
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->default_str("");
  command->add_option("--data", options->data, "where a data set lies, such as mnist=FOLDER; may be repeated")
      ->type_name("NAME=PATH")
      ->allow_extra_args(false)
      ->default_str("");
  command->add_option("--data-dir", options->data_dir, "folder in which data sets lie under their names")
      ->type_name("FOLDER");
  command->add_option("--threads", options->threads, "0 = one per core")->check(CLI::Range(0, 1024));
  command->add_option("-o,--output", options->folder, "the folder of runs and results")->type_name("FOLDER");
  command->callback([options] { run(*options); });
}

}  // namespace t2v::cli
