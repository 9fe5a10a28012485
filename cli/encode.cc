#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/fail.h"
#include "base/text_check.h"
#include "commands.h"
#include "data/batches.h"
#include "data/parquet_writer.h"
#include "data/splits.h"
#include "data_options.h"
#include "distinct_files.h"
#include "given_times.h"
#include "model/trained_model.h"
#include "model_data.h"
#include "nn/time_encoder.h"
#include "output.h"

namespace t2v::cli {
namespace {

using Json = nlohmann::json;

struct EncodeOptions {
  std::string model;
  std::string input;  // empty: that of the first encoder
  bool states = false;
  bool json = false;
  std::string output = "-";
  bool force = false;
  DataOptions data;  // its files are the times, or with `states` the data
};

/// The numbers of a vector after its name, as short as they can be without loss. A name cannot make a row.
void print_row(const std::string& name, std::span<const float> numbers) {
  std::string line = escaped(name);
  for (const float x : numbers) line += fmt::format(" {}", x);
  fmt::print("{}\n", line);
}

/// The same numbers, which as doubles would show digits that mean nothing.
Json json_of(std::span<const float> numbers) {
  Json list = Json::array();
  for (const float x : numbers) list.push_back(std::strtod(fmt::format("{}", x).c_str(), nullptr));
  return list;
}

/// What such a file is, for data::parquet_kind().
constexpr const char* kVectorTable = "vectors";

/// Refuses an output that cannot be, before the work.
std::unique_ptr<Output> output_of_encode(const EncodeOptions& options) {
  if (options.output == "-") return nullptr;
  if (!data::names_parquet(options.output)) {
    fail("`output` {} is for Parquet, by a name that ends in .parquet; text goes to standard output",
         shown(options.output));
  }
  if (options.json) fail("{}: is Parquet by its name; leave `json` out", options.output);
  std::vector<std::string> inputs = {options.model};
  if (options.states) {
    const std::vector<std::string> files = files_of(options.data.files);
    inputs.insert(inputs.end(), files.begin(), files.end());
  }
  refuse_to_overwrite(inputs, {options.output});
  return output_if_file(options.output, kVectors, options.force);
}

/// Vectors on their way to Parquet: what each is of, perhaps its tau, and the numbers v0, v1, ...
class VectorTable {
 public:
  VectorTable(const std::string& path, const char* name, bool has_tau, std::size_t width)
      : has_tau_(has_tau), writer_(FileSystem::real(), path, kVectorTable, columns(name, has_tau, width)) {}

  void write(std::string_view name, double tau, std::span<const float> vector) {
    std::size_t column = 0;
    writer_.set_text(column++, name);
    if (has_tau_) writer_.set_number(column++, tau);
    for (const float x : vector) writer_.set_number(column++, static_cast<double>(x));
    writer_.end_row();
  }
  void finish() { writer_.finish(); }

 private:
  static std::vector<data::ParquetColumn> columns(const char* name, bool has_tau, std::size_t width) {
    std::vector<data::ParquetColumn> all = {{name, data::ParquetColumn::Type::kText}};
    if (has_tau) all.push_back({"tau", data::ParquetColumn::Type::kNumber});
    for (std::size_t i = 0; i < width; ++i) {
      all.push_back({fmt::format("v{}", i), data::ParquetColumn::Type::kSingle});
    }
    return all;
  }

