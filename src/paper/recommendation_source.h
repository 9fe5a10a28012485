#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/events.h"
#include "data/time_lstm_preparation.h"

namespace t2v::paper {

/// The rows of a data set of event types over time. Plain numbers that are not known to be seconds are taken
/// for `unit` seconds each. Throws t2v::Error if it has no event types.
data::ItemLog item_log_of(const data::Events& events, double unit = 1);

/// The rows of a file of lines `user, item, time` with tabs between, the times in numbers of `unit` seconds.
/// Throws t2v::Error for lines of another form.
data::ItemLog read_item_lines(const std::string& path, double unit);

/// Who took what and when, and what to say of it.
struct RecommendationSource {
  data::ItemLog log;
  std::string kind;  // original, part, stand-in, invented
  std::string note;  // what it is
};

/// The file that is read of a path: itself, or of a folder the first that is in it of those below; nothing if
/// there is none.
std::optional<std::string> recommendation_file(std::string_view set, const std::string& path);

/// What lies at a path, for the data set `lastfm` or `citeulike`: the paper's own files (Last.fm-1K's table
/// of plays; CiteULike's log of posts, of which frequent articles and active users are kept); or, to stand in
/// for it, an event store, a file checkins.tsv (user, place, minutes) or posts.tsv (user, item, Unix
/// seconds). The paper's own with fewer users than it has is a part of it. Of a folder, the first of these
/// that is in it. Throws t2v::Error if there is none.
RecommendationSource read_recommendation_source(std::string_view set, const std::string& path);

/// Made data, to try an experiment without any: users who take items in turn. The same on every machine.
RecommendationSource made_recommendation_source();

}  // namespace t2v::paper
