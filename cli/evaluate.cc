#include "say.h"
#include "train/evaluation.h"
#include "train/forecast_evaluation.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/fail.h"
#include "base/json_text.h"
#include "commands.h"
#include "data/doctor_text.h"
#include "data/split_options.h"
#include "data/splits.h"
#include "data_options.h"
#include "distinct_files.h"
#include "model/trained_model.h"
#include "model_data.h"
#include "output.h"
#include "ranks.h"
#include "sequence_measures.h"

namespace t2v::cli {
namespace {

using data::Part;
using data::Piece;

struct EvaluateOptions {
  std::string model;
  DataOptions data;
  data::SplitOptions split;
  std::string part = "auto";
  EvaluationConfig how;
  bool backtest = false;
  bool json = false;
  std::string per_sequence;
  bool force = false;
  RankOptions ranks;
};

/// Refuses an output that cannot be, before the work.
std::unique_ptr<Output> output_of_evaluate(const EvaluateOptions& options, const comm::Communicator& ranks) {
  if (options.per_sequence.empty()) return nullptr;
  if (options.per_sequence == "-") fail("`per_sequence` is a file; standard output has the measures of all");
  if (!ranks.alone()) fail("`per_sequence` is written by one process; start t2v alone");
  std::vector<std::string> inputs = files_of(options.data.files);
  inputs.push_back(options.model);
  refuse_to_overwrite(inputs, {options.per_sequence});
  return output_if_file(options.per_sequence, kSequenceMeasures, options.force);
}

/// The pieces to measure on; sets `part` to what auto means.
std::vector<Piece> chosen_pieces(const data::EventStore& store, std::string& part) {
  if (part == "auto") part = data::pieces_of(store, Part::kTest).empty() ? "all" : "test";
  if (part == "all") return data::whole_sequences(store.events);
  const Part wanted = part == "train" ? Part::kTrain : part == "valid" ? Part::kValid : Part::kTest;
  std::vector<Piece> pieces = data::pieces_of(store, wanted);
  if (pieces.empty()) fail("the data have no part '{}'; use `part` all, or import them with a split", part);
  return pieces;
}

/// Whether these very data, as far as it is known, are those that the model was trained on.
std::optional<bool> seen_in_training(const TrainedModel& model, const data::Events& events) {
  const data::KnownData trained_on = training_data(model);
  const data::KnownData these = data::known_data(parse_json_text(events.provenance));
  if (trained_on.digest.empty() || these.digest.empty()) return std::nullopt;
  return trained_on.digest == these.digest;
}

void show_forecast(const EvaluateOptions& options, const ForecastEvaluation& measured,
                   comm::Communicator& ranks) {
  if (ranks.rank() != 0) return;
  if (options.json) {
    nlohmann::json json = to_json(measured.evaluation);
    json["seen_in_training"] = measured.seen;
    fmt::print("{}\n", printable(json, 2));
    return;
  }
  if (measured.seen) {
    say("note: the model has learned from these values, so it looks better than it will be; --backtest "
        "measures "
        "one that has not\n");
  }
  tell("{}", describe(measured.evaluation));
}

/// Those by which a test part is split off; how they are encoded is the model's.
OptionTable split_table(data::SplitOptions& split) {
  OptionTable table = data::options_of(split);
  for (const char* name : {"vocab", "vocab_from_all", "unknown"}) table.remove(name);
  return table;
}

/// The split of the training, if it was given there.
void take_split_of(const TrainedModel& model, data::SplitOptions& split) {
  nlohmann::json record;
  const OptionTable table = split_table(split);
  for (const OptionTable::Entry& entry : table.entries()) {
    const std::string key = key_of(entry.option.name);
    const auto found = model.options->find(key);
    if (found != model.options->end() && !found->is_null()) record[key] = *found;
  }
  const bool shares_alone = record.size() == record.count("valid-share");  // which every training has
  if (!shares_alone) table.read(record);
}

/// Splits tables as asked for or, if they are those of the training, as they were split there.
void split_tables(EvaluateOptions& options, const TrainedModel& model, data::DataSet& data,
                  std::optional<bool> seen) {
  const bool split = data.store.split || !data.store.events.part.empty();
  if (options.split.given.empty() && seen == true && !split) take_split_of(model, options.split);
  if (options.split.given.empty()) return;
  const std::string zone = options.data.load.given.contains("timezone") ? options.data.load.table.timezone
                                                                        : training_data(model).timezone;
  data::split_store(data.store, options.split, zone.empty() ? "UTC" : zone);
}

void run(EvaluateOptions& options, comm::Communicator& ranks) {
  refuse_view(options.data.load);
  const std::unique_ptr<Output> held = output_of_evaluate(options, ranks);
  ThreadPool pool(threads_of(options.data.load.threads, ranks));
  const TrainedModel trained = read_given_model(options.model);
  if (trained.forecaster && held) fail("`per_sequence` is not for forecasts; leave it out");
  data::DataSet data = load_given_data(options.data, trained, pool, true);
  check_same_model_and_data(ranks, trained, data.store.events);
  std::optional<bool> seen = seen_in_training(trained, data.store.events);
  split_tables(options, trained, data, seen);
  std::string part = options.part;
  const std::vector<Piece> pieces = chosen_pieces(data.store, part);
  say_unknown(trained, data.store.events, pieces, ", and not measured as an answer");
  if (trained.forecaster) {
    show_forecast(options, evaluate_forecast(trained, data.store.events, pieces, options.backtest, pool),
                  ranks);
    return;
  }
  if (options.backtest)
    fail("`backtest` is for forecasts; the task of the model is {}", name_of(trained.task));
  if (part == "test" || part == "valid") seen = false;
  if (seen == true) {
    say("note: the model was trained on these data: the figures say how well it remembers, not how well "
        "it predicts; measure it on others, or on a test part ('t2v import --split')\n");
  }
  std::optional<SequenceMeasures> each;
  if (held) each.emplace(options.per_sequence, measure_of_pieces(trained.config.heads.front()));
  const PieceConsumer consumer = [&](const PieceMeasures& measures) {
    const int64_t sequence = pieces[static_cast<std::size_t>(measures.piece)].sequence;
    each->write(data.store.events.ids[sequence], measures);
  };
  const Evaluation evaluation =
      evaluate(trained, network_of(trained), trained.baselines, data.store.events, pieces, options.how, pool,
               ranks, {}, each ? consumer : PieceConsumer());
  data.store.events.check_intact();
  if (each) each->finish();
  if (ranks.rank() != 0) return;
  if (options.json) {
    nlohmann::json json = to_json(evaluation);
    json["part"] = part;
    if (seen) json["seen_in_training"] = *seen;
    fmt::print("{}\n", printable(json, 2));
  } else {
    tell("part {}, {}", part, describe(evaluation));
  }
}

constexpr std::string_view kMeasures = "Measures";
constexpr double kMostCount = 1e9;

void add_measures(OptionTable& table, EvaluateOptions& options) {
  table.add({.name = "part",
             .group = kMeasures,
             .audience = Audience::kBasic,
             .help = "which part of the data to measure on. auto: test if there is one, else all. The table "
                     "of the training is split as it was there, unless `split` is given",
             .choices = {"auto", "test", "valid", "train", "all"}},
            &options.part);
  table.add({.name = "at",
             .group = kMeasures,
             .audience = Audience::kBasic,
             .help = "lengths q of lists to measure, with commas between: recall@q, how often the answer is "
                     "among the q best, and MRR@q, the mean of 1 / its place there. If not given: 1,3,5; to "
                     "recommend: 5,10,20",
             .least = 1},
            &options.how.at);
  table.add(
      {.name = "draws",
       .group = kMeasures,
       .help = "to recommend: how often the answer is also ranked among 100 other types, drawn at random",
       .least = 1,
       .most = 1e6},
      &options.how.draws);
  table.add({.name = "seed", .group = kMeasures, .help = "seed of these draws"}, &options.how.seed);
  table.add({.name = "batch",
             .group = kMeasures,
             .help = "sequences worked on at once; more need more memory",
             .least = 1,
             .most = kMostCount},
            &options.how.batch);
  table.add({.name = "backtest",
             .group = kMeasures,
             .audience = Audience::kBasic,
             .help = "forecasts: measure on the last fifth of the data, by a model fitted anew to what is "
                     "before, unless the data go on beyond those of the training"},
            &options.backtest);
  table.add({.name = "json",
             .group = kMeasures,
             .audience = Audience::kBasic,
             .help = "print the measures as JSON"},
            &options.json);
  table.add(
      {.name = "per_sequence",
       .group = kMeasures,
       .help = "also write a row for each sequence: id, predictions, mean loss and measure; as Parquet if "
               "the name ends in .parquet, else as CSV",
       .takes = "FILE"},
      &options.per_sequence);
  table.add(force_option(options.force, kMeasures));
}

OptionTable options_of(EvaluateOptions& options) {
  OptionTable table;
  add_measures(table, options);
  table.add(split_table(options.split));
  table.add(options_of(options.ranks));
  return table;
}

}  // namespace

void add_evaluate(CLI::App& app) {
  const auto options = std::make_shared<EvaluateOptions>();
  CLI::App* command =
      app.add_subcommand("evaluate", "Measure how well a model predicts, compared with simple rules");
  command->footer(
      "The measures and the simple rules are defined in docs/metrics.md. Columns of tables are found by the\n"
      "names they had in training.\n"
      "Examples:\n"
      "  t2v evaluate clicks.t2v clicks.events\n"
      "  t2v evaluate clicks.t2v new.csv --part all --at 1,10 --json");
  command->add_option("model", options->model, "the trained model")->required()->type_name("MODEL");
  add_data_options(*command, options->data);
  // The model has a unit and an origin; who gives another is told so.
  for (const char* name : {"--unit", "--origin"}) command->get_option(name)->group("");
  add_options(*command, options_of(*options));
  command->callback([options, command] {
    run_on_ranks(*command, options->ranks, [&](comm::Communicator& ranks) { run(*options, ranks); });
  });
}

}  // namespace t2v::cli
