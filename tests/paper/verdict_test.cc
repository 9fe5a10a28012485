#include "paper/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace t2v::paper {
namespace {

using Values = std::vector<double>;

const Claim kClaim{"a beats b", "Fig. 0", "1 against 0"};

Outcome above(const Values& a, const Values& b, double worth = kOnPar) {
  return judge_above(kClaim, a, b, "accuracy", "", worth).outcome;
}
Outcome not_below(const Values& a, const Values& b, double margin) {
  return judge_not_below(kClaim, a, b, "accuracy", "", margin).outcome;
}
Outcome same(const Values& a, const Values& b, double margin) {
  return judge_same(kClaim, a, b, "accuracy", "", margin).outcome;
}

TEST(VerdictAbove, FollowsTheSideOfTheIntervalOfPairedDifferences) {
  EXPECT_EQ(above({0.9, 0.92, 0.91}, {0.8, 0.81, 0.82}), Outcome::kReproduces);
  EXPECT_EQ(above({0.8, 0.81, 0.82}, {0.9, 0.92, 0.91}), Outcome::kDoesNot);
  EXPECT_EQ(above({0.9, 0.8, 0.85}, {0.85, 0.9, 0.8}), Outcome::kUndecided);
}

TEST(VerdictAbove, IsPairedSoThatWhatAllRunsOfASeedShareDoesNotCount) {
  // Seeds differ by far more than the models.
  EXPECT_EQ(above({0.11, 0.52, 0.915}, {0.1, 0.5, 0.9}), Outcome::kReproduces);
}

TEST(VerdictAbove, HasTheIntervalOfStudent) {
  // Differences 1, 2, 3: mean 2, deviation 1, t(0.975, 2) = 4.302653.
  const Verdict verdict = judge_above(kClaim, Values{2, 4, 6}, Values{1, 2, 3}, "points", "ours");
  ASSERT_TRUE(verdict.effect);
  EXPECT_NEAR(verdict.effect->mean, 2, 1e-12);
  EXPECT_NEAR(verdict.effect->low, 2 - 4.302653 / std::sqrt(3), 1e-6);
  EXPECT_NEAR(verdict.effect->high, 2 + 4.302653 / std::sqrt(3), 1e-6);
  EXPECT_EQ(verdict.effect->n, 3);
  EXPECT_EQ(verdict.outcome, Outcome::kUndecided);
}

TEST(VerdictAbove, LeavesOneRunAndRunsWithoutASpreadUndecided) {
  EXPECT_EQ(above({0.9}, {0.1}), Outcome::kUndecided);
  EXPECT_EQ(above({}, {}), Outcome::kUndecided);
  EXPECT_EQ(above({1.5, 1.5}, {1, 1}), Outcome::kUndecided);
}

TEST(VerdictAbove, DoesNotReproduceWhereAnyDifferenceIsTooSmallToCount) {
  const Values a = {0.900, 0.912, 0.921};
  const Values b = {0.901, 0.911, 0.920};  // differences within ±0.004
  EXPECT_EQ(above(a, b, 0.01), Outcome::kDoesNot);
  EXPECT_EQ(above(a, b, 0.001), Outcome::kUndecided);
  EXPECT_EQ(above({0.9021, 0.9132, 0.9223}, b, 0.01), Outcome::kReproduces) << "small, but above 0";
}

TEST(VerdictNotBelow, TakesOnParForGood) {
  const Values a = {0.9, 0.92, 0.91};
  const Values b = {0.8, 0.81, 0.82};
  EXPECT_EQ(not_below(a, b, 0.01), Outcome::kReproduces);
  EXPECT_EQ(not_below(b, a, 0.01), Outcome::kDoesNot);
  EXPECT_EQ(not_below(b, a, 0.2), Outcome::kReproduces);
  EXPECT_EQ(not_below(b, a, 0.1), Outcome::kUndecided);
}

TEST(VerdictSame, WantsTheWholeIntervalWithinTheMargin) {
  EXPECT_EQ(same({0.901, 0.912, 0.92}, {0.9, 0.911, 0.921}, 0.01), Outcome::kReproduces);
  EXPECT_EQ(same({0.95, 0.961, 0.97}, {0.9, 0.911, 0.921}, 0.01), Outcome::kDoesNot);
  EXPECT_EQ(same({0.85, 0.861, 0.87}, {0.9, 0.911, 0.921}, 0.01), Outcome::kDoesNot);
  EXPECT_EQ(same({0.91, 0.90, 0.93}, {0.9, 0.911, 0.921}, 0.01), Outcome::kUndecided);
  EXPECT_EQ(same({0.91, 0.931, 0.936}, {0.9, 0.911, 0.921}, 0.01), Outcome::kUndecided) << "one end within";
  EXPECT_EQ(same({0.9, 0.911, 0.921}, {0.91, 0.931, 0.936}, 0.01), Outcome::kUndecided) << "the other";
  EXPECT_EQ(same({0.9}, {0.9}, 0.01), Outcome::kUndecided);
}

TEST(VerdictSpread, ComparesVariancesByFisher) {
  // F(0.975; 4, 4) = 9.604530.
  EXPECT_NEAR(f_quantile(0.975, 4, 4), 9.604530, 1e-6);
  EXPECT_NEAR(f_quantile(0.025, 4, 4), 1 / 9.604530, 1e-6);
  EXPECT_NEAR(f_quantile(0.95, 2, 10), 4.102821, 1e-6);
  const Values narrow = {0.50, 0.51, 0.49, 0.50, 0.505};
  const Values wide = {0.2, 0.6, 0.4, 0.1, 0.8};
  const auto spread = [&](const Values& a, const Values& b) {
    return judge_less_spread(kClaim, a, b, "").outcome;
  };
  EXPECT_EQ(spread(narrow, wide), Outcome::kReproduces);
  EXPECT_EQ(spread(wide, narrow), Outcome::kDoesNot);
  EXPECT_EQ(spread(narrow, {0.51, 0.52, 0.50, 0.51, 0.515}), Outcome::kUndecided);
  EXPECT_EQ(spread({0.5}, {0.1}), Outcome::kUndecided);
  EXPECT_EQ(spread(narrow, {0.5, 0.5, 0.5}), Outcome::kUndecided);
}

TEST(VerdictSpread, HasTheFreedomOfEachModelsRuns) {
  // F(0.975; 2, 4) = 10.649111, F(0.975; 4, 2) = 39.248418; the variances are 1 and 2.5.
  const Effect ratio = judge_less_spread(kClaim, Values{0, 1, 2}, Values{0, 1, 2, 3, 4}, "").effect.value();
  EXPECT_NEAR(ratio.mean, 0.4, 1e-12);
  EXPECT_NEAR(ratio.low, 0.4 / 10.649111, 1e-6);
  EXPECT_NEAR(ratio.high, 0.4 * 39.248418, 1e-5);
}

TEST(VerdictMost, HasTheIntervalOfClopperAndPearson) {
  const Effect nine = share_interval(9, 10);
  EXPECT_NEAR(nine.low, 0.554984, 1e-6);
  EXPECT_NEAR(nine.high, 0.997471, 1e-6);
  EXPECT_NEAR(share_interval(16, 16).low, 0.794093, 1e-6);
  EXPECT_EQ(share_interval(16, 16).high, 1);
  const auto most = [](int64_t agreeing, int64_t runs) {
    return judge_most(kClaim, agreeing, runs, "").outcome;
  };
  EXPECT_EQ(most(9, 10), Outcome::kReproduces);
  EXPECT_EQ(most(1, 10), Outcome::kDoesNot);
  EXPECT_EQ(most(8, 10), Outcome::kUndecided);
  EXPECT_EQ(most(1, 1), Outcome::kUndecided);
  EXPECT_EQ(most(0, 0), Outcome::kUndecided);
}

TEST(VerdictBound, IsDecidedByTheLargestOfAllRuns) {
  EXPECT_EQ(judge_bound(kClaim, Values{1e-7, 1e-6}, 1e-4, "probability", "").outcome, Outcome::kReproduces);
  EXPECT_EQ(judge_bound(kClaim, Values{1e-7, 1e-3}, 1e-4, "probability", "").outcome, Outcome::kDoesNot);
  EXPECT_EQ(judge_bound(kClaim, Values{}, 1e-4, "probability", "").outcome, Outcome::kUndecided);
  const auto effect = to_json(judge_bound(kClaim, Values{1e-7, 1e-6}, 1e-4, "", "")).at("effect");
  EXPECT_EQ(effect.at("mean"), 1e-6);
  EXPECT_TRUE(effect.at("low").is_null()) << "the largest has no interval";
}

TEST(VerdictJson, SaysAllAndHasNoNumberThatIsNotFinite) {
  const auto json = to_json(judge_above(kClaim, Values{0.9}, Values{0.8}, "accuracy", "0.9 against 0.8"));
  EXPECT_EQ(json.at("claim"), "a beats b");
  EXPECT_EQ(json.at("published"), "1 against 0");
  EXPECT_EQ(json.at("ours"), "0.9 against 0.8");
  EXPECT_EQ(json.at("verdict"), "undecided");
  EXPECT_TRUE(json.at("effect").at("low").is_null());
  EXPECT_EQ(json.at("effect").at("n"), 1);
  EXPECT_TRUE(to_json(undecided(kClaim, "not run")).at("effect").is_null());
}

TEST(Verdict, IsLookedAtAfterTheLastTenEpochsOrTheSecondHalfOfFew) {
  EXPECT_EQ(last_epochs(0), 0);
  EXPECT_EQ(last_epochs(1), 1);
  EXPECT_EQ(last_epochs(5), 3);
  EXPECT_EQ(last_epochs(15), 8);
  EXPECT_EQ(last_epochs(20), 10);
  EXPECT_EQ(last_epochs(200), 10);
}

TEST(Verdict, OfManyRunsWantsAQuarter) {
  EXPECT_EQ(judge_many(kClaim, 11, 16, "").outcome, Outcome::kReproduces);
  EXPECT_EQ(judge_many(kClaim, 0, 16, "").outcome, Outcome::kDoesNot);
  EXPECT_EQ(judge_many(kClaim, 5, 16, "").outcome, Outcome::kUndecided);
}

TEST(Verdict, OfAlwaysIsRefutedByOneRun) {
  EXPECT_EQ(judge_always(kClaim, 16, 16, "").outcome, Outcome::kReproduces);
  EXPECT_EQ(judge_always(kClaim, 15, 16, "").outcome, Outcome::kDoesNot);
  EXPECT_EQ(judge_always(kClaim, 0, 1, "").outcome, Outcome::kDoesNot);
  EXPECT_EQ(judge_always(kClaim, 1, 1, "").outcome, Outcome::kUndecided);
  EXPECT_EQ(judge_always(kClaim, 0, 0, "").outcome, Outcome::kUndecided);
}

TEST(Verdict, OfARunThatIsShownNeedsOne) {
  EXPECT_EQ(judge_once(kClaim, 1, 16, "").outcome, Outcome::kReproduces);
  EXPECT_EQ(judge_once(kClaim, 0, 2, "").outcome, Outcome::kDoesNot);
  EXPECT_EQ(judge_once(kClaim, 0, 1, "").outcome, Outcome::kUndecided);
}

TEST(Verdict, OfWhatEveryRunShowsNeedsTwoOfThem) {
  EXPECT_EQ(judge_every(kClaim, 2, 2, "").outcome, Outcome::kReproduces);
  EXPECT_EQ(judge_every(kClaim, 0, 2, "").outcome, Outcome::kDoesNot);
  EXPECT_EQ(judge_every(kClaim, 1, 2, "").outcome, Outcome::kUndecided);
  EXPECT_EQ(judge_every(kClaim, 1, 1, "").outcome, Outcome::kUndecided);
  EXPECT_FALSE(judge_every(kClaim, 0, 0, "").effect.has_value());
}

}  // namespace
}  // namespace t2v::paper
