#include "forecast/forecaster_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/fail.h"
#include "base/json_text.h"
#include "forecast/candidates.h"

namespace t2v::forecast {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 3> kTrends = {"none", "linear", "damped"};
constexpr std::array<std::string_view, 5> kRules = {"mean", "last", "drift", "seasonal", "phase"};
constexpr int64_t kMostHarmonics = 10'000;

template <class Names>
std::size_t index_of(const Names& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) fail("its forecast has no '{}'", name);
  return static_cast<std::size_t>(found - names.begin());
}

Json json_of(const Forecaster& forecaster) {
  Json cycles = Json::array();
  for (const Cycle& cycle : forecaster.pattern.shape.cycles) {
    cycles.push_back({{"period", cycle.period}, {"harmonics", cycle.harmonics}});
  }
  Json scores = Json::array();
  for (const Score& score : forecaster.scores) {
    if (std::isfinite(score.error)) scores.push_back({{"name", score.name}, {"error", score.error}});
  }
  Json json = {{"day", forecaster.day},
               {"step", forecaster.step},
               {"horizon", forecaster.horizon},
               {"cycles", cycles},
               {"trend", kTrends[static_cast<std::size_t>(forecaster.pattern.shape.trend)]},
               {"own", forecaster.pattern.shape.own},
               {"span", {forecaster.pattern.span.first, forecaster.pattern.span.last}},
               {"seasons", forecaster.correction.seasons},
               {"scores", scores}};
  if (forecaster.rule) {
    json["rule"] = {{"kind", kRules[static_cast<std::size_t>(forecaster.rule->rule.kind)]},
                    {"season", forecaster.rule->rule.season},
                    {"share", forecaster.rule_share}};
  }
  return json;
}

/// All tensors of numbers, by name; `visit` gets each vector of doubles.
template <class AnyForecaster, class Visit>
void visit_tensors(AnyForecaster& forecaster, const Visit& visit) {
  visit("forecast.pattern", forecaster.pattern.weights);
  visit("forecast.own", forecaster.pattern.own);
  visit("forecast.correction", forecaster.correction.weights);
  visit("forecast.bands.ahead", forecaster.bands.ahead);
  visit("forecast.bands.errors", forecaster.bands.errors);
  if (!forecaster.rule) return;
  visit("forecast.rule.means", forecaster.rule->means);
  visit("forecast.rule.slopes", forecaster.rule->slopes);
  visit("forecast.rule.phases", forecaster.rule->phases);
}

void read_json(Forecaster& forecaster, const Json& json) {
  forecaster.day = json.at("day").get<double>();
  forecaster.step = forecaster.correction.step = json.at("step").get<double>();
  forecaster.horizon = forecaster.correction.horizon = json.at("horizon").get<double>();
  for (const Json& cycle : json.at("cycles")) {
    forecaster.pattern.shape.cycles.push_back(
        {cycle.at("period").get<double>(), cycle.at("harmonics").get<int64_t>()});
  }
  forecaster.pattern.shape.trend = static_cast<Trend>(index_of(kTrends, json.at("trend").get<std::string>()));
  forecaster.pattern.shape.own = json.at("own").get<bool>();
  forecaster.pattern.span = {json.at("span").at(0).get<double>(), json.at("span").at(1).get<double>()};
  forecaster.correction.seasons = json.at("seasons").get<std::vector<double>>();
  for (const Json& score : json.at("scores")) {
    forecaster.scores.push_back({score.at("name").get<std::string>(), score.at("error").get<double>()});
  }
  if (!json.contains("rule")) return;
  const Json& rule = json.at("rule");
  const auto kind = static_cast<RuleKind>(index_of(kRules, rule.at("kind").get<std::string>()));
  forecaster.rule = FittedRule{.rule = {kind, rule.at("season").get<double>()}, .step = forecaster.step};
  forecaster.rule_share = rule.at("share").get<double>();
}

void read_series(Forecaster& forecaster, const Container& file) {
  const auto bytes = file.tensor<char>("forecast.ids.bytes");
  const auto offsets = file.tensor<int64_t>("forecast.ids.offsets");
  const auto levels = file.tensor<double>("forecast.levels");
  const auto size = static_cast<int64_t>(bytes.size());
  const bool sound = !offsets.empty() && offsets.front() == 0 && offsets.back() == size &&
                     std::ranges::is_sorted(offsets) && levels.size() == 2 * (offsets.size() - 1);
  if (!sound) fail("the series of its forecast do not fit each other");
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    forecaster.ids.emplace_back(bytes.data() + offsets[s],
                                static_cast<std::size_t>(offsets[s + 1] - offsets[s]));
    forecaster.levels.push_back({levels[2 * s], levels[2 * s + 1]});
  }
}

