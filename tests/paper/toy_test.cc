#include "paper/toy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace t2v::paper {
namespace {

using std::numbers::pi;

const ToyRecipe& recipe(const std::string& name) {
  for (const ToyRecipe& candidate : toy_recipes()) {
    if (candidate.name == name) return candidate;
  }
  throw std::logic_error("no recipe " + name);
}

ToyResult run(const std::string& recipe_name, const std::string& variant_name, std::size_t seeds) {
  for (const ToyVariant& variant : toy_variants()) {
    if (variant.name != variant_name) continue;
    ToyResult result{variant, recipe(recipe_name), std::vector<ToyRun>(seeds)};
    ThreadPool pool;
    pool.run(static_cast<int64_t>(seeds), [&](int64_t i) {
      result.runs[static_cast<std::size_t>(i)] =
          run_toy(variant, result.recipe, static_cast<uint64_t>(i) + 1);
    });
    return result;
  }
  throw std::logic_error("no variant " + variant_name);
}

TEST(Toy, IsDescribedByItsMajorityClass) { EXPECT_NEAR(toy_majority(), 79.0 / 92, 1e-12); }

TEST(Toy, GivesTheSameRunForTheSameSeedAndAnotherForAnother) {
  ToyRecipe brief = recipe("paper");
  brief.epochs = 20;
  const ToyVariant noisy{.name = "noisy", .noise = 0.05};
  const ToyRun one = run_toy(noisy, brief, 1);
  const ToyRun again = run_toy(noisy, brief, 1);
  const ToyRun two = run_toy(noisy, brief, 2);
  EXPECT_EQ(one.omega, again.omega);
  EXPECT_EQ(one.phi, again.phi);
  EXPECT_EQ(one.train_accuracy, again.train_accuracy);
  EXPECT_NE(one.omega, two.omega);
}

TEST(ToyAcceptance, OursIsPerfectInAllRunsCleanTimesTwoAndWithFourSines) {
  for (const char* variant : {"period 7", "days x 2", "4 sines", "64 sines"}) {
    const ToyResult result = run("ours", variant, 16);
    EXPECT_EQ(result.share_perfect(), 1) << variant;
    EXPECT_EQ(result.share_with_period(), 1) << variant;
    for (const ToyRun& one : result.runs) EXPECT_LE(one.active, 6) << variant;  // the penalty keeps few terms
  }
}

TEST(ToyAcceptance, OursWithstandsFivePercentOfNoise) {
  const ToyResult result = run("ours", "5 % noise", 32);
  EXPECT_GE(result.share_at_least(0.97), 0.85);
  for (const ToyRun& one : result.runs) EXPECT_LT(one.train_accuracy, 1);  // the flipped days are not learned
}

TEST(ToyAcceptance, ThePapersRecipeFindsThePeriodAndClassifiesTheTestDays) {
  const ToyResult result = run("paper", "period 7", 16);
  EXPECT_GE(result.share_with_period(), 0.85);
  EXPECT_GE(result.share_perfect(), 0.75);
}

TEST(ToyAcceptance, NoiseBreaksThePapersRecipeWithBatchesAndTheVerdictSaysSo) {
  const ToyResult result = run("paper", "5 % noise", 4);
  EXPECT_EQ(result.share_perfect(), 0);
  for (const Verdict& verdict : toy_verdicts({result})) {
    EXPECT_EQ(verdict.verdict, "does not") << verdict.claim;
    EXPECT_EQ(verdict.recipe, "paper");
  }
}

TEST(ToyAcceptance, FunctionsWithoutAPeriodEndAtTheMajorityClassByThePapersRecipe) {
  for (const char* variant : {"sigmoid", "tanh", "relu"}) {
    const ToyResult result = run("paper", variant, 4);
    for (const ToyRun& one : result.runs) EXPECT_NEAR(one.test_accuracy, toy_majority(), 1e-12) << variant;
    EXPECT_EQ(toy_verdicts({result}).at(0).verdict, "reproduces") << variant;
  }
}

TEST(ToyAcceptance, FunctionsWithoutAPeriodNeverBeatTheMajorityClassByOurs) {
  for (const char* variant : {"sigmoid", "tanh", "relu"}) {
    for (const ToyRun& one : run("ours", variant, 16).runs) {
      EXPECT_LE(one.test_accuracy, toy_majority() + 1e-12) << variant;
    }
  }
}

ToyResult made_result(const std::string& recipe_name, const std::string& variant, int good, int bad) {
  ToyResult result{{.name = variant}, recipe(recipe_name), {}};
  for (int i = 0; i < good; ++i) result.runs.push_back({1, 1, 2 * pi / 7, pi / 2, 1, 3});
  for (int i = 0; i < bad; ++i) result.runs.push_back({1, toy_majority(), 0.1, 0, 0, 3});
  return result;
}

std::string verdict_on(const std::vector<ToyResult>& results, const std::string& part) {
  for (const Verdict& verdict : toy_verdicts(results)) {
    if (verdict.claim.find(part) != std::string::npos) return verdict.verdict;
  }
  return "none";
}

TEST(ToyVerdicts, AreComputedFromTheRuns) {
  EXPECT_EQ(verdict_on({made_result("paper", "period 7", 14, 2)}, "perfectly"), "reproduces");
  EXPECT_EQ(verdict_on({made_result("paper", "period 7", 2, 14)}, "perfectly"), "does not");
  EXPECT_EQ(verdict_on({made_result("paper", "period 7", 1, 0)}, "perfectly"), "undecided");
  EXPECT_EQ(verdict_on({made_result("paper", "period 7", 8, 8)}, "perfectly"), "undecided");
  EXPECT_EQ(verdict_on({made_result("ours", "5 % noise", 16, 0)}, "noise"), "reproduces");
  EXPECT_EQ(verdict_on({made_result("paper", "4 sines", 16, 0)}, "few sines"), "does not");
  EXPECT_EQ(verdict_on({made_result("paper", "4 sines", 0, 16)}, "few sines"), "reproduces");
  EXPECT_EQ(verdict_on({made_result("paper", "relu", 0, 16)}, "relu"), "reproduces");
  EXPECT_EQ(verdict_on({made_result("paper", "relu", 16, 0)}, "relu"), "does not");
}

TEST(ToyJson, HoldsEveryRunAndTheShares) {
  const auto json = to_json({made_result("paper", "period 7", 3, 1)});
  const auto& result = json.at("results").at(0);
  EXPECT_EQ(result.at("share_perfect"), 0.75);
  EXPECT_EQ(result.at("share_with_period"), 0.75);
  EXPECT_EQ(result.at("runs").size(), 4U);
  EXPECT_NEAR(result.at("runs").at(0).at("period_days").get<double>(), 7, 1e-12);
  EXPECT_EQ(result.at("runs").at(3).at("seed"), 4);
  EXPECT_FALSE(json.at("verdicts").empty());
}

}  // namespace
}  // namespace t2v::paper
