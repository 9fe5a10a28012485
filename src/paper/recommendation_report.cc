#include "paper/recommendation_report.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "paper/figures.h"
#include "paper/published_recommendation.h"
#include "paper/recommendation_figures.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kBootstrapSeed = 1;

const std::vector<double>& users_of(const RecommendationResult& result, Measure measure) {
  return measure == Measure::kRecall ? result.users.recall : result.users.mrr;
}

const ModelResults* find(const std::vector<ModelResults>& models, std::string_view name) {
  for (const ModelResults& model : models) {
    if (model.run->model == name) return &model;
  }
  return nullptr;
}

/// The runs of two models of the seeds that both have.
struct SharedResults {
  ModelResults a;
  ModelResults b;
};

SharedResults shared_results(const ModelResults& a, const ModelResults& b) {
  SharedResults shared{a, b};
  std::erase_if(shared.a.by_seed, [&](const auto& one) { return !b.by_seed.contains(one.first); });
  std::erase_if(shared.b.by_seed, [&](const auto& one) { return !a.by_seed.contains(one.first); });
  return shared;
}

/// What a is above b: of each user the mean over seeds, of each seed the mean over users.
struct Differences {
  std::vector<double> of_users;
  std::vector<double> of_seeds;
};

Differences differences_of(const SharedResults& shared, Measure measure) {
  Differences differences;
  const auto seeds = static_cast<double>(shared.a.by_seed.size());
  for (const auto& [seed, result] : shared.a.by_seed) {
    const std::vector<double>& of_a = users_of(*result, measure);
    const std::vector<double>& of_b = users_of(*shared.b.by_seed.at(seed), measure);
    differences.of_users.resize(of_a.size());
    if (of_b.size() != differences.of_users.size()) fail("runs of two models were tested on other users");
    double sum = 0;
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      differences.of_users[i] += (of_a[i] - of_b[i]) / seeds;
      sum += of_a[i] - of_b[i];
    }
    differences.of_seeds.push_back(sum / static_cast<double>(of_a.size()));
  }
  return differences;
}

/// How far an interval reaches below and above its mean.
struct Reach {
  double below = 0;
  double above = 0;
};

Reach reach_over_users(const Differences& differences) {
  const BootstrapMean users = bootstrap_over_users(differences.of_users, kBootstrapSeed);
  return {users.mean - users.low, users.high - users.mean};
}

/// The mean over seeds, uncertain both by who was tested and by the seeds: variances of independent causes
/// add. Without bounds for one seed.
Effect effect_of(std::span<const double> of_seeds, const Reach& users, Measure measure) {
  const Estimate seeds = estimate(of_seeds);
  return {seeds.mean, seeds.mean - std::hypot(users.below, seeds.half_width),
          seeds.mean + std::hypot(users.above, seeds.half_width), seeds.count, text_of(measure)};
}

/// The share of the epochs after which the mean of a is above that of b.
double share_ahead(const SharedResults& shared, Measure measure) {
  const std::vector<double> of_a = mean_curve(shared.a, measure);
  const std::vector<double> of_b = mean_curve(shared.b, measure);
  const std::size_t epochs = std::min(of_a.size(), of_b.size());
  double ahead = 0;
  for (std::size_t i = 0; i < epochs; ++i) ahead += of_a[i] > of_b[i] ? 1 : 0;
  return ahead / static_cast<double>(epochs);
}

/// 'a is above b' on a data set, or on par with it.
struct Comparison {
  Claim claim;
  std::string a;  // models
  std::string b;
  bool or_on_par = false;
};

Outcome outcome_of(const Effect& effect, bool or_on_par) {
  return or_on_par ? outcome_not_below(effect, kOnPar) : outcome_above(effect, kOnPar);
}

/// What a is above b after an epoch, from 0 on, of each seed.
std::vector<double> differences_after(std::size_t epoch, const SharedResults& shared, Measure measure) {
  std::vector<double> differences;
  for (const auto& [seed, result] : shared.a.by_seed) {
    differences.push_back(value_of(result->curve[epoch].test, measure) -
                          value_of(shared.b.by_seed.at(seed)->curve[epoch].test, measure));
  }
  return differences;
}

