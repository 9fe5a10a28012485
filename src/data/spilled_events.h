#pragma once

#include "data/event_table.h"
#include "data/events.h"

namespace t2v::data {

/// What group() does, for a table whose events are in files: the same data set, with columns of events that
/// are mapped from temporary files, which are gone with it. Memory: some tens of MB beside what belongs to
/// sequences, and a bit for each event; a sequence must fit into memory.
Events group_spilled(EventTable&& table, Order order, GroupCounts& counts);

}  // namespace t2v::data
