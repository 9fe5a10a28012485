#include "data_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/named.h"
#include "base/version.h"
#include "data/decimal.h"
#include "data/human_time.h"
#include "data/iso_time.h"
#include "data/time_column.h"

namespace t2v::cli {
namespace {

using data::human_count;

std::string formats() {
  std::string names = "auto, table";
  for (const data::Importer& importer : data::importers()) names += fmt::format(", {}", importer.name);
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
    fmt::print(stderr, "\r{:<70}", line);
  }
  ~ProgressLine() {
    if (shown_ > 0) fmt::print(stderr, "\r{:<70}\r", "");
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

data::EventTable read_table(const DataOptions& options, const data::TableOptions& table, ThreadPool& pool) {
  data::ReadReport report;
  data::EventTable read;
  {
    ProgressLine line;
    read = data::read_tables(sources_of(options), table, pool, report,
                             [&](const data::ReadProgress& progress) { line.show(progress); });
  }
  for (const std::string& choice : report.choices) fmt::print(stderr, "{}\n", choice);
  if (report.skipped > 0) fmt::print(stderr, "skipped {} rows:\n", human_count(report.skipped));
  for (const auto& [reason, count] : report.skipped_by_reason) {
    fmt::print(stderr, "  {} {}\n", human_count(count), reason);
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

void set_times(data::Events& events, const DataOptions& options) {
  data::set_unit(events, options.unit == "auto" ? data::fitting_unit(events) : options.unit);
  if (options.origin == "sequence" || options.origin == "dataset") {
    data::set_origin(events,
                     options.origin == "sequence" ? data::OriginKind::kSequence : data::OriginKind::kDataSet);
    return;
  }
  data::IsoTime instant;
  if (events.scale.instants && data::parse_iso(options.origin, instant) == data::TimeFault::kNone) {
    data::set_origin(events, data::OriginKind::kInstant, instant.nanoseconds);
    return;
  }
  double number = 0;
  if (!events.scale.instants && data::parse_double(options.origin, number) == data::NumberFault::kNone) {
    data::set_origin(events, data::OriginKind::kInstant,
                     static_cast<int64_t>(number * events.view.ticks_per_unit));
    return;
  }
  fail("the origin '{}' is neither sequence, dataset nor a {}", options.origin,
       events.scale.instants ? "date such as 2020-01-01" : "number");
}

std::string provenance_of(const DataOptions& options, const data::EventTable& table) {
  nlohmann::json json;
  json["source"] = table.source;
  json["format"] = options.format;
  json["settings"] = options.settings;
  json["notes"] = table.notes;
  json["version"] = kVersion;
  return json.dump();
}

void add_table_options(CLI::App& command, DataOptions& options) {
  data::TableOptions& table = options.table;
  const std::string group = "Columns of tables (by name, or by number from 1)";
  command.add_option("--id", table.id, "sequence of the event; - if all rows are one")->group(group);
  command.add_option("--time", table.time, "when it happens")->group(group);
  command.add_option("--event", table.event, "type of the event; - for none")->group(group);
  command.add_option("--value", table.value, "number of the event; - for none")->group(group);
  command.add_option("--label", table.label, "class of the sequence; - for none")->group(group);
  command.add_option("--target", table.target, "number of the sequence")->group(group);
  command.add_option("--features", table.features, "further columns of the event")
      ->delimiter(',')
      ->group(group);
  command.add_option("--sequence-features", table.sequence_features, "further columns of the sequence")
      ->delimiter(',')
      ->group(group);
  command
      .add_option("--categories", table.categories, "features that are names although they look like numbers")
      ->delimiter(',')
      ->group(group);
  const std::string form = "Form of tables";
  command.add_option("--separator", table.separator, "one character, or tab")->group(form);
  command.add_option("--header", table.header, "whether the first row has names")
      ->check(CLI::IsMember({"auto", "yes", "no"}))
      ->group(form);
  command
      .add_option(
          "--time-unit", table.time_unit,
          "what numbers as times count: s, ms, us, ns since 1970, or number. auto: " + data::detection_rule())
      ->check(CLI::IsMember({"auto", "s", "ms", "us", "ns", "number"}))
      ->group(form);
  command
      .add_option(
          "--timezone", table.timezone,
          "of dates without an offset. A local time that is skipped in spring is read with the offset "
          "before the change, one that comes twice in autumn is the first")
      ->group(form);
  command.add_option("--order", options.order, "where time runs backwards: sort, strict (an error) or drop")
      ->check(CLI::IsMember({"sort", "strict", "drop"}))
      ->group(form);
  command.add_option("--on-error", options.on_error, "at a malformed row: stop, or skip and count")
      ->check(CLI::IsMember({"stop", "skip"}))
      ->group(form);
}

}  // namespace

void add_data_options(CLI::App& command, DataOptions& options) {
  command.add_option("files", options.files, "event store, tables (CSV, TSV, JSON lines; .gz, .zst), or - ");
  command.add_option("--train", options.train, "tables with the sequences to learn from");
  command.add_option("--valid", options.valid, "tables with those to choose by");
  command.add_option("--test", options.test, "tables with those to measure on");
  command.add_option("--format", options.format, "one of " + formats());
  command.add_option("--set", options.settings,
                     "a setting of the format, name=value (t2v formats lists them)");
  command.add_option("--unit", options.unit, "unit of time: auto, s, min, h, d or w");
  command.add_option("--origin", options.origin,
                     "time 0: sequence (its first event), dataset (its first event), or an instant");
  command.add_option("--threads", options.threads, "0: all cores");
  add_table_options(command, options);
}

LoadedData load_data(const DataOptions& options, ThreadPool& pool) {
  LoadedData data;
  if (options.files.size() == 1 && options.format == "auto" && data::is_store(options.files[0])) {
    data.store = data::open_store(options.files[0]);
    data.from_store = true;
    if (options.unit != "auto") data::set_unit(data.store.events, options.unit);
    return data;
  }
  const data::TableOptions table_how = table_options(options);
  data::EventTable table;
  if (options.format == "auto" || options.format == "table") {
    table = read_table(options, table_how, pool);
  } else {
    const data::Importer& importer = find_named(data::importers(), options.format, "format");
    std::vector<std::string> paths = options.files;
    table = data::import_files(importer, paths, settings_of(options.settings));
    data.beside_the_paper = data::counts_beside_the_paper(importer, table);
  }
  for (const std::string& note : table.notes) fmt::print(stderr, "note: {}\n", note);
  const std::string provenance = provenance_of(options, table);
  data::Events& events = data.store.events;
  events = data::group(std::move(table), table_how.order, data.counts);
  events.provenance = provenance;
  set_times(events, options);
  if (data.counts.backward > 0) {
    fmt::print(stderr, "{} events ran backwards in time and were {}\n", human_count(data.counts.backward),
               options.order == "drop" ? "dropped" : "sorted");
  }
  return data;
}

void add_split_options(CLI::App& command, SplitOptions& options, bool by_default) {
  const std::string group = "Split";
  options.split.kind = by_default ? "random" : "none";
  command
      .add_option(
          "--split", options.split.kind,
          "random (sequences by the seed), time, last (the last event of each), head-tail (short ones "
          "to learn from, long ones to measure), given (by files), none")
      ->check(CLI::IsMember({"random", "time", "last", "head-tail", "given", "none"}))
      ->group(group);
  command.add_option("--test-share", options.split.test, "share to measure on")->group(group);
  command.add_option("--valid-share", options.split.valid, "share to choose by")->group(group);
  command.add_option("--split-seed", options.split.seed, "seed of the random split")->group(group);
  command.add_option("--test-from", options.test_from, "with --split time: the first instant of the test")
      ->group(group);
  command
      .add_option("--vocab", options.encoding.vocabulary,
                  "keep so many of the most frequent event types, 0: all")
      ->group(group);
  command
      .add_flag("--vocab-from-all", options.encoding.vocabulary_from_all,
                "count types over all sequences, not the training ones alone")
      ->group(group);
  command.add_option("--max-len", options.max_len, "cut sequences to so many events, 0: never")->group(group);
  command.add_option("--cut", options.cut, "which events stay: first, last, or windows")
      ->check(CLI::IsMember({"first", "last", "windows"}))
      ->group(group);
}

void prepare_store(data::EventStore& store, const SplitOptions& options) {
  data::SplitConfig config = options.split;
  if (config.kind == "none" && !store.events.part.empty()) config.kind = "given";
  if (!options.test_from.empty()) {
    data::IsoTime instant;
    if (data::parse_iso(options.test_from, instant) != data::TimeFault::kNone) {
      fail("--test-from '{}' is not a date such as 2024-01-31", options.test_from);
    }
    config.test_from = instant.nanoseconds;
  }
  data::SplitCounts counts;
  store.split = data::make_split(store.events, config, counts);
  if (options.max_len > 0) {
    for (auto* pieces : {&store.split->train, &store.split->valid, &store.split->test}) {
      data::limit_length(*pieces, options.max_len, options.cut);
    }
  }
  store.encoding = data::learn_encoding(store.events, store.split->train, options.encoding);
  if (config.kind != "none") fmt::print(stderr, "{}", data::describe(*store.split, counts));
  fmt::print(stderr, "{}", data::describe(*store.encoding));
}

std::string summary_of(const data::Events& events) {
  std::vector<int64_t> lengths;
  for (int64_t s = 0; s < events.sequences(); ++s) lengths.push_back(events.length(s));
  std::ranges::sort(lengths);
  const auto [first, last] = std::ranges::minmax(events.ticks);
  const auto text_of = [&](int64_t tick) {
    return events.scale.instants ? data::format_iso(tick) : fmt::format("{:g}", events.view.at(tick, 0));
  };
  const double per_second = events.scale.instants ? 1e9 / events.view.ticks_per_unit : 1;
  const double span = events.view.at(last, first) / per_second;
  std::string text = fmt::format("sequences  {}\nevents     {}\n", human_count(events.sequences()),
                                 human_count(events.size()));
  if (events.event) text += fmt::format("types      {}\n", human_count(events.event->names.size()));
  if (events.label) text += fmt::format("classes    {}\n", human_count(events.label->names.size()));
  text += fmt::format("lengths    {} to {}, median {}, mean {:.1f}\n", lengths.front(), lengths.back(),
                      lengths[lengths.size() / 2],
                      static_cast<double>(events.size()) / static_cast<double>(events.sequences()));
  text += fmt::format("times      {} to {} ({})\n", text_of(first), text_of(last),
                      events.scale.instants ? data::human_duration(span) : fmt::format("{:g}", span));
  const std::array<std::string, 3> origins = {"the first event of each sequence",
                                              "the first event of all, " + text_of(events.view.origin_tick),
                                              text_of(events.view.origin_tick)};
  text += fmt::format("unit       {}, counted from {}\n",
                      events.view.unit == "1" ? "the source's own" : events.view.unit,
                      origins[static_cast<std::size_t>(events.view.origin)]);
  const double grid = static_cast<double>(events.grid);
  if (events.grid == 0) {
    text += "grid       all times of a sequence are equal\n";
  } else if (events.scale.instants) {
    text += fmt::format("grid       {}: shorter periods than twice that cannot be told apart\n",
                        data::human_duration(grid / 1e9));
  } else {
    text += fmt::format("grid       {:g}: shorter periods than twice that cannot be told apart\n",
                        grid / events.view.ticks_per_unit);
  }
  return text;
}

}  // namespace t2v::cli
