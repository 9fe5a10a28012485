#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "column.h"
#include "data/load.h"

namespace t2v::python {

/// Classes or numbers of the sequences that are given beside a table, in the order in which the sequences
/// first come.
struct GivenTargets {
  std::optional<data::Categories> label = {};
  std::optional<data::Numbers> target = {};
};

/// A data set in memory.
struct EventSet {
  data::DataSet data;
  std::vector<int64_t> row_of;                 // [N] the row of the table that an event was
  std::map<std::string, std::string> columns;  // what was taken as id, time, event, ...; "-" for none
  std::string event_type = {};                 // the type of numbers that were events, as NumPy writes it

  const data::Events& events() const { return data.store.events; }
};

/// Sorts the rows of a table into sequences. Throws t2v::Error for what cannot be.
EventSet event_set(const Table& table, const data::LoadOptions& options, GivenTargets given);

/// Reads a table (CSV, JSON lines) or an event store from a file, as the command does; `meanwhile` is called
/// now and then, and what it throws ends it. Throws t2v::Error for what cannot be read.
EventSet read_event_set(const std::string& path, data::LoadOptions options, GivenTargets given,
                        const std::function<void()>& meanwhile);

}  // namespace t2v::python
