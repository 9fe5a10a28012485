#include "paper/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "paper/recommendation_evaluation.h"
#include "train/paired_test.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kUsersSeed = 20190711;

/// Finished runs of a scale by home/model.sSEED.
using Records = std::map<std::string, Json>;

Records records_of(const RunFiles& files, Scale scale) {
  Records records;
  for (Json& record : files.all()) {
    if (record.value("scale", "") != name_of(scale)) continue;
    std::string name = fmt::format("{}/{}", record.value("experiment", ""), record.value("run", ""));
    records.emplace(std::move(name), std::move(record));
  }
  return records;
}

const Json* find(const Records& records, std::string_view run, int64_t seed, int64_t epochs) {
  const auto found = records.find(fmt::format("{}.s{}", run, seed));
  const bool there = found != records.end() && found->second.value("epochs", int64_t{0}) >= epochs;
  return there ? &found->second : nullptr;
}

/// The records of the seeds of a run, nothing for those that are missing.
std::vector<const Json*> seeds_of(const Records& records, std::string_view run, const Size& size) {
  std::vector<const Json*> found;
  for (int64_t seed = 1; seed <= size.seeds; ++seed) found.push_back(find(records, run, seed, size.epochs));
  return found;
}

std::vector<double> differences_of(const Judged& judged) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < judged.a.size(); ++i) differences.push_back(judged.a[i] - judged.b[i]);
  return differences;
}

bool is_whole(double value) { return std::isfinite(value); }

/// The interval over users, each with the mean difference over the seeds, where runs say how each one fared.
std::optional<Interval> over_users(const std::vector<const Json*>& a, const std::vector<const Json*>& b) {
  std::vector<double> sums;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i]->contains("users") || !b[i]->contains("users")) return std::nullopt;
    const auto x = a[i]->at("users").get<std::vector<double>>();
    const auto y = b[i]->at("users").get<std::vector<double>>();
    sums.resize(x.size());
    if (x.empty() || y.size() != x.size()) return std::nullopt;
    for (std::size_t user = 0; user < x.size(); ++user) sums[user] += x[user] - y[user];
  }
  for (double& sum : sums) sum /= static_cast<double>(a.size());
  const BootstrapMean mean = bootstrap_over_users(sums, kUsersSeed);
  return Interval{mean.low, mean.high};
}

void decide(Judged& judged) {
  const Asked asked{judged.row->kind, judged.published};
  std::vector<Interval> intervals = {judged.seeds};
  if (judged.users) intervals.push_back(*judged.users);
  judged.answer = answer_of(asked, intervals);
  if (judged.answer != Answer::kInconclusive) return;
  const bool share = judged.row->kind == Kind::kShare;
  const auto needed =
      share ? deciding_runs(asked, judged.difference + 0.5)
            : deciding_seeds(asked, judged.difference, estimate(differences_of(judged)).deviation);
  judged.note =
      fmt::format("the interval is {:.3f} wide; {} would decide", judged.seeds.high - judged.seeds.low,
                  needed ? fmt::format("about {} seeds", *needed) : "more than a thousand seeds");
}

void judge_share(Judged& judged) {
  const auto n = static_cast<int64_t>(judged.a.size());
  const int64_t agreeing = std::ranges::count_if(judged.a, [](double value) { return value > 0.5; });
  const Interval share = share_interval(agreeing, n);
  judged.difference = static_cast<double>(agreeing) / static_cast<double>(n) - 0.5;
  judged.seeds = {share.low - 0.5, share.high - 0.5};
  decide(judged);
}

void judge_pairs(Judged& judged) {
  if (!std::ranges::all_of(judged.a, is_whole) || !std::ranges::all_of(judged.b, is_whole)) {
    judged.answer = Answer::kInconclusive;
    judged.note = "a run diverged";
    judged.difference = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  const std::vector<double> differences = differences_of(judged);
  judged.difference = estimate(differences).mean;
  judged.seeds = t_interval(differences);
  decide(judged);
}

void judge_runs(Judged& judged, const std::vector<std::vector<const Json*>>& records) {
  judged.data = records[0][0]->contains("data") ? records[0][0]->at("data").value("kind", "") : "";
  const bool shows = judged.data == "original" || judged.data == "part" || judged.data == "invented";
  if (!judged.row->needs_items.empty() && !shows) {
    judged.answer = Answer::kNotTestable;
    judged.note = judged.row->needs_items;
    return;
  }
  const auto values = [&](const std::vector<const Json*>& of) {
    std::vector<double> all;
    for (const Json* record : of) all.push_back(value_of(*record, judged.row->measure, judged.size.epochs));
    return all;
  };
  judged.a = values(records[0]);
  if (judged.row->kind == Kind::kShare) return judge_share(judged);
  judged.b = values(records[1]);
  judged.users = over_users(records[0], records[1]);
  judge_pairs(judged);
}

Judged judge(const Row& row, const Records& records, Scale scale) {
  Judged judged{.row = &row, .size = size_of(row, scale)};
  if (row.runs.empty()) {
    judged.answer = Answer::kNotTestable;
    judged.note = row.needs_items;
    return judged;
  }
  judged.published = published_difference(row, judged.size.epochs);
  std::vector<std::vector<const Json*>> found;
  int64_t missing = 0;
  int64_t all = 0;
  for (const std::string_view run : row.runs) {
    found.push_back(seeds_of(records, run, judged.size));
    missing += std::ranges::count(found.back(), nullptr);
    all += judged.size.seeds;
  }
  if (missing == 0) {
    judge_runs(judged, found);
    return judged;
  }
  judged.note = fmt::format("`{}`", command_of(row, scale));
  if (missing < all) judged.note += fmt::format(" ({} of {} runs are there)", all - missing, all);
  return judged;
}

}  // namespace

double value_of(const Json& record, std::string_view measure, int64_t epochs) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const Json& curves = record.at("curve");
  const auto curve = curves.find(measure);
  if (curve == curves.end() || curve->empty()) return kNone;
  const bool single = curve->size() == 1;
  const auto end = single ? std::size_t{1} : static_cast<std::size_t>(epochs);
  const auto count = single ? std::size_t{1} : static_cast<std::size_t>(epochs_that_count(epochs));
  if (curve->size() < end) return kNone;
  double sum = 0;
  for (std::size_t i = end - count; i < end; ++i) {
    sum += (*curve)[i].is_number() ? (*curve)[i].get<double>() : kNone;
  }
  return sum / static_cast<double>(count);
}

std::vector<Judged> judge_all(const RunFiles& files, Scale scale) {
  const Records records = records_of(files, scale);
  std::vector<Judged> all;
  for (const Row& row : rows()) {
    const Size size = size_of(row, scale);
    if (row.kind == Kind::kRuns || (size.epochs == 0 && !row.runs.empty())) continue;
    if (scale != Scale::kPaper && row.runs.empty()) continue;
    all.push_back(judge(row, records, scale));
  }
  return all;
}

std::string command_of(const Row& row, Scale scale) {
  return fmt::format("t2v reproduce {} --scale {}", row.id, name_of(scale));
}

}  // namespace t2v::paper
