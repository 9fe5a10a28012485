#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "column.h"
#include "data/events.h"
#include "data/table_schema.h"

namespace t2v::python {

/// Classes or numbers of the sequences that are given beside a table, in the order in which the sequences
/// first come.
struct GivenTargets {
  std::optional<data::Categories> label = {};
  std::optional<data::Numbers> target = {};
};

/// A data set in memory.
struct EventSet {
  data::Events events;
  std::vector<int64_t> row_of;                 // [N] the row of the table that an event was
  std::map<std::string, std::string> columns;  // what was taken as id, time, event, ...; "-" for none
  std::string event_type = {};                 // the type of numbers that were events, as NumPy writes it
};

/// How a table is read: the columns by role, as data::TableOptions has them, and the times.
struct EventOptions {
  data::TableOptions table = {};
  TimeOptions times = {};
};

/// Sorts the rows of a table into sequences. Throws t2v::Error for what cannot be.
EventSet event_set(const Table& table, const EventOptions& options, GivenTargets given);

/// Reads a table (CSV, JSON lines) or an event store from a file, as the command does; `meanwhile` is called
/// now and then, and what it throws ends it. Throws t2v::Error for what cannot be read.
EventSet read_event_set(const std::string& path, const EventOptions& options, GivenTargets given,
                        const std::function<void()>& meanwhile);

}  // namespace t2v::python
