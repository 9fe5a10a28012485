#include "paper/recommendation_experiments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "data/importer_files.h"
#include "paper/reproduction.h"
#include "paper/results.h"

namespace t2v::paper {
namespace {

Plan made_plan(Protocol protocol) {
  Plan plan;
  plan.scale = Scale::kSmoke;
  plan.protocol = protocol;
  plan.made = {"lastfm", "citeulike"};
  return plan;
}

/// Runs an experiment in a folder; how many runs there were to do.
int64_t reproduce(const Experiment& experiment, const Plan& plan, const RunFiles& files) {
  DataShelf data(files.folder() + "/data", {});
  ThreadPool pool(2);
  Reproduction reproduction({&experiment}, plan, files, data, pool, FileSystem::real());
  EXPECT_TRUE(reproduction.run({}, {}));
  return reproduction.pending();
}

TEST(RecommendationExperiments, RunWithEveryProtocolAndAreNotRunAgain) {
  for (const Protocol protocol : {Protocol::kPaper, Protocol::kAsCoded, Protocol::kBest}) {
    const data::OwnFiles folder;
    const RunFiles files(FileSystem::real(), folder.path("out"));
    const Plan plan = made_plan(protocol);
    const Experiment all[] = {lastfm(), citeulike(), timelstm(), linear_tlstm3()};
    EXPECT_EQ(reproduce(all[0], plan, files), 2 + 3) << "models, and predictors without a network";
    EXPECT_EQ(reproduce(all[0], plan, files), 0);
    EXPECT_EQ(reproduce(all[1], plan, files), 2 + 3);
    EXPECT_EQ(reproduce(all[2], plan, files), 12) << "the predictors are shared";
    EXPECT_EQ(reproduce(all[3], plan, files), 1) << "one is shared";
    for (const Experiment& experiment : all) {
      const Findings found = experiment.findings(plan, FinishedRuns(files, experiment.runs(plan)));
      EXPECT_GE(found.figures.size(), 2U) << experiment.name;
      EXPECT_FALSE(found.tables.empty()) << experiment.name;
      ASSERT_FALSE(found.verdicts.empty()) << experiment.name;
      EXPECT_TRUE(found.verdicts[0].effect.has_value()) << experiment.name;
    }
    const FinishedRuns runs(files, all[0].runs(plan));
    EXPECT_EQ(runs.of("lastfm-lstm-t").records.at(0).at("data").at("kind"), "invented");
  }
}

TEST(RecommendationExperiments, SplitThePapersOwnUsersAsItsCodeDoes) {
  const data::OwnFiles folder;
  const auto users_tested = [&](int users, const std::string& share = "") {
    std::string plays;
    for (int user = 0; user < users; ++user) {
      for (int i = 0; i < 3; ++i) {
        plays += fmt::format("user_{:06}\t2009-01-0{}T00:00:00Z\t\tsomeone\t\tsong {}\n", user, i + 1, i);
      }
    }
    const std::string path = folder.write(fmt::format("plays{}.tsv", users), plays);
    Plan plan;
    plan.scale = Scale::kSmoke;
    plan.epochs = 1;
    plan.models = {"lastfm-lstm-t"};
    if (!share.empty()) plan.settings = {{"train_share", share}};
    const RunFiles files(FileSystem::real(), folder.path("out" + std::to_string(users) + share));
    DataShelf data(".", {{"lastfm", path}});
    ThreadPool pool(1);
    const Experiment experiment = lastfm();
    Reproduction reproduction({&experiment}, plan, files, data, pool, FileSystem::real());
    EXPECT_TRUE(reproduction.run({}, {}));
    const FinishedRuns runs(files, experiment.runs(plan));
    return runs.of("lastfm-lstm-t").records.at(0).at("result").at("test_users").get<int64_t>();
  };
  EXPECT_EQ(users_tested(992), 192);
  EXPECT_EQ(users_tested(100), 20) << "a fifth of others";
  EXPECT_EQ(users_tested(992, "0.8"), 198) << "as was set";
}

TEST(RecommendationExperiments, DrawPredictorsWithoutANetworkBesideWhicheverModelsAreChosen) {
  const data::OwnFiles folder;
  const RunFiles files(FileSystem::real(), folder.path("out"));
  const Experiment experiment = timelstm();
  Plan plan = made_plan(Protocol::kPaper);
  plan.models = {"citeulike-tlstm1"};
  EXPECT_EQ(reproduce(experiment, plan, files), 1 + 2 * 3);
  const nlohmann::json section = section_of(experiment, plan, files, {});
  const nlohmann::json& figure = section.at("figures").at(0);
  std::vector<std::string> names;
  for (const nlohmann::json& series : figure.at("series")) names.push_back(series.at("name"));
  std::ranges::sort(names);
  EXPECT_EQ(names,
            (std::vector<std::string>{"Markov chain", "TLSTM1", "chance", "own history", "popularity"}));
  const FinishedRuns runs(files, experiment.runs(plan));
  const double own = runs.of("citeulike-own-history").mean_last("recall@10");
  EXPECT_NE(figure.at("alt").get<std::string>().find(fmt::format(" own history: {:.3f}.", own)),
            std::string::npos);
  EXPECT_EQ(section.at("command"), "t2v reproduce timelstm --seeds 1 --models citeulike-tlstm1");
}

TEST(RecommendationExperiments, StopAndGoOn) {
  const data::OwnFiles folder;
  const RunFiles files(FileSystem::real(), folder.path("out"));
  const Experiment experiment = linear_tlstm3();
  const Plan plan = made_plan(Protocol::kPaper);
  DataShelf data(folder.path("data"), {});
  ThreadPool pool(1);
  ReproductionHooks hooks;
  hooks.stop = [] { return true; };
  Reproduction stopped({&experiment}, plan, files, data, pool, FileSystem::real());
  EXPECT_FALSE(stopped.run(hooks, {}));
  EXPECT_EQ(reproduce(experiment, plan, files), 2 + 3);
}

TEST(RecommendationExperiments, GrowWithTheScale) {
  Plan plan;
  plan.scale = Scale::kPaper;
  const auto models = [&](const Experiment& experiment) {
    std::vector<paper::Run> runs = experiment.runs(plan);
    std::erase_if(runs, [](const paper::Run& run) { return !run.trains; });
    return runs;
  };
  EXPECT_EQ(models(lastfm()).size(), 3U * 8);
  EXPECT_EQ(models(lastfm())[0].epochs, 50);
  EXPECT_EQ(models(timelstm()).size(), 3U * 24);
  plan.scale = Scale::kQuick;
  EXPECT_EQ(models(citeulike()).size(), 2U * 6);
}

}  // namespace
}  // namespace t2v::paper
