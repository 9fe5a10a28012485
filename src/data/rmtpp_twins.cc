#include "data/rmtpp_twins.h"

#include <string_view>

#include "base/fail.h"
#include "data/parts.h"
#include "data/text_lines.h"

namespace t2v::data {
namespace {

/// What is read before the scale of times and the set of types are known.
struct Reading {
  EventTable table;
  std::vector<int64_t> types;
  std::vector<Decimal> times;
  int64_t empty = 0;
};

void add_line(Reading& reading, const TextLines& events, std::string_view event_line, const TextLines& times,
              std::string_view time_line) {
  std::vector<std::string_view> event_words;
  std::vector<std::string_view> time_words;
  split_words(event_line, event_words);
  split_words(time_line, time_words);
  if (event_words.size() != time_words.size()) {
    fail("{}: {} events, but {} times at {}; give each event a time", events.place(), event_words.size(),
         time_words.size(), times.place());
  }
  for (const std::string_view word : event_words) {
    reading.types.push_back(integer_of(events, event_line, word));
    reading.table.sequence.push_back(reading.table.ids.size() - 1);
  }
  for (const std::string_view word : time_words) {
    reading.times.push_back(decimal_of(times, time_line, word));
  }
}

void add_files(Reading& reading, const TwinFiles& files) {
  TextLines events(files.events);
  TextLines times(files.times);
  const std::string prefix = id_prefix(files.part);
  for (std::string_view event_line, time_line;;) {
    const bool more_events = events.next(event_line);
    const bool more_times = times.next(time_line);
    if (more_events != more_times) {
      const TextLines& shorter = more_events ? times : events;
      const TextLines& longer = more_events ? events : times;
      fail("{}: has no line that belongs to {}; give the two files of one set", shorter.path(),
           longer.place());
    }
    if (!more_events) return;
    constexpr std::string_view kBlanks = " \t";
    if (event_line.find_first_not_of(kBlanks) == std::string_view::npos &&
        time_line.find_first_not_of(kBlanks) == std::string_view::npos) {
      ++reading.empty;
      continue;
    }
    add_sequence(reading.table, prefix + std::to_string(events.number()), files.part, files.events);
    add_line(reading, events, event_line, times, time_line);
  }
}

}  // namespace

EventTable import_rmtpp(const std::vector<TwinFiles>& files, NumberTimes times) {
  Reading reading;
  for (const TwinFiles& pair : files) add_files(reading, pair);
  EventTable& table = reading.table;
  set_ticks(table, reading.times, times);
  table.event = numbered_categories("event", reading.types);
  table.source = fmt::format("twin files of events and times, {} sequences", table.sequences());
  table.notes.emplace_back(table.scale.instants
                               ? "Times are seconds since 1970, exactly."
                               : "Times are plain numbers; the files do not say their unit.");
  if (reading.empty > 0) table.notes.push_back(fmt::format("{} empty lines are left out.", reading.empty));
  return std::move(table);
}

}  // namespace t2v::data