  bool has_tau_;
  data::ParquetWriter writer_;
};

// --- vectors of times ---

const nn::TimeEncoder& encoder_of(const Model& model, const EncodeOptions& options) {
  const auto& encoders = model.times().encoders();
  if (encoders.empty()) fail("{}: the model has no time inputs", options.model);
  if (options.input.empty()) return encoders.front();
  const TimeInput wanted = nn::time_input_from(options.input);
  std::string has;
  for (const nn::TimeEncoder& encoder : encoders) {
    if (encoder.config().input == wanted) return encoder;
    has += (has.empty() ? "" : ", ") + std::string(nn::name_of(encoder.config().input));
  }
  fail("{}: the model has no time input '{}'; it has {}", options.model, options.input, has);
}

std::vector<GivenTime> times_of(const EncodeOptions& options, const TrainedModel& trained, TimeInput input) {
  if (options.data.files.files.empty()) fail("no times were given; give some, a file with one a line, or -");
  std::vector<GivenTime> given = given_times(options.data.files.files);
  const data::TimeZone zone = zone_for_model(options.data.load, trained);
  for (GivenTime& time : given) {
    try {
      time.tau = tau_of(time.text, trained.times, input, zone);
    } catch (const Error& error) {
      fail("{}{}", time.where, error.what());
    }
  }
  return given;
}

void encode_times(const EncodeOptions& options) {
  const std::unique_ptr<Output> held = output_of_encode(options);
  const TrainedModel trained = read_given_model(options.model);
  if (trained.forecaster)
    fail("{}: is a forecast in closed form, which has no vectors of time", options.model);
  const Model model = network_of(trained);
  const nn::TimeEncoder& encoder = encoder_of(model, options);
  const TimeInput input = encoder.config().input;
  const std::vector<GivenTime> times = times_of(options, trained, input);
  std::vector<double> tau;
  for (const GivenTime& time : times) tau.push_back(time.tau);
  const auto width = static_cast<std::size_t>(encoder.width());
  std::vector<float> values(tau.size() * width);
  encoder.forward<float>(values.data(), nullptr, model.layout(), trained.parameters, tau);
  Json json = {{"input", nn::name_of(input)},
               {"encoder", encoder.config().kind},
               {"unit", trained.times.view.unit},
               {"vectors", Json::array()}};
  std::optional<VectorTable> table;
  if (held) table.emplace(options.output, "time", true, width);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::span<const float> vector(values.data() + i * width, width);
    if (table) {
      table->write(times[i].text, tau[i], vector);
    } else if (options.json) {
      json["vectors"].push_back({{"time", times[i].text}, {"tau", tau[i]}, {"vector", json_of(vector)}});
    } else {
      print_row(times[i].text, vector);
    }
  }
  if (table) table->finish();
  if (options.json) fmt::print("{}\n", printable(json, 2));
}

// --- states of sequences ---

void encode_states(EncodeOptions& options) {
  const std::unique_ptr<Output> held = output_of_encode(options);
  const TrainedModel trained = read_given_model(options.model);
  if (trained.config.cell == "none") fail("{}: a model without a cell has no hidden state", options.model);
  if (!options.input.empty()) fail("`input` is for vectors of times; leave it out with `states`");
  ThreadPool pool(options.data.load.threads);
  const data::DataSet loaded = load_given_data(options.data, trained, pool);
  const data::Events& events = loaded.store.events;
  const Model model = network_of(trained);
  data::Batches batches(events, data::whole_sequences(events), trained.encoding, trained.batches(false));
  const auto hidden = static_cast<std::size_t>(trained.config.hidden);
  Workspace<float> work;
  std::vector<float> states;
  Json json = {{"hidden", hidden}, {"states", Json::array()}};
  std::optional<VectorTable> table;
  if (held) table.emplace(options.output, "id", false, hidden);
  for (int64_t b = 0; b < batches.count(); ++b) {
    const data::Batch& batch = batches.make(b);
    states.resize(batch.pieces.size() * hidden);
    model.visit_states<float>(
        [&](int64_t row, const float* h) {
          std::copy_n(h, hidden, states.data() + static_cast<std::size_t>(row) * hidden);
        },
        trained.parameters, batch.view(), work, pool);
    for (std::size_t row = 0; row < batch.pieces.size(); ++row) {
      const data::Piece& piece = batches.pieces()[static_cast<std::size_t>(batch.pieces[row])];
      const std::string id(events.ids[piece.sequence]);
      const std::span<const float> state(states.data() + row * hidden, hidden);
      if (table) {
        table->write(id, 0, state);
      } else if (options.json) {
        json["states"].push_back({{"id", id}, {"state", json_of(state)}});
      } else {
        print_row(id, state);
      }
    }
  }
  events.check_intact();
  if (table) table->finish();
  if (options.json) fmt::print("{}\n", printable(json, 2));
}

OptionTable options_of(EncodeOptions& options) {
  OptionTable table;
  table.add({.name = "input",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "which time of the model to encode: since the origin (start), since the event before "
                     "(gap), of the event to be predicted since the origin (query) or since the event before "
                     "it (until). If not given: the first that the model has",
             .choices = {"start", "gap", "query", "until", "since"}},
            &options.input);
  table.add({.name = "states",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "print for each sequence of the data its id and the hidden state after its last event"},
            &options.states);
  table.add({.name = "json", .group = kOptionsGroup, .audience = Audience::kBasic, .help = "print as JSON"},
            &options.json);
  table.add({.name = "output",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "a Parquet file to write (NAME.parquet) instead: time and tau, or id, then v0, v1, ...",
             .takes = "FILE",
             .letter = 'o'},
            &options.output);
  table.add(force_option(options.force, kOptionsGroup));
  return table;
}

}  // namespace

void add_encode(CLI::App& app) {
  const auto options = std::make_shared<EncodeOptions>();
  CLI::App* command =
      app.add_subcommand("encode", "Print what a model makes of times (vectors) or of sequences (states)");
  command->footer(
      "Examples:\n"
      "  t2v encode clicks.t2v 0 1.5 '3 d' '12 h'\n"
      "  t2v encode clicks.t2v --states clicks.csv > states.txt\n"
      "  t2v encode clicks.t2v --states clicks.csv -o states.parquet");
  command->add_option("model", options->model, "the trained model")->required()->type_name("MODEL");
  add_data_options(*command, options->data);
  command->get_option("files")
      ->description(
          wrapped("times: numbers in the model's unit; '3 d' or '12 h' for a model of dates, and dates where "
                  "it counts from one instant; a file with one a line; - for standard input. With --states "
                  "the data: tables, an event store, or files of a format"))
      ->type_name("TIMES");
  // The model has a unit and an origin, and all sequences are encoded.
  for (const char* name : {"--unit", "--origin", "--train", "--valid", "--test"}) {
    remove_option(*command, name);
  }
  add_options(*command, options_of(*options));
  command->callback([options] { options->states ? encode_states(*options) : encode_times(*options); });
}

}  // namespace t2v::cli
