#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "base/text_check.h"
#include "data/decimal.h"
#include "data/doctor_checks.h"
#include "data/doctor_periods.h"
#include "data/doctor_text.h"
#include "data/human_time.h"
#include "data/iso_time.h"
#include "data/time_grid.h"

namespace t2v::data {
namespace {

constexpr int64_t kDay = 86'400'000'000'000;  // in nanoseconds
constexpr double kModern = 1e17;              // nanoseconds: 1973
constexpr double kModernSeconds = 1e8;

double share(int64_t part, int64_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

struct Ties {
  int64_t equal = 0;       // events at the time of the event before
  int64_t duplicates = 0;  // events with the time and type of another before
};

/// Adds what events [begin, end), which have one time, are.
void count_run(Ties& ties, std::vector<int32_t>& codes, const Events& events, int64_t begin, int64_t end) {
  if (end - begin < 2) return;
  ties.equal += end - begin - 1;
  if (!events.event) return;
  codes.assign(events.event->codes.begin() + begin, events.event->codes.begin() + end);
  std::ranges::sort(codes);
  const auto distinct = std::unique(codes.begin(), codes.end()) - codes.begin();
  ties.duplicates += end - begin - distinct;
}

Ties count_ties(const Events& events) {
  Ties ties;
  std::vector<int32_t> codes;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    int64_t begin = events.begin(s);
    for (int64_t e = begin + 1; e <= events.end(s); ++e) {
      if (e < events.end(s) && events.tick(e) == events.tick(begin)) continue;
      count_run(ties, codes, events, begin, e);
      begin = e;
    }
  }
  return ties;
}

/// Two groups of numbers that are a factor of 10^power apart.
struct UnitJump {
  int power;
  double between;  // the logarithm of a number that parts them
  double low;      // the median logarithm of the lower group
  double high;
  int64_t lower;  // how many are in the lower group
  int64_t upper;
};

double middle_of(std::span<const double> sorted) { return sorted[sorted.size() / 2]; }

/// Looks for two tight groups among decimal logarithms, about 1000, 10^6 or 10^9 apart.
std::optional<UnitJump> unit_jump(std::vector<double> logs, double tightness) {
  if (logs.size() < 2) return std::nullopt;
  std::ranges::sort(logs);
  std::size_t at = 1;
  for (std::size_t i = 1; i < logs.size(); ++i) {
    if (logs[i] - logs[i - 1] > logs[at] - logs[at - 1]) at = i;
  }
  const std::span<const double> all = logs;
  const auto lower = all.first(at);
  const auto upper = all.subspan(at);
  const double low = middle_of(lower);
  const double high = middle_of(upper);
  const double power = 3 * std::round((high - low) / 3);
  if (power < 3 || power > 9 || std::abs(high - low - power) > 0.4 || upper.front() - lower.back() < 2 ||
      lower.back() - lower.front() > tightness || upper.back() - upper.front() > tightness) {
    return std::nullopt;
  }
  return UnitJump{static_cast<int>(power),
                  (lower.back() + upper.front()) / 2,
                  low,
                  high,
                  static_cast<int64_t>(lower.size()),
                  static_cast<int64_t>(upper.size())};
}

/// Decimal logarithms of the first and last time of each sequence, between which all others lie.
std::vector<double> end_logs(const Events& events) {
  std::vector<double> logs;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    for (const int64_t tick : {events.tick(events.begin(s)), events.tick(events.end(s) - 1)}) {
      if (tick != 0) logs.push_back(std::log10(std::abs(static_cast<double>(tick))));
    }
  }
  return logs;
}

std::vector<double> median_gap_logs(const Events& events) {
  constexpr int64_t kFewest = 5;
  std::vector<double> logs;
  std::vector<double> gaps;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    gaps.clear();
    for (int64_t e = events.begin(s) + 1; e < events.end(s); ++e) {
      const double gap = events.view.at(events.tick(e), events.tick(e - 1));
      if (gap > 0) gaps.push_back(gap);
    }
    if (static_cast<int64_t>(gaps.size()) < kFewest) continue;
    const auto middle = gaps.begin() + static_cast<int64_t>(gaps.size() / 2);
    std::nth_element(gaps.begin(), middle, gaps.end());
    logs.push_back(std::log10(*middle));
  }
  return logs;
}

