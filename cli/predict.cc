#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/fail.h"
#include "base/json_text.h"
#include "base/text_check.h"
#include "commands.h"
#include "data/human_time.h"
#include "data/parts.h"
#include "data/splits.h"
#include "data/time_reader.h"
#include "data_options.h"
#include "distinct_files.h"
#include "model/predictor.h"
#include "model_data.h"
#include "output.h"
#include "prediction_table.h"
#include "prediction_writer.h"
#include "ranks.h"
#include "stream/ahead.h"

namespace t2v::cli {
namespace {

struct PredictOptions {
  std::string model;
  DataOptions data;
  PredictConfig predict;
  std::vector<std::string> at;
  std::string horizon;
  std::string every;
  std::string quantiles = "0.1,0.5,0.9";
  std::string part = "all";
  bool csv = false;
  bool json = false;
  bool csv_safe = false;
  int64_t rows_per_file = 0;
  std::string output = "-";
  bool force = false;
  ContinueConfig ahead;  // of events, with its horizon in ticks of the data
  bool raw = false;
  RankOptions ranks;
};

/// Refuses an output that cannot be, or that would destroy what is read, before the work rather than after.
std::unique_ptr<Output> output_of(const PredictOptions& options) {
  std::vector<std::string> inputs = files_of(options.data.files);
  inputs.push_back(options.model);
  refuse_to_overwrite(inputs, {options.output});
  if (options.output == "-") return nullptr;
  if (options.rows_per_file > 0) {
    check_numbered(options.output, options.force);
    return output_if_file(data::numbered_path(options.output, 1), kPredictions, options.force);
  }
  return output_if_file(options.output, kPredictions, options.force);
}

QueryTime query_of(const data::TimeReader& reader, const std::string& text) {
  if (text.starts_with('+')) return {reader.span_of(text, "`at`"), true};
  return {reader.tick_of(text, "`at`")};
}

int64_t span_of(const data::TimeReader& reader, const std::string& text, std::string_view what) {
  const int64_t ticks = reader.span_of(text.starts_with('+') ? text : "+" + text, what);
  if (ticks <= 0) fail("{} is above 0; it is {}", what, shown(text));
  return ticks;
}

std::vector<double> shares_of(const std::string& text) {
  std::vector<double> shares;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    double share = 0;
    const auto [rest, error] = std::from_chars(text.data() + begin, text.data() + end, share);
    if (error != std::errc{} || rest != text.data() + end) {
      fail("`quantiles` '{}' are no numbers with commas between; an example is 0.1,0.5,0.9", shown(text));
    }
    shares.push_back(share);
    begin = end + 1;
  }
  return shares;
}

/// What is predicted for: whole sequences, or the pieces of a part.
std::vector<data::Piece> pieces_of_part(const data::EventStore& store, const std::string& part) {
  if (part == "all") return data::whole_sequences(store.events);
  if (!store.split && store.events.part.empty()) {
    fail("the data have no part '{}'; import them with `split`, give them by `{}`, or leave `part` out", part,
         part);
  }
  constexpr std::array<data::Part, 3> kParts = {data::Part::kTrain, data::Part::kValid, data::Part::kTest};
  return data::pieces_of(store, *std::ranges::find(kParts, part, data::part_name));
}

/// The texts of all ranks, one after another, to the output of rank 0.
void write_round(comm::Communicator& ranks, TextOutput& output) {
  if (ranks.alone()) return;
  comm::Bytes mine = comm::bytes_of(ranks.rank() == 0 ? "" : output.buffer());
  if (ranks.rank() != 0) output.buffer().clear();
  for (const comm::Bytes& text : comm::gather(ranks, mine)) {
    output.buffer() += comm::text_of(text);
    output.flush_if_full();
  }
}

/// Only if the data were intact on all ranks is there an output.
void check_intact(const data::Events& events, comm::Communicator& ranks) {
  events.check_intact();
  std::array<int64_t, 1> intact = {1};
  comm::sum(ranks, intact);
}

/// Whether several events ahead are wanted, not values or the next event alone.
bool wants_ahead(const PredictOptions& options, const TrainedModel& model) {
  const bool events = !model.forecaster && find_head(model.config, "when") >= 0;
  const bool ahead = options.ahead.events > 0 || (events && !options.horizon.empty());
  if (ahead && data::names_parquet(options.output)) {
    fail("{}: events ahead are written as JSON lines; name another output", options.output);
  }
  if (ahead && options.csv) fail("events ahead are written as JSON lines; leave `csv` out");
  if (ahead && !options.at.empty()) fail("`at` is for the next event, `events` for several; use one of them");
  if (ahead && options.predict.every_event) {
    fail("events ahead follow the last known one; leave `every_event` out");
  }
  return ahead;
}

/// A line for each sequence, or with `raw` for each continuation of one.
void write_ahead(const PredictOptions& options, const TrainedModel& model, const data::Events& events,
                 const std::vector<data::Piece>& pieces, ThreadPool& pool, comm::Communicator& ranks) {
  TextOutput output(ranks.rank() == 0 ? options.output : "");
  const auto write = [&](int64_t number, const std::vector<Continuation>& continuations) {
    const data::Piece& piece = pieces[static_cast<std::size_t>(number)];
    const int64_t last = events.tick(piece.end - 1);
    nlohmann::json line = {{"id", events.ids[piece.sequence]}, {"time", data::tick_text(events.scale, last)}};
    if (!options.raw) line["ahead"] = to_json(ahead_of(continuations), model, last);
    for (std::size_t i = 0; i < (options.raw ? continuations.size() : 1); ++i) {
      if (options.raw) {
        line["sample"] = i;
        line["events"] = to_json(continuations[i], model, last);
      }
      output.buffer() += printable(line, -1) + "\n";
      output.flush_if_full();
    }
  };
  ContinueConfig config = options.ahead;
  config.horizon /= events.view.ticks_per_unit;
  continue_sequences(model, events, pieces, config, pool, write, {ranks.rank(), ranks.size()},
                     [&] { write_round(ranks, output); });
  check_intact(events, ranks);
  if (ranks.rank() == 0) output.finish();
}

/// Refuses forms that contradict each other.
void check_form(const PredictOptions& options, const comm::Communicator& ranks) {
  if (options.csv && options.json) fail("`csv` and `json` contradict each other; give one of them");
  const bool parquet = data::names_parquet(options.output);
  if (parquet && (options.csv || options.json)) {
    fail("{}: is Parquet by its name; leave `{}` out, or name another output", options.output,
         options.csv ? "csv" : "json");
  }
  if (options.csv_safe && !options.csv) fail("`csv_safe` is for tables; give `csv`, too");
  if (options.rows_per_file != 0 && !parquet) {
    fail("`rows_per_file` is for Parquet; name an output that ends in .parquet");
  }
  if (parquet && !ranks.alone())
    fail("{}: Parquet is written by one process; start t2v alone", options.output);
}

/// Where predictions go: lines of text, of all ranks, or Parquet.
class PredictionOutput {
 public:
  PredictionOutput(const PredictOptions& options, const TrainedModel& model, const data::Events& events,
                   const PredictionForm& form, comm::Communicator& ranks)
      : ranks_(ranks),
        text_(ranks.rank() == 0 && !data::names_parquet(options.output) ? options.output : "") {
    if (data::names_parquet(options.output)) {
      table_.emplace(model, events, form, options.output, options.rows_per_file);
    } else {
      lines_.emplace(model, events, form, text_);
    }
    if (ranks.rank() != 0) text_.buffer().clear();  // of the header
  }

