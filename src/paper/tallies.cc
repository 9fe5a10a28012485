#include "paper/tallies.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/fail.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

/// A bound of a verdict's interval, if it has one.
std::optional<double> bound(const Json& verdict, const char* which) {
  const Json effect = verdict.value("effect", Json());
  if (!effect.is_object() || !effect.contains(which) || !effect[which].is_number()) return std::nullopt;
  return effect[which].get<double>();
}

/// With an interval that says something of the spread, over two seeds at least.
bool was_run(const Json& verdict) {
  const std::optional<double> low = bound(verdict, "low");
  const std::optional<double> high = bound(verdict, "high");
  return low && high && *high > *low && verdict.at("effect").value("n", 0) > 1;
}
bool is_worse(const Json& verdict) { return *bound(verdict, "high") < 0; }
bool is_not_worse(const Json& verdict) { return *bound(verdict, "low") > -verdict.value("worth", kOnPar); }
bool is_ahead_all_along(const Json& verdict) { return verdict.value("ahead", 0.0) >= 1; }
bool came_out(const Json& verdict) { return verdict.value("verdict", "") == name_of(Outcome::kReproduces); }
bool did_not(const Json& verdict) { return verdict.value("verdict", "") == name_of(Outcome::kDoesNot); }

std::vector<Json> tallied(const std::vector<Json>& verdicts, std::string_view tally) {
  std::vector<Json> found;
  std::ranges::copy_if(verdicts, std::back_inserter(found), [&](const Json& verdict) {
    return verdict.value("tally", "") == tally && was_run(verdict);
  });
  return found;
}

int64_t count(const std::vector<Json>& verdicts, bool (*is_so)(const Json&)) {
  return std::ranges::count_if(verdicts, is_so);
}

bool is_on_a_stand_in(const Json& verdict) { return verdict.value("data_kind", "") == "stand-in"; }

std::string of_all(const std::vector<Json>& run, int64_t all) {
  const auto n = static_cast<int64_t>(run.size());
  const int64_t stand_ins = count(run, is_on_a_stand_in);
  return fmt::format("{} comparisons{}{}", all, n == all ? "" : fmt::format(", {} of them run", n),
                     stand_ins == 0 ? "" : fmt::format(", {} on stand-ins", stand_ins));
}

Verdict verdict_of(const Claim& claim, std::string ours, std::string rule) {
  return {claim, std::move(ours), std::nullopt, Outcome::kUndecided, std::move(rule)};
}

Verdict judge_most_of(const Claim& claim, const std::vector<Json>& run, int64_t all) {
  const int64_t better = count(run, came_out);
  const int64_t against = count(run, did_not);
  Verdict verdict = verdict_of(
      claim, fmt::format("reproduces in {} and does not in {} of {}", better, against, of_all(run, all)),
      "of all comparisons, run or not: reproduces if more than half of their own verdicts do, does not if at "
      "least half do not");
  if (2 * against >= all) verdict.outcome = Outcome::kDoesNot;
  if (2 * better > all) verdict.outcome = Outcome::kReproduces;
  return verdict;
}

Verdict judge_none_worse(const std::vector<Json>& run, int64_t all) {
  const int64_t worse = count(run, is_worse);
  Verdict verdict = verdict_of(
      {"replacing time by Time2Vec never makes results worse", "Section 5.1, Section 6", "never"},
      fmt::format("worse in {} of {}", worse, of_all(run, all)),
      "of all comparisons, run or not: does not if the 95 % interval of one lies below 0; else reproduces if "
      "all lie above what counts as worse there");
  if (count(run, is_not_worse) == all) verdict.outcome = Outcome::kReproduces;
  if (worse > 0) verdict.outcome = Outcome::kDoesNot;
  return verdict;
}

Verdict judge_ahead(const std::vector<Json>& run, int64_t all) {
  const int64_t ahead = count(run, is_ahead_all_along);
  const int64_t open = all - static_cast<int64_t>(run.size());
  Verdict verdict = verdict_of(
      {"with an LSTM Time2Vec is consistently better in many comparisons", "Section 5.1", "in many cases"},
      fmt::format("ahead after every epoch in {} of {}", ahead, of_all(run, all)),
      "means over seeds after each epoch, of all comparisons, run or not: reproduces if in at least a third "
      "Time2Vec is ahead after every one, does not if it cannot come to that");
  if (3 * ahead >= all) verdict.outcome = Outcome::kReproduces;
  if (3 * (ahead + open) < all) verdict.outcome = Outcome::kDoesNot;
  return verdict;
}

}  // namespace

std::vector<Verdict> judge_tallies(const std::vector<Json>& verdicts, const TallySizes& sizes) {
  std::vector<Verdict> found;
  const std::vector<Json> lstm = tallied(verdicts, "time");
  std::vector<Json> time = lstm;
  std::ranges::copy(tallied(verdicts, "time gates"), std::back_inserter(time));
  const int64_t all = sizes.time + sizes.time_gates;
  if (!time.empty()) {
    found.push_back(judge_most_of({"replacing time by Time2Vec improves results in most comparisons",
                                   "Section 5.1, Section 6", "in most cases"},
                                  time, all));
    found.push_back(judge_none_worse(time, all));
  }
  if (!lstm.empty()) found.push_back(judge_ahead(lstm, sizes.time));
  const std::vector<Json> sines = tallied(verdicts, "sines");
  if (!sines.empty()) {
    found.push_back(judge_most_of(
        {"64 sines are better than 16 and 32, or on par, in most comparisons", "Appendix B", "in most cases"},
        sines, sizes.sines));
  }
  return found;
}

}  // namespace t2v::paper
