#pragma once

#include <cstdint>
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
};

/// How a table is read: the columns by role, as data::TableOptions has them, and the times.
struct EventOptions {
  data::TableOptions table = {};
  TimeOptions times = {};
};

/// Sorts the rows of a table into sequences. Throws t2v::Error for what cannot be.
EventSet event_set(const Table& table, const EventOptions& options, GivenTargets given);

}  // namespace t2v::python
