#include "data/load_options.h"

#include <algorithm>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/importer.h"
#include "data/iso_time.h"
#include "data/time_column.h"
#include "data/time_reader.h"
#include "data/time_zone.h"

namespace t2v::data {
namespace {

using enum Audience;

constexpr std::string_view kReading = "Data";
constexpr std::string_view kColumns =
    "Columns of tables (by name, or by number from 1; usual ones are found)";
constexpr std::string_view kForm = "Form of tables";
constexpr std::string_view kDatabases = "Databases and queries (see docs/data.md)";
constexpr std::string_view kColumn = "COLUMN";

std::vector<std::string> formats() {
  std::vector<std::string> names = {"auto", "table"};
  for (const Importer& importer : importers()) names.emplace_back(importer.name);
  return names;
}

void add_reading(OptionTable& table, LoadOptions& options) {
  table.add({.name = "format",
             .group = kReading,
             .help = "what the files are; 't2v formats' explains each. auto: an event store or tables",
             .choices = formats()},
            &options.format);
  table.add({.name = "set",
             .group = kReading,
             .help = "a setting of the format, as 't2v formats' lists them; may be repeated",
             .takes = "NAME=VALUE"},
            &options.set);
  table.add(
      {.name = "order",
       .group = kReading,
       .help =
           "where time runs backwards in a sequence: sort the events, stop (strict), or drop those that do",
       .choices = {"sort", "strict", "drop"}},
      &options.order);
  table.add(
      {.name = "unit",
       .group = kReading,
       .help =
           "unit of the times that a model sees: second, minute, hour, day or week. auto: that of an event "
           "store, else the largest that is not longer than the median gap between events",
       .choices = {"auto", "s", "min", "h", "d", "w"}},
      &options.unit);
  table.add(
      {.name = "origin",
       .group = kReading,
       .help = "which time counts as 0: that of the first event of each sequence (sequence) or of all "
               "(dataset), or a date or number. auto: that of an event store or format, else sequence, for "
               "values over time dataset",
       .takes = "WHEN"},
      &options.origin);
  table.add(
      {.name = "memory",
       .group = kReading,
       .help = "MB of events of tables that are kept in memory while they are read; more go to temporary "
               "files (in TMPDIR, else /tmp), unless times are plain numbers. 0: no limit",
       .least = 0,
       .most = 1 << 30},
      &options.table.memory);
  table.add({.name = "threads", .group = kReading, .help = "0 = one per core", .least = 0, .most = 1024},
            &options.threads);
}

void add_columns(OptionTable& table, TableOptions& columns, std::string_view time) {
  const auto add = [&](std::string_view name, std::string& column, std::string help) {
    table.add(
        {.name = name, .group = kColumns, .audience = kBasic, .help = std::move(help), .takes = kColumn},
        &column);
  };
  add("id", columns.id, "whose event it is: a sequence each; - if all rows are one");
  add(time, columns.time, "when it happened");
  add("event", columns.event, "what happened: the type of the event; - for none");
  add("value", columns.value, "a number of the event; - for none");
  add("label", columns.label, "the class of the sequence; - for none");
  add("target", columns.target, "a number of the sequence");
  const auto add_list = [&](std::string_view name, std::vector<std::string>& list, std::string help) {
    table.add({.name = name, .group = kColumns, .help = std::move(help), .takes = "COLUMNS"}, &list);
  };
  add_list("features", columns.features, "further columns of events, with commas between");
  add_list("sequence_features", columns.sequence_features,
           "further columns, the same in all rows of a sequence");
  add_list("categories", columns.categories, "features that are names although they look like numbers");
}

void add_form(OptionTable& table, LoadOptions& options) {
  TableOptions& form = options.table;
  table.add({.name = "separator",
             .group = kForm,
             .help = "what is between cells: one character, or tab. auto: found from the first row",
             .takes = "CHARACTER"},
            &form.separator);
  table.add({.name = "header",
             .group = kForm,
             .help = "whether the first row holds the names of columns",
             .choices = {"auto", "yes", "no"}},
            &form.header);
  table.add({.name = "time_unit",
             .group = kForm,
             .help = "what times that are numbers count: s, ms, us or ns since 1970, or anything else "
                     "(number). auto: " +
                     detection_rule(),
             .choices = {"auto", "s", "ms", "us", "ns", "number"}},
            &form.time_unit);
  table.add({.name = "time_format",
             .group = kForm,
             .help = "how times are written, as strptime has it: '%d/%m/%Y %H:%M'. By default ISO dates, or "
                     "as the first "
                     "rows tell",
             .takes = "FORMAT"},
            &form.time_format);
  table.add({.name = "day_first",
             .group = kForm,
             .help = "whether 01/02/2024 is the 1st of February. auto: as the first rows tell",
             .choices = {"auto", "yes", "no"}},
            &form.day_first);
  table.add(
      {.name = "timezone",
       .group = kForm,
       .help =
           "zone of dates without an offset, such as Europe/Paris. A local time that is skipped in spring is "
           "read with the offset before the change, one that comes twice in autumn is the first",
       .takes = "ZONE"},
      &form.timezone);
  table.add({.name = "on_error",
             .group = kForm,
             .help = "at a row that cannot be read: stop, or skip and count it",
             .choices = {"stop", "skip"}},
            &options.on_error);
}

void add_databases(OptionTable& table, TableOptions& options) {
  table.add({.name = "table",
             .group = kDatabases,
             .audience = kBasic,
             .help = "of a DuckDB or SQLite database; if not given, the only one",
             .takes = "NAME"},
            &options.table);
  table.add({.name = "sql",
             .group = kDatabases,
             .audience = kBasic,
             .help = "rows of a query by DuckDB, or by SQLite for its databases",
             .takes = "QUERY"},
            &options.sql);
  table.add({.name = "sql_unsafe",
             .group = kDatabases,
             .help = "let the query of `sql` read any file; for queries of your own"},
            &options.sql_unsafe);
}

/// A date that only a zone makes an instant.
bool needs_zone(const std::string& text) {
  IsoTime time;
  return parse_iso(text, time) == TimeFault::kNone && !time.has_offset;
}

/// Throws t2v::Error for a time zone that nothing is in.
void check_zone(const LoadOptions& options, bool from_store) {
  TimeZone::find(options.table.timezone);
  if (!options.given.contains("timezone")) return;
  if (!from_store && (options.format == "auto" || options.format == "table")) return;
  if (needs_zone(options.origin) || std::ranges::any_of(options.dates, needs_zone)) return;
  fail("`timezone` is for dates without an offset, and none is given beside {}; leave it out",
       from_store ? "the event store" : "`format` " + options.format);
}

}  // namespace

OptionTable options_of(LoadOptions& options, std::string_view time) {
  OptionTable table(&options.given);
  add_reading(table, options);
  add_columns(table, options.table, time);
  add_form(table, options);
  add_databases(table, options.table);
  return table;
}

bool is_of_tables(std::string_view name) {
  LoadOptions options;
  const OptionTable table = options_of(options);
  const OptionTable::Entry* entry = table.find(name == "time_column" ? "time" : name);
  return entry != nullptr && (entry->option.group == kColumns || entry->option.group == kForm ||
                              entry->option.group == kDatabases);
}

void check(const LoadOptions& options, bool from_store) {
  const std::string& origin = options.origin;
  if (origin != "auto" && origin != "sequence" && origin != "dataset")
    check_date_or_number(origin, "`origin`");
  check_zone(options, from_store);
  if (options.table.sql_unsafe && options.table.sql.empty()) fail("`sql_unsafe` is for `sql`; leave it out");
  if (!options.table.sql.empty() && !options.table.table.empty()) {
    fail("`table` and `sql` contradict each other; name the table in the query");
  }
}

}  // namespace t2v::data
