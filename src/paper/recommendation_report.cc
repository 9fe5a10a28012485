#include "paper/recommendation_report.h"

#include <algorithm>
#include <iterator>

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

/// The mean over the seeds that both have of each user, for both.
struct PairedUsers {
  std::vector<double> a;
  std::vector<double> b;
  int64_t seeds = 0;
};

PairedUsers paired_users(const ModelResults& a, const ModelResults& b, Measure measure) {
  PairedUsers pairs;
  const auto add = [](std::vector<double>& sums, const std::vector<double>& values) {
    sums.resize(values.size(), 0);
    for (std::size_t i = 0; i < values.size(); ++i) sums[i] += values[i];
  };
  for (const auto& [seed, result] : a.by_seed) {
    const auto other = b.by_seed.find(seed);
    if (other == b.by_seed.end()) continue;
    add(pairs.a, users_of(*result, measure));
    add(pairs.b, users_of(*other->second, measure));
    ++pairs.seeds;
  }
  for (auto* sums : {&pairs.a, &pairs.b}) {
    for (double& sum : *sums) sum /= static_cast<double>(pairs.seeds);
  }
  return pairs;
}

double mean_of(const std::vector<double>& values) { return estimate(values).mean; }

/// 'a is above b' on a data set.
struct Comparison {
  std::string claim;
  std::string where;
  std::string published;
  std::string a;  // models
  std::string b;
  bool with_time_itself = false;  // a has Time2Vec, b the interval
};

