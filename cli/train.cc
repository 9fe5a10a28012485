#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/fail.h"
#include "base/file_system.h"
#include "base/text_check.h"
#include "base/version.h"
#include "commands.h"
#include "config_file.h"
#include "data/doctor_text.h"
#include "data/human_time.h"
#include "distinct_files.h"
#include "exit_code.h"
#include "nn/time_encoder.h"
#include "output.h"
#include "ranks.h"
#include "say.h"
#include "stop_signal.h"
#include "train/evaluation.h"
#include "train/forecast_training.h"
#include "train/race.h"
#include "train/same_model.h"
#include "train/save_result.h"
#include "train/training.h"
#include "train_display.h"
#include "train_request.h"

namespace t2v::cli {
namespace {

struct TrainOptions {
  DataFiles files;
  TrainRequest request;
  std::string output = "model.t2v";
  std::string init;
  std::string config;
  std::string log;
  std::string resume = "no";
  bool force = false;
  bool time_names_column = false;  // --time, which may also say how a model sees time
  double checkpoint_minutes = 5;
  int64_t checkpoint_steps = 0;
  RankOptions ranks;
};

/// What a run goes on from if it is stopped.
std::string checkpoint_path(const TrainOptions& options) {
  return path_beside(options.output, ".checkpoint");
}

constexpr std::string_view kTimeKinds =
    "auto, plain, none, raw, log, week, calendar, t2v or t2v:k, such as t2v:64";

/// "--time t2v:16" says how a model sees time, "--time when" which column it is.
void take_time_column(TrainOptions& options) {
  const std::string kind = options.request.train.time.substr(0, options.request.train.time.find(':'));
  const auto kinds = nn::time_encoders();
  const bool encoder = kind == "none" || kind == "auto" || kind == "plain" ||
                       std::ranges::find(kinds, kind, &nn::TimeEncoderKind::name) != kinds.end();
  if (encoder) return;
  if (kind != options.request.train.time || !options.request.data.table.time.empty()) {
    fail("--time '{}' is no way to see time; use {}", shown(options.request.train.time), kTimeKinds);
  }
  options.time_names_column = true;
  options.request.data.table.time = options.request.train.time;
  options.request.train.time = TrainConfig{}.time;
}

/// What makes a model what it is, from the one to go on from, where it was not given.
void take_options(TrainConfig& config, const nlohmann::json& of_model) {
  const OptionTable table = t2v::options_of(config);
  nlohmann::json taken = nlohmann::json::object();
  for (const char* name :
       {"task",      "query_time", "when",  "time",          "time_input",    "activation", "omega_init",
        "no_linear", "freeze",     "l1",    "cell",          "hidden",        "layers",     "dropout",
        "no_skip",   "start",      "inner", "t1_constraint", "class_weights", "components", "chunk"}) {
    const std::string key = key_of(name);
    if (!config.given.contains(name) && of_model.contains(key)) taken[key] = of_model[key];
  }
  table.read(taken);
}

/// Throws t2v::Error if an option about the data is given that the model to go on from has otherwise.
void check_same_data(TrainRequest& request, const nlohmann::json& of_model) {
  const OptionTable table = t2v::options_of(request);
  for (const char* name : {"unit", "origin", "vocab", "vocab_from_all", "unknown"}) {
    const OptionTable::Entry& entry = *table.find(name);
    const std::string asked = texts_of(entry).front();
    if (!entry.given->contains(name) || asked == "auto") continue;
    const auto has = of_model.find(key_of(name));
    const std::string value = has == of_model.end() ? "its own"
                              : has->is_string()    ? has->get<std::string>()
                                                    : has->dump();
    if (asked != value) fail_contradiction(fmt::format("`{}`", name), asked, value);
  }
}

TrainingData load(TrainOptions& options, ThreadPool& pool) {
  try {
    return load_training_data(options.files, options.request, pool);
  } catch (const Error& error) {
    const std::string_view what = error.what();
    if (!options.time_names_column || what.find("there is no column") == std::string_view::npos) throw;
    fail("{}; or, to say how a model sees time, {}", what, kTimeKinds);
  }
}

std::string how_to_resume(const TrainOptions& options) {
  return fmt::format("saved to {}; run the same command with --resume to go on", checkpoint_path(options));
}

/// Saves now and then, as the options say.
class Checkpoints {
 public:
  using Save = std::function<void(const std::string& path)>;
  Checkpoints(Save save, const TrainOptions& options) : save_(std::move(save)), options_(options) {}