int64_t count_nearer_than(const Events& events, double magnitude) {
  return std::ranges::count_if(events.ticks,
                               [&](int64_t tick) { return std::abs(static_cast<double>(tick)) < magnitude; });
}

/// Whether times within a day of 1970 are farther from all others than those are from each other: two years,
/// or three times the longest gap between them.
bool stand_alone(const Events& events) {
  constexpr double kFewestDays = 731;
  std::vector<int64_t> others;
  for (const int64_t tick : events.ticks) {
    if (std::abs(static_cast<double>(tick)) >= static_cast<double>(kDay)) others.push_back(tick);
  }
  std::ranges::sort(others);
  double nearest = std::numeric_limits<double>::infinity();
  double longest = 0;
  for (std::size_t i = 0; i < others.size(); ++i) {
    nearest = std::min(nearest, std::abs(static_cast<double>(others[i])));
    const bool across = i > 0 && others[i - 1] < 0 && others[i] > 0;  // what is in question is between them
    if (i > 0 && !across) longest = std::max(longest, TimeView{}.at(others[i], others[i - 1]));
  }
  return !others.empty() && nearest > std::max(kFewestDays * static_cast<double>(kDay), 3 * longest);
}

void check_zero_instants(Findings& findings, const Events& events) {
  if (!events.scale.instants) return;
  const int64_t count = count_nearer_than(events, static_cast<double>(kDay));
  if (count == 0 || !stand_alone(events)) return;
  findings.push_back(
      {"zero_instants",
       Severity::kProblem,
       fmt::format("{} on 1970-01-01, far from the others: a missing time is often written as 0. "
                   "Leave such rows out.",
                   counted(count, "event") + (count == 1 ? " is" : " are")),
       {{"events", count}}});
}

/// The first event whose time is below (or not below) a magnitude, with its sequence.
std::string example_of(const Events& events, double magnitude, bool below) {
  for (int64_t s = 0; s < events.sequences(); ++s) {
    for (int64_t e = events.begin(s); e < events.end(s); ++e) {
      const int64_t tick = events.tick(e);
      if ((std::abs(static_cast<double>(tick)) < magnitude) != below) continue;
      return fmt::format("{} in sequence '{}'",
                         events.scale.instants ? format_iso(tick) : to_text({tick, events.scale.decimals}),
                         shown(events.ids[s]));
    }
  }
  return "none";
}

void check_magnitudes(Findings& findings, const Events& events) {
  const auto jump = unit_jump(end_logs(events), 0.5);
  if (!jump) return;
  const double seconds = jump->low - std::log10(ticks_per_period_unit(events));
  const bool modern =
      events.scale.instants ? jump->high > std::log10(kModern) : seconds > std::log10(kModernSeconds);
  if (!modern) return;
  const double between = std::pow(10, jump->between);
  const int64_t small = count_nearer_than(events, between);
  const bool few_small = 2 * small <= events.size();
  const int64_t few = few_small ? small : events.size() - small;
  const std::string example = example_of(events, between, few_small);
  findings.push_back(
      {"mixed_units",
       Severity::kProblem,
       fmt::format("The times of {} of {} are about 10^{} times {} than the others{}, such as {}: they are "
                   "probably in another unit, such as seconds among milliseconds. Bring them to one unit.",
                   human_count(few), counted(events.size(), "event"), jump->power,
                   few_small ? "smaller" : "larger", few_small && events.scale.instants ? ", near 1970" : "",
                   example),
       {{"events", few},
        {"share", share(few, events.size())},
        {"factor", std::pow(10, jump->power)},
        {"example", example}}});
}