Verdict judge(const Comparison& comparison, const std::vector<ModelResults>& models, Measure measure,
              double margin = 0) {
  const Claim claim{comparison.claim, comparison.where, comparison.published,
                    comparison.with_time_itself && measure == Measure::kRecall};
  const ModelResults* a = find(models, comparison.a);
  const ModelResults* b = find(models, comparison.b);
  const PairedUsers pairs = a != nullptr && b != nullptr ? paired_users(*a, *b, measure) : PairedUsers{};
  if (pairs.seeds == 0) return undecided(claim, "not run");
  const BootstrapDifference difference = paired_bootstrap_over_users(pairs.a, pairs.b, kBootstrapSeed);
  Verdict verdict;
  verdict.claim = claim;
  verdict.ours = fmt::format("{:.3f} against {:.3f}, {} seed{}, {} users", mean_of(pairs.a), mean_of(pairs.b),
                             pairs.seeds, pairs.seeds == 1 ? "" : "s", pairs.a.size());
  verdict.effect =
      Effect{difference.mean, difference.low, difference.high, difference.users, text_of(measure)};
  verdict.outcome = difference.low > margin    ? Outcome::kReproduces
                    : difference.high < margin ? Outcome::kDoesNot
                                               : Outcome::kUndecided;
  verdict.rule = fmt::format(
      "each tested user's exact expectation, averaged over seeds: reproduces if the 95 % interval of the "
      "difference, by a paired bootstrap over users, is above {}, does not if it is below",
      margin);
  return verdict;
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

/// Time2Vec above the interval itself, by both measures; and the number of sines that is best.
void judge_cell(Findings& report, const std::vector<ModelResults>& models, std::string_view data,
                const std::string& cell, const std::string& where) {
  const bool lstm = cell == "lstm";
  const std::string plain = lstm ? "lstm-t" : cell;
  const std::string with = cell_name(cell) + "+T2V";
  const std::string without = cell_name(cell) + (lstm ? "+T" : "");
  const auto model = [&](int64_t k) { return fmt::format("{}-t2v-{}", cell, k); };
  const int64_t best = best_sines(cell);
  for (const Measure measure : kMeasures) {
    const bool recall = measure == Measure::kRecall;
    report.verdicts.push_back(judge(
        {fmt::format("{} is above {} on {} ({})", with, without, title_of(data), text_of(measure)),
         recall ? where : where + " and Appendix B",
         recall ? published_against(models, data, with, without) : "a curve in Appendix B, not to be had",
         model(best), plain, true},
        models, measure));
  }
  // The paper says of 64 sines that they are best or on par in most cases, of 16 for TLSTM3 that they work
  // best.
  const bool on_par = best == 64;
  for (const int64_t k : {16, 32, 64}) {
    if (k == best) continue;
    report.verdicts.push_back(
        judge({fmt::format("{} sines are better than {} for {} on {}{}", best, k, with, title_of(data),
                           on_par ? ", or on par" : ""),
               "Appendix B", on_par ? "in most cases" : "16 works best", model(best), model(k)},
              models, Measure::kRecall, on_par ? -kOnPar : 0));
  }
}

void report_lstm(Findings& report, std::string_view data,
                 const std::vector<FinishedRecommendation>& finished) {
  const std::vector<ModelResults> all = models_of(finished, data);
  std::vector<ModelResults> compared;
  std::vector<ModelResults> swept;
  for (const ModelResults& model : all) {
    const RecommendationConfig& config = model.run->config;
    if (model.run->swept == 1) compared.push_back(model);
    if (config.time2vec && config.k == best_sines("lstm")) swept.push_back(model);
  }
  for (const Measure measure : kMeasures) {
    report.figures.push_back(curves_figure(data, data, compared, measure));
  }
  if (swept.size() > 1) report.figures.push_back(sweep_figure(data, swept));
  report.tables.push_back(models_table(data, data, all));
  judge_cell(report, all, data, "lstm", data == "lastfm" ? "Q1, Fig. 1d" : "Q1, Fig. 1e");
}

void report_time_lstm(Findings& report, const std::vector<FinishedRecommendation>& finished) {
  for (const std::string_view data : {"lastfm", "citeulike"}) {
    const std::vector<ModelResults> all = models_of(finished, data);
    if (all.empty()) continue;
    for (const char* cell : {"tlstm1", "tlstm2", "tlstm3"}) {
      std::vector<ModelResults> of_cell;
      std::ranges::copy_if(all, std::back_inserter(of_cell),
                           [&](const ModelResults& model) { return model.run->config.cell == cell; });
      if (of_cell.empty()) continue;
      for (const Measure measure : kMeasures) {
        report.figures.push_back(curves_figure(fmt::format("{}-{}", cell, data), data, of_cell, measure));
      }
    }
    report.tables.push_back(models_table(fmt::format("timelstm-{}", data), data, all));
    judge_cell(report, all, data, "tlstm1", data == "lastfm" ? "Q2, Fig. 2a" : "Q2, Fig. 2b");
    judge_cell(report, all, data, "tlstm3", data == "lastfm" ? "Q2, Fig. 2c" : "Q2, Fig. 2d");
  }
  report.notes.emplace_back(
      "The paper has no curves of TLSTM2; it is here because the released code has it.");
}

void report_linear_term(Findings& report, const std::vector<FinishedRecommendation>& finished) {
  const std::vector<ModelResults> all = models_of(finished, "citeulike");
  for (const Measure measure : kMeasures) {
    report.figures.push_back(curves_figure("linear-tlstm3", "citeulike", all, measure));
  }
  report.tables.push_back(models_table("linear-tlstm3", "citeulike", all));
  report.verdicts.push_back(
      judge({"The linear term helps TLSTM3+T2V on CiteULike", "Section 5.6, Fig. 5d",
             published_against(all, "citeulike", "TLSTM3+T2V", "TLSTM3+T2V without linear term"),
             "tlstm3-t2v-16", "tlstm3-t2v-16-no-linear"},
            all, Measure::kRecall));
}

void add_notes(Findings& report, const std::vector<FinishedRecommendation>& finished) {
  report.notes.emplace_back(
      "Recall@10 and MRR@10 are exact expectations over the candidates that the paper draws; the table has "
      "what 20 draws gave, too.");
  for (const FinishedRecommendation& one : finished) {
    if (one.result.stopped.empty()) continue;
    report.notes.push_back(fmt::format("{} on {}, seed {}, ended early: {}.", one.run.label,
                                       title_of(one.run.data), one.run.config.seed, one.result.stopped));
  }
}

}  // namespace

Findings recommendation_findings(std::string_view experiment,
                                 const std::vector<FinishedRecommendation>& finished) {
  Findings report;
  if (experiment == "lastfm" || experiment == "citeulike") {
    report_lstm(report, experiment, finished);
  } else if (experiment == "timelstm") {
    report_time_lstm(report, finished);
  } else if (experiment == "linear-tlstm3") {
    report_linear_term(report, finished);
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