  void write(int64_t sequence, const Place& place, const Prediction& prediction) {
    if (table_) return table_->write(sequence, place, prediction);
    lines_->write(sequence, place, prediction);
  }
  void end_round() {
    if (!table_) write_round(ranks_, text_);
  }
  void finish() {
    if (table_) return table_->finish();
    if (ranks_.rank() == 0) text_.finish();
  }

 private:
  comm::Communicator& ranks_;
  TextOutput text_;
  std::optional<PredictionWriter> lines_;
  std::optional<PredictionTable> table_;
};

void run(PredictOptions& options, comm::Communicator& ranks) {
  check_form(options, ranks);
  std::unique_ptr<Output> held;
  if (ranks.rank() == 0) held = output_of(options);
  refuse_view(options.data.load);
  const TrainedModel model = read_given_model(options.model);
  ThreadPool pool(threads_of(options.data.load.threads, ranks));
  options.data.load.dates = options.at;
  const data::DataSet data = load_given_data(options.data, model, pool);
  const data::Events& events = data.store.events;
  check_same_model_and_data(ranks, model, events);
  const std::vector<data::Piece> pieces = pieces_of_part(data.store, options.part);
  if (pieces.empty()) fail("the part '{}' of the data is empty", options.part);
  PredictConfig config = options.predict;
  const data::TimeReader reader(events.scale, std::nullopt, zone_for_model(options.data.load, model));
  for (const std::string& text : options.at) config.at.push_back(query_of(reader, text));
  if (!options.horizon.empty()) config.horizon = span_of(reader, options.horizon, "`horizon`");
  if (!options.every.empty()) config.every = span_of(reader, options.every, "`every`");
  config.quantiles = shares_of(options.quantiles);
  say_unknown(model, events, pieces, "");
  if (wants_ahead(options, model)) {
    options.ahead.horizon = static_cast<double>(config.horizon);
    write_ahead(options, model, events, pieces, pool, ranks);
    return;
  }
  const PredictionForm form{options.csv, options.csv_safe, !config.at.empty(), config.quantiles};
  PredictionOutput output(options, model, events, form, ranks);
  const auto write = [&](const Place& place, const Prediction& prediction) {
    output.write(pieces[static_cast<std::size_t>(place.piece)].sequence, place, prediction);
  };
  predict(model, events, pieces, config, pool, write, {ranks.rank(), ranks.size()},
          [&] { output.end_round(); });
  check_intact(events, ranks);
  output.finish();
}

constexpr std::string_view kPrediction = "Prediction";

void add_what(OptionTable& table, PredictOptions& options) {
  table.add({.name = "top",
             .group = kPrediction,
             .audience = Audience::kBasic,
             .help = "how many of the most probable types or classes to give",
             .least = 1,
             .most = 1U << 31},
            &options.predict.top);
  table.add(
      {.name = "at",
       .group = kPrediction,
       .audience = Audience::kBasic,
       .help = "for models of what and when (`when`), or that know when (`query_time`): the time of the "
               "event that is predicted, or a duration "
               "after each sequence's last event, such as '+1 d' (s, min, h, d, w; a number for plain "
               "times). Several: a prediction for each, from the known events alone",
       .takes = "TIME"},
      &options.at);
  table.add(
      {.name = "horizon",
       .group = kPrediction,
       .audience = Audience::kBasic,
       .help = "forecasts: values up to so long after the last one, such as 7d; if not given, as far "
               "ahead as the model was trained for, or at the times of rows without a value. Models of what "
               "and when: events up to so long after the last one",
       .takes = "TIME"},
      &options.horizon);
  table.add(
      {.name = "events",
       .group = kPrediction,
       .audience = Audience::kBasic,
       .help =
           "for models of what and when: so many events ahead (with `horizon`: at most). They are drawn, and "
           "summarised: how many of each type are expected, when the first of each comes, which come next. "
           "0: the next event, not drawn",
       .least = 0,
       .most = kMostSampledEvents},
      &options.ahead.events);
  table.add({.name = "samples",
             .group = kPrediction,
             .help = "events ahead: how often they are drawn",
             .least = 1,
             .most = 1e6},
            &options.ahead.samples);
  table.add({.name = "seed", .group = kPrediction, .help = "events ahead: seed of the draws"},
            &options.ahead.seed);
  table.add({.name = "raw",
             .group = kPrediction,
             .help = "events ahead: write what was drawn, a line for each draw, instead of a summary"},
            &options.raw);
  table.add({.name = "every",
             .group = kPrediction,
             .audience = Audience::kBasic,
             .help = "forecasts: how far they are apart, such as 30min; if not given, as in training",
             .takes = "TIME"},
            &options.every);
  table.add({.name = "quantiles",
             .group = kPrediction,
             .help = "forecasts: which quantiles of the value to give beside it, with commas between",
             .takes = "SHARES"},
            &options.quantiles);
  table.add({.name = "every_event",
             .group = kPrediction,
             .help = "predict after every event, not after the last alone; with `part`: after those that "
                     "count in it"},
            &options.predict.every_event);
  table.add({.name = "part",
             .group = kPrediction,
             .audience = Audience::kBasic,
             .help = "which part of the data to predict for (see 't2v import --split')",
             .choices = {"all", "train", "valid", "test"}},
            &options.part);
}

void add_output(OptionTable& table, PredictOptions& options) {
  table.add({.name = "csv",
             .group = kPrediction,
             .audience = Audience::kBasic,
             .help = "write a table instead of JSON lines, with a row for each type or class"},
            &options.csv);
  table.add(
      {.name = "csv_safe",
       .group = kPrediction,
       .help = "with `csv`: a quote (') before ids and names that spreadsheets would take for a formula "
               "(those that start with =, +, -, @ or a control character)"},
      &options.csv_safe);
  table.add({.name = "json", .group = kPrediction, .help = "write JSON lines, as it does without `csv`"},
            &options.json);
  table.add(
      {.name = "rows_per_file",
       .group = kPrediction,
       .help = "Parquet: so many rows in each of several files, out-00001.parquet and so on; 0: one file",
       .least = 0,
       .most = 1e15},
      &options.rows_per_file);
  table.add({.name = "output",
             .group = kPrediction,
             .audience = Audience::kBasic,
             .help = "the file to write, as Parquet if its name ends in .parquet; - for standard output",
             .takes = "FILE",
             .letter = 'o'},
            &options.output);
  table.add(force_option(options.force, kPrediction));
}

OptionTable options_of(PredictOptions& options) {
  OptionTable table;
  add_what(table, options);
  add_output(table, options);
  table.add(options_of(options.ranks));
  return table;
}

}  // namespace

