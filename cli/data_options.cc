#include "data_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "base/fail.h"
#include "base/named.h"
#include "base/text_check.h"
#include "data/decimal.h"
#include "data/doctor_text.h"
#include "data/human_time.h"
#include "data/iso_time.h"
#include "data/ntidigits.h"
#include "data/provenance.h"
#include "data/time_column.h"
#include "data/time_zone.h"
#include "file_kind.h"
#include "say.h"

namespace t2v::cli {
namespace {

using data::counted;
using data::human_count;

std::vector<std::string> formats() {
  std::vector<std::string> names = {"auto", "table"};
  for (const data::Importer& importer : data::importers()) names.emplace_back(importer.name);
  return names;
}

/// The line "45 %, 310 MB/s, 3 s left" on a terminal.
class ProgressLine {
 public:
  void show(const data::ReadProgress& progress) {
    if (isatty(STDERR_FILENO) == 0) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (seconds < shown_ + 0.2) return;
    shown_ = seconds;
    const double rate = static_cast<double>(progress.taken) / seconds;
    std::string line = fmt::format("{} rows, {:.0f} MB/s", human_count(progress.rows), rate / 1e6);
    if (progress.total > 0) {
      const double left = static_cast<double>(progress.total - progress.taken) / rate;
      line = fmt::format("{:.0f} %, {}, {:.0f} s left",
                         100.0 * static_cast<double>(progress.taken) / static_cast<double>(progress.total),
                         line, left);
    }
    say("\r{:<70}", line);
  }
  ~ProgressLine() {
    if (shown_ > 0) say("\r{:<70}\r", "");
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
  double shown_ = 0;
};

std::vector<data::TableSource> sources_of(const DataOptions& options) {
  std::vector<data::TableSource> sources;
  for (const std::string& path : options.files) sources.push_back({path});
  const auto add = [&](const std::vector<std::string>& paths, data::Part part) {
    for (const std::string& path : paths) sources.push_back({path, part});
  };
  add(options.train, data::Part::kTrain);
  add(options.valid, data::Part::kValid);
  add(options.test, data::Part::kTest);
  if (!options.files.empty() && sources.size() > options.files.size()) {
    fail("give files either as they are or by --train, --valid and --test, not both");
  }
  if (sources.empty()) fail("no file was given; name one, or - for standard input");
  return sources;
}

data::TableOptions table_options(const DataOptions& options) {
  data::TableOptions table = options.table;
  const std::vector<std::string> orders = {"sort", "strict", "drop"};
  table.order = static_cast<data::Order>(std::ranges::find(orders, options.order) - orders.begin());
  table.skip_bad_rows = options.on_error == "skip";
  return table;
}

/// Whether a text is like 8:05, 14:05:09.25 or 2:05 PM.
bool is_time_of_day(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::size_t other = text.find_first_not_of("0123456789:., apmAPM");
  return (colon == 1 || colon == 2) && other == std::string_view::npos && text.size() > colon + 2;
}

/// If it was a time of day that could not be read, says so: tables often have the date in another column.
[[noreturn]] void explain_time_of_day(const Error& error) {
  const std::string_view what = error.what();
  const std::size_t end = what.find("' is not a time;");
  const std::size_t begin = end == std::string_view::npos ? end : what.rfind('\'', end - 1);
  if (begin == std::string_view::npos || !is_time_of_day(what.substr(begin + 1, end - begin - 1))) throw;
  fail(
      "{} is a time of day without its date; join the columns of date and time to one, such as "
      "2021-03-28 14:05:09, and name that with --time",
      what.substr(0, end + 1));
}

data::EventTable read_tables(const DataOptions& options, const data::TableOptions& table, ThreadPool& pool,
                             data::ReadReport& report) {
  const std::vector<data::TableSource> sources = sources_of(options);
  for (const data::TableSource& source : sources) refuse_other_kinds(source.path);
  ProgressLine line;
  try {
    return data::read_tables(sources, table, pool, report,
                             [&](const data::ReadProgress& progress) { line.show(progress); });
  } catch (const Error& error) {
    explain_time_of_day(error);
  }
}

/// Whether the reader says that it took the times for dates, not numbers.
bool has_dates(const data::ReadReport& report) {
  return std::ranges::any_of(report.choices, [](const std::string& choice) {
    return choice.starts_with("time '") && choice.find("': dates; ") != std::string::npos;
  });
}

data::EventTable read_table(const DataOptions& options, const data::TableOptions& table, ThreadPool& pool,
                            data::ReadReport& report) {
  data::EventTable read = read_tables(options, table, pool, report);
  if (is_given(options.of_tables, "--time-unit") && table.time_unit != "auto" && table.time_unit != "any" &&
      has_dates(report)) {
    fail("--time-unit {} is for times that are numbers, but these are dates; leave it out", table.time_unit);
  }
  for (const std::string& choice : report.choices) say("{}\n", choice);
  if (report.skipped > 0) say("skipped {}:\n", counted(report.skipped, "row"));
  for (const auto& [reason, count] : report.skipped_by_reason) {
    say("  {} {}\n", human_count(count), reason);
  }
  return read;
}

data::Settings settings_of(const std::vector<std::string>& texts) {
  data::Settings settings;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) fail("--set wants name=value, not '{}'", text);
    settings[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return settings;
}

/// A number as a tick of plain times. Throws if there is none for it.
int64_t plain_tick(const std::string& text, int decimals, std::string_view option) {
  data::Decimal number;
  const data::NumberFault fault = data::parse_decimal(text, number);
  if (fault != data::NumberFault::kNone) {
    fail("{} '{}' {}; the times of the data are plain numbers", option, shown(text), data::explain(fault));
  }
  const int power = decimals - number.decimals;
  int64_t tick = number.mantissa;
  for (int i = 0; i < std::abs(power); ++i) {
    if (power > 0 ? __builtin_mul_overflow(tick, int64_t{10}, &tick) : tick % 10 != 0) {
      fail("{} '{}' is {} the times of the data", option, shown(text),
           power > 0 ? "too large beside" : "finer than");
    }
    if (power < 0) tick /= 10;
  }
  return tick;
}

/// What the options say about the view of times; the rest stays.
void set_times(data::Events& events, const DataOptions& options) {
  if (options.unit != "auto") data::set_unit(events, options.unit);
  if (options.origin == "auto") return;
  if (options.origin == "sequence" || options.origin == "dataset") {
    data::set_origin(events,
                     options.origin == "sequence" ? data::OriginKind::kSequence : data::OriginKind::kDataSet);
    return;
  }
  data::set_origin(events, data::OriginKind::kInstant,
                   tick_of(events, options.origin, options.table.timezone, "--origin"));
}

void add_columns(CLI::App& command, DataOptions& options) {
  data::TableOptions& table = options.table;
  const auto add = [&](const char* name, auto& value, const char* text) {
    CLI::Option* option =
        command.add_option(name, value, wrapped(text))
            ->group("Columns of tables (by name, or by number from 1; usual names are found)")
            ->default_str("");
    options.of_tables.push_back(option);
    return option;
  };
  add("--id", table.id,
      "whose event it is: all of one id are a sequence; - if all rows are one sequence, as they are if no "
      "column has a usual name of an id")
      ->type_name("COLUMN");
  add(options.time_option.c_str(), table.time, "when it happened")->type_name("COLUMN");
  add("--event", table.event, "what happened: the type of the event; - for none")->type_name("COLUMN");
  add("--value", table.value, "a number of the event; - for none")->type_name("COLUMN");
  add("--label", table.label, "the class of the sequence; - for none")->type_name("COLUMN");
  add("--target", table.target, "a number of the sequence")->type_name("COLUMN");
  const auto add_several = [&](const char* name, std::vector<std::string>& value, const char* text) {
    add(name, value, text)->type_name("COLUMNS")->delimiter(',')->allow_extra_args(false);
  };
  add_several("--features", table.features, "further columns of events, with commas between");
  add_several("--sequence-features", table.sequence_features,
              "further columns, the same in all rows of a sequence");
  add_several("--categories", table.categories, "features that are names although they look like numbers");
}

void add_form(CLI::App& command, DataOptions& options) {
  data::TableOptions& table = options.table;
  const auto add = [&](const char* name, auto& value, const std::string& text,
                       const std::vector<std::string>& choices) {
    CLI::Option* option = command.add_option(name, value, wrapped(text))->group("Form of tables");
    if (!choices.empty()) option->check(CLI::IsMember(choices));
    options.of_tables.push_back(option);
    return option;
  };
  add("--separator", table.separator,
      "what is between cells: one character, or tab. auto: found from the first row", {})
      ->type_name("CHARACTER");
  add("--header", table.header, "whether the first row holds the names of columns", {"auto", "yes", "no"});
  add("--time-unit", table.time_unit,
      "what times that are numbers count: s, ms, us or ns since 1970, or anything else (number). auto: " +
          data::detection_rule(),
      {"auto", "s", "ms", "us", "ns", "number"});
  add("--time-format", table.time_format,
      "how times are written, as strptime has it: '%d/%m/%Y %H:%M'. By default ISO dates, or as the first "
      "rows "
      "tell",
      {})
      ->type_name("FORMAT");
  add("--day-first", table.day_first,
      "whether 01/02/2024 is the 1st of February. auto: as the first rows tell", {"auto", "yes", "no"});
  add("--timezone", table.timezone,
      "zone of dates without an offset, such as Europe/Paris. A local time that is skipped in spring is read "
      "with the offset before the change, one that comes twice in autumn is the first",
      {})
      ->type_name("ZONE");
  add("--on-error", options.on_error, "at a row that cannot be read: stop, or skip and count it",
      {"stop", "skip"});
}

/// Says so if an option was given that nothing would come of.
void refuse_table_options(const DataOptions& options, const std::string& what) {
  for (const CLI::Option* option : options.of_tables) {
    if (option->count() == 0 || option->get_name() == "--timezone") continue;  // see check_zone
    fail("{} is for tables alone, and does nothing with {}; leave it out", option->get_name(), what);
  }
}

void refuse_parts(const DataOptions& options, const std::string& what) {
  if (options.train.empty() && options.valid.empty() && options.test.empty()) return;
  fail("--train, --valid and --test are for tables alone; give {}", what);
}

data::EventTable import_format(const DataOptions& options, LoadedData& data) {
  const data::Importer& importer = find_named(data::importers(), options.format, "format");
  refuse_table_options(options, "--format " + options.format);
  refuse_parts(options, fmt::format("the files of {} in order: {}", importer.name, importer.files));
  if (options.format == "ntidigits") say("note: {}\n", data::kHdf5Trust);  // before it is read
  data::EventTable table = data::import_files(importer, options.files, settings_of(options.settings));
  if (!importer.paper.data_set.empty()) data.beside_the_paper = counts_beside_the_paper(importer, table);
  return table;
}

/// The one event store among the files, if there is one.
std::optional<std::string> store_of(const DataOptions& options) {
  const std::vector<std::string> all = files_of(options);
  const auto store = std::ranges::find_if(all, data::is_store);
  if (options.format != "auto" || store == all.end()) return std::nullopt;
  if (all.size() > 1 || options.files.empty()) {
    fail("{}: an event store must be the only file, and without --train, --valid and --test", *store);
  }
  refuse_table_options(options, "an event store");
  if (!options.settings.empty()) fail("--set does nothing with an event store; leave it out");
  return *store;
}

/// Says so if a time zone was given for nothing.
void check_zone(const DataOptions& options, std::vector<std::string> dates) {
  data::TimeZone::find(options.table.timezone);
  const bool store = store_of(options).has_value();
  if (!is_given(options.of_tables, "--timezone")) return;
  if (!store && (options.format == "auto" || options.format == "table")) return;
  dates.push_back(options.origin);
  const auto needs_zone = [](const std::string& text) {
    data::IsoTime time;
    return data::parse_iso(text, time) == data::TimeFault::kNone && !time.has_offset;
  };
  if (std::ranges::any_of(dates, needs_zone)) return;
  fail("--timezone is for dates without an offset, and none is given beside {}; leave it out",
       store ? "the event store" : "--format " + options.format);
}

}  // namespace

std::vector<std::string> files_of(const DataOptions& options) {
  std::vector<std::string> all = options.files;
  for (const auto* more : {&options.train, &options.valid, &options.test}) {
    all.insert(all.end(), more->begin(), more->end());
  }
  return all;
}

bool is_given(const std::vector<const CLI::Option*>& options, std::string_view name) {
  return std::ranges::any_of(
      options, [&](const CLI::Option* option) { return option->count() > 0 && option->get_name() == name; });
}

void check_date_or_number(const std::string& text, std::string_view option) {
  data::IsoTime time;
  data::Decimal number;
  const data::TimeFault no_date = data::parse_iso(text, time);
  const data::NumberFault no_number = data::parse_decimal(text, number);
  if (no_date == data::TimeFault::kNone || no_number == data::NumberFault::kNone) return;
  if (no_date != data::TimeFault::kSyntax) fail("{} '{}' {}", option, shown(text), data::explain(no_date));
  if (no_number != data::NumberFault::kSyntax)
    fail("{} '{}' {}", option, shown(text), data::explain(no_number));
  fail("{} '{}' is neither a date, such as 2021-03-28 or 2021-03-28T14:05:09Z, nor a number", option,
       shown(text));
}

void check_data_options(const DataOptions& options, const std::vector<std::string>& dates) {
  const std::string& origin = options.origin;
  if (origin != "auto" && origin != "sequence" && origin != "dataset")
    check_date_or_number(origin, "--origin");
  check_zone(options, dates);
}

std::string wrapped(const std::string& text) {
  constexpr std::size_t kWidth = 70;
  std::string result;
  std::size_t line = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const bool fits = line == 0 || line + 1 + word.size() <= kWidth;
    if (!result.empty()) result += fits ? " " : "\n";
    line = fits && line > 0 ? line + 1 + word.size() : word.size();
    result += word;
    at = end + 1;
  }
  return result;
}

std::string printable(const nlohmann::json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

int64_t tick_of(const data::Events& events, const std::string& text, const std::string& timezone,
                std::string_view option) {
  if (!events.scale.instants) return plain_tick(text, events.scale.decimals, option);
  data::IsoTime time;
  const data::TimeFault fault = data::parse_iso(text, time);
  if (fault != data::TimeFault::kNone) fail("{} '{}' {}", option, shown(text), data::explain(fault));
  return time.has_offset ? time.nanoseconds : data::TimeZone::find(timezone).to_utc(time.nanoseconds);
}

void add_data_options(CLI::App& command, DataOptions& options) {
  const auto add = [&](const char* name, auto& value, const std::string& text) {
    return command.add_option(name, value, wrapped(text));
  };
  const auto add_files = [&](const char* name, std::vector<std::string>& files, const std::string& text) {
    return add(name, files, text)->type_name("FILE")->default_str("");
  };
  add_files(
      "files", options.files,
      "tables (CSV, TSV, JSON lines; plain, gzip or zstd), an event store (see 't2v import'), or files of a "
      "format; - for standard input")
      ->type_name("DATA");
  add_files("--train", options.train, "instead of files: tables of the sequences to learn from");
  add_files("--valid", options.valid, "tables of the sequences to choose the best model by");
  add_files("--test", options.test, "tables of the sequences to measure on");
  add("--format", options.format,
      "what the files are; 't2v formats' explains each. auto: an event store or tables")
      ->check(CLI::IsMember(formats()));
  add("--set", options.settings, "a setting of the format, as 't2v formats' lists them; one for each --set")
      ->type_name("NAME=VALUE")
      ->default_str("")
      ->allow_extra_args(false);
  add("--order", options.order,
      "where time runs backwards in a sequence: sort the events, stop (strict), or drop those that do")
      ->check(CLI::IsMember({"sort", "strict", "drop"}));
  add("--unit", options.unit,
      "unit of the times that a model sees: second, minute, hour, day or week. auto: that of an event "
      "store, else the largest that is not longer than the median gap between events")
      ->check(CLI::IsMember({"auto", "s", "min", "h", "d", "w"}));
  add("--origin", options.origin,
      "which time counts as 0: that of the first event of each sequence (sequence) or of all (dataset), or a "
      "date or number. auto: that of an event store or format, else sequence")
      ->type_name("WHEN");
  add("--threads", options.threads, "threads to work with; 0: one a core")->check(CLI::Range(0, 1024));
  add_columns(command, options);
  add_form(command, options);
}

LoadedData load_data(const DataOptions& options, ThreadPool& pool) {
  LoadedData data;
  if (const auto store = store_of(options)) {
    data.store = data::open_store(*store);
    data.from_store = true;
    if (options.origin == "dataset") data.store.events.check(0, data.store.events.size());
    set_times(data.store.events, options);
    return data;
  }
  const data::TableOptions table_how = table_options(options);
  const bool is_table = options.format == "auto" || options.format == "table";
  if (is_table && !options.settings.empty()) fail("--set is for formats; name one with --format");
  data::ReadReport report;
  data::EventTable table =
      is_table ? read_table(options, table_how, pool, report) : import_format(options, data);
  for (const std::string& note : table.notes) say("note: {}\n", note);
  nlohmann::json provenance = data::provenance_of(
      {options.format, options.settings, options.order, options.on_error}, options.table, table, report);
  data::Events& events = data.store.events;
  events = data::group(std::move(table), table_how.order, data.counts);
  provenance["digest"] = checksum_text(data::digest_of(events));
  events.provenance = printable(provenance, -1);
  data::set_unit(events, data::fitting_unit(events));
  set_times(events, options);
  if (data.counts.backward > 0) {
    say("{} backwards in time and {} {}\n",
        counted(data.counts.backward, "event") + (data.counts.backward == 1 ? " runs" : " run"),
        data.counts.backward == 1 ? "was" : "were", options.order == "drop" ? "dropped" : "sorted");
  }
  return data;
}

}  // namespace t2v::cli
