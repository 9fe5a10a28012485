#include "paper/recommendation_plan.h"

#include <algorithm>

#include "base/fail.h"

namespace t2v::paper {
namespace {

constexpr std::string_view kExperiments[] = {"lastfm", "citeulike", "timelstm", "linear-tlstm3"};
/// Times the start of the linear term's frequency; 1 is among the other runs. Adagrad's first step, about the
/// learning rate of 0.01 whatever the gradient, leaves little of the difference between smaller ones.
constexpr double kSweep[] = {1e-2, 1e-6};
/// A step that is small beside any frequency wants times in a unit in which the intervals are small.
constexpr const char* kOtherUnit = "d";

RecommendationConfig config_for(std::string_view data, std::string_view cell,
                                const RecommendationPlan& plan) {
  RecommendationConfig config = recommendation_protocol(plan.protocol);
  config.cell = cell;
  config.epochs = plan.epochs;
  config.first_stage = plan.epochs / 5;
  config.hidden = data == "citeulike" ? 256 : 128;
  for (const auto& [name, value] : plan.settings) set(config, name, value);
  const bool carries = config.delta == "as_coded" || config.protocol == "as-coded";
  if (config.carry_across_users && !carries) {
    fail("carry_across_users is on, but only delta=as_coded carries anything; set both, or neither");
  }
  return config;
}

/// Which models, each with all but its seed.
class Models {
 public:
  Models(std::string_view data, const RecommendationPlan& plan) : data_(data), plan_(plan) {}

  void add(const RecommendationConfig& config) {
    std::string model = config.cell;
    std::string label = model_name(config);
    if (config.time2vec) {
      model += fmt::format("-t2v-{}", config.k);
      label += fmt::format(", k = {}", config.k);
    } else if (config.cell == "lstm") {
      model += "-t";
    }
    if (!config.linear) {
      model += "-no-linear";
      label += ", no linear term";
    }
    models_.push_back({std::string(data_), std::move(model), std::move(label), config});
    for (const char* name : {"train_share", "train_users", "test_users"}) {
      models_.back().own_split = models_.back().own_split || plan_.settings.contains(name);
    }
  }

  /// The same with another start of the linear term's frequency: `scale` times that of the others.
  void add_swept(RecommendationConfig config, double scale) {
    config.linear_scale *= scale;
    add(config);
    PlannedRecommendation& run = models_.back();
    run.model += fmt::format("-omega0-{:.0e}", scale);
    run.label += fmt::format(", ω₀ x {:.0e}", scale);
    run.swept = true;
  }

  /// The same with times in days.
  void add_in_days(RecommendationConfig config) {
    config.time_unit = kOtherUnit;
    add(config);
    PlannedRecommendation& run = models_.back();
    run.model += "-days";
    run.label += ", times in days";
    run.swept = true;
  }

  /// The interval itself, then Time2Vec with each number of sines.
  void add_cell(std::string_view cell) {
    RecommendationConfig config = config_for(data_, cell, plan_);
    config.time2vec = false;
    add(config);
    config.time2vec = true;
    std::vector<int64_t> sines = plan_.sines;
    if (std::ranges::find(sines, best_sines(cell)) == sines.end()) sines.push_back(best_sines(cell));
    for (const int64_t k : sines) {
      config.k = k;
      add(config);
    }
  }

  void add_sweep() {
    RecommendationConfig config = config_for(data_, "lstm", plan_);
    config.k = best_sines("lstm");
    for (const double scale : kSweep) add_swept(config, scale);
    if (config.time_unit != "s") return;
    add_in_days(config);
    config.time2vec = false;
    add_in_days(config);
  }

  void add_linear_pair() {
    RecommendationConfig config = config_for(data_, "tlstm3", plan_);
    config.k = best_sines("tlstm3");
    add(config);
    config.linear = false;
    add(config);
  }

  const std::vector<PlannedRecommendation>& all() const { return models_; }

 private:
  std::string_view data_;
  const RecommendationPlan& plan_;
  std::vector<PlannedRecommendation> models_;
};

std::vector<PlannedRecommendation> models_of(std::string_view experiment, const RecommendationPlan& plan) {
  if (experiment == "lastfm" || experiment == "citeulike") {
    Models models(experiment, plan);
    models.add_cell("lstm");
    if (plan.sweep) models.add_sweep();
    return models.all();
  }
  if (experiment == "linear-tlstm3") {
    Models models("citeulike", plan);
    models.add_linear_pair();
    return models.all();
  }
  if (experiment != "timelstm") {
    fail(
        "there is no experiment '{}' with recommendations; use lastfm, citeulike, timelstm or "
        "linear-tlstm3",
        experiment);
  }
  std::vector<PlannedRecommendation> both;
  for (const char* data : {"lastfm", "citeulike"}) {
    Models models(data, plan);
    for (const char* cell : {"tlstm1", "tlstm2", "tlstm3"}) models.add_cell(cell);
    both.insert(both.end(), models.all().begin(), models.all().end());
  }
  return both;
}

}  // namespace

std::span<const std::string_view> recommendation_experiments() { return kExperiments; }

int64_t best_sines(std::string_view cell) { return cell == "tlstm3" ? 16 : 64; }

std::vector<PlannedRecommendation> planned_recommendations(std::string_view experiment,
                                                           const RecommendationPlan& plan) {
  const std::vector<PlannedRecommendation> models = models_of(experiment, plan);
  std::vector<PlannedRecommendation> runs;
  for (int64_t seed = 1; seed <= plan.seeds; ++seed) {
    for (PlannedRecommendation run : models) {
      run.config.seed = static_cast<uint64_t>(seed);
      runs.push_back(std::move(run));
    }
  }
  return runs;
}

}  // namespace t2v::paper