void check_gap_units(Findings& findings, const Events& events) {
  const auto jump = unit_jump(median_gap_logs(events), 1.5);
  if (!jump || std::min(jump->lower, jump->upper) < 2) return;
  const bool few_low = jump->lower < jump->upper;
  const int64_t few = std::min(jump->lower, jump->upper);
  findings.push_back(
      {"mixed_gap_units",
       Severity::kWarning,
       fmt::format(
           "The gaps of {} are about 10^{} times {} than those of the others: look whether their times "
           "are in another unit.",
           counted(few, "sequence"), jump->power, few_low ? "shorter" : "longer"),
       {{"sequences", few}, {"factor", std::pow(10, jump->power)}}});
}

std::string cycle_text(const Cycle& cycle, const Cycles& cycles, const Events& events) {
  std::string text = fmt::format("{} ({}", period_text(cycle.period, events), percent(cycle.strength));
  if (cycle.part_of >= 0) {
    constexpr double kTelling = 24;  // a smaller part of a cycle is hardly one by nature
    const double whole = cycles.found[static_cast<std::size_t>(cycle.part_of)].period;
    const double parts = std::round(whole / cycle.period);
    if (parts <= kTelling) text += fmt::format(", 1/{:.0f} of {}", parts, period_text(whole, events));
  }
  return text + ")";
}

struct CycleWords {
  const char* code;
  const char* found;
  const char* strength;
  const char* none;
};

void add_cycles(Findings& findings, const Events& events, const Cycles& cycles, const CycleWords& words) {
  if (!(cycles.shortest > 0)) return;
  const std::string range =
      fmt::format("{} to {}", period_text(cycles.shortest, events), period_text(cycles.longest, events));
  const std::string left_out = cycles.left_out == 0 ? ""
                                                    : fmt::format(" Not looked at: {} far from all others.",
                                                                  counted(cycles.left_out, "event"));
  if (cycles.found.empty()) {
    findings.push_back({words.code, Severity::kInfo,
                        fmt::format("{} (looked for periods from {}).{}", words.none, range, left_out),
                        json_of(cycles)});
    return;
  }
  findings.push_back(
      {words.code, Severity::kInfo,
       fmt::format("{} {}{}. In brackets: {}. Looked for from {}; fewer than {} of data sets without a cycle "
                   "seem to have one.{}",
                   words.found, list_text(cycles, events),
                   events.scale.has_unit() ? "" : ", in the unit of the times", words.strength, range,
                   percent(kFalseAlarm), left_out),
       json_of(cycles)});
}

}  // namespace

nlohmann::json json_of(const Cycles& cycles) {
  nlohmann::json list = nlohmann::json::array();
  for (const Cycle& cycle : cycles.found) {
    list.push_back({{"period", cycle.period}, {"strength", cycle.strength}, {"part_of", cycle.part_of}});
  }
  return {{"cycles", list},
          {"shortest", cycles.shortest},
          {"longest", cycles.longest},
          {"left_out", cycles.left_out},
          {"false_alarm", kFalseAlarm}};
}

std::string list_text(const Cycles& cycles, const Events& events) {
  std::string list;
  for (const Cycle& cycle : cycles.found) {
    list += (list.empty() ? "" : ", ") + cycle_text(cycle, cycles, events);
  }
  return list;
}

void check_order(Findings& findings, const GroupCounts& counts) {
  if (counts.backward == 0) return;
  const std::string what = counted(counts.backward, "event") + (counts.backward == 1 ? " comes" : " come");
  const std::string done =
      counts.dropped > 0 ? std::string(counts.dropped == 1 ? "it was" : "they were") + " left out"
                         : std::string(counts.backward == 1 ? "it was" : "they were") + " sorted into place";
  findings.push_back({"backward",
                      Severity::kWarning,
                      fmt::format("{} in the source after a later one of the same sequence; {}. Look whether "
                                  "the right column is the time.",
                                  what, done),
                      {{"backward", counts.backward}, {"dropped", counts.dropped}}});
}