/// What each user got is known of the epoch that counts alone: the others are as uncertain by their users.
void look_at_last_epochs(Verdict& verdict, const SharedResults& shared, const Reach& users, Measure measure,
                         bool or_on_par) {
  const std::size_t epochs =
      std::min(mean_curve(shared.a, measure).size(), mean_curve(shared.b, measure).size());
  add_steadiness(verdict, static_cast<int64_t>(epochs), [&](int64_t epoch) {
    const auto index = static_cast<std::size_t>(epoch - 1);
    return outcome_of(effect_of(differences_after(index, shared, measure), users, measure), or_on_par);
  });
}

Verdict judge(const Comparison& comparison, const std::vector<ModelResults>& models, Measure measure) {
  const ModelResults* a = find(models, comparison.a);
  const ModelResults* b = find(models, comparison.b);
  if (a == nullptr || b == nullptr) return undecided(comparison.claim, "not run");
  const SharedResults shared = shared_results(*a, *b);
  if (shared.a.by_seed.empty()) return undecided(comparison.claim, "not run");
  const Differences differences = differences_of(shared, measure);
  const Reach users = reach_over_users(differences);
  const std::size_t seeds = differences.of_seeds.size();
  Verdict verdict;
  verdict.claim = comparison.claim;
  verdict.ours = fmt::format("{:.3f} against {:.3f}, {} seed{}, {} users",
                             at_reported(shared.a, measure).mean, at_reported(shared.b, measure).mean, seeds,
                             seeds == 1 ? "" : "s", differences.of_users.size());
  verdict.effect = effect_of(differences.of_seeds, users, measure);
  const Tally tally = comparison.claim.tally;
  if (tally == Tally::kTime) verdict.ahead = share_ahead(shared, measure);
  if (tally == Tally::kTime || tally == Tally::kTimeGates) verdict.worth = kOnPar;
  verdict.rule = fmt::format(
      "each tested user's exact expectation: the 95 % interval of the mean difference, by drawing users anew "
      "and by t over seeds (the root of the sum of both squared), counts: it {}",
      comparison.or_on_par ? rule_not_below(kOnPar) : rule_above(kOnPar));
  verdict.outcome = outcome_of(*verdict.effect, comparison.or_on_par);
  if (seeds > 1 && a->diverged == 0) {
    look_at_last_epochs(verdict, shared, users, measure, comparison.or_on_par);
  }
  return doubted(std::move(verdict), a->diverged);
}

std::string published_against(const std::vector<ModelResults>& models, std::string_view data,
                              std::string_view a, std::string_view b) {
  const PublishedCurve* one = published_recommendation(data, a);
  const PublishedCurve* other = published_recommendation(data, b);
  if (one == nullptr || other == nullptr) return "not in the paper";
  const int64_t epochs = models.empty() ? 0 : models[0].run->config.epochs;
  std::string text = against(*one, *other, epochs);
  if (static_cast<double>(epochs) < one->epochs.back()) return text;
  // Its curves have single epochs far off the others, the last one of TLSTM3 among them.
  const std::size_t before = one->values.size() - 2;
  return text + fmt::format(", {:.3f} against {:.3f} after {:.0f}", one->values[before],
                            other->values[before], one->epochs[before]);
}

std::string cell_name(const std::string& cell) { return cell == "lstm" ? "LSTM" : "TLSTM" + cell.substr(5); }

std::string with_time2vec(const std::string& cell, int64_t k) { return fmt::format("{}-t2v-{}", cell, k); }

/// Time2Vec above the interval itself, by both measures. `where`: of the curve by Recall@10, empty for a cell
/// that the paper does not have.
void judge_time(Findings& report, const std::vector<ModelResults>& models, std::string_view data,
                const std::string& cell, const std::string& where) {
  const bool lstm = cell == "lstm";
  const std::string with = cell_name(cell) + "+T2V";
  const std::string without = cell_name(cell) + (lstm ? "+T" : "");
  for (const Measure measure : kMeasures) {
    const bool recall = measure == Measure::kRecall;
    Claim claim{fmt::format("{} is above {} on {} ({})", with, without, title_of(data), text_of(measure)),
                "not in the paper", ""};
    if (!where.empty() && recall) {
      claim.where = where;
      claim.published = published_against(models, data, with, without);
      claim.tally = lstm ? Tally::kTime : Tally::kTimeGates;
    } else if (!where.empty()) {
      claim.where = "Appendix B";
      claim.published = "a curve in Appendix B, not to be had";
    }
    report.verdicts.push_back(
        judge({claim, with_time2vec(cell, best_sines(cell)), lstm ? "lstm-t" : cell}, models, measure));
  }
}

