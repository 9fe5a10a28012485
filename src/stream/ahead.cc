#include "stream/ahead.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "model/prediction.h"

namespace t2v {
namespace {

using Json = nlohmann::json;

/// By interpolation between the sorted values.
double quantile_of(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - std::floor(at)) * (sorted[above] - sorted[below]);
}

std::vector<Ahead::OfType> types_of(std::span<const Continuation> continuations) {
  struct Seen {
    double events = 0;
    std::vector<double> first;  // times, of the continuations that have one
    std::size_t last_seen = SIZE_MAX;
  };
  std::map<int32_t, Seen> seen;
  for (std::size_t i = 0; i < continuations.size(); ++i) {
    for (const SampledEvent& event : continuations[i]) {
      Seen& of = seen[event.type];
      of.events += 1;
      if (of.last_seen != i) of.first.push_back(event.after);
      of.last_seen = i;
    }
  }
  const auto samples = static_cast<double>(continuations.size());
  std::vector<Ahead::OfType> types;
  for (auto& [type, of] : seen) {
    std::ranges::sort(of.first);
    types.push_back({type, of.events / samples, static_cast<double>(of.first.size()) / samples,
                     quantile_of(of.first, 0.1), quantile_of(of.first, 0.5), quantile_of(of.first, 0.9)});
  }
  std::ranges::stable_sort(types, std::greater(), &Ahead::OfType::expected);
  return types;
}

std::vector<Ahead::Next> next_of(std::span<const Continuation> continuations) {
  std::vector<Ahead::Next> next;
  for (std::size_t step = 0;; ++step) {
    std::map<int32_t, int64_t> counts;
    std::vector<double> times;
    for (const Continuation& continuation : continuations) {
      if (continuation.size() <= step) continue;
      ++counts[continuation[step].type];
      times.push_back(continuation[step].after);
    }
    if (2 * times.size() <= continuations.size()) return next;
    std::ranges::sort(times);
    const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
    const double share = static_cast<double>(most->second) / static_cast<double>(continuations.size());
    next.push_back({most->first, share, quantile_of(times, 0.5)});
  }
}

double rounded(double number) { return std::strtod(fmt::format("{:.6g}", number).c_str(), nullptr); }

/// So long after a tick as a date, where times are dates.
void add_date(Json& json, const TrainedModel& model, int64_t last, double after) {
  Prediction from;
  from.after = last;
  if (const std::string date = date_after(from, model, after); !date.empty()) json["at"] = date;
}

}  // namespace

Ahead ahead_of(std::span<const Continuation> continuations) {
  Ahead ahead;
  ahead.samples = static_cast<int64_t>(continuations.size());
  for (const Continuation& continuation : continuations)
    ahead.expected += static_cast<double>(continuation.size());
  ahead.expected /= static_cast<double>(continuations.size());
  ahead.types = types_of(continuations);
  ahead.next = next_of(continuations);
  return ahead;
}

Json to_json(const Ahead& ahead, const TrainedModel& model, int64_t last) {
  Json json = {
      {"samples", ahead.samples}, {"expected", rounded(ahead.expected)}, {"unit", model.times.view.unit}};
  json["types"] = Json::array();
  for (const Ahead::OfType& of : ahead.types) {
    Json first = {{"p10", rounded(of.p10)}, {"median", rounded(of.median)}, {"p90", rounded(of.p90)}};
    add_date(first, model, last, of.median);
    json["types"].push_back({{"event", name_of_choice(model, of.type)},
                             {"expected", rounded(of.expected)},
                             {"p", rounded(of.share)},
                             {"first", std::move(first)}});
  }
  json["next"] = Json::array();
  for (const Ahead::Next& next : ahead.next) {
    Json entry = {{"event", name_of_choice(model, next.type)},
                  {"p", rounded(next.share)},
                  {"median", rounded(next.median)}};
    add_date(entry, model, last, next.median);
    json["next"].push_back(std::move(entry));
  }
  return json;
}

Json to_json(const Continuation& continuation, const TrainedModel& model, int64_t last) {
  Json json = Json::array();
  for (const SampledEvent& event : continuation) {
    Json entry = {{"event", name_of_choice(model, event.type)}, {"after", rounded(event.after)}};
    add_date(entry, model, last, event.after);
    json.push_back(std::move(entry));
  }
  return json;
}

}  // namespace t2v
