#pragma once

#include <string>
#include <vector>

#include "data/load.h"
#include "data/time_reader.h"
#include "t2v/events.h"

namespace t2v {

struct EventLog::Impl {
  data::DataSet data;
};

namespace api {

/// The options as the engine has them.
data::LoadOptions load_options(const ReadOptions& options);
/// Whether an option says how data are read, but for the column of times, which has another name beside those
/// of training.
bool is_of_reading(const std::string& name);
/// Files whose sequences have no part of their own.
std::vector<data::TableSource> sources_of(const std::vector<std::string>& files);

/// The tick of a time in the scale of the reader. Throws t2v::Error for an instant where times are plain.
int64_t tick_of(const EventTime& time, const data::TickScale& scale, const data::TimeReader& reader);

}  // namespace api
}  // namespace t2v