/// The paper says of 64 sines that they are best or on par in most cases, of 16 for TLSTM3 that they work
/// best.
void judge_sines(Findings& report, const std::vector<ModelResults>& models, std::string_view data,
                 const std::string& cell) {
  const int64_t best = best_sines(cell);
  const bool on_par = best == 64;
  for (const int64_t k : {16, 32, 64}) {
    if (k == best) continue;
    const Claim claim{fmt::format("{} sines are better than {} for {}+T2V on {}{}", best, k, cell_name(cell),
                                  title_of(data), on_par ? ", or on par" : ""),
                      "Appendix B", on_par ? "in most cases" : "16 works best",
                      on_par ? Tally::kSines : Tally::kNone};
    report.verdicts.push_back(
        judge({claim, with_time2vec(cell, best), with_time2vec(cell, k), on_par}, models, Measure::kRecall));
  }
}

void judge_cell(Findings& report, const std::vector<ModelResults>& models, std::string_view data,
                const std::string& cell, const std::string& where) {
  judge_time(report, models, data, cell, where);
  judge_sines(report, models, data, cell);
}

/// What the start of the linear term and the unit of time do, which the paper does not tell.
void report_sweep(Findings& report, std::string_view data, const std::vector<ModelResults>& all) {
  std::vector<ModelResults> shown;
  bool any = false;
  for (const ModelResults& model : all) {
    const RecommendationConfig& config = model.run->config;
    any = any || model.run->swept;
    if (model.run->swept || !config.time2vec || config.k == best_sines("lstm")) shown.push_back(model);
  }
  if (!any) return;
  report.figures.push_back(sweep_figure(data, shown));
  report.tables.push_back(starts_table(data, shown));
  for (const ModelResults& model : shown) {
    if (!model.run->swept || !model.run->config.time2vec) continue;
    const bool other_unit = model.run->model.ends_with("-days");  // compared with time in the same unit
    const Claim claim{fmt::format("{} is above LSTM+T{} on {} (Recall@10)", model.run->label,
                                  other_unit ? ", times in days" : "", title_of(data)),
                      "not in the paper", ""};
    report.verdicts.push_back(
        judge({claim, model.run->model, other_unit ? "lstm-t-days" : "lstm-t"}, all, Measure::kRecall));
  }
}

void report_lstm(Findings& report, std::string_view data, const std::vector<FinishedRecommendation>& finished,
                 const std::vector<FinishedReference>& references) {
  const std::vector<ModelResults> all = models_of(finished, data);
  std::vector<ModelResults> compared;
  std::ranges::copy_if(all, std::back_inserter(compared),
                       [](const ModelResults& model) { return !model.run->swept; });
  for (const Measure measure : kMeasures) {
    report.figures.push_back(
        curves_figure(data, "", data, compared, measure, rules_on(data, references, compared, measure)));
  }
  report.tables.push_back(models_table(data, data, all));
  judge_cell(report, all, data, "lstm", data == "lastfm" ? "Q1, Fig. 1d" : "Q1, Fig. 1e");
  report_sweep(report, data, all);
  report.tables.push_back(periods_table(data, all));
  report.notes.emplace_back(
      "A smaller start of the linear term's frequency does not stay small: Adagrad's first step is about its "
      "rate, 0.01, whatever the gradient. Times in days are the same as seconds with start and step divided "
      "by 86,400, for time itself, too.");
}

void report_time_lstm(Findings& report, const std::vector<FinishedRecommendation>& finished,
                      const std::vector<FinishedReference>& references) {
  for (const std::string_view data : {"lastfm", "citeulike"}) {
    const std::vector<ModelResults> all = models_of(finished, data);
    for (const char* cell : {"tlstm1", "tlstm2", "tlstm3"}) {
      std::vector<ModelResults> of_cell;
      std::ranges::copy_if(all, std::back_inserter(of_cell),
                           [&](const ModelResults& model) { return model.run->config.cell == cell; });
      if (of_cell.empty()) continue;
      for (const Measure measure : kMeasures) {
        report.figures.push_back(curves_figure(fmt::format("{}-{}", cell, data), cell_name(cell) + ", ", data,
                                               of_cell, measure,
                                               rules_on(data, references, of_cell, measure)));
      }
    }
    if (!all.empty()) {
      report.tables.push_back(models_table(fmt::format("timelstm-{}", data), data, all));
      report.tables.push_back(periods_table(fmt::format("timelstm-{}", data), all));
    }
    judge_cell(report, all, data, "tlstm1", data == "lastfm" ? "Q2, Fig. 2a" : "Q2, Fig. 2b");
    judge_time(report, all, data, "tlstm2", "");
    judge_cell(report, all, data, "tlstm3", data == "lastfm" ? "Q2, Fig. 2c" : "Q2, Fig. 2d");
  }
  report.notes.emplace_back(
      "The paper has no curves of TLSTM2; it is here because the released code has it.");
}

