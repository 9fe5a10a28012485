#include "data/load.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/checksum.h"
#include "base/fail.h"
#include "data/database_tables.h"
#include "data/doctor_text.h"
#include "data/file_kind.h"
#include "data/file_pattern.h"
#include "data/human_time.h"
#include "data/importer.h"
#include "data/ntidigits.h"
#include "data/provenance.h"
#include "data/time_reader.h"

namespace t2v::data {
namespace {

// --- options that have no effect ---

/// But for the time zone, which dates of other options may need.
void refuse_table_options(const LoadOptions& options, const std::string& what) {
  for (const std::string& name : options.given) {
    if (!is_of_tables(name) || name == "timezone") continue;
    fail("`{}` is for tables alone, and has no effect with {}; leave it out", name, what);
  }
}

bool reads_tables(const LoadOptions& options) {
  return options.format == "auto" || options.format == "table";
}

// --- tables ---

TableOptions table_options(const LoadOptions& options) {
  TableOptions table = options.table;
  constexpr std::string_view kOrders[] = {"sort", "strict", "drop"};
  table.order = static_cast<Order>(std::ranges::find(kOrders, options.order) - std::begin(kOrders));
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
      "2021-03-28 14:05:09, and name that with `time`",
      what.substr(0, end + 1));
}

/// Whether the reader says that it took the times for dates, not numbers.
bool has_dates(const ReadReport& report) {
  return std::ranges::any_of(report.choices, [](const std::string& choice) {
    return choice.starts_with("time '") && choice.find("': dates; ") != std::string::npos;
  });
}

std::vector<std::string> notes_of(const ReadReport& report) {
  std::vector<std::string> notes = report.choices;
  if (report.skipped > 0) notes.push_back(fmt::format("skipped {}:", counted(report.skipped, "row")));
  for (const auto& [reason, count] : report.skipped_by_reason) {
    notes.push_back(fmt::format("  {} {}", human_count(count), reason));
  }
  return notes;
}

EventTable read_table(const std::vector<TableSource>& sources, const LoadOptions& options,
                      const TableOptions& table, ThreadPool& pool, ReadReport& report,
                      const Progress& progress) {
  if (!options.set.empty()) fail("`set` is for formats; name one with `format`");
  EventTable read;
  try {
    if (reads_databases(sources, table)) {
      return read_databases(sources, table, options.given, pool, report, progress);
    }
    if (!table.table.empty()) fail("`table` is for databases, and {} is none; leave it out", sources[0].path);
    for (const TableSource& source : sources) refuse_other_kinds(source.path);
    read = read_tables(sources, table, pool, report, progress);
  } catch (const Error& error) {
    explain_time_of_day(error);
  }
  const bool of_numbers = table.time_unit != "auto" && table.time_unit != "any";
  if (of_numbers && options.given.contains("time_unit") && has_dates(report)) {
    fail("`time_unit` {} is for times that are numbers, but these are dates; leave it out", table.time_unit);
  }
  return read;
}

/// What tells files apart, whatever their names are; the name of what is no file.
std::string identity_of(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return path;
  return fmt::format("{}/{}", about.st_dev, about.st_ino);
}

/// A file that is given twice would count twice.
void refuse_twice(const std::vector<TableSource>& sources) {
  std::map<std::pair<std::string, std::optional<Part>>, std::string> names;
  for (const TableSource& source : sources) {
    // In two parts it is looked at twice, which is said elsewhere.
    const auto [other, is_new] = names.try_emplace({identity_of(source.path), source.part}, source.path);
    if (is_new) continue;
    fail("{}: is given twice{}, and its events would count twice; leave one out", source.path,
         source.path == other->second ? "" : ", also as " + other->second);
  }
}

/// As they were given, for people.
std::string names_of(const std::vector<TableSource>& sources) {
  std::string names;
  for (const TableSource& source : sources) names += (names.empty() ? "" : ", ") + source.path;
  return names;
}

// --- formats ---

Settings settings_of(const std::vector<std::string>& texts) {
  Settings settings;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) fail("`set` takes name=value, not '{}'", text);
    settings[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return settings;
}

EventTable import_format(const std::vector<TableSource>& sources, const LoadOptions& options, DataSet& data) {
  const auto& all = importers();
  const Importer& importer = *std::ranges::find(all, options.format, &Importer::name);
  refuse_table_options(options, "`format` " + options.format);
  std::vector<std::string> files;
  for (const TableSource& source : sources) {
    if (source.part) {
      fail("`train`, `valid` and `test` are for tables alone; give the files of {} in order: {}",
           importer.name, importer.files);
    }
    files.push_back(source.path);
  }
  EventTable table = import_files(importer, files, settings_of(options.set));
  if (!importer.paper.data_set.empty()) data.beside_the_paper = counts_beside_the_paper(importer, table);
  return table;
}

// --- from rows to a data set ---

std::string text_of(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void note_backward(DataSet& data, const std::string& order) {
  const int64_t backward = data.counts.backward;
  if (backward == 0) return;
  data.notes.push_back(fmt::format("{} backwards in time and {} {}",
                                   counted(backward, "event") + (backward == 1 ? " runs" : " run"),
                                   backward == 1 ? "was" : "were", order == "drop" ? "dropped" : "sorted"));
}

/// Makes ticks of plain numbers finer, so that an origin of so many decimals can be subtracted.
void refine(EventTable& rows, int decimals) {
  if (rows.scale.instants) return;
  for (; rows.scale.decimals < decimals; ++rows.scale.decimals) {
    for (int64_t& tick : rows.ticks) {
      if (__builtin_mul_overflow(tick, int64_t{10}, &tick)) {
        fail("a time is too large to be told to {} decimals, as those that the model was trained on",
             decimals);
      }
    }
  }
}

/// Sorts rows into sequences, and keeps what they are and how they were read.
void take_rows(DataSet& data, EventTable rows, const LoadOptions& options, const ReadReport& report) {
  const TableOptions table = table_options(options);
  for (const std::string& note : rows.notes) data.notes.push_back("note: " + note);
  refine(rows, table.least_decimals);
  nlohmann::json provenance =
      provenance_of({options.format, options.set, options.order, options.on_error}, table, rows, report);
  Events& events = data.store.events;
  events = group(std::move(rows), table.order, data.counts);
  provenance["digest"] = checksum_text(digest_of(events));
  events.provenance = text_of(provenance);
  set_unit(events, fitting_unit(events));
  note_backward(data, options.order);
  if (data.counts.untimed > 0) {
    data.notes.push_back(fmt::format("{} without any time {} left out",
                                     counted(data.counts.untimed, "sequence"),
                                     data.counts.untimed == 1 ? "was" : "were"));
  }
  set_view(data, options.unit, options.origin, options.table.timezone);
}

void open(DataSet& data, const std::string& path, const LoadOptions& options) {
  refuse_table_options(options, "an event store");
  if (!options.set.empty()) fail("`set` has no effect with an event store; leave it out");
  data.store = open_store(path);
  data.from_store = true;
  set_view(data, options.unit, options.origin, options.table.timezone);
}

}  // namespace

std::optional<std::string> store_among(const std::vector<TableSource>& sources, const LoadOptions& options) {
  if (options.format != "auto") return std::nullopt;
  const auto store =
      std::ranges::find_if(sources, [](const TableSource& source) { return is_store(source.path); });
  if (store == sources.end()) return std::nullopt;
  if (sources.size() > 1 || store->part) {
    fail("{}: an event store must be the only file, and without `train`, `valid` and `test`", store->path);
  }
  return store->path;
}

void set_view(DataSet& data, const std::string& unit, const std::string& origin,
              const std::string& timezone) {
  Events& events = data.store.events;
  if (unit != "auto") set_unit(events, unit);
  if (origin == "auto") return;
  data.origin_given = true;
  if (origin == "sequence") return set_origin(events, OriginKind::kSequence);
  if (origin == "dataset") {
    events.check(0, events.size());
    return set_origin(events, OriginKind::kDataSet);
  }
  const TimeReader reader(events.scale, std::nullopt, TimeZone::find(timezone));
  set_origin(events, OriginKind::kInstant, reader.tick_of(origin, "`origin`"));
}

DataSet data_set(EventTable rows, const LoadOptions& options, const ReadReport& report) {
  check(options, false);
  DataSet data;
  data.columns = report.columns;
  take_rows(data, std::move(rows), options, report);
  return data;
}

DataSet load(const std::vector<TableSource>& given, const LoadOptions& options, ThreadPool& pool,
             const Progress& progress, const Amend& amend) {
  if (given.empty() && options.table.sql.empty()) {
    fail("no file was given; name one, or - for standard input");
  }
  const std::vector<TableSource> sources = reads_tables(options) ? expanded(given) : given;
  refuse_twice(sources);
  const std::optional<std::string> store = store_among(sources, options);
  check(options, store.has_value());
  DataSet data;
  if (store) {
    open(data, *store, options);
    return data;
  }
  ReadReport report;
  EventTable rows = reads_tables(options)
                        ? read_table(sources, options, table_options(options), pool, report, progress)
                        : import_format(sources, options, data);
  if (given.size() < sources.size()) rows.source = names_of(given);  // the patterns
  data.notes = notes_of(report);
  data.columns = report.columns;
  if (amend) amend(rows);
  take_rows(data, std::move(rows), options, report);
  return data;
}

}  // namespace t2v::data