void check_ties(Findings& findings, const Events& events) {
  const Ties ties = count_ties(events);
  if (ties.duplicates > 0) {
    findings.push_back(
        {"duplicates",
         Severity::kWarning,
         fmt::format("{} ({}) {} the time and type of an earlier one of the same sequence. Leave such events "
                     "out if they are one event, written twice.",
                     counted(ties.duplicates, "event"), percent(share(ties.duplicates, events.size())),
                     ties.duplicates == 1 ? "has" : "have"),
         {{"events", ties.duplicates}, {"share", share(ties.duplicates, events.size())}}});
  }
  if (ties.equal > 0 && events.grid != 0) {
    findings.push_back(
        {"ties",
         Severity::kInfo,
         fmt::format("{} ({}) {} at the time of the event before. The order of such events is that of the "
                     "source, and their gaps of 0 tell nothing about when the next event comes.",
                     counted(ties.equal, "event"), percent(share(ties.equal, events.size())),
                     ties.equal == 1 ? "is" : "are"),
         {{"events", ties.equal}, {"share", share(ties.equal, events.size())}}});
  }
}

void check_gaps(Findings& findings, const Events& events) {
  if (events.size() == events.sequences()) return;
  if (events.grid == 0) {
    findings.push_back(
        {"no_gaps", Severity::kProblem,
         "All events of a sequence have the same time, so there is no time to learn from. Look "
         "whether the right column is the time.",
         nlohmann::json::object()});
    return;
  }
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    for (int64_t e = events.begin(s) + 1; e < events.end(s); ++e) {
      const double gap = events.view.at(events.tick(e), events.tick(e - 1));
      least = std::min(least, gap);
      most = std::max(most, gap);
    }
  }
  if (least < most || events.size() - events.sequences() < 2 || holds_series(events)) return;
  const double gap = least * events.view.ticks_per_unit / ticks_per_period_unit(events);
  findings.push_back({"constant_gaps",
                      Severity::kWarning,
                      fmt::format("Every event comes {} after the one before: gaps carry nothing that the "
                                  "order of events does not.",
                                  period_text(gap, events)),
                      {{"gap", gap}}});
}

void check_units(Findings& findings, const Events& events) {
  check_zero_instants(findings, events);
  check_magnitudes(findings, events);
  check_gap_units(findings, events);
}

void check_future(Findings& findings, const Events& events, int64_t now) {
  if (!events.scale.instants) return;
  const int64_t count = std::ranges::count_if(events.ticks, [&](int64_t tick) { return tick > now; });
  if (count == 0) return;
  const auto ahead = (static_cast<double>(std::ranges::max(events.ticks)) - static_cast<double>(now)) / 1e9;
  findings.push_back(
      {"future",
       Severity::kWarning,
       fmt::format("{} in the future, by up to {}. Look at the time zone and the unit.",
                   counted(count, "event") + (count == 1 ? " is" : " are"), period_text(ahead, events)),
       {{"events", count}, {"seconds_ahead", ahead}}});
}

void check_grid(Findings& findings, const Events& events) {
  if (events.grid < 1 || (events.grid == 1 && events.scale.instants)) return;
  constexpr double kFinest = 1e-6;  // of a gap: what is finer is the last digit of times that have no grid
  const double ticks = time_grid(events);
  if (ticks < kFinest * median_gap(events)) return;
  const double grid = ticks / ticks_per_period_unit(events);
  findings.push_back(
      {"grid",
       Severity::kInfo,
       fmt::format("Times within a sequence differ by multiples of {}{}, so periods under {} cannot be told "
                   "from longer ones.",
                   period_text(grid, events), events.scale.has_unit() ? "" : " (in the unit of the times)",
                   period_text(2 * grid, events)),
       {{"grid", grid}}});
}

void check_cycles(Findings& findings, const Events& events) {
  // Measuring as a clock ticks has no cycle, and to say so would be taken for a word about the values.
  if (holds_series(events) && regular_step(events, kAsMonths) > 0) return;
  add_cycles(findings, events, cycles_of_events(events),
             {"event_cycles", "Events come in cycles:", "how far the rate of events swings around its mean",
              "No cycle in when events happen"});
  add_cycles(findings, events, cycles_of_gaps(events),
             {"gap_cycles", "The gaps between events go in cycles:",
              "the share of the variance of their logarithms that each explains",
              "No cycle in how long the gaps are"});
}

}  // namespace t2v::data