void add_predict(CLI::App& app) {
  const auto options = std::make_shared<PredictOptions>();
  CLI::App* command =
      app.add_subcommand("predict", "Predict with a trained model: next events, classes, numbers");
  command->footer(
      "Each prediction is a line of JSON, in the order of the data. What comes next is predicted after the\n"
      "last event of each sequence, a class or a number of the sequence from all of it. Columns of tables\n"
      "are found by the names they had in training.\n"
      "Examples:\n"
      "  t2v predict model.t2v clicks.csv --top 3\n"
      "  t2v predict model.t2v clicks.csv --at '+1 d' --at '+7 d' --csv -o next.csv\n"
      "  t2v predict model.t2v 'clicks/*.parquet' -o next.parquet\n"
      "  t2v predict churn.t2v churn.events --part test");
  command->add_option("model", options->model, "the trained model")->type_name("MODEL")->required();
  add_data_options(*command, options->data);
  // The model has a unit and an origin; who gives another is told so.
  for (const char* name : {"--unit", "--origin"}) command->get_option(name)->group("");
  add_options(*command, options_of(*options));
  command->callback([options, command] {
    run_on_ranks(*command, options->ranks, [&](comm::Communicator& ranks) { run(*options, ranks); });
  });
}

}  // namespace t2v::cli
