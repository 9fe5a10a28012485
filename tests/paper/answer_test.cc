#include "paper/answer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace t2v::paper {
namespace {

Answer answer(const Asked& asked, const std::vector<Interval>& intervals) {
  return answer_of(asked, intervals);
}

TEST(Answer, IsYesWhereTheIntervalExcludesZeroAndHoldsThePublishedDifference) {
  const Asked asked{Kind::kDifference, 0.1};
  EXPECT_EQ(answer(asked, {{0.05, 0.15}}), Answer::kYes);
  EXPECT_EQ(answer(asked, {{0.1, 0.2}}), Answer::kYes);
  EXPECT_EQ(answer({Kind::kDifference, {}}, {{0.05, 0.15}}), Answer::kYes) << "none was published";
}

TEST(Answer, SaysOnWhichSideOfThePublishedDifferenceItLies) {
  const Asked asked{Kind::kDifference, 0.1};
  EXPECT_EQ(answer(asked, {{0.02, 0.09}}), Answer::kSmaller);
  EXPECT_EQ(answer(asked, {{0.11, 0.2}}), Answer::kLarger);
  EXPECT_EQ(answer(asked, {{-0.2, -0.05}}), Answer::kOpposite);
}

TEST(Answer, IsNoEffectWithinAQuarterOfThePublishedDifferenceEvenAboveZero) {
  const Asked asked{Kind::kDifference, 0.1};
  EXPECT_EQ(answer(asked, {{-0.025, 0.025}}), Answer::kNoEffect);
  EXPECT_EQ(answer(asked, {{0.001, 0.02}}), Answer::kNoEffect);
  EXPECT_EQ(answer(asked, {{-0.026, 0.02}}), Answer::kInconclusive);
  EXPECT_EQ(answer({Kind::kDifference, {}}, {{-0.01, 0.01}}), Answer::kNoEffect);
  EXPECT_EQ(answer({Kind::kDifference, {}}, {{-0.011, 0.01}}), Answer::kInconclusive);
}

TEST(Answer, ToAClaimOfParityIsNoEffectOrLargerOnEitherSide) {
  const Asked asked{Kind::kParity, {}};
  EXPECT_EQ(answer(asked, {{-0.01, 0.01}}), Answer::kNoEffect);
  EXPECT_EQ(answer(asked, {{0.011, 0.03}}), Answer::kLarger);
  EXPECT_EQ(answer(asked, {{-0.03, -0.011}}), Answer::kLarger);
  EXPECT_EQ(answer(asked, {{0.005, 0.03}}), Answer::kInconclusive);
}

TEST(Answer, NeedsBothIntervalsToAgree) {
  const Asked asked{Kind::kDifference, 0.1};
  EXPECT_EQ(answer(asked, {{0.05, 0.15}, {-0.01, 0.2}}), Answer::kInconclusive);
  EXPECT_EQ(answer(asked, {{0.02, 0.09}, {0.01, 0.12}}), Answer::kYes) << "one holds what was published";
  EXPECT_EQ(answer(asked, {{-0.02, 0.02}, {-0.03, 0.02}}), Answer::kInconclusive);
  EXPECT_EQ(answer(asked, {{-0.2, -0.1}, {-0.2, 0.1}}), Answer::kInconclusive);
}

TEST(Answer, IsInconclusiveWithoutAnInterval) {
  const double none = std::nan("");
  EXPECT_EQ(answer({Kind::kDifference, 0.1}, {{none, none}}), Answer::kInconclusive);
}

TEST(Interval, OfPairsIsStudents) {
  const Interval interval = t_interval(std::vector<double>{1, 2, 3});
  EXPECT_NEAR(interval.low, 2 - 4.302652729911275 / std::sqrt(3), 1e-9);
  EXPECT_NEAR(interval.high, 2 + 4.302652729911275 / std::sqrt(3), 1e-9);
}

// SciPy 1.11: binomtest(k, n).proportion_ci(0.95, 'exact').
TEST(Interval, OfAShareIsByClopperAndPearson) {
  EXPECT_NEAR(share_interval(16, 16).low, std::pow(0.025, 1.0 / 16), 1e-12);
  EXPECT_EQ(share_interval(16, 16).high, 1);
  EXPECT_EQ(share_interval(0, 16).low, 0);
  EXPECT_NEAR(share_interval(13, 16).low, 0.5435435, 1e-6);
  EXPECT_NEAR(share_interval(13, 16).high, 0.9595263, 1e-6);
}

TEST(DecidingSeeds, AreTheFewestThatWouldDecide) {
  const Asked asked{Kind::kDifference, 0.1};
  // t(0.975, n-1) / sqrt(n) <= 0.05 / 0.05 = 1 first at n = 7: 2.447 / 2.646; at 6 it is 2.571 / 2.449.
  EXPECT_EQ(deciding_seeds(asked, 0.05, 0.05), 7);
  EXPECT_EQ(deciding_seeds(asked, 0.0, 0.0001), 2) << "no effect";
  EXPECT_EQ(deciding_seeds({Kind::kParity, {}}, 0.01, 0.01), std::nullopt) << "on the edge of the band";
}

TEST(DecidingRuns, AreOfTheSameShare) {
  const Asked asked{Kind::kShare, 0.5};
  const auto runs = deciding_runs(asked, 0.75);
  ASSERT_TRUE(runs);
  const auto decided = [&](int64_t n) {
    const Interval share = share_interval(std::llround(0.75 * static_cast<double>(n)), n);
    return answer(asked, {{share.low - 0.5, share.high - 0.5}}) != Answer::kInconclusive;
  };
  EXPECT_TRUE(decided(*runs));
  for (int64_t n = 2; n < *runs; ++n) EXPECT_FALSE(decided(n)) << n;
}

}  // namespace
}  // namespace t2v::paper
