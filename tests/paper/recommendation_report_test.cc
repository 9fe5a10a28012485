#include "paper/recommendation_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "paper/published_recommendation.h"
#include "paper/recommendation_figures.h"
#include "t2v/error.h"

namespace t2v::paper {
namespace {

RecommendationPlan small(int64_t seeds = 2) {
  RecommendationPlan plan;
  plan.epochs = 2;
  plan.seeds = seeds;
  return plan;
}

/// A run in which every user has about the same recall.
FinishedRecommendation finished(const PlannedRecommendation& run, double recall) {
  RecommendationResult result;
  result.config = run.config;
  result.test_users = 4;
  for (int64_t epoch = 1; epoch <= run.config.epochs; ++epoch) {
    RecommendationEpoch one;
    one.epoch = epoch;
    one.test.recall = recall;
    one.test.mrr = recall / 2;
    result.curve.push_back(one);
  }
  result.reported_epoch = run.config.epochs;
  // Differences between models vary a little over users and seeds, as real ones do.
  const auto own = static_cast<double>(run.model.size()) + static_cast<double>(run.config.k) / 16;
  const double of_seed = 1e-5 * own * static_cast<double>(run.config.seed);
  for (const double d : {-0.02, -0.01, 0.01, 0.02}) {
    result.users.recall.push_back(recall + of_seed + d * (1 + 1e-3 * own));
    result.users.mrr.push_back(recall / 2 + d * d);
  }
  return {run, result};
}

std::vector<FinishedRecommendation> all_finished(const std::string& experiment, double plain, double with,
                                                 double no_linear = 0) {
  std::vector<FinishedRecommendation> runs;
  for (const PlannedRecommendation& run : planned_recommendations(experiment, small())) {
    const bool linear = run.config.linear || !run.config.time2vec;
    runs.push_back(finished(run, !run.config.time2vec ? plain : linear ? with : no_linear));
  }
  return runs;
}

std::string verdict_of(const Findings& report, const std::string& claim) {
  for (const Verdict& verdict : report.verdicts) {
    if (verdict.claim.claim == claim) return std::string(name_of(verdict.outcome));
  }
  return "no such claim";
}

std::set<std::string> models_in(const std::string& experiment, const RecommendationPlan& plan) {
  std::set<std::string> models;
  for (const auto& run : planned_recommendations(experiment, plan)) models.insert(run.data + " " + run.model);
  return models;
}

TEST(PublishedRecommendations, HaveEveryCurveThatWasRead) {
  EXPECT_EQ(published_recommendations().size(), 13U);
  for (const PublishedCurve& curve : published_recommendations()) {
    EXPECT_EQ(curve.values.size(), curve.epochs.size()) << curve.model;
    for (const double value : curve.values) EXPECT_TRUE(value > 0.08 && value < 0.47) << curve.model;
  }
  EXPECT_EQ(published_recommendation("lastfm", "LSTM+T2V")->values.back(), 0.335);
  EXPECT_EQ(published_recommendation("citeulike", "TLSTM3+T2V")->values.back(), 0.462);
  EXPECT_EQ(published_recommendation("citeulike", "TLSTM2"), nullptr);
}

TEST(RecommendationPlan, HasTheModelsOfEachFigure) {
  EXPECT_EQ(models_in("lastfm", small()),
            (std::set<std::string>{"lastfm lstm-t", "lastfm lstm-t2v-16", "lastfm lstm-t2v-32",
                                   "lastfm lstm-t2v-64", "lastfm lstm-t2v-64-omega0-1e-02",
                                   "lastfm lstm-t2v-64-omega0-1e-06", "lastfm lstm-t2v-64-days",
                                   "lastfm lstm-t-days"}));
  EXPECT_EQ(models_in("linear-tlstm3", small()),
            (std::set<std::string>{"citeulike tlstm3-t2v-16", "citeulike tlstm3-t2v-16-no-linear"}));
  EXPECT_EQ(models_in("timelstm", small()).size(), 2U * 3 * 4);
  EXPECT_THROW(planned_recommendations("netflix", small()), Error);
}

TEST(RecommendationPlan, MayBeCutDownToThePapersBestModels) {
  RecommendationPlan plan = small(1);
  plan.sines = {};
  plan.sweep = false;
  EXPECT_EQ(models_in("citeulike", plan),
            (std::set<std::string>{"citeulike lstm-t", "citeulike lstm-t2v-64"}));
  EXPECT_TRUE(models_in("timelstm", plan).contains("lastfm tlstm3-t2v-16"));
}

TEST(RecommendationPlan, SetsSizesProtocolAndSeeds) {
  RecommendationPlan plan = small(2);
  plan.protocol = "as-coded";
  plan.epochs = 50;
  const std::vector<PlannedRecommendation> runs = planned_recommendations("citeulike", plan);
  EXPECT_EQ(runs.front().config.hidden, 256);
  EXPECT_EQ(runs.front().config.first_stage, 10);
  EXPECT_EQ(runs.front().config.inner, "tanh");
  EXPECT_EQ(runs.front().config.seed, 1U);
  EXPECT_EQ(runs.back().config.seed, 2U);
  EXPECT_EQ(planned_recommendations("lastfm", plan).front().config.hidden, 128);
}

TEST(RecommendationReport, BearsAClaimOutOrNotByTheUsers) {
  const std::string claim = "LSTM+T2V is above LSTM+T on Last.FM (Recall@10)";
  EXPECT_EQ(verdict_of(recommendation_findings("lastfm", all_finished("lastfm", 0.2, 0.3)), claim),
            "reproduces");
  EXPECT_EQ(verdict_of(recommendation_findings("lastfm", all_finished("lastfm", 0.3, 0.2)), claim),
            "does not");
  EXPECT_EQ(verdict_of(recommendation_findings("lastfm", all_finished("lastfm", 0.2, 0.2)), claim),
            "does not")
      << "too little to count";
  EXPECT_EQ(verdict_of(recommendation_findings("lastfm", {}), claim), "undecided");
}

TEST(RecommendationReport, TellsTheEffectOverUsersBesideWhatWasPublished) {
  const Findings report = recommendation_findings("citeulike", all_finished("citeulike", 0.2, 0.3));
  const Verdict& verdict = report.verdicts.front();
  EXPECT_EQ(verdict.claim.claim, "LSTM+T2V is above LSTM+T on CiteULike (Recall@10)");
  EXPECT_EQ(verdict.claim.published,
            "0.149 against 0.152 after 1 epochs; 0.202 against 0.163 after 50 epochs");
  EXPECT_EQ(verdict.ours, "0.300 against 0.200, 2 seeds, 4 users");
  EXPECT_NEAR(verdict.effect->mean, 0.1, 1e-3);
  EXPECT_EQ(verdict.effect->n, 2) << "seeds";
  EXPECT_EQ(verdict.ahead, 1.0);
  EXPECT_EQ(report.verdicts[1].claim.claim, "LSTM+T2V is above LSTM+T on CiteULike (MRR@10)");
  EXPECT_EQ(report.verdicts[2].claim.claim,
            "64 sines are better than 16 for LSTM+T2V on CiteULike, or on par");
  EXPECT_EQ(report.verdicts[2].outcome, Outcome::kReproduces) << "they are on par";
}

TEST(RecommendationReport, QuotesTheLastTwoPublishedEpochsBecauseSingleOnesAreFarOff) {
  RecommendationPlan plan = small(1);
  plan.epochs = 50;
  std::vector<FinishedRecommendation> runs;
  for (const auto& run : planned_recommendations("timelstm", plan)) runs.push_back(finished(run, 0.2));
  const Findings report = recommendation_findings("timelstm", runs);
  const auto found = std::ranges::find_if(report.verdicts, [](const Verdict& verdict) {
    return verdict.claim.claim == "TLSTM3+T2V is above TLSTM3 on CiteULike (Recall@10)";
  });
  ASSERT_NE(found, report.verdicts.end());
  EXPECT_EQ(found->claim.published, "0.462 against 0.204 after 50 epochs, 0.445 against 0.385 after 49");
}

TEST(RecommendationPlan, KeepsTheNamesOfItsModelsWhateverIsSet) {
  RecommendationPlan plan = small(2);
  const std::set<std::string> names = models_in("lastfm", plan);
  plan.settings = {{"linear_scale", "0.01"}};
  EXPECT_EQ(models_in("lastfm", plan), names);
  std::vector<FinishedRecommendation> runs;
  for (const auto& run : planned_recommendations("lastfm", plan)) {
    const double swept = run.model.ends_with("-1e-02") ? 1e-2 : run.model.ends_with("-1e-06") ? 1e-6 : 1;
    EXPECT_NEAR(run.config.linear_scale, 0.01 * swept, 1e-15) << run.model;
    runs.push_back(finished(run, run.config.time2vec ? 0.3 : 0.2));
  }
  const Findings report = recommendation_findings("lastfm", runs);
  EXPECT_EQ(verdict_of(report, "LSTM+T2V is above LSTM+T on Last.FM (Recall@10)"), "reproduces");
  EXPECT_EQ(report.figures.at(0).at("series").size(), 5U) << "four models and chance";
}

TEST(RecommendationPlan, RefusesASwitchThatWouldDoNothing) {
  RecommendationPlan plan = small(1);
  plan.settings = {{"carry_across_users", "true"}};
  EXPECT_THROW(planned_recommendations("lastfm", plan), Error);
  plan.settings["delta"] = "as_coded";
  EXPECT_TRUE(planned_recommendations("lastfm", plan).front().config.carry_across_users);
  plan.settings = {{"delta", "forward"}};
  plan.protocol = "as-coded";
  EXPECT_EQ(planned_recommendations("lastfm", plan).front().config.delta, "forward") << "on its own";
}

TEST(RecommendationReport, LeavesOneSeedUndecided) {
  std::vector<FinishedRecommendation> runs = all_finished("lastfm", 0.2, 0.3);
  std::erase_if(runs, [](const auto& run) { return run.run.config.seed != 1; });
  EXPECT_EQ(
      verdict_of(recommendation_findings("lastfm", runs), "LSTM+T2V is above LSTM+T on Last.FM (Recall@10)"),
      "undecided");
}

TEST(RecommendationReport, IsAsCarefulAsTheSpreadOverSeedsAsksFor) {
  const std::string claim = "LSTM+T2V is above LSTM+T on Last.FM (Recall@10)";
  std::vector<FinishedRecommendation> runs = all_finished("lastfm", 0.2, 0.3);
  for (FinishedRecommendation& run : runs) {
    if (!run.run.config.time2vec || run.run.config.seed != 2) continue;
    for (double& recall : run.result.users.recall) recall -= 0.08;  // all users agree, but the seeds do not
  }
  EXPECT_EQ(verdict_of(recommendation_findings("lastfm", runs), claim), "undecided");
}

TEST(RecommendationReport, ComparesTheSeedsThatBothModelsHave) {
  std::vector<FinishedRecommendation> runs = all_finished("lastfm", 0.2, 0.3);
  RecommendationPlan more = small(3);
  for (const PlannedRecommendation& run : planned_recommendations("lastfm", more)) {
    if (run.config.seed == 3 && run.model == "lstm-t2v-64") runs.push_back(finished(run, 0.9));
  }
  const Findings report = recommendation_findings("lastfm", runs);
  EXPECT_EQ(report.verdicts.front().effect->n, 2);
  EXPECT_NEAR(report.verdicts.front().effect->mean, 0.1, 1e-3);
  EXPECT_TRUE(report.verdicts.front().ours.starts_with("0.300 against 0.200, 2 seeds, 4 users"));
}

TEST(RecommendationReport, IsUncertainByUsersAndBySeedsTogether) {
  std::vector<FinishedRecommendation> runs = all_finished("lastfm", 0.2, 0.3);
  for (FinishedRecommendation& run : runs) {
    if (!run.run.config.time2vec) continue;
    // Of two seeds ±0.001 about 0.1, and of four users ±0.05: t(0.975, 1) is 12.706.
    std::vector<double> recall;
    for (const double user : {-0.05, -0.05, 0.05, 0.05}) {
      recall.push_back(0.3 + user + (run.run.config.seed == 1 ? -0.001 : 0.001));
    }
    run.result.users.recall = recall;
  }
  for (FinishedRecommendation& run : runs) {
    if (!run.run.config.time2vec) run.result.users.recall.assign(4, 0.2);
  }
  const Effect effect = *recommendation_findings("lastfm", runs).verdicts.front().effect;
  const double seeds = 12.706 * 0.001;
  EXPECT_NEAR(effect.mean, 0.1, 1e-12);
  EXPECT_NEAR(effect.mean - effect.low, std::hypot(0.05, seeds), 1e-5) << "users: from -0.05 to 0.05";
  EXPECT_NEAR(effect.high - effect.mean, std::hypot(0.05, seeds), 1e-5);
}

/// The verdict on Time2Vec where it is ahead after the last epoch, and behind after those before it that are
/// told, of six.
Verdict verdict_if_behind_after(const std::set<std::size_t>& epochs) {
  std::vector<FinishedRecommendation> runs = all_finished("lastfm", 0.2, 0.3);
  for (FinishedRecommendation& run : runs) {
    std::vector<RecommendationEpoch>& curve = run.result.curve;
    curve.resize(6, curve.back());
    if (!run.run.config.time2vec) continue;
    for (const std::size_t epoch : epochs) curve[epoch - 1].test.recall = 0.1;
  }
  return recommendation_findings("lastfm", runs).verdicts.front();
}

TEST(RecommendationReport, SaysAfterHowManyOfTheLastEpochsAVerdictWouldBeTheSame) {
  const Verdict verdict = verdict_if_behind_after({1, 2, 3, 5});
  ASSERT_TRUE(verdict.steady);
  EXPECT_EQ(verdict.steady->same, 2);
  EXPECT_EQ(verdict.steady->of, 3);
  EXPECT_EQ(verdict.outcome, Outcome::kReproduces);
}

TEST(RecommendationReport, IsUndecidedIfItWouldBeAnotherAfterMostOfTheLastEpochs) {
  const Verdict verdict = verdict_if_behind_after({4, 5});
  EXPECT_EQ(verdict.outcome, Outcome::kUndecided);
  EXPECT_TRUE(verdict.ours.ends_with("; reproduces by the last epoch, but only after 1 of the last 3"))
      << verdict.ours;
}

TEST(RecommendationReport, JudgesStartsAndUnitsApartFromThePapersClaims) {
  const Findings report = recommendation_findings("lastfm", all_finished("lastfm", 0.2, 0.3));
  const auto found = std::ranges::find_if(report.verdicts, [](const Verdict& verdict) {
    return verdict.claim.claim ==
           "LSTM+T2V, k = 64, times in days is above LSTM+T, times in days on Last.FM (Recall@10)";
  });
  ASSERT_NE(found, report.verdicts.end());
  EXPECT_EQ(found->claim.where, "not in the paper");
  EXPECT_EQ(found->claim.tally, Tally::kNone);
  EXPECT_EQ(found->outcome, Outcome::kReproduces);
  std::vector<FinishedRecommendation> rest = all_finished("lastfm", 0.2, 0.3);
  std::erase_if(rest, [](const auto& run) { return run.run.model == "lstm-t-days"; });
  EXPECT_EQ(verdict_of(recommendation_findings("lastfm", rest), found->claim.claim), "undecided")
      << "seconds do not stand in for days";
  RecommendationPlan best = small();
  best.protocol = "best";
  EXPECT_FALSE(models_in("lastfm", best).contains("lastfm lstm-t-days")) << "its times are in days anyway";
}

TEST(RecommendationReport, DrawsCurvesWithWhatWasPublishedAndASweep) {
  const Findings report = recommendation_findings("lastfm", all_finished("lastfm", 0.2, 0.3));
  ASSERT_EQ(report.figures.size(), 3U);
  const nlohmann::json& recall = report.figures[0];
  EXPECT_EQ(recall.at("kind"), "curves");
  EXPECT_EQ(recall.at("series").size(), 5U);  // four models and chance
  EXPECT_EQ(recall.at("series")[0].at("name"), "LSTM+T");
  EXPECT_EQ(recall.at("series")[0].at("y"), (nlohmann::json{0.2, 0.2}));
  EXPECT_EQ(recall.at("series")[0].at("n"), 2);
  EXPECT_EQ(recall.at("series")[0].at("low").size(), 2U);
  EXPECT_EQ(recall.at("published").size(), 2U);
  EXPECT_EQ(recall.at("published")[1].at("like"), "LSTM+T2V, k = 64");
  EXPECT_EQ(recall.at("published")[1].at("x").size(), 10U);
  EXPECT_TRUE(report.figures[1].at("published").empty()) << "MRR is not to be had";
  EXPECT_EQ(report.figures[2].at("id"), "lastfm-omega0");
  EXPECT_EQ(report.figures[2].at("series").size(), 6U);
  const nlohmann::json& table = report.tables.at(0);
  EXPECT_EQ(table.at("rows").size(), 8U);
  EXPECT_EQ(table.at("rows")[0].size(), table.at("columns").size());
}

TEST(RecommendationReport, HoldsTimeLstmsAndTheLinearTermAgainstTheirFigures) {
  const Findings cells = recommendation_findings("timelstm", all_finished("timelstm", 0.2, 0.3));
  EXPECT_EQ(cells.figures.size(), 2U * 3 * 2);
  EXPECT_EQ(verdict_of(cells, "TLSTM3+T2V is above TLSTM3 on CiteULike (Recall@10)"), "reproduces");
  EXPECT_EQ(verdict_of(cells, "TLSTM1+T2V is above TLSTM1 on Last.FM (MRR@10)"), "reproduces");
  EXPECT_EQ(verdict_of(cells, "16 sines are better than 64 for TLSTM3+T2V on Last.FM"), "does not");
  int64_t of_tlstm2 = 0;
  for (const Verdict& verdict : cells.verdicts) {
    if (!verdict.claim.claim.starts_with("TLSTM2+T2V is above TLSTM2 on ")) continue;
    ++of_tlstm2;
    EXPECT_EQ(verdict.outcome, Outcome::kReproduces);
    EXPECT_EQ(verdict.claim.where, "not in the paper");
    EXPECT_EQ(verdict.claim.tally, Tally::kNone) << "not one of the paper's comparisons";
  }
  EXPECT_EQ(of_tlstm2, 4);

  const Findings linear =
      recommendation_findings("linear-tlstm3", all_finished("linear-tlstm3", 0.2, 0.3, 0.25));
  EXPECT_EQ(linear.figures[0].at("published").size(), 2U);
  EXPECT_EQ(verdict_of(linear, "The linear term helps TLSTM3+T2V on CiteULike"), "reproduces");
}

TEST(RecommendationReport, SaysWhichRunsEndedEarlyAndLeavesThemOut) {
  std::vector<FinishedRecommendation> runs = all_finished("linear-tlstm3", 0.2, 0.3, 0.25);
  for (FinishedRecommendation& run : runs) {
    if (run.run.config.linear) continue;
    run.result.stopped = "epoch 2: the loss is not finite";
    run.result.curve.pop_back();  // an epoch is there, but it is not the last
  }
  const Findings report = recommendation_findings("linear-tlstm3", runs);
  EXPECT_EQ(report.verdicts.front().outcome, Outcome::kUndecided);
  EXPECT_TRUE(std::ranges::any_of(report.notes, [](const std::string& note) {
    return note.find("ended early: epoch 2") != std::string::npos;
  }));
}

TEST(RecommendationReport, DrawsChanceAmongAsManyCandidatesAsTheModelsHave) {
  EXPECT_DOUBLE_EQ(chance(Measure::kRecall, 100), 10.0 / 101);
  EXPECT_NEAR(chance(Measure::kMrr, 100), 2.9289682539682538 / 101, 1e-15);
  EXPECT_DOUBLE_EQ(chance(Measure::kRecall, 19), 0.5);
  EXPECT_DOUBLE_EQ(chance(Measure::kRecall, 4), 1);
}

TEST(RecommendationReport, CountsNothingInFavourOfAModelWithARunThatDiverged) {
  const std::string claim = "The linear term helps TLSTM3+T2V on CiteULike";
  std::vector<FinishedRecommendation> runs;
  for (const PlannedRecommendation& run : planned_recommendations("linear-tlstm3", small(3))) {
    runs.push_back(finished(run, run.config.linear ? 0.3 : 0.25));
  }
  EXPECT_EQ(verdict_of(recommendation_findings("linear-tlstm3", runs), claim), "reproduces");
  const auto stop_one = [&](bool linear) {
    std::vector<FinishedRecommendation> others = runs;
    const auto one = std::ranges::find_if(
        others, [&](const FinishedRecommendation& run) { return run.run.config.linear == linear; });
    one->result.stopped = "epoch 2: the loss is not finite";
    return verdict_of(recommendation_findings("linear-tlstm3", others), claim);
  };
  EXPECT_EQ(stop_one(true), "undecided");
  EXPECT_EQ(stop_one(false), "reproduces") << "the other one";
}

TEST(RecommendationRecord, IsFilledUpWithNothingWhereARunEndedEarly) {
  FinishedRecommendation one = finished(planned_recommendations("lastfm", small())[0], 0.25);
  one.result.curve.pop_back();
  EXPECT_EQ(run_record(one.result).at("curve").at("recall@10"), (nlohmann::json{0.25, nullptr}));
}

TEST(RecommendationRecord, HasACurveForEachMeasureAndTheWholeResult) {
  const FinishedRecommendation one = finished(planned_recommendations("lastfm", small())[0], 0.25);
  const nlohmann::json record = run_record(one.result);
  EXPECT_EQ(record.at("curve").at("recall@10"), (nlohmann::json{0.25, 0.25}));
  EXPECT_EQ(record.at("curve").at("mrr@10").size(), 2U);
  EXPECT_EQ(to_json(recommendation_result_from(record.at("result"))), to_json(one.result));
}

}  // namespace
}  // namespace t2v::paper
