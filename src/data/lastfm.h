#pragma once

#include <string>

#include "data/event_table.h"
#include "data/time_lstm_preparation.h"

namespace t2v::data {

/// Last.fm-1K: user, time (ISO, UTC), artist id, artist, track id, track NAME, with tabs between. The item is
/// the name of the track. Fields are literal: no quotes, no words for missing values; an empty track or time
/// is missing. Lines with another number of fields are left out, and a note says so; the first line must be
/// right. Throws t2v::Error for what is not a time.
EventTable import_lastfm(const std::string& path, const TimeLstmOptions& options);

/// The rows of such a file.
ItemLog read_lastfm(const std::string& path, int64_t& malformed);

}  // namespace t2v::data