bool positive(double number) { return std::isfinite(number) && number > 0; }

bool all_finite(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

bool good_settings(const Forecaster& f) {
  const auto good_cycle = [](const Cycle& cycle) {
    return positive(cycle.period) && cycle.harmonics >= 1 && cycle.harmonics <= kMostHarmonics;
  };
  return std::isfinite(f.day) && f.day >= 0 && positive(f.step) && positive(f.horizon) &&
         f.pattern.shape.cycles.size() <= 8 && std::ranges::all_of(f.pattern.shape.cycles, good_cycle) &&
         f.correction.seasons.size() <= kMostSeasons && std::ranges::all_of(f.correction.seasons, positive) &&
         std::isfinite(f.pattern.span.first) && std::isfinite(f.pattern.span.last) &&
         std::ranges::all_of(f.levels,
                             [](const Level& l) { return std::isfinite(l.level) && positive(l.spread); });
}

bool good_rule(const Forecaster& f) {
  if (!f.rule) return true;
  const bool seasonal =
      f.rule->rule.kind == RuleKind::kSeasonalNaive || f.rule->rule.kind == RuleKind::kPhaseMean;
  if (seasonal && !positive(f.rule->rule.season)) return false;
  const auto n = f.levels.size();
  const bool drifts = f.rule->rule.kind == RuleKind::kDrift;
  return f.rule_share > 0 && f.rule_share <= 1 && f.rule->means.size() == n && all_finite(f.rule->means) &&
         f.rule->slopes.size() == (drifts ? n : 0) && all_finite(f.rule->slopes) &&
         f.rule->phases.size() == n * static_cast<std::size_t>(f.rule->phase_count());
}

bool good_sizes(const Forecaster& f) {
  const auto terms = static_cast<std::size_t>(f.pattern.shape.terms());
  const auto corrected = static_cast<std::size_t>(f.correction.terms() * f.correction.knots());
  const bool by_pattern = f.rule_share < 1;
  return f.pattern.weights.size() == (by_pattern ? terms : 0) &&
         (f.pattern.own.empty() || f.pattern.own.size() == terms * f.levels.size()) &&
         (f.correction.weights.empty() || f.correction.weights.size() == corrected) &&
         f.bands.errors.size() == f.bands.ahead.size() * Bands::kShares &&
         std::ranges::is_sorted(f.bands.ahead) && all_finite(f.pattern.weights) &&
         all_finite(f.pattern.own) && all_finite(f.correction.weights) && all_finite(f.bands.ahead) &&
         all_finite(f.bands.errors);
}

}  // namespace

StoredIds stored_ids(const Forecaster& forecaster) {
  StoredIds ids;
  for (const std::string& id : forecaster.ids) {
    ids.bytes += id;
    ids.offsets.push_back(static_cast<int64_t>(ids.bytes.size()));
  }
  return ids;
}

void add_to(ContainerWriter& writer, const Forecaster& forecaster, const StoredIds& ids) {
  static_assert(sizeof(Level) == 2 * sizeof(double));
  writer.set("forecast", json_of(forecaster).dump());
  writer.add("forecast.ids.bytes", std::span<const char>(ids.bytes));
  writer.add("forecast.ids.offsets", std::span<const int64_t>(ids.offsets));
  writer.add("forecast.levels", std::span(reinterpret_cast<const double*>(forecaster.levels.data()),
                                          2 * forecaster.levels.size()));
  visit_tensors(forecaster, [&](const char* name, const std::vector<double>& numbers) {
    if (!numbers.empty()) writer.add(name, std::span<const double>(numbers));
  });
}

std::optional<Forecaster> read_forecaster(const Container& file) {
  const std::optional<std::string> text = file.find("forecast");
  if (!text) return std::nullopt;
  const Json json = parse_json_text(*text);
  if (json.is_discarded()) fail("'forecast' is not JSON");
  Forecaster forecaster;
  read_json(forecaster, json);
  read_series(forecaster, file);
  visit_tensors(forecaster, [&](const char* name, std::vector<double>& numbers) {
    if (!file.has(name)) return;
    const auto stored = file.tensor<double>(name);
    numbers.assign(stored.begin(), stored.end());
  });
  if (!good_settings(forecaster) || !good_rule(forecaster) || !good_sizes(forecaster)) {
    fail("the numbers of its forecast make no sense");
  }
  return forecaster;
}

}  // namespace t2v::forecast
