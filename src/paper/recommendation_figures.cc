#include "paper/recommendation_figures.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/fail.h"
#include "data/human_time.h"
#include "paper/published_recommendation.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

/// How many seconds a unit of time has; 0 for none, such as a logarithm.
double seconds_in(const std::string& unit) { return unit == "log" ? 0 : 1 / in_unit(1, unit); }

/// For people, after 'a'.
const char* unit_name(std::string_view unit) {
  if (unit == "min") return "minute";
  if (unit == "h") return "hour";
  if (unit == "d") return "day";
  return unit == "log" ? "unit of ln(1 + seconds)" : "second";
}

void add_point(Json& series, const Estimate& value) {
  series["y"].push_back(value.mean);
  if (value.count < 2) return;
  const Band band = band_of(value);
  series["low"].push_back(band.low);
  series["high"].push_back(band.high);
}

Json curve_series(const ModelResults& model, Measure measure) {
  Json series = {
      {"name", model.run->label}, {"n", model.by_seed.size()}, {"x", Json::array()}, {"y", Json::array()}};
  std::size_t epochs = model.by_seed.begin()->second->curve.size();
  for (const auto& [seed, result] : model.by_seed) epochs = std::min(epochs, result->curve.size());
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    std::vector<double> values;
    for (const auto& [seed, result] : model.by_seed)
      values.push_back(value_of(result->curve[epoch].test, measure));
    series["x"].push_back(epoch + 1);
    add_point(series, estimate(values));
  }
  return series;
}

/// The published curve that a model is to be held against, if any.
const PublishedCurve* published_of(const PlannedRecommendation& run) {
  const RecommendationConfig& config = run.config;
  if (run.swept || (config.time2vec && config.k != best_sines(config.cell))) return nullptr;
  return published_recommendation(run.data,
                                  model_name(config) + (config.linear ? "" : " without linear term"));
}

std::string numbers_of(const std::vector<ModelResults>& models, Measure measure) {
  std::string text;
  for (const ModelResults& model : models) {
    text += fmt::format("{}{} {:.3f}", text.empty() ? "" : ", ", model.run->label,
                        at_reported(model, measure).mean);
  }
  return text;
}

/// Without what all have in common.
std::string short_name(std::string label) {
  for (const std::string_view common : {"LSTM+", ", k = 64"}) {
    const std::size_t at = label.find(common);
    if (at != std::string::npos) label.erase(at, common.size());
  }
  return label;
}

}  // namespace

const char* text_of(Measure measure) { return measure == Measure::kRecall ? "Recall@10" : "MRR@10"; }

double value_of(const RecommendationScore& score, Measure measure) {
  return measure == Measure::kRecall ? score.recall : score.mrr;
}

std::string title_of(std::string_view data) { return data == "lastfm" ? "Last.FM" : "CiteULike"; }

std::vector<ModelResults> models_of(const std::vector<FinishedRecommendation>& finished,
                                    std::string_view data) {
  std::vector<ModelResults> models;
  for (const FinishedRecommendation& one : finished) {
    if (one.run.data != data || !one.result.stopped.empty() || one.result.curve.empty()) continue;
    const auto same = [&](const ModelResults& m) { return m.run->model == one.run.model; };
    auto found = std::ranges::find_if(models, same);
    if (found == models.end()) found = models.insert(models.end(), ModelResults{&one.run, {}});
    found->by_seed[one.result.config.seed] = &one.result;
  }
  for (ModelResults& model : models) {
    model.diverged =
        static_cast<std::size_t>(std::ranges::count_if(finished, [&](const FinishedRecommendation& one) {
          return one.run.data == data && one.run.model == model.run->model && !one.result.stopped.empty();
        }));
  }
  return models;
}

Estimate at_reported(const ModelResults& model, Measure measure) {
  std::vector<double> values;
  for (const auto& [seed, result] : model.by_seed)
    values.push_back(value_of(result->reported().test, measure));
  return estimate(values);
}

std::vector<double> mean_curve(const ModelResults& model, Measure measure) {
  std::size_t epochs = model.by_seed.begin()->second->curve.size();
  for (const auto& [seed, result] : model.by_seed) epochs = std::min(epochs, result->curve.size());
  std::vector<double> means(epochs);
  for (const auto& [seed, result] : model.by_seed) {
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
      means[epoch] +=
          value_of(result->curve[epoch].test, measure) / static_cast<double>(model.by_seed.size());
    }
  }
  return means;
}

double chance(Measure measure, int64_t negatives) {
  const int64_t places = negatives + 1;
  double sum = 0;
  for (int64_t rank = 1; rank <= std::min(kListLength[0], places); ++rank) {
    sum += measure == Measure::kRecall ? 1.0 : 1.0 / static_cast<double>(rank);
  }
  return sum / static_cast<double>(places);
}

std::vector<Rule> rules_on(std::string_view data, const std::vector<FinishedReference>& references,
                           const std::vector<ModelResults>& models, Measure measure) {
  const bool recall = measure == Measure::kRecall;
  std::vector<Rule> rules;
  for (const FinishedReference& one : references) {
    if (one.data != data) continue;
    rules.push_back({std::string(label_of(one.reference)), recall ? one.score.recall : one.score.mrr});
  }
  const int64_t negatives = (models.empty() ? RecommendationConfig() : models[0].run->config).negatives;
  rules.push_back({"chance", chance(measure, negatives)});
  return rules;
}

