#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
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
#include "option_flags.h"
#include "output.h"
#include "paper/judged_text.h"
#include "paper/reproduction.h"
#include "paper/results.h"
#include "reproduce_display.h"
#include "say.h"
#include "stop_signal.h"

namespace t2v::cli {
namespace {

using paper::Row;

struct Options {
  std::vector<std::string> names;
  bool list = false;
  std::string scale = "quick";
  std::vector<std::string> data;
  std::string data_dir = "data";
  int threads = 0;
  std::string folder = "reproduction";
  bool force = false;
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
  for (const char* name : paper::kResultFiles) outputs.push_back(options.folder + "/" + name);
  refuse_to_overwrite(inputs, outputs);
}

/// The folder, in which no other process writes results meanwhile.
std::vector<std::unique_ptr<Output>> outputs_of(const Options& options) {
  create_folders(FileSystem::real(), options.folder);
  std::vector<std::unique_ptr<Output>> held;
  for (const std::string name : paper::kResultFiles) {
    const OutputKind& kind = name == "results.json" ? kResults : kBesideResults;
    held.push_back(std::make_unique<Output>(options.folder + "/" + name, kind, options.force));
  }
  return held;
}

/// The rows that are named, each once, in the order of the table.
std::vector<const Row*> chosen(const Options& options, paper::Scale scale) {
  const std::vector<std::string>& names = options.names;
  const bool all = std::ranges::find(names, "all") != names.end();
  for (const std::string& name : names) {
    if (name == "all" || name == "table") continue;
    if (paper::size_of(paper::row_from(name), scale).epochs == 0) {
      fail("'{}' is not run at scale {}; use --scale paper", name, options.scale);
    }
  }
  std::vector<const Row*> rows;
  for (const Row& row : paper::rows()) {
    const bool wanted = all || std::ranges::find(names, row.id) != names.end();
    if (wanted && paper::size_of(row, scale).epochs > 0) rows.push_back(&row);
  }
  return rows;
}

bool is_missing(const Row& row, const paper::DataShelf& data) {
  return row.data != "made" && !data.find(row.data);
}

/// Leaves out what cannot be run, and says so; at the smallest scale invented data take the place of others.
/// Returns whether one of them was named.
bool leave_out(std::vector<const Row*>& rows, paper::Plan& plan, const paper::DataShelf& data,
               const std::vector<std::string>& names) {
  bool named = false;
  std::set<std::string_view> told;
  std::erase_if(rows, [&](const Row* row) {
    if (!is_missing(*row, data)) return false;
    const paper::DataSet& set = paper::data_set(row->data);
    const bool is_new = told.insert(set.name).second;
    if (plan.scale == paper::Scale::kSmoke) {
      if (is_new) say("{}: not at {}, so invented data take its place\n", set.title, data.place(set.name));
      if (is_new) plan.made.emplace_back(set.name);
      return false;
    }
    if (is_new) {
      say("rows on {} are left out: it is not at {}; to get it: {}\n", set.title, data.place(set.name),
          set.how_to_get);
    }
    named = named || std::ranges::find(names, row->id) != names.end();
    return true;
  });
  return named;
}

std::string command_of(const Options& options) {
  std::string command =
      fmt::format("t2v reproduce {} --scale {}", fmt::join(options.names, " "), options.scale);
  if (options.data_dir != Options().data_dir) command += " --data-dir " + options.data_dir;
  for (const std::string& data : options.data) command += " --data " + data;
  return command;
}

/// Whether the spikes are read, which are in an HDF5 file.
bool reads_hdf5(const std::vector<const Row*>& rows, const paper::Plan& plan) {
  return !plan.is_made("spikes") &&
         std::ranges::any_of(rows, [](const Row* row) { return row->data == "spikes"; });
}

bool run_all(paper::Reproduction& reproduction, StopSignal& signals) {
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
  return reproduction.run(hooks);
}

/// What the finished runs of the folder say; on paper all that is lacking, else what was run.
void print_table(const paper::RunFiles& files, const Options& options) {
  const paper::Scale scale = paper::scale_from(options.scale);
  std::vector<paper::Judged> judged = paper::judge_all(files, scale);
  fmt::print("The claims of the paper, scale {} (docs/verdict-rules.md has the rules)\n\n{}\n", options.scale,
             paper::table_text(judged));
  if (scale != paper::Scale::kPaper) fmt::print("For the rest: t2v reproduce all --scale paper\n");
  fmt::print("written to {}: {}\n", options.folder, fmt::join(paper::kResultFiles, ", "));
}

void make_runs(const std::vector<const Row*>& rows, const paper::Plan& plan, const paper::RunFiles& files,
               paper::DataShelf& data, ThreadPool& pool, StopSignal& signals) {
  paper::Reproduction reproduction(rows, plan, files, data, pool, FileSystem::real());
  if (reproduction.pending() > 0 && reads_hdf5(rows, plan)) say("note: {}\n", data::kHdf5Trust);
  if (run_all(reproduction, signals)) return;
  say("stopped; run the same command again to go on\n");
  throw ExitCode{128 + signals.received()};
}

void run(const Options& options) {
  paper::DataShelf data(options.data_dir, paths_of(options));
  if (options.list) {
    fmt::print("{}", describe_rows(data));
    return;
  }
  if (options.names.empty()) fail("name a row, or all; --list tells what there is");
  if (options.folder.empty()) fail("--output needs the name of a folder");
  refuse_to_overwrite_data(options);
  paper::Plan plan{.scale = paper::scale_from(options.scale)};
  std::vector<const Row*> rows = chosen(options, plan.scale);
  const bool incomplete = leave_out(rows, plan, data, options.names);
  const bool table_alone = std::ranges::find(options.names, "table") != options.names.end();
  if (rows.empty() && !table_alone) throw ExitCode{kMissing};
  const auto held = outputs_of(options);  // before the work, not after it, if they cannot be
  StopSignal signals;                     // before other threads
  ThreadPool pool(options.threads);
  const paper::RunFiles files(FileSystem::real(), options.folder);
  make_runs(rows, plan, files, data, pool, signals);
  paper::write_results(FileSystem::real(), files, plan.scale, command_of(options), pool.threads());
  print_table(files, options);
  if (incomplete) throw ExitCode{kMissing};
}

std::string names_of_rows(std::string_view between) {
  std::string names;
  for (const Row& row : paper::rows()) {
    if (!row.runs.empty()) names += fmt::format("{}{}", row.id, between);
  }
  return names + "all" + std::string(between) + "table";
}

OptionTable options_of(Options& options) {
  OptionTable table;
  const auto add = [&](std::string_view name, OptionTable::Member member, std::string help,
                       std::string_view takes) {
    table.add({.name = name,
               .group = kOptionsGroup,
               .audience = Audience::kBasic,
               .help = std::move(help),
               .takes = takes,
               .letter = name == "output" ? 'o' : '\0'},
              member);
  };
  add("list", &options.list, "say what there is, which data it needs and how long it takes", {});
  table.add({.name = "scale",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "how much: smoke (two epochs, to see that it works), quick (large effects within ten "
                     "minutes on two cores), paper (what docs/verdict-rules.md names)",
             .choices = {"smoke", "quick", "paper"}},
            &options.scale);
  add("data", &options.data, "where a data set lies, such as mnist=FOLDER; may be repeated", "NAME=PATH");
  add("data_dir", &options.data_dir, "folder in which data sets lie under their names", "FOLDER");
  table.add({.name = "threads",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "0 = one per core",
             .least = 0,
             .most = 1024},
            &options.threads);
  add("output", &options.folder, "the folder of runs and results", "FOLDER");
  table.add(force_option(options.force, kOptionsGroup));
  return table;
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("reproduce", "Run the experiments of the Time2Vec paper, and decide its claims");
  command->footer(
      "Trains what the rows need and answers each claim of the paper by fixed rules\n"
      "(docs/verdict-rules.md): yes, smaller, larger, no effect, opposite or inconclusive. Finished runs\n"
      "are kept in the folder and never trained again; Ctrl-C saves, and the same command goes on.\n"
      "Examples:\n"
      "  t2v reproduce --list\n"
      "  t2v reproduce all\n"
      "  t2v reproduce 1c-days 1c-given --scale paper -o results\n"
      "  t2v reproduce table --scale paper -o results");
  command
      ->add_option("row", options->names,
                   wrapped("what to run: rows of the table by their names, all, or table: only what the "
                           "finished runs say"))
      ->type_name("{" + names_of_rows(",") + "}")
      ->default_str("");
  add_options(*command, options_of(*options));
  command->callback([options] { run(*options); });
}

}  // namespace t2v::cli
