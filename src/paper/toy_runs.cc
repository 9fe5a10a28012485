#include <algorithm>
#include <chrono>
#include <numbers>

#include "paper/run.h"
#include "paper/toy.h"

// The synthesised data of Section 5.2: the reading of the rows, and what is varied about it.
namespace t2v::paper {
namespace {

using Json = nlohmann::json;

/// Multiply-adds of one day through the model and back, in time that a core spends on them.
constexpr double kWorkOfADay = 12000;
constexpr int64_t kTrainDays = 273;

struct Series {
  std::string_view name;
  ToyConfig config;
};

const std::vector<Series>& all_series() {
  static const std::vector<Series> kSeries = {
      {"toy/days", {}},
      {"toy/days-noise", {.noise = 0.05}},
      {"toy/days-sigmoid", {.activation = nn::Activation::kSigmoid}},
      {"toy/days-full", {.batch = kTrainDays}},
      {"toy/days-u01", {.start = nn::OmegaStart::kU01}},
      {"toy/days-n01", {.start = nn::OmegaStart::kN01}},
  };
  return kSeries;
}

Json json_of(const std::vector<ToyTerm>& terms) {
  Json list = Json::array();
  for (const ToyTerm& term : terms) list.push_back({{"omega", term.omega}, {"weight", term.weight}});
  return list;
}

/// `period`: whether the largest sine has the period of 7 days or an overtone of it. The terms are kept of
/// the first seed, for a picture.
Json record_of(const ToyRun& run, double seconds) {
  Json record = {
      {"curve",
       {{"accuracy", {run.test_accuracy}},
        {"train_accuracy", {run.train_accuracy}},
        {"perfect", {run.test_accuracy >= 1 ? 1 : 0}},
        {"period", {run.main.harmonic > 0 ? 1 : 0}}}},
      {"parameters", 3 * run.learned.size() + 4},
      {"seconds", seconds},
      {"threads", 1},
      {"days", 2 * std::numbers::pi / run.main.omega},
      {"phi", run.main.phi},
      {"data",
       {{"name", "days of a year"},
        {"kind", "made"},
        {"note", "days 1 to 365, class 1 every seventh; learned from days 1 to 273, tested on the others"}}}};
  if (run.test_accuracy < 1) return record;
  record["start"] = json_of(run.start);
  record["learned"] = json_of(run.learned);
  return record;
}

}  // namespace

std::optional<Run> toy_run(std::string_view name, int64_t epochs, uint64_t seed, const Plan& plan) {
  const auto series = std::ranges::find(all_series(), name, &Series::name);
  if (series == all_series().end()) return std::nullopt;
  ToyConfig config = series->config;
  config.epochs = epochs;
  Run run;
  run.home = "toy";
  run.model = name.substr(name.find('/') + 1);
  run.seed = seed;
  run.scale = plan.scale;
  run.epochs = epochs;
  run.longer_serves = false;  // it has no curve
  run.one_core = true;
  run.work = kWorkOfADay * static_cast<double>(kTrainDays * epochs);
  run.config = {{"noise", config.noise},
                {"activation", nn::name_of(config.activation)},
                {"start", nn::name_of(config.start)},
                {"sines", config.sines},
                {"batch", config.batch}};
  run.go = [config, seed](RunContext&) -> std::optional<Json> {
    const auto start = std::chrono::steady_clock::now();
    const ToyRun result = run_toy(config, seed);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    return record_of(result, took.count());
  };
  return run;
}

}  // namespace t2v::paper
