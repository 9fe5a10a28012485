#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/event_store.h"
#include "data/pieces.h"
#include "model/task.h"

namespace t2v {

/// What a data set says about its parts: the split of a store, or the parts that its source gave, or all to
/// learn from.
data::Split first_split(const data::EventStore& store);

/// What is held out for validation.
enum class HeldOut : uint8_t {
  kGiven,            // what the data say
  kRandomSequences,  // whole sequences, drawn by the seed
  kLatestSequences,  // the whole sequences that start last
  kLatestPart,       // of each sequence what comes after an instant, with what is before as context
};

/// Whether what is predicted is of sequences that go on: values over time and recommendations.
bool goes_on(Task task, data::ValueTarget values);

/// What is like the use of a model: later in time, where times are dates. Values over time and
/// recommendations are for sequences that go on, so their latest part counts; so does that of events of long
/// sequences, or of few with 100 events or more. Of short ones, such as the cases of a process, the latest
/// count. Classes may be sorted by time: where the latest sequences lack a class that 5 % of all have, they
/// are drawn.
HeldOut held_out(const std::vector<data::Piece>& train, const data::Events& events, Task task,
                 data::ValueTarget values);

/// Takes a share of the training pieces for validation: of the sequences at least one, and at least one is
/// left; of the latest part so much of the events. None where there is a single sequence, or a single
/// instant.
void split_off_validation(data::Split& split, const data::Events& events, double share, HeldOut how,
                          uint64_t seed);

/// One line, for people.
std::string describe_split(const data::Split& split, HeldOut how);

}  // namespace t2v
