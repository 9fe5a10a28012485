#include "stream/stream.h"
#include "say.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/fail.h"
#include "base/file_system.h"
#include "commands.h"
#include "data/doctor_text.h"
#include "data/human_time.h"
#include "data/time_column.h"
#include "data/time_zone.h"
#include "data_options.h"
#include "distinct_files.h"
#include "model_data.h"
#include "output.h"
#include "stream/event_line.h"

namespace t2v::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t kLongestLine = std::size_t{1} << 20;

struct StreamOptions {
  std::string model;
  StreamConfig stream;
  std::string late = "drop";
  std::string snapshot;
  int64_t snapshot_every = 0;
  LineKeys keys;
  std::string time_unit = "auto";
  std::string time_format;         // empty: as in training
  std::string day_first = "auto";  // likewise
  std::string timezone;            // empty: as in training
};

/// SIGINT and SIGTERM, as something to wait for beside the input, for the rest of the program: none of them
/// interrupts the work on a line or on the last snapshot.
class StopSignals {
 public:
  StopSignals() {
    sigset_t stops;
    sigemptyset(&stops);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &stops, nullptr);
    file_ = signalfd(-1, &stops, SFD_CLOEXEC);
    if (file_ < 0) fail("cannot wait for signals: {}", std::generic_category().message(errno));
  }
  ~StopSignals() { ::close(file_); }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Waits until there is input, or its end; false if a signal came.
  bool wait_for(int input) const {
    std::array<pollfd, 2> files = {{{file_, POLLIN, 0}, {input, POLLIN, 0}}};
    while (::poll(files.data(), files.size(), -1) < 0) {
      if (errno != EINTR) fail("cannot wait for input: {}", std::generic_category().message(errno));
    }
    return files[0].revents == 0;
  }

 private:
  int file_ = -1;
};

/// Standard input, line by line, until it ends or a signal comes.
class InputLines {
 public:
  /// The next line without its end; false if there is none. Longer lines than are read come as empty and
  /// `too_long`. Calls before_waiting() whenever the next line is not there yet.
  template <class Function>
  bool next(std::string_view& line, bool& too_long, const Function& before_waiting) {
    too_long = false;
    while (true) {
      const std::size_t end = text_.find('\n', searched_);
      if (end != std::string::npos || (ended_ && (skipping_ || begin_ < text_.size()))) {
        take(line, std::min(end, text_.size()), too_long);
        return true;
      }
      if (ended_) return false;
      searched_ = text_.size();
      before_waiting();
      if (!read_more()) return false;
    }
  }

 private:
  void take(std::string_view& line, std::size_t end, bool& too_long) {
    too_long = skipping_ || end - begin_ > kLongestLine;
    line = too_long ? std::string_view() : std::string_view(text_).substr(begin_, end - begin_);
    skipping_ = false;
    begin_ = searched_ = std::min(end + 1, text_.size());
  }

  /// False if a signal came.
  bool read_more() {
    text_.erase(0, begin_);
    begin_ = 0;
    if (text_.size() > kLongestLine) {  // the rest of the line is read and forgotten
      text_.clear();
      skipping_ = true;
    }
    searched_ = text_.size();
    if (!signals_.wait_for(STDIN_FILENO)) return false;
    std::array<char, 1 << 16> bytes;
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR && errno != EAGAIN) {
      fail("cannot read standard input: {}", std::generic_category().message(errno));
    }
    if (count > 0) text_.append(bytes.data(), static_cast<std::size_t>(count));
    ended_ = count == 0;
    return true;
  }

  StopSignals signals_;
  std::string text_;
  std::size_t begin_ = 0;     // of the next line
  std::size_t searched_ = 0;  // no line ends before
  bool skipping_ = false;
  bool ended_ = false;
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
                one_sequence(options, model)) {
    if (!options.snapshot.empty() && fs::exists(options.snapshot)) stream_.restore(options.snapshot);
    if (stream_.needs_time()) {
      say("the model looks at the time of the next event: it predicts for lines with an 'at'\n");
    }
  }

  void run() {
    InputLines lines;
    std::string_view line;
    bool too_long = false;
    while (!broken_ && lines.next(line, too_long, [&] { flush(); })) {
      ++number_;
      if (!too_long && line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      write(too_long ? printable(error_of("the line is longer than 1 MiB"), -1) : answer(line));
      if (options_.snapshot_every > 0 && ++since_saved_ >= options_.snapshot_every) save_or_warn();
    }
    flush();
    say("{}\n", text_of(stream_.counts(), counts_, stream_.sequences()));
    if (!options_.snapshot.empty()) stream_.save(FileSystem::real(), options_.snapshot);
    if (broken_) fail("standard output was closed before the end of the input");
  }

 private:
  Json error_of(std::string_view what) {
    ++counts_.bad;
    return {{"error", what}, {"line", number_}};
  }
  std::string answer(std::string_view text) {
    const EventLine* line = nullptr;
    try {
      line = &reader_.read(text);
    } catch (const Error& error) {
      return printable(error_of(in_flags(error.what())), -1);
    }
    try {
      const StreamAnswer made =
          line->is_question ? stream_.ask(line->event.id, line->event.at.value()) : stream_.push(line->event);
      counts_.missing += made.taken && !line->missing.empty() ? 1 : 0;
      return answer_of(made, *line, model_);
    } catch (const Error& error) {
      return printable({{"error", in_flags(error.what())}, {"line", number_}, {"id", line->event.id}}, -1);
    }
  }
  void write(std::string text) {
    text += '\n';
    broken_ = broken_ || std::fwrite(text.data(), 1, text.size(), stdout) != text.size();
  }
  void flush() { broken_ = std::fflush(stdout) != 0 || broken_; }
  void save_or_warn() {
    since_saved_ = 0;
    try {
      stream_.save(FileSystem::real(), options_.snapshot);
    } catch (const Error& error) {
      say("t2v: no snapshot was written: {}\n", error.what());
    }
  }

  const StreamOptions& options_;
  const TrainedModel& model_;
  Stream stream_;
  EventLineReader reader_;
  int64_t number_ = 0;  // of the line
  LineCounts counts_;
  int64_t since_saved_ = 0;
  bool broken_ = false;
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
    "stopped by Ctrl-C or SIGTERM, after the line at work; the exit code is then 0. Counts go to standard\n"
    "error at the end.\n"
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
