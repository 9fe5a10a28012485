#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/event_table.h"
#include "data/number_times.h"

namespace t2v::data {

/// Two text files whose lines belong together: the events of a sequence, and their times.
struct TwinFiles {
  std::string events;
  std::string times;
  std::optional<Part> part = {};
};

/// The twin files of RMTPP (Stack Overflow, Last.fm and others): a line is a sequence, blanks are between its
/// events (whole numbers) and between its times (numbers). Lines that are empty in both files are left out.
/// Sequences are named by part and line. Throws t2v::Error for lines of different lengths.
EventTable import_rmtpp(const std::vector<TwinFiles>& files, NumberTimes times = NumberTimes::kByMagnitude);

}  // namespace t2v::data
