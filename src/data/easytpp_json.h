#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/event_table.h"

namespace t2v::data {

struct EasytppFile {
  std::string path;
  std::optional<Part> part = {};
};

/// Rows as EasyTPP publishes its data sets: JSON (a list, or an object that holds lists, of rows) or JSON
/// lines. A row is a sequence: lists `time_since_start` and `type_event`; and if they are there `seq_idx`
/// (its id; otherwise its place), `seq_len` and `time_since_last_event` (checked against the lists),
/// `dim_process` (how many types there are). Times are plain numbers, read exactly as they are written. Rows
/// without events are left out. Throws t2v::Error with the place for what is not JSON, and with row and field
/// for what does not fit.
EventTable import_easytpp(const std::vector<EasytppFile>& files);

}  // namespace t2v::data
