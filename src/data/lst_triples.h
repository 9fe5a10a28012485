#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/event_table.h"

namespace t2v::data {

/// Three text files whose lines belong together: items of a user, seconds until the next event of each, and
/// seconds since the first.
struct LstFiles {
  std::string items;
  std::string deltas;
  std::string accumulated;
  std::optional<Part> part = {};
};

/// The `.lst` files of Time-LSTM: a line is a user, a comma, and values with blanks between. Times are the
/// accumulated seconds, `interval` the deltas as they are. A user whose lists differ in length is left out,
/// as by the published code, and a note says so; so is one without events. A note also counts users whose
/// deltas do not add up to the accumulated times. Throws t2v::Error for lines of
/// different users.
EventTable import_lst(const std::vector<LstFiles>& files);

}  // namespace t2v::data
