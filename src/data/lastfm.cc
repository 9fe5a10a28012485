#include "data/lastfm.h"

#include "base/fail.h"
#include "base/text_check.h"
#include "data/text_lines.h"

namespace t2v::data {
namespace {

constexpr std::size_t kFields = 6;

}  // namespace

ItemLog read_lastfm(const std::string& path, int64_t& malformed) {
  ItemLog log;
  TextLines lines(path);
  std::vector<std::string_view> fields;
  malformed = 0;
  for (std::string_view line; lines.next(line);) {
    split_fields(line, '\t', fields);
    if (fields.size() != kFields) {
      if (lines.number() == 1) {
        fail(
            "{}: {} has {} fields with tabs between; write {}: user, time, artist id, artist, track id, "
            "track",
            lines.place(), in_quotes(line), fields.size(), kFields);
      }
      ++malformed;
      continue;
    }
    log.user.push_back(log.users.add(fields[0]));
    log.ticks.push_back(fields[1].empty() ? ItemLog::kNoTime : instant_of(lines, line, fields[1]));
    log.item.push_back(fields[5].empty() ? ItemLog::kNoItem : log.items.add(fields[5]));
  }
  return log;
}

EventTable import_lastfm(const std::string& path, const TimeLstmOptions& options) {
  int64_t malformed = 0;
  EventTable table = prepare_time_lstm(read_lastfm(path, malformed), options, "track");
  table.source = fmt::format("plays of Last.fm users in {}", path);
  if (malformed > 0) {
    table.notes.push_back(
        fmt::format("{} lines do not have {} fields and are left out.", malformed, kFields));
  }
  return table;
}

}  // namespace t2v::data