  void after_step() {
    ++steps_;
    const double minutes =
        std::chrono::duration<double, std::ratio<60>>(std::chrono::steady_clock::now() - last_).count();
    const bool due = (options_.checkpoint_minutes > 0 && minutes >= options_.checkpoint_minutes) ||
                     (options_.checkpoint_steps > 0 && steps_ >= options_.checkpoint_steps);
    if (due) try_to_save();
  }
  void save() {
    save_(checkpoint_path(options_));
    start_counting();
  }

 private:
  /// A disk that is full now may have room later: that ends no run.
  void try_to_save() {
    try {
      save();
      failed_ = false;
    } catch (const Error& error) {
      if (!failed_) say("no checkpoint could be saved, going on without: {}\n", error.what());
      failed_ = true;
      start_counting();
    }
  }
  void start_counting() {
    steps_ = 0;
    last_ = std::chrono::steady_clock::now();
  }

  Save save_;
  const TrainOptions& options_;
  bool failed_ = false;
  int64_t steps_ = 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Why a run ended, such as "stopped early: no improvement for 3 epochs".
std::string reason_of(FitEnd end, const Training& training) {
  const auto& history = training.fit().history();
  const int64_t last = history.empty() ? 0 : history.back().epoch;
  switch (end) {
    case FitEnd::kConverged:
      return "stopped early: no improvement for " +
             data::counted(last - training.fit().best_epoch(), "epoch");
    case FitEnd::kEpochs:
      return "finished: " + data::counted(last, "epoch");
    case FitEnd::kTime:
      return "stopped: time limit reached after " + data::counted(last, "epoch");
    case FitEnd::kStopped:
      return "interrupted";
  }
  return "";
}

/// What a run left that was killed while it saved. Where it cannot be removed, saving will say so.
void clear_unfinished_checkpoint(const TrainOptions& options) {
  try {
    clear_unfinished(FileSystem::real(), checkpoint_path(options));
  } catch (const Error&) {  // of no matter
  }
}

/// What rank 0 does on the way: it shows and saves.
FitEnd fit(Training& training, const TrainOptions& options, const Fit::Stop& stop) {
  Checkpoints checkpoints(
      [&](const std::string& path) { training.save_checkpoint(FileSystem::real(), path); }, options);
  TrainDisplay display(training, options.log, options.request.train.epochs);
  Fit::Hooks hooks;
  hooks.step = [&](const FitProgress& progress) {
    display.step(progress);
    checkpoints.after_step();
  };
  hooks.epoch = [&](const EpochReport& report) { display.epoch(report); };
  hooks.stop = stop;
  FitEnd end = training.run(hooks);
  if (end != FitEnd::kStopped && !training.make_result(stop)) end = FitEnd::kStopped;
  if (end == FitEnd::kStopped) checkpoints.save();
  display.end(reason_of(end, training));
  return end;
}

/// The best of what a race tried, each once, and the defaults.
void say_tried(const Race& race) {
  constexpr std::size_t kShown = 4;
  std::map<std::string, double> losses;
  for (const Trial& trial : race.trials()) losses[trial.name] = trial.loss;  // the longest is the last
  std::vector<std::pair<double, std::string>> best;
  for (const auto& [name, loss] : losses) best.emplace_back(loss, name);
  std::ranges::sort(best);
  say("race: {}{}; validation losses:\n",
      data::counted(static_cast<int64_t>(race.trials().size()), "short training"),
      race.was_cut_short() ? ", cut short by --max-time, so that another run may choose otherwise" : "");
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (i >= kShown && best[i].second != kDefaults) continue;
    say("  {:.4f}  {}\n", best[i].first, in_flags(best[i].second));
  }
}

/// False if it was stopped; then it is saved.
bool hold(Race& race, const TrainOptions& options, const Fit::Stop& stop, bool first_rank) {
  Checkpoints checkpoints([&](const std::string& path) { race.save(FileSystem::real(), path); }, options);
  Race::Hooks hooks;
  hooks.stop = stop;
  hooks.trial = [&](const Trial&) {
    if (!first_rank) return;
    if (isatty(STDERR_FILENO) != 0) say("\rrace: {} short trainings ", race.trials().size());
    checkpoints.after_step();
  };
  const bool done = race.run(hooks);
  if (first_rank && isatty(STDERR_FILENO) != 0 && !race.trials().empty()) say("\r{:<40}\r", "");
  if (done && first_rank && race.is_held()) say_tried(race);
  if (done) return true;
  if (first_rank) checkpoints.save();
  return false;
}

[[noreturn]] void end_stopped(const TrainOptions& options, const StopSignal& signals) {
  say("stopped; {}\n", how_to_resume(options));
  throw ExitCode{128 + (signals.received() != 0 ? signals.received() : SIGTERM)};
}

/// Ranks and threads without a share of a batch only wait.
void say_idle(const Training& training, const TrainOptions& options, const comm::Communicator& ranks,
              int threads) {
  const auto sequences = static_cast<int64_t>(training.split().train.size());
  const int64_t batch = std::min(options.request.train.batch, sequences);
  const int64_t shards = shard_count(batch);
  const bool whole_ranks = ranks.size() > shards;
  const int64_t workers = whole_ranks ? ranks.size() : int64_t{ranks.size()} * threads;
  if (workers <= shards) return;
  say("note: {} of {} {} have nothing to do: a batch of {} is {} of work; use a --batch of {} or more\n",
      workers - shards, workers, whole_ranks ? "ranks" : "threads of all ranks",
      data::counted(batch, "sequence"), data::counted(shards, "piece"), 64 * workers);
}

void say_exchange_price(Training& training, const comm::Communicator& ranks) {
  const ExchangePrice price = training.fit().exchange_price();
  std::string library;
  if (price.library_seconds)
    library = fmt::format("; MPI_Allreduce: {:.2f} ms", 1e3 * *price.library_seconds);
  say("{} ranks: to sum their gradients takes {:.2f} ms a step, at most {} bytes sent by each{}\n",
      ranks.size(), 1e3 * price.seconds, data::human_count(price.bytes), library);
}

void finish(const Training& training, const TrainOptions& options, FitEnd end, const Fit::Stop& stop) {
  const TrainedModel result = training.result();
  const std::string stays = save_result(FileSystem::real(), options.output, result, checkpoint_path(options));
  if (!stays.empty()) say("the checkpoint is not needed any more, but stays: {}\n", stays);
  tell("{}\n", reason_of(end, training));
  tell("{:<12} {}\n", "best epoch", training.fit().best_epoch());
  if (!training.split().valid.empty()) {
    const auto& history = training.fit().history();
    const auto best = std::ranges::find(history, training.fit().best_epoch(), &EpochReport::epoch);
    if (best != history.end()) {
      tell("{:<12} loss {:.4f}, {} {:.4f}\n", "validation", best->valid_loss,
           main_measure(training.description().task).name, best->measure);
    }
  }
  tell("{:<12} {}\n", "parameters", data::human_count(training.model().layout().parameter_count()));
  for (const std::string& remark : training.remarks(end, result, stop))
    tell("{:<12} {}\n", "note", in_flags(remark));
  tell("{:<12} {}\n", "written", options.output);
}

/// Throws t2v::Error if a file would be lost. A model may be replaced by the one that goes on from it.
void check_distinct(const TrainOptions& options) {
  const std::string checkpoint = checkpoint_path(options);
  std::vector<std::string> inputs = files_of(options.files);
  inputs.push_back(options.config);
  refuse_to_overwrite(inputs, {options.output, checkpoint, options.log});
  refuse_to_overwrite({options.init}, {checkpoint, options.log});
}

using Outputs = std::vector<std::unique_ptr<Output>>;

/// Throws t2v::Error if what is to be written cannot be, or if there is a run to go on with.
Outputs outputs_of(const TrainOptions& options) {
  check_distinct(options);
  Outputs held;
  held.push_back(std::make_unique<Output>(options.output, kModelFile, options.force));
  held.push_back(output_if_file(options.log, kTrainingLog, options.force));
  clear_unfinished_checkpoint(options);
  if (options.resume == "no" && exists(FileSystem::real(), checkpoint_path(options))) {
    fail("{}: is a run that was stopped; go on with `resume`, or delete it to start anew",
         checkpoint_path(options));
  }
  return held;
}

/// Whether to go on from a checkpoint. Throws t2v::Error if there is none although there must be.
bool resumes(const TrainOptions& options) {
  if (options.resume == "no") return false;
  if (exists(FileSystem::real(), checkpoint_path(options))) return true;
  if (options.resume == "auto") return false;
  fail("{}: is not there, so there is no run to go on with; leave `resume` out, or give it as auto",
       checkpoint_path(options));
}

/// Values over time: no epochs, so nothing to stop or to resume. All ranks compute the same.
void fit_in_closed_form(const TrainingData& data, const TrainOptions& options, ThreadPool& pool,
                        comm::Communicator& ranks) {
  const ForecastTraining training = train_forecast(data, options.request.train, pool);
  if (ranks.rank() != 0) return;
  say_notes(training.choices);
  write_model(FileSystem::real(), options.output, training.model);
  for (const std::string& remark : training.remarks) tell("{:<12} {}\n", "validation", in_flags(remark));
  tell("{:<12} {}\n", "written", options.output);
}

void run(TrainOptions& options, CLI::App& command, StopSignal& signals, comm::Communicator& ranks) {
  if (!options.config.empty()) read_config_file(command, options.config);
  take_time_column(options);
  take_valid_share(options.files, options.request);
  check_training_data(options.files, options.request);
  Outputs held;
  if (ranks.rank() == 0) held = outputs_of(options);
  const bool resume = resumes(options);
  ThreadPool pool(threads_of(options.request.data.threads, ranks));
  std::optional<TrainedModel> init;
  if (!options.init.empty()) {
    init = read_model(options.init);
    if (init->forecaster)
      fail("{}: is a forecast in closed form, which has no weights to go on from", options.init);
    check_same_data(options.request, *init->options);
    take_options(options.request.train, *init->options);
  }
  if (resume) take_old_defaults(options.request.train, checkpoint_path(options));
  const TrainingData data = load(options, pool);
  if (is_closed_form(data, options.request.train, init ? &*init : nullptr)) {
    fit_in_closed_form(data, options, pool, ranks);
    return;
  }
  const Fit::Stop stop = [&signals] { return signals.received() != 0; };
  Race race(data, options.request.train, pool, init ? &*init : nullptr, ranks);
  const bool resume_fit = resume && race.restore(checkpoint_path(options));
  if (race.is_held()) signals.arm();
  if (!hold(race, options, stop, ranks.rank() == 0)) end_stopped(options, signals);
  Training training(data, race.winner(), pool, init ? &*init : nullptr, ranks);
  say_notes(training.choices());
  if (resume_fit) training.restore_checkpoint(checkpoint_path(options));
  training.fit().add_seconds(race.seconds());
  training.check_same_on_all_ranks();
  if (!ranks.alone()) say_idle(training, options, ranks, pool.threads());
  const int64_t steps_before = training.fit().steps();
  signals.arm();
  const FitEnd end = ranks.rank() == 0 ? fit(training, options, stop) : training.run({{}, {}, stop});
  if (end == FitEnd::kStopped) end_stopped(options, signals);
  if (ranks.rank() == 0) finish(training, options, end, stop);
  if (!ranks.alone() && training.fit().steps() > steps_before) say_exchange_price(training, ranks);
}

constexpr std::string_view kFiles = "Files";

void add_files(OptionTable& table, TrainOptions& options) {
  table.add({.name = "output",
             .group = kFiles,
             .audience = Audience::kBasic,
             .help = "the model to write",
             .takes = "FILE",
             .letter = 'o'},
            &options.output);
  table.add({.name = "init",
             .group = kFiles,
             .audience = Audience::kBasic,
             .help = "go on from this trained model",
             .takes = "MODEL"},
            &options.init);
  table.add({.name = "config",
             .group = kFiles,
             .help = "options as a JSON file, under the same names",
             .takes = "FILE"},
            &options.config);
  table.add({.name = "log",
             .group = kFiles,
             .help = "append a JSON line for each epoch to this file",
             .takes = "FILE"},
            &options.log);
  table.add(force_option(options.force, kFiles));
}

void add_checkpoints(OptionTable& table, TrainOptions& options) {
  table.add({.name = "resume",
             .group = kFiles,
             .audience = Audience::kBasic,
             .help = "go on with a stopped or killed run; auto: or start one",
             .choices = {"no", "yes", "auto"},
             .bare = "yes"},
            &options.resume);
  table.add({.name = "checkpoint_minutes",
             .group = kFiles,
             .help = "minutes between checkpoints (see `resume`); 0: only when stopped",
             .least = 0},
            &options.checkpoint_minutes);
  table.add({.name = "checkpoint_steps",
             .group = kFiles,
             .help = "steps between checkpoints; 0: by minutes alone",
             .least = 0},
            &options.checkpoint_steps);
}

OptionTable options_of(TrainOptions& options) {
  OptionTable table = t2v::options_of(options.request);
  add_files(table, options);
  add_checkpoints(table, options);
  table.add(options_of(options.ranks));
  return table;
}

}  // namespace

void add_train(CLI::App& app) {
  const auto options = std::make_shared<TrainOptions>();
  CLI::App* command =
      app.add_subcommand("train", "Learn a model that predicts: classes, next events, items, numbers");
  command->footer(
      "10 % of the data are held out for validation; training stops early. Ctrl-C saves, and\n"
      "--resume continues.\n"
      "Examples:\n"
      "  t2v train clicks.csv\n"
      "  t2v train churn.events --task classify --hidden 64 -o churn.t2v\n"
      "  t2v train visits.csv --when --time t2v:64 --time-input start,gap -o visits.t2v");
  add_data_files(*command, options->files);
  add_options(*command, options_of(*options));
  command->callback([options, command] {
    StopSignal signals;  // before other threads
    run_on_ranks(*command, options->ranks,
                 [&](comm::Communicator& ranks) { run(*options, *command, signals, ranks); });
  });
}

}  // namespace t2v::cli
