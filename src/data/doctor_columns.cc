#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

#include "base/text_check.h"
#include "data/doctor_checks.h"
#include "data/doctor_text.h"
#include "data/human_time.h"

namespace t2v::data {
namespace {

double share(int64_t part, int64_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

/// How entries are spread over the values that occur.
struct Balance {
  int64_t values = 0;
  int64_t entries = 0;
  int64_t largest = 0;
  int64_t smallest = 0;
  int64_t largest_code = 0;
  double bits = 0;  // entropy
};

std::vector<int64_t> counts_of(const CategoryColumn& column) {
  std::vector<int64_t> counts(static_cast<std::size_t>(column.names.size()));
  for (const int32_t code : column.codes) ++counts[static_cast<std::size_t>(code)];
  return counts;
}

Balance balance_of(const std::vector<int64_t>& counts) {
  Balance balance;
  balance.entries = std::accumulate(counts.begin(), counts.end(), int64_t{0});
  for (std::size_t code = 0; code < counts.size(); ++code) {
    const int64_t count = counts[code];
    if (count == 0) continue;
    ++balance.values;
    balance.smallest = balance.values == 1 ? count : std::min(balance.smallest, count);
    if (count > balance.largest) {
      balance.largest = count;
      balance.largest_code = static_cast<int64_t>(code);
    }
    const double p = share(count, balance.entries);
    balance.bits -= p * std::log2(p);
  }
  return balance;
}

nlohmann::json json_of(const Balance& balance) {
  return {{"values", balance.values},
          {"entries", balance.entries},
          {"largest_share", balance.entries > 0 ? share(balance.largest, balance.entries) : 0},
          {"smallest", balance.smallest},
          {"entropy_bits", balance.bits}};
}

std::string name_of(const CategoryColumn& column, int64_t code) {
  const std::string_view name = column.names[code];
  return name.empty() ? "the empty name" : fmt::format("'{}'", shown(name));
}

void check_single_events(Findings& findings, int64_t single, int64_t sequences) {
  if (single == 0) return;
  const double of_all = share(single, sequences);
  const Severity severity = single == sequences ? Severity::kProblem
                            : of_all > 0.1      ? Severity::kWarning
                                                : Severity::kInfo;
  findings.push_back(
      {"single_events",
       severity,
       fmt::format("{} ({} of all) {} one event only: there is no next event to learn from.{}",
                   counted(single, "sequence"), percent(of_all), single == 1 ? "has" : "have",
                   single == sequences ? " Look whether the right column tells sequences apart." : ""),
       {{"sequences", single}, {"share", of_all}}});
}

void check_rare_types(Findings& findings, const std::vector<int64_t>& counts) {
  constexpr int64_t kManyTypes = 1000;
  constexpr int64_t kRare = 5;
  int64_t types = 0;
  int64_t rare = 0;
  int64_t rare_events = 0;
  int64_t events = 0;
  for (const int64_t count : counts) {
    types += count > 0 ? 1 : 0;
    events += count;
    if (count == 0 || count >= kRare) continue;
    ++rare;
    rare_events += count;
  }
  if (types < kManyTypes || 2 * rare < types) return;
  findings.push_back(
      {"rare_types",
       Severity::kWarning,
       fmt::format("{} of {} event types occur fewer than {} times each; together they are {} of the events. "
                   "Keep the "
                   "most frequent types and let the others share a place (`vocab`).",
                   human_count(rare), human_count(types), kRare, percent(share(rare_events, events))),
       {{"types", types}, {"rare", rare}, {"rare_share", share(rare_events, events)}}});
}

void add_empty(Findings& findings, const std::string& name, int64_t empty, int64_t cells) {
  if (empty == 0) return;
  findings.push_back({"empty_cells",
                      2 * empty > cells ? Severity::kWarning : Severity::kInfo,
                      fmt::format("Column '{}' is empty in {} of {} ({}).", shown(name), human_count(empty),
                                  counted(cells, "place"), percent(share(empty, cells))),
                      {{"column", name}, {"empty", empty}, {"share", share(empty, cells)}}});
}

void add_constant(Findings& findings, const std::string& name, const std::string& value) {
  findings.push_back({"constant_column",
                      Severity::kWarning,
                      fmt::format("Column '{}' is {} everywhere: leave it out.", shown(name), value),
                      {{"column", name}, {"value", value}}});
}

void check_numbers(Findings& findings, const NumberColumn& column) {
  const auto cells = static_cast<int64_t>(column.values.size());
  const int64_t empty = std::ranges::count_if(column.values, [](double x) { return std::isnan(x); });
  add_empty(findings, column.name, empty, cells);
  if (empty == cells || cells < 2) return;
  const double first = *std::ranges::find_if(column.values, [](double x) { return !std::isnan(x); });
  const bool constant =
      std::ranges::all_of(column.values, [&](double x) { return std::isnan(x) || x == first; });
  if (constant && empty == 0) add_constant(findings, column.name, fmt::format("{}", first));
}

void check_categories(Findings& findings, const CategoryColumn& column) {
  const std::vector<int64_t> counts = counts_of(column);
  const Balance balance = balance_of(counts);
  for (int64_t code = 0; code < column.names.size(); ++code) {
    if (!column.names[code].empty()) continue;
    add_empty(findings, column.name, counts[static_cast<std::size_t>(code)], balance.entries);
  }
  if (balance.values != 1 || balance.entries < 2) return;
  if (!column.names[balance.largest_code].empty()) {
    add_constant(findings, column.name, name_of(column, balance.largest_code));
  }
}

}  // namespace

void check_lengths(Findings& findings, const Events& events) {
  std::vector<int64_t> lengths;
  for (int64_t s = 0; s < events.sequences(); ++s) lengths.push_back(events.length(s));
  if (lengths.empty()) return;
  std::ranges::sort(lengths);
  const auto quantile = [&](double q) {
    return lengths[static_cast<std::size_t>(q * static_cast<double>(lengths.size() - 1))];
  };
  const int64_t median = quantile(0.5);
  const int64_t longest = lengths.back();
  std::string text = fmt::format(
      "{} with {} in all; half of the sequences have at most {}, 90 % at most {}, the longest {}.",
      counted(events.sequences(), "sequence"), counted(events.size(), "event"), human_count(median),
      human_count(quantile(0.9)), human_count(longest));
  const bool tail = longest > 100 && longest > 20 * median;
  if (tail) text += " The longest are very long: limit the length (`max_len`), or back-propagate in chunks.";
  findings.push_back({"lengths",
                      tail ? Severity::kWarning : Severity::kInfo,
                      text,
                      {{"sequences", events.sequences()},
                       {"events", events.size()},
                       {"median", median},
                       {"p90", quantile(0.9)},
                       {"p99", quantile(0.99)},
                       {"longest", longest}}});
  const auto single = std::ranges::upper_bound(lengths, 1) - lengths.begin();
  check_single_events(findings, single, events.sequences());
}

void check_label(Findings& findings, const Events& events) {
  if (!events.label) return;
  const Balance balance = balance_of(counts_of(*events.label));
  const double largest = share(balance.largest, balance.entries);
  const std::string top = name_of(*events.label, balance.largest_code);
  if (balance.values < 2) {
    findings.push_back({"label_balance", Severity::kProblem,
                        fmt::format("All labels are {}: there is nothing to tell apart.", top),
                        json_of(balance)});
    return;
  }
  const bool uneven = largest > 0.9 || balance.smallest < 5;
  std::string text =
      fmt::format("The label has {} classes; the largest, {}, has {} of the sequences, the smallest has {}.",
                  human_count(balance.values), top, percent(largest), human_count(balance.smallest));
  if (largest > 0.9) text += " Always saying the largest is right that often: weigh the classes.";
  if (balance.smallest < 5) text += " So few are hardly enough to learn from and to test on.";
  findings.push_back(
      {"label_balance", uneven ? Severity::kWarning : Severity::kInfo, text, json_of(balance)});
}

void check_types(Findings& findings, const Events& events) {
  if (!events.event) return;
  const std::vector<int64_t> counts = counts_of(*events.event);
  const Balance balance = balance_of(counts);
  const double largest = share(balance.largest, balance.entries);
  std::string text;
  if (balance.values == 1) {
    text = "All events are of one type: only their times can be learned.";
  } else {
    text = fmt::format(
        "{}; the most frequent, {}, is {} of the events. The entropy is {:.2f} bits, that of {:.{}f} equally "
        "frequent types.",
        counted(balance.values, "event type"), name_of(*events.event, balance.largest_code), percent(largest),
        balance.bits, std::exp2(balance.bits), balance.bits < 6.5 ? 1 : 0);
  }
  findings.push_back(
      {"type_balance", largest > 0.9 ? Severity::kWarning : Severity::kInfo, text, json_of(balance)});
  check_rare_types(findings, counts);
}

void check_columns(Findings& findings, const Events& events) {
  if (events.value) check_numbers(findings, *events.value);
  for (const auto& column : events.numbers) check_numbers(findings, column);
  for (const auto& column : events.categories) check_categories(findings, column);
  for (const auto& column : events.sequence_numbers) check_numbers(findings, column);
  for (const auto& column : events.sequence_categories) check_categories(findings, column);
  if (events.target) check_numbers(findings, *events.target);
}

}  // namespace t2v::data
