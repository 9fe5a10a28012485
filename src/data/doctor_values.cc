#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text_check.h"
#include "data/doctor_checks.h"
#include "data/doctor_text.h"
#include "data/human_time.h"
#include "data/time_grid.h"
#include "data/value_series.h"

namespace t2v::data {
namespace {

constexpr int64_t kFewestValues = 30;
constexpr std::size_t kMostColumns = 8;

std::string time_of(const Events& events, int64_t event) {
  return tick_text(events.scale, events.tick(event));
}

/// Gaps that are longer than the step at which values come.
struct Missing {
  int64_t gaps = 0;
  double values = 0;
  double longest = 0;  // in ticks
  int64_t before = -1;
};

Missing missing_in(const Events& events, double step) {
  Missing missing;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    for (int64_t e = events.begin(s) + 1; e < events.end(s); ++e) {
      const double gap = TimeView{}.at(events.tick(e), events.tick(e - 1));
      if (gap < 1.5 * step) continue;
      ++missing.gaps;
      missing.values += std::round(gap / step) - 1;
      if (gap <= missing.longest) continue;
      missing.longest = gap;
      missing.before = e - 1;
    }
  }
  return missing;
}

/// How often values come, and where they are missing.
void check_steps(Findings& findings, const Events& events) {
  const double unit = ticks_per_period_unit(events);
  const double step = regular_step(events, kAsMonths);
  if (!(step > 0)) {
    const double median = median_gap(events) / unit;
    findings.push_back(
        {"value_steps",
         Severity::kInfo,
         fmt::format("Values come at irregular times; the median gap is {}.", period_text(median, events)),
         {{"median_gap", median}}});
    return;
  }
  const Missing missing = missing_in(events, step);
  std::string text = fmt::format("A value comes every {}", period_text(step / unit, events));
  if (missing.gaps == 0) {
    text += ", without a gap.";
  } else {
    text += fmt::format("; {} with about {} missing, the longest {} after {}.", counted(missing.gaps, "gap"),
                        human_count(std::llround(missing.values)),
                        period_text(missing.longest / unit, events), time_of(events, missing.before));
  }
  findings.push_back({"value_steps",
                      Severity::kInfo,
                      text,
                      {{"step", step / unit},
                       {"gaps", missing.gaps},
                       {"missing", missing.values},
                       {"longest_gap", missing.longest / unit}}});
}

/// "rises by 42.3 over 5.2 y (93 % of the variance)", from the first time to the last.
std::string trend_text(const Trend& trend, double change, const Events& events) {
  constexpr double kWeakest = 0.05;
  if (trend.share < kWeakest) return "no trend";
  const auto [first, last] = std::ranges::minmax(events.ticks);
  const double span = TimeView{}.at(last, first) / ticks_per_period_unit(events);
  return fmt::format("a trend, {} by {:.3g} over {} ({} of the variance)", change < 0 ? "falling" : "rising",
                     std::abs(change), period_text(span, events), percent(trend.share));
}

void check_shape(Findings& findings, const Events& events, const NumberColumn& column) {
  const Trend trend = trend_of(events, column.values);
  const Cycles cycles = cycles_of_values(events, without_trend(events, column.values, trend));
  const auto [first, last] = std::ranges::minmax(events.ticks);
  const double change = trend.slope * TimeView{}.at(last, first);
  nlohmann::json numbers = json_of(cycles);
  numbers["column"] = column.name;
  numbers["trend"] = {{"change", change}, {"share", trend.share}};
  const std::string range = !(cycles.shortest > 0)
                                ? ""
                                : fmt::format(" from {} to {}", period_text(cycles.shortest, events),
                                              period_text(cycles.longest, events));
  std::string text = fmt::format("'{}' has ", shown(column.name));
  if (cycles.found.empty()) {
    text += range.empty() ? "too few times to look for cycles" : "no cycle (looked for" + range + ")";
  } else {
    text += fmt::format(
        "cycles of {}{}; in brackets the share of the variance around the trend, looked for{}",
        list_text(cycles, events), events.scale.has_unit() ? "" : " in the unit of the times", range);
  }
  text += fmt::format("; {}.", trend_text(trend, change, events));
  findings.push_back({"value_cycles", Severity::kInfo, text, numbers});
}

void check_outliers(Findings& findings, const Events& events, const NumberColumn& column) {
  constexpr double kTail = 0.01;
  const Outliers outliers = outliers_of(events, column.values);
  if (outliers.count == 0) return;
  const double share = static_cast<double>(outliers.count) / static_cast<double>(events.size());
  const double farthest = column.values[static_cast<std::size_t>(outliers.farthest)];
  findings.push_back(
      {"value_outliers",
       share > kTail ? Severity::kInfo : Severity::kWarning,
       fmt::format("{} of '{}' ({}) {} far from those around; the farthest is {:.6g} at {}. {}",
                   counted(outliers.count, "value"), shown(column.name), percent(share),
                   outliers.count == 1 ? "is" : "are", farthest, time_of(events, outliers.farthest),
                   share > kTail ? "So many are the nature of the data: expect wide errors."
                                 : "Leave such rows out if they are errors."),
       {{"column", column.name}, {"outliers", outliers.count}, {"share", share}, {"farthest", farthest}}});
}

void check_levels(Findings& findings, const Events& events, const NumberColumn& column) {
  constexpr std::size_t kMostNamed = 3;
  const std::vector<LevelChange> changes = level_changes(events, column.values);
  if (changes.empty()) return;
  std::string text;
  nlohmann::json list = nlohmann::json::array();
  for (const LevelChange& change : changes) {
    const std::string when = time_of(events, change.event);
    list.push_back({{"time", when}, {"before", change.before}, {"after", change.after}});
    if (list.size() > kMostNamed) continue;
    text += fmt::format("{}from {:.4g} to {:.4g} about {}", list.size() > 1 ? ", " : "", change.before,
                        change.after, when);
  }
  if (list.size() > kMostNamed) text += fmt::format(" and {} times more", list.size() - kMostNamed);
  findings.push_back({"value_levels",
                      Severity::kWarning,
                      fmt::format("The level of '{}' jumps {}: what was before may mislead a forecast.",
                                  shown(column.name), text),
                      {{"column", column.name}, {"changes", list}}});
}

void check_series(Findings& findings, const Events& events, const NumberColumn& column) {
  const auto known = [](double x) { return std::isfinite(x); };
  if (std::ranges::count_if(column.values, known) < kFewestValues) return;
  const double first = *std::ranges::find_if(column.values, known);
  if (std::ranges::none_of(column.values, [&](double x) { return known(x) && x != first; })) return;
  check_shape(findings, events, column);
  check_outliers(findings, events, column);
  check_levels(findings, events, column);
}

}  // namespace

void check_values(Findings& findings, const Events& events) {
  if (!holds_series(events) || events.size() < events.sequences() + 2 || events.grid == 0) return;
  check_steps(findings, events);
  if (events.value) check_series(findings, events, *events.value);
  for (std::size_t i = 0; i < std::min(kMostColumns, events.numbers.size()); ++i) {
    check_series(findings, events, events.numbers[i]);
  }
}

}  // namespace t2v::data
