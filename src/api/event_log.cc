#include "api/event_log.h"

#include <utility>

#include "base/fail.h"
#include "base/file_system.h"
#include "data/event_store.h"

namespace t2v {
namespace api {
namespace {

/// Sets what differs from the default.
void set_texts(const OptionTable& table, const ReadOptions& options) {
  const ReadOptions defaults;
  const auto set = [&](const char* name, const std::string& value, const std::string& otherwise) {
    if (value != otherwise) table.set(name, value);
  };
  set("id", options.id, defaults.id);
  set("time", options.time, defaults.time);
  set("event", options.event, defaults.event);
  set("value", options.value, defaults.value);
  set("label", options.label, defaults.label);
  set("target", options.target, defaults.target);
  set("time_unit", options.time_unit, defaults.time_unit);
  set("timezone", options.timezone, defaults.timezone);
  set("unit", options.unit, defaults.unit);
  set("origin", options.origin, defaults.origin);
}

void set_lists(const OptionTable& table, const ReadOptions& options) {
  const auto set = [&](const char* name, const std::vector<std::string>& list) {
    if (!list.empty()) table.set(*table.find(name), list);
  };
  set("features", options.features);
  set("sequence_features", options.sequence_features);
  set("categories", options.categories);
}

}  // namespace

data::LoadOptions load_options(const ReadOptions& options) {
  data::LoadOptions load;
  const OptionTable table = data::options_of(load);
  set_texts(table, options);
  set_lists(table, options);
  for (const auto& [name, text] : options.settings) table.set(name, text);
  load.threads = options.threads;
  return load;
}

bool is_of_reading(const std::string& name) {
  data::LoadOptions options;
  return field_name(name) != "time" && data::options_of(options).find(name) != nullptr;
}

std::vector<data::TableSource> sources_of(const std::vector<std::string>& files) {
  std::vector<data::TableSource> sources;
  for (const std::string& path : files) sources.push_back({path});
  return sources;
}

int64_t tick_of(const EventTime& time, const data::TickScale& scale, const data::TimeReader& reader) {
  switch (time.kind()) {
    case EventTime::Kind::kInstant:
      if (scale.instants) return time.instant().time_since_epoch().count();
      fail("the time is an instant, but the times are plain numbers");
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
  ThreadPool pool(options.threads);
  return EventLog(
      std::make_shared<const Impl>(data::load(api::sources_of(files), api::load_options(options), pool)));
}

int64_t EventLog::sequences() const { return impl_->data.store.events.sequences(); }
int64_t EventLog::events() const { return impl_->data.store.events.size(); }
const std::vector<std::string>& EventLog::notes() const { return impl_->data.notes; }

void EventLog::save(const std::string& path) const {
  data::write_store(FileSystem::real(), path, impl_->data.store);
}

}  // namespace t2v
