#include "summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "data/doctor_text.h"
#include "data/human_time.h"
#include "data/time_grid.h"

namespace t2v::cli {
namespace {

using data::counted;
using data::human_count;
using data::OriginKind;

/// A number of ticks, which may exceed 64 bits.
std::string span_text(const data::Events& events, double ticks) {
  if (events.scale.has_unit()) return data::human_duration(ticks / std::pow(10.0, events.scale.decimals));
  return fmt::format("{:.6g}", ticks / events.view.ticks_per_unit);
}

std::string length_text(const data::Events& events) {
  std::vector<int64_t> lengths;
  for (int64_t s = 0; s < events.sequences(); ++s) lengths.push_back(events.length(s));
  std::ranges::sort(lengths);
  return fmt::format("{} to {} events, median {}, mean {:.1f}", human_count(lengths.front()),
                     human_count(lengths.back()), human_count(lengths[lengths.size() / 2]),
                     static_cast<double>(events.size()) / static_cast<double>(events.sequences()));
}

std::string origin_text(const data::Events& events) {
  const std::string instant = data::tick_text(events.scale, events.view.origin_tick);
  if (events.view.origin == OriginKind::kSequence) return "the first event of each sequence";
  return events.view.origin == OriginKind::kDataSet ? "the first event of all, " + instant : instant;
}

std::string grid_text(const data::Events& events) {
  const double grid = data::time_grid(events);
  if (events.grid == 0) return "none: all times of a sequence are equal";
  return fmt::format("{}; periods under {} cannot be told from longer ones", span_text(events, grid),
                     span_text(events, 2 * grid));
}

}  // namespace

std::string summary_of(const data::Events& events) {
  std::string text;
  const auto line = [&](const char* name, const std::string& what) {
    text += fmt::format("{:<10} {}\n", name, what);
  };
  const auto [first, last] = std::ranges::minmax(events.ticks);
  const double span = data::TimeView{}.at(last, first);
  line("sequences", human_count(events.sequences()));
  line("events", human_count(events.size()));
  if (events.event) line("types", human_count(events.event->names.size()));
  if (events.label) line("classes", human_count(events.label->names.size()));
  line("lengths", length_text(events));
  line("times", fmt::format("{} to {} (over {})", data::tick_text(events.scale, first),
                            data::tick_text(events.scale, last), span_text(events, span)));
  line("unit",
       fmt::format("{}, counted from {}", events.view.unit == "1" ? "that of the source" : events.view.unit,
                   origin_text(events)));
  line("grid", grid_text(events));
  return text;
}

std::string indented(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    result += "  " + text.substr(at, end - at);
    at = end;
  }
  return result;
}

}  // namespace t2v::cli