void report_linear_term(Findings& report, const std::vector<FinishedRecommendation>& finished,
                        const std::vector<FinishedReference>& references) {
  const std::vector<ModelResults> all = models_of(finished, "citeulike");
  for (const Measure measure : kMeasures) {
    report.figures.push_back(curves_figure("linear-tlstm3", "TLSTM3+T2V, ", "citeulike", all, measure,
                                           rules_on("citeulike", references, all, measure)));
  }
  report.tables.push_back(models_table("linear-tlstm3", "citeulike", all));
  const Claim claim{"The linear term helps TLSTM3+T2V on CiteULike", "Section 5.6, Fig. 5d",
                    published_against(all, "citeulike", "TLSTM3+T2V", "TLSTM3+T2V without linear term")};
  report.verdicts.push_back(
      judge({claim, "tlstm3-t2v-16", "tlstm3-t2v-16-no-linear"}, all, Measure::kRecall));
  report.notes.emplace_back(
      "As the released code has it, gate T1 sees hardly anything but the linear term: without it T1 does not "
      "depend on time at all, which alone may be the drop that the paper shows. By the paper's formulas "
      "(protocol paper) it sees the sines, too.");
}

void add_notes(Findings& report, const std::vector<FinishedRecommendation>& finished) {
  report.notes.emplace_back(
      "Recall@10 and MRR@10 are exact expectations over the candidates that the paper draws; the table has "
      "what drawing them gave, too.");
  report.notes.emplace_back(
      "Predictors without a network: popularity; own history, what the user took most often; a Markov chain, "
      "what most often followed the user's last item. They know all but the answers of the tested users, as "
      "models nearly do in the last epochs; before dynamic updating starts, models know nothing of these.");
  report.notes.emplace_back(
      "Periods of sines are as learned: where times are whole minutes, or on another grid, one that is "
      "shorter than two steps of it cannot be told from a longer one.");
  for (const FinishedRecommendation& one : finished) {
    if (one.result.stopped.empty()) continue;
    report.notes.push_back(fmt::format("{} on {}, seed {}, ended early: {}.", one.run.label,
                                       title_of(one.run.data), one.run.config.seed, one.result.stopped));
  }
}

}  // namespace

Findings recommendation_findings(std::string_view experiment,
                                 const std::vector<FinishedRecommendation>& finished,
                                 const std::vector<FinishedReference>& references) {
  Findings report;
  if (experiment == "lastfm" || experiment == "citeulike") {
    report_lstm(report, experiment, finished, references);
  } else if (experiment == "timelstm") {
    report_time_lstm(report, finished, references);
  } else if (experiment == "linear-tlstm3") {
    report_linear_term(report, finished, references);
  } else {
    fail("there is no experiment '{}' with recommendations", experiment);
  }
  add_notes(report, finished);
  return report;
}

Json run_record(const RecommendationResult& result) {
  Json curve = Json::object();
  double seconds = 0;
  for (const RecommendationEpoch& epoch : result.curve) {
    curve["recall@10"].push_back(epoch.test.recall);
    curve["mrr@10"].push_back(epoch.test.mrr);
    curve["recall@10 sampled"].push_back(epoch.test.sampled_recall);
    curve["mrr@10 sampled"].push_back(epoch.test.sampled_mrr);
    curve["mean rank"].push_back(epoch.test.mean_rank);
    curve["ties"].push_back(epoch.test.tied);
    curve["training loss"].push_back(epoch.loss);
    if (epoch.valid) curve["recall@10 held out"].push_back(epoch.valid->recall);
    seconds += epoch.seconds;
  }
  for (Json& values : curve) {
    while (values.size() < static_cast<std::size_t>(result.config.epochs)) values.push_back(nullptr);
  }
  return {{"parameters", result.parameters},
          {"curve", curve},
          {"seconds", seconds},
          {"frequencies", result.omega},
          {"result", to_json(result)}};
}

}  // namespace t2v::paper
