#include "stream/stream.h"
#include "say.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/file_system.h"
#include "commands.h"
#include "data/doctor_text.h"
#include "data/human_time.h"
#include "data/time_column.h"
#include "data/time_zone.h"
#include "data_options.h"
#include "distinct_files.h"
#include "input_lines.h"
#include "model_data.h"
#include "output.h"
#include "output_lines.h"
#include "snapshots.h"
#include "stream/event_line.h"

namespace t2v::cli {
namespace {

using Json = nlohmann::json;

struct StreamOptions {
  std::string model;
  StreamConfig stream;
  std::string late = "drop";
  std::string snapshot;
  int64_t snapshot_every = 0;
  int64_t backlog = 10'000;
  std::string when_full = "wait";
  LineKeys keys;
  std::string time_unit = "auto";
  std::string time_format;         // empty: as in training
  std::string day_first = "auto";  // likewise
  std::string timezone;            // empty: as in training
};

/// ,"time":"2024-01-01": as it was given, numbers digit by digit; nothing for none.
std::string time_field(const char* name, const LineTime& time) {
  if (time.text.empty()) return "";
  return fmt::format(",\"{}\":{}", name,
                     time.is_number ? std::string(time.text) : printable(Json(std::string(time.text)), -1));
}

std::string answer_of(const StreamAnswer& answer, const EventLine& line, const TrainedModel& model) {
  Json rest = answer.prediction == nullptr ? Json::object() : to_json(*answer.prediction, model);
  if (answer.late) rest["late"] = answer.taken ? "kept" : "dropped";
  if (answer.unknown) rest["unknown"] = true;
  if (answer.taken && !line.missing.empty()) rest["missing"] = line.missing;
  if (answer.returned) rest["returned"] = true;
  if (!answer.evicted.empty()) rest["evicted"] = answer.evicted;
  const std::string fields = printable(rest, -1).substr(1);
  return fmt::format("{{\"id\":{}{}{}{}{}", printable(Json(std::string(line.event.id)), -1),
                     time_field("time", line.time), time_field("at", line.at), fields == "}" ? "" : ",",
                     fields);
}

/// Before any line is read.
std::unique_ptr<Output> snapshot_of(const StreamOptions& options) {
  refuse_to_overwrite({options.model, "-"}, {options.snapshot, "-"});
  if (options.snapshot.empty() && options.snapshot_every > 0) {
    fail("`snapshot_every` needs a file; name it with `snapshot`");
  }
  return output_if_file(options.snapshot, kSnapshot, false);
}

/// The times of lines are written as those of training were, where the options say nothing else.
data::TimeReader time_reader(const StreamOptions& options, const TrainedModel& model) {
  const data::KnownData known = training_data(model);
  std::optional<data::TimeUnit> unit;
  if (options.time_unit != "auto") unit = data::time_unit_named(options.time_unit);
  std::string zone = options.timezone.empty() ? known.timezone : options.timezone;
  if (zone.empty()) zone = "UTC";
  data::TimeReader reader(model.times.scale, unit, data::TimeZone::find(zone));
  const bool own_form = !options.time_format.empty();
  if (own_form || model.times.scale.instants) {
    reader.read_as(own_form ? options.time_format : known.time_format,
                   options.day_first == "auto" ? known.day_first : options.day_first, own_form);
  }
  return reader;
}

/// The names that the columns had in training.
LineKeys known_keys(const TrainedModel& model) {
  auto columns = training_data(model).columns;
  std::string& event = columns[data::Role::kEvent];
  return {columns[data::Role::kId], columns[data::Role::kTime], event == "-" ? "" : event};
}

/// Whether lines may have no id: the training data had none, or that is asked for.
bool one_sequence(const StreamOptions& options, const TrainedModel& model) {
  if (!options.keys.id.empty()) return options.keys.id == "-";
  const auto columns = training_data(model).columns;
  const auto id = columns.find(data::Role::kId);
  return !columns.empty() && (id == columns.end() || id->second == "-");
}

/// Of the lines, beside the counts of the stream.
struct LineCounts {
  int64_t bad = 0;      // no event, nor a question
  int64_t missing = 0;  // taken without a feature of the model
  int64_t dropped = 0;  // unread, as the backlog was full
  int64_t left = 0;     // read, but not answered before a signal
};

std::string text_of(const StreamCounts& counts, const LineCounts& lines, int64_t sequences) {
  std::string text =
      fmt::format("{}, {}, {}", data::counted(counts.events, "event"),
                  data::counted(counts.predictions, "prediction"), data::counted(sequences, "sequence"));
  const auto add = [&](int64_t count, const char* what) {
    if (count > 0) text += fmt::format("; {} {}", data::human_count(count), what);
  };
  add(lines.bad, "bad among the lines");
  add(counts.refused, "refused");
  add(counts.unknown, "with something unknown to the model");
  add(lines.missing, "without a feature of the model");
  add(counts.late_dropped, "late and left out");
  add(counts.late_kept, "late and taken");
  add(counts.evicted, "of the sequences made room for others");
  add(counts.returned, "of those came back and started anew");
  add(lines.dropped, "lines dropped, as the backlog was full");
  add(lines.left, "lines left unanswered, as a signal came");
  return text;
}

/// The work of the command: lines in, answers out.
class Session {
 public:
  Session(const StreamOptions& options, const TrainedModel& model)
      : options_(options),
        model_(model),
        stream_(model, options.stream),
        reader_(stream_.columns(), options.keys, time_reader(options, model), known_keys(model),
                one_sequence(options, model)),
        output_(STDOUT_FILENO, stop_),
        snapshots_(stream_, options.snapshot, options.snapshot_every) {
    if (!options.snapshot.empty() && t2v::exists(FileSystem::real(), options.snapshot))
      stream_.restore(options.snapshot);
    if (stream_.needs_time()) {
      say("the model looks at the time of the next event: it predicts for lines with an 'at'\n");
    }
  }

