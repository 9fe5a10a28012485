#pragma once

#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "data/event_store.h"
#include "data/table_schema.h"
#include "stream/time_reader.h"
#include "t2v/events.h"

namespace t2v {

struct EventLog::Impl {
  data::EventStore store;
  std::vector<std::string> notes;
  bool origin_given = false;  // else training may choose one that suits the task
};

namespace api {

/// Columns and form of tables, as the engine has them.
data::TableOptions table_options(const ReadOptions& options);

/// Reads tables or a store. Unit and origin are those of `options`, but what `table` says of columns holds.
EventLog::Impl read_log(const std::vector<std::string>& files, const data::TableOptions& table,
                        const ReadOptions& options);

/// Sets what was asked for of the view of times; `zone` is that of dates without an offset.
void set_view(EventLog::Impl& log, const std::string& unit, const std::string& origin,
              const data::TimeZone& zone);

/// Gives the data set of events in memory the record that those of files have.
void set_provenance(data::Events& events, const std::string& source);

/// The tick of a time in the scale of the reader. Throws t2v::Error for an instant where times are plain.
int64_t tick_of(const EventTime& time, const data::TickScale& scale, const TimeReader& reader);

}  // namespace api
}  // namespace t2v
