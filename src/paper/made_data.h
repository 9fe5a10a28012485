#pragma once

#include "data/event_table.h"
#include "paper/data_sets.h"

namespace t2v::paper {

/// Small made data in the form of a data set, to try an experiment without it: sequences of classes whose
/// times (and, for spikes, channels) differ, or users whose next badge depends on the one before. A few
/// hundred sequences, the same on every machine.
data::EventTable made_data(const DataRequest& request);

}  // namespace t2v::paper