  void run() {
    InputLines lines(STDIN_FILENO, options_.backlog,
                     options_.when_full == "drop" ? InputLines::WhenFull::kDrop : InputLines::WhenFull::kWait,
                     stop_);
    InputLine line;
    while (!output_.is_broken() && next(lines, line)) {
      if (!line.too_long && line.text.find_first_not_of(" \t\r") == std::string::npos) continue;
      output_.write(line.too_long ? printable(error_of("the line is longer than 1 MiB", line.number), -1)
                                  : answer(line));
      snapshots_.after_line();
    }
    output_.flush();
    counts_.dropped = lines.dropped();
    counts_.left = lines.left();
    say("{}\n", text_of(stream_.counts(), counts_, stream_.sequences()));
    snapshots_.write_last();
    if (!output_.is_broken()) return;
    if (stop_.stopped()) fail("answers were lost: a signal came while nobody read standard output");
    fail("standard output was closed before the end of the input");
  }

 private:
  /// What came before is written before it waits.
  bool next(InputLines& lines, InputLine& line) {
    if (lines.try_next(line)) return true;
    output_.flush();
    while (snapshots_.is_copying() && !lines.is_ready()) snapshots_.copy();
    return lines.wait_next(line);
  }
  Json error_of(std::string_view what, int64_t number) {
    ++counts_.bad;
    return {{"error", what}, {"line", number}};
  }
  std::string answer(const InputLine& input) {
    const EventLine* line = nullptr;
    try {
      line = &reader_.read(input.text);
    } catch (const Error& error) {
      return printable(error_of(in_flags(error.what()), input.number), -1);
    }
    try {
      const StreamAnswer made =
          line->is_question ? stream_.ask(line->event.id, line->event.at.value()) : stream_.push(line->event);
      counts_.missing += made.taken && !line->missing.empty() ? 1 : 0;
      return answer_of(made, *line, model_);
    } catch (const Error& error) {
      return printable({{"error", in_flags(error.what())},
                        {"line", input.number},
                        {"id", line->event.id.substr(0, kMostIdBytes)}},
                       -1);
    }
  }