Json curves_figure(std::string_view id, const std::string& what, std::string_view data,
                   const std::vector<ModelResults>& models, Measure measure, const std::vector<Rule>& rules) {
  const bool recall = measure == Measure::kRecall;
  const std::string title = fmt::format("{}{} on {}", what, text_of(measure), title_of(data));
  Json figure = {{"id", fmt::format("{}-{}", id, recall ? "recall" : "mrr")},
                 {"title", title},
                 {"alt", fmt::format("{}: {}.", title, numbers_of(models, measure))},
                 {"kind", "curves"},
                 {"x", {{"label", "epoch"}, {"scale", "linear"}}},
                 {"y", {{"label", text_of(measure)}, {"format", ".3f"}}},
                 {"series", Json::array()},
                 {"published", Json::array()}};
  for (const ModelResults& model : models) {
    figure["series"].push_back(curve_series(model, measure));
    const PublishedCurve* published = recall ? published_of(*model.run) : nullptr;
    if (published == nullptr) continue;
    figure["published"].push_back({{"name", fmt::format("{} (paper)", published->model)},
                                   {"like", model.run->label},
                                   {"x", published->epochs},
                                   {"y", published->values}});
  }
  add_rules(figure, rules);
  return figure;
}

Json sweep_figure(std::string_view data, const std::vector<ModelResults>& models) {
  Json series = Json::array();
  for (const ModelResults& model : models) {
    Json bar = {{"name", short_name(model.run->label)}, {"n", model.by_seed.size()}, {"y", Json::array()}};
    add_point(bar, at_reported(model, Measure::kRecall));
    series.push_back(bar);
  }
  return {
      {"id", fmt::format("{}-omega0", data)},
      {"title", fmt::format("Start of the linear term's frequency ω₀, and unit of time, {}", title_of(data))},
      {"alt", fmt::format("Recall@10 on {} by the start of the linear term's frequency and the unit: {}.",
                          title_of(data), numbers_of(models, Measure::kRecall))},
      {"kind", "bars"},
      {"x", {{"label", "start"}, {"scale", "linear"}}},
      {"y", {{"label", "Recall@10"}, {"format", ".3f"}}},
      {"series", series},
      {"published", Json::array()}};
}

Json starts_table(std::string_view data, const std::vector<ModelResults>& models) {
  Json rows = Json::array();
  for (const ModelResults& model : models) {
    const RecommendationResult& one = *model.by_seed.begin()->second;
    if (!one.config.time2vec || one.omega.empty()) continue;
    rows.push_back({model.run->label, one.config.seed, fmt::format("{:.2g}", one.omega.front()),
                    unit_name(one.config.time_unit)});
  }
  return {{"id", fmt::format("{}-omega0-learned", data)},
          {"title", fmt::format("Where the linear term's frequency ω₀ ended, {}", title_of(data))},
          {"columns", {"model", "seed", "ω₀ after the last epoch", "a"}},
          {"rows", rows}};
}

Json periods_table(std::string_view id, const std::vector<ModelResults>& models) {
  Json rows = Json::array();
  for (const ModelResults& model : models) {
    const RecommendationResult& one = *model.by_seed.begin()->second;
    const double seconds = seconds_in(one.config.time_unit);
    std::vector<double> periods;
    for (std::size_t i = one.config.linear ? 1 : 0; i < one.omega.size(); ++i) {
      if (one.omega[i] != 0) periods.push_back(2 * std::numbers::pi / std::abs(one.omega[i]) * seconds);
    }
    if (periods.empty() || seconds == 0) continue;
    std::ranges::sort(periods);
    rows.push_back({model.run->label, one.config.seed, data::human_duration(periods.front()),
                    data::human_duration(periods[periods.size() / 2]), data::human_duration(periods.back())});
  }
  return {{"id", fmt::format("{}-periods", id)},
          {"title", "Learned periods of the sines"},
          {"columns", {"model", "seed", "shortest", "median", "longest"}},
          {"rows", rows}};
}

Json models_table(std::string_view id, std::string_view data, const std::vector<ModelResults>& models) {
  Json rows = Json::array();
  for (const ModelResults& model : models) {
    const RecommendationResult& one = *model.by_seed.begin()->second;
    double seconds = 0;
    for (const RecommendationEpoch& epoch : one.curve) seconds += epoch.seconds;
    const RecommendationScore& score = one.reported().test;
    rows.push_back({model.run->label, model.by_seed.size(), one.parameters, one.reported_epoch,
                    with_interval(at_reported(model, Measure::kRecall)), score.sampled_recall,
                    with_interval(at_reported(model, Measure::kMrr)), score.sampled_mrr, score.mean_rank,
                    score.tied, one.curve.back().loss, seconds});
  }
  return {{"id", fmt::format("{}-models", id)},
          {"title",
           fmt::format(
               "{}: means over seeds ± half of the 95 % interval; what is sampled, the rank, ties, loss and "
               "seconds are of the first seed",
               title_of(data))},
          {"columns",
           {"model", "seeds", "parameters", "epoch", "Recall@10", "Recall@10, sampled", "MRR@10",
            "MRR@10, sampled", "mean rank", "ties", "training loss", "seconds"}},
          {"rows", rows}};
}

}  // namespace t2v::paper
