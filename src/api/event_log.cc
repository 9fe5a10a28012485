#include "api/event_log.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/checksum.h"
#include "base/fail.h"
#include "base/file_system.h"
#include "base/version.h"
#include "data/provenance.h"
#include "data/table_reader.h"

namespace t2v {
namespace api {
namespace {

std::string json_text(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// An event store says what its columns are, so it is an error to name some.
void check_for_store(const std::string& path, std::size_t files, const ReadOptions& options) {
  if (files > 1) fail("{}: an event store must be the only file", path);
  const bool named = !options.id.empty() || !options.time.empty() || !options.event.empty() ||
                     !options.value.empty() || !options.label.empty() || !options.target.empty() ||
                     !options.features.empty() || !options.sequence_features.empty() ||
                     !options.categories.empty();
  if (named) fail("{}: is an event store, which has its columns already; name none", path);
}

EventLog::Impl read_tables(const std::vector<std::string>& files, const data::TableOptions& table,
                           int threads) {
  std::vector<data::TableSource> sources;
  for (const std::string& path : files) sources.push_back({path});
  EventLog::Impl log;
  ThreadPool pool(threads);
  data::ReadReport report;
  data::EventTable read = data::read_tables(sources, table, pool, report);
  log.notes = report.choices;
  log.notes.insert(log.notes.end(), read.notes.begin(), read.notes.end());
  nlohmann::json provenance = data::provenance_of({}, table, read, report);
  data::GroupCounts counts;
  data::Events& events = log.store.events;
  events = data::group(std::move(read), table.order, counts);
  if (counts.backward > 0) {
    log.notes.push_back(fmt::format("{} events ran backwards in time and were sorted", counts.backward));
  }
  provenance["digest"] = checksum_text(data::digest_of(events));
  events.provenance = json_text(provenance);
  data::set_unit(events, data::fitting_unit(events));
  return log;
}

}  // namespace

data::TableOptions table_options(const ReadOptions& options) {
  data::TableOptions table;
  table.id = options.id;
  table.time = options.time;
  table.event = options.event;
  table.value = options.value;
  table.label = options.label;
  table.target = options.target;
  table.features = options.features;
  table.sequence_features = options.sequence_features;
  table.categories = options.categories;
  table.time_unit = options.time_unit;
  table.timezone = options.timezone;
  return table;
}

void set_view(EventLog::Impl& log, const std::string& unit, const std::string& origin,
              const data::TimeZone& zone) {
  data::Events& events = log.store.events;
  if (unit != "auto") data::set_unit(events, unit);
  log.origin_given = origin != "auto";
  if (!log.origin_given) return;
  events.check(0, events.size());
  if (origin == "sequence" || origin == "dataset") {
    data::set_origin(events, origin == "sequence" ? data::OriginKind::kSequence : data::OriginKind::kDataSet);
  } else {
    data::set_origin(events, data::OriginKind::kInstant,
                     TimeReader(events.scale, std::nullopt, zone).tick_of(origin));
  }
}

EventLog::Impl read_log(const std::vector<std::string>& files, const data::TableOptions& table,
                        const ReadOptions& options) {
  if (files.empty()) fail("no file was given to be read");
  const auto store = std::ranges::find_if(files, data::is_store);
  EventLog::Impl log;
  if (store != files.end()) {
    check_for_store(*store, files.size(), options);
    log.store = data::open_store(*store);
  } else {
    log = read_tables(files, table, options.threads);
  }
  set_view(log, options.unit, options.origin, data::TimeZone::find(options.timezone));
  return log;
}

void set_provenance(data::Events& events, const std::string& source) {
  events.provenance = json_text(
      {{"source", source}, {"version", kVersion}, {"digest", checksum_text(data::digest_of(events))}});
}

int64_t tick_of(const EventTime& time, const data::TickScale& scale, const TimeReader& reader) {
  switch (time.kind()) {
    case EventTime::Kind::kInstant:
      if (scale.instants) return time.instant().time_since_epoch().count();
      fail("the time is an instant, but the model was trained on plain numbers");
    case EventTime::Kind::kNumber:
      return reader.tick_of(fmt::format("{}", time.number()));
    case EventTime::Kind::kText:
      return reader.tick_of(time.text());
  }
  return 0;
}

}  // namespace api

EventLog::EventLog(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

EventLog EventLog::read(const std::vector<std::string>& files, const ReadOptions& options) {
  return EventLog(std::make_shared<const Impl>(api::read_log(files, api::table_options(options), options)));
}

int64_t EventLog::sequences() const { return impl_->store.events.sequences(); }
int64_t EventLog::events() const { return impl_->store.events.size(); }
const std::vector<std::string>& EventLog::notes() const { return impl_->notes; }

void EventLog::save(const std::string& path) const {
  data::write_store(FileSystem::real(), path, impl_->store);
}

}  // namespace t2v