  StopPoll stop_;  // before other threads
  const StreamOptions& options_;
  const TrainedModel& model_;
  Stream stream_;
  EventLineReader reader_;
  LineCounts counts_;
  OutputLines output_;
  Snapshots snapshots_;
};

void run(StreamOptions& options) {
  const std::unique_ptr<Output> held = snapshot_of(options);
  options.stream.late = options.late == "keep" ? LateEvents::kKeep : LateEvents::kDrop;
  const TrainedModel model = read_given_model(options.model);
  std::signal(SIGPIPE, SIG_IGN);
  Session(options, model).run();
}

const char* const kFooter =
    "A line in is one event:\n"
    "  {\"id\": \"u1\", \"time\": \"2024-01-01T08:00:00Z\", \"event\": \"open\", ...}\n"
    "id, time and event have the names that their columns had in training, or tables usually have\n"
    "(user_id, timestamp, action, ...), the features of the model those of their columns. A line out is\n"
    "its answer, at once, with its times as they were given:\n"
    "  {\"id\": \"u1\", \"time\": \"2024-01-01T08:00:00Z\", \"next\": [{\"event\": \"buy\", \"p\": 0.5}, "
    "...]}\n"
    "\"class\", \"value\" and \"when\" are as 't2v predict' gives them. A line that cannot be taken is\n"
    "answered by {\"error\": ..., \"line\": ...}, is counted, and changes nothing. Empty lines have no\n"
    "answer.\n"
    "\n"
    "Late events, earlier than the last one of their sequence, are left out and answered by\n"
    "\"late\": \"dropped\"; with --late keep they are taken as if at the time of that last one.\n"
    "Types and categories that the model does not know are seen as what it learned for the unknown\n"
    "(\"unknown\": true), or are an error if it learned nothing for them. Features that a line has no\n"
    "value of are taken as empty cells of a table are, and named: \"missing\": [\"price\"].\n"
    "Of more sequences than --max-sequences, the one idle for longest is forgotten: the answer to the\n"
    "event that it made room for names it, \"evicted\": \"u7\". If its id comes back, it starts anew, and\n"
    "the answer says \"returned\": true. (About the last 65,536 such ids are remembered.)\n"
    "If the training data had no ids, or with --id -, lines without one are all of the sequence \"all\".\n"
    "\n"
    "A model that looks at the time of the next event predicts only for a time that is given: an event\n"
    "may have \"at\", the time to predict for, and {\"id\": \"u1\", \"at\": TIME} asks without an event.\n"
    "Without it such a model takes an event and says nothing. Other models do not look at \"at\".\n"
    "\n"
    "--snapshot goes on from the file, if there is one, and writes it at the end of the input and when\n"
    "stopped by Ctrl-C or SIGTERM, after the line at work; the exit code is then 0. With --snapshot-every\n"
    "it is also written meanwhile, on a thread of its own: events do not wait for it. Counts go to\n"
    "standard error at the end.\n"
    "\n"
    "Lines that come faster than they are answered wait, up to --backlog of them and 64 MiB. Beyond that\n"
    "whoever writes them waits; with --when-full drop the new ones are dropped and counted.\n"
    "An id has at most 1,024 bytes.\n"
    "\n"
    "Examples:\n"
    "  t2v stream model.t2v < clicks.jsonl > predictions.jsonl\n"
    "  tail -f clicks.jsonl | t2v stream model.t2v --snapshot state.t2v --snapshot-every 100000";

constexpr std::string_view kStates = "States";
constexpr std::string_view kLines = "Lines";

void add_states(OptionTable& table, StreamOptions& options) {
  table.add({.name = "max_sequences",
             .group = kStates,
             .audience = Audience::kBasic,
             .help = "how many sequences to remember at once",
             .least = 1},
            &options.stream.max_sequences);
  table.add({.name = "top",
             .group = kStates,
             .audience = Audience::kBasic,
             .help = "how many of the most probable types or classes to give",
             .least = 1},
            &options.stream.top);
  table.add({.name = "late",
             .group = kStates,
             .audience = Audience::kBasic,
             .help = "what becomes of events that are late, see below",
             .choices = {"drop", "keep"}},
            &options.late);
  table.add({.name = "snapshot",
             .group = kStates,
             .audience = Audience::kBasic,
             .help = "the file to go on from, and to write",
             .takes = "FILE"},
            &options.snapshot);
  table.add({.name = "snapshot_every",
             .group = kStates,
             .audience = Audience::kBasic,
             .help = "write it also after every so many lines; 0: only at the end",
             .least = 0},
            &options.snapshot_every);
}

void add_backlog(OptionTable& table, StreamOptions& options) {
  table.add({.name = "backlog",
             .group = kLines,
             .help = "how many lines may wait to be answered",
             .least = 1,
             .most = 1e8},
            &options.backlog);
  table.add({.name = "when_full",
             .group = kLines,
             .help = "wait: read no further while so many wait; drop: leave out and count new ones",
             .choices = {"wait", "drop"}},
            &options.when_full);
}

void add_lines(OptionTable& table, StreamOptions& options) {
  const auto add_key = [&](std::string_view name, std::string& key, std::string help) {
    table.add({.name = name,
               .group = kLines,
               .audience = Audience::kBasic,
               .help = std::move(help),
               .takes = "KEY"},
              &key);
  };
  add_key("id", options.keys.id, "key of the id, if it has no usual name; -: all lines are one sequence");
  add_key("time", options.keys.time, "key of the time, if it has no usual name");
  add_key("event", options.keys.event, "key of the type, if it has no usual name");
  table.add({.name = "time_unit",
             .group = kLines,
             .help = "what times that are numbers count, for a model of dates: s, ms, us or ns since 1970. "
                     "auto: by their magnitude",
             .choices = {"auto", "s", "ms", "us", "ns"}},
            &options.time_unit);
  table.add({.name = "time_format",
             .group = kLines,
             .help = "how times are written, as strptime has it: '%d/%m/%Y %H:%M'; that of training if not "
                     "given",
             .takes = "FORMAT"},
            &options.time_format);
  table.add({.name = "day_first",
             .group = kLines,
             .help = "whether 01/02/2024 is the 1st of February. auto: as in training",
             .choices = {"auto", "yes", "no"}},
            &options.day_first);
  table.add({.name = "timezone",
             .group = kLines,
             .help = "zone of dates without an offset; that of training if not given",
             .takes = "ZONE"},
            &options.timezone);
}

OptionTable options_of(StreamOptions& options) {
  OptionTable table;
  add_states(table, options);
  add_lines(table, options);
  add_backlog(table, options);
  return table;
}

}  // namespace

void add_stream(CLI::App& app) {
  const auto options = std::make_shared<StreamOptions>();
  CLI::App* command =
      app.add_subcommand("stream", "Predict from events as they come: JSON lines in, JSON lines out");
  command->footer(kFooter);
  command->add_option("model", options->model, "the trained model")->required()->type_name("MODEL");
  add_options(*command, options_of(*options));
  command->callback([options] { run(*options); });
}

}  // namespace t2v::cli
