#include "train/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"

namespace t2v {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

RankRecord ranked(int64_t rank) { return {.rank = rank}; }

std::vector<RankRecord> ranks_up_to(int64_t most) {
  std::vector<RankRecord> records;
  for (int64_t rank = 1; rank <= most; ++rank) records.push_back(ranked(rank));
  return records;
}

TEST(ClassMeasures, AreThoseComputedByHand) {
  // Targets 0 0 1 2, predictions 0 1 1 1.
  const std::vector<ClassRecord> records = {
      {0, 0, 0.9, 0.1}, {0, 1, 0.5, 1.2}, {1, 1, 0.55, 0.6}, {2, 1, 0.45, 3.1}};
  const ClassMeasures measures = class_measures(records);
  EXPECT_EQ(measures.count, 4);
  EXPECT_DOUBLE_EQ(measures.accuracy, 0.5);
  EXPECT_DOUBLE_EQ(measures.log_loss, 1.25);
  // F1: class 0: 2·1/(2+1); class 1: 2·1/(1+3); class 2: 0.
  EXPECT_DOUBLE_EQ(measures.macro_f1, (2.0 / 3 + 0.5) / 3);
  // Bins of width 1/15: 0.45 is in bin 6, 0.5 in 7, 0.55 in 8, 0.9 in 13.
  EXPECT_NEAR(measures.calibration_error, (0.45 + 0.5 + 0.45 + 0.1) / 4, 1e-15);
  EXPECT_EQ(measures.confusion, (std::vector<Confusion>{{0, 0, 1}, {0, 1, 1}, {1, 1, 1}, {2, 1, 1}}));
}

/// Records of two classes from the probabilities of class 1.
std::vector<ClassRecord> of_two(const std::vector<std::pair<int32_t, double>>& pairs) {
  std::vector<ClassRecord> records;
  for (const auto& [target, p] : pairs) {
    const double error = target - p;
    records.push_back({target, p > 0.5 ? 1 : 0, std::max(p, 1 - p), 0, 2 * error * error, p});
  }
  return records;
}

TEST(ClassMeasures, OfTwoClassesSayHowWellTheyAreOrdered) {
  // Ones at .9 and .4, zeros at .6, .4 and .1: of 6 pairs 4 are in order and one is a tie.
  const ClassMeasures m = class_measures(of_two({{1, 0.9}, {0, 0.6}, {1, 0.4}, {0, 0.4}, {0, 0.1}}));
  EXPECT_DOUBLE_EQ(m.auc, 4.5 / 6);
  // Precision 1 at the first; the tie comes in as a whole, 2 of 4.
  EXPECT_DOUBLE_EQ(m.average_precision, (1 + 2.0 / 4) / 2);
  EXPECT_NEAR(m.brier, 2 * (0.01 + 0.36 + 0.36 + 0.16 + 0.01) / 5, 1e-15);
}

TEST(ClassMeasures, OfTwoClassesDoNotDependOnWhichIsFirst) {
  Random random(5);
  std::vector<std::pair<int32_t, double>> pairs;
  std::vector<std::pair<int32_t, double>> exchanged;
  for (int i = 0; i < 60; ++i) {
    const int32_t target = random.uniform() < 0.3 ? 1 : 0;
    const double p = std::round(8 * random.uniform()) / 8;
    pairs.emplace_back(target, p);
    exchanged.emplace_back(1 - target, 1 - p);
  }
  const ClassMeasures a = class_measures(of_two(pairs));
  const ClassMeasures b = class_measures(of_two(exchanged));
  EXPECT_NEAR(a.auc, b.auc, 1e-12);
  EXPECT_NEAR(a.average_precision, b.average_precision, 1e-12);
}

TEST(ClassMeasures, HaveNoOrderOfASingleClass) {
  const ClassMeasures m = class_measures(of_two({{1, 0.9}, {1, 0.2}}));
  EXPECT_TRUE(std::isnan(m.auc));
  EXPECT_TRUE(std::isnan(m.average_precision));
}

TEST(BestThreshold, PredictsARareClassThatIsNeverMoreProbable) {
  std::vector<std::pair<int32_t, double>> pairs;
  for (int i = 0; i < 90; ++i) pairs.emplace_back(0, 0.1);
  for (int i = 0; i < 10; ++i) pairs.emplace_back(1, 0.3);
  EXPECT_DOUBLE_EQ(best_threshold(of_two(pairs)), 0.2);
}

TEST(BestThreshold, StaysAtOneHalfWhereThatIsAsGood) {
  EXPECT_DOUBLE_EQ(best_threshold(of_two({{0, 0.2}, {0, 0.3}, {1, 0.8}, {1, 0.9}})), 0.5);
  EXPECT_DOUBLE_EQ(best_threshold(of_two({{1, 0.2}, {1, 0.9}})), 0.5);
  EXPECT_DOUBLE_EQ(best_threshold({}), 0.5);
}

TEST(ClassMeasures, LetErrorsOfTheSameBinCancel) {
  const std::vector<ClassRecord> records = {{0, 0, 0.501, 0}, {1, 0, 0.499, 0}};
  EXPECT_NEAR(class_measures(records).calibration_error, 0, 1e-15);
}

TEST(ClassMeasures, PutAConfidenceOfOneIntoTheLastBin) {
  // Wrong at 1 and right at 0.95, which is in the last bin too; right at 0.92, which is in the one before.
  const std::vector<ClassRecord> records = {{0, 1, 1.0, 0}, {0, 0, 0.95, 0}, {0, 0, 0.92, 0}};
  EXPECT_NEAR(class_measures(records).calibration_error, (0.95 + 0.08) / 3, 1e-15);
}

TEST(ClassMeasures, AreNotNumbersForNoPredictions) {
  const ClassMeasures measures = class_measures({});
  EXPECT_EQ(measures.count, 0);
  EXPECT_TRUE(std::isnan(measures.accuracy));
  EXPECT_TRUE(std::isnan(measures.macro_f1));
}

TEST(RankOf, CountsWhatIsHigherAndWhatIsEqual) {
  const std::vector<float> scores = {0.5F, 2, 1, 1, -1};
  EXPECT_EQ(rank_of(scores, 1).rank, 1);
  EXPECT_EQ(rank_of(scores, 1).ties, 0);
  EXPECT_EQ(rank_of(scores, 2).rank, 3);
  EXPECT_EQ(rank_of(scores, 2).ties, 1);
  EXPECT_EQ(rank_of(scores, 4).rank, 5);
}

TEST(RankOf, GivesTheWorstRankToAModelThatTellsNothingApart) {
  EXPECT_EQ(rank_of(std::vector<float>(7, 0.25F), 3).rank, 7);
  EXPECT_EQ(rank_of(std::vector<float>(7, 0.25F), 3).ties, 6);
  EXPECT_EQ(rank_of(std::vector<float>(7, kNan), 3).rank, 7);
  EXPECT_EQ(rank_of(std::vector<float>{kNan, 1, 0}, 1).rank, 2);
}

TEST(RankMeasures, AreThoseComputedByHand) {
  const std::vector<RankRecord> records = {{1, 0, 0.5}, {2, 1, 1.5}, {4, 0, 2.5}, {10, 3, 3.5}};
  const std::vector<int64_t> at = {1, 3, 5};
  const RankMeasures measures = rank_measures(records, at);
  EXPECT_EQ(measures.count, 4);
  EXPECT_EQ(measures.tied, 2);
  EXPECT_EQ(measures.recall, (std::vector<double>{0.25, 0.5, 0.75}));
  EXPECT_EQ(measures.mrr_at, (std::vector<double>{0.25, 1.5 / 4, 1.75 / 4}));
  EXPECT_DOUBLE_EQ(measures.mrr, 1.85 / 4);
  EXPECT_DOUBLE_EQ(measures.log_loss, 2);
}

TEST(ExpectedMeasures, AreThoseComputedByHand) {
  // Two of four others are drawn, two are better: none, one, both of them with chances 1/6, 4/6, 1/6.
  const std::vector<RankRecord> records = {ranked(3)};
  const std::vector<int64_t> at = {1, 2, 3, 50};
  const CandidateMeasures measures = expected_measures(records, at, {.types = 5, .negatives = 2});
  EXPECT_NEAR(measures.recall[0], 1.0 / 6, 1e-14);
  EXPECT_NEAR(measures.recall[1], 5.0 / 6, 1e-14);
  EXPECT_NEAR(measures.recall[2], 1, 1e-14);
  EXPECT_NEAR(measures.recall[3], 1, 1e-14);
  EXPECT_NEAR(measures.mrr_at[0], 1.0 / 6, 1e-14);
  EXPECT_NEAR(measures.mrr_at[1], 1.0 / 2, 1e-14);
  EXPECT_NEAR(measures.mrr_at[2], 1.0 / 2 + 1.0 / 18, 1e-14);
}

TEST(ExpectedMeasures, OfChanceAreTenOutOfAHundredAndOne) {
  const std::vector<int64_t> at = {10};
  const CandidateMeasures measures = expected_measures(ranks_up_to(5000), at, {.types = 5000});
  double harmonic = 0;
  for (int i = 1; i <= 10; ++i) harmonic += 1.0 / i;
  EXPECT_NEAR(measures.recall[0], 10.0 / 101, 1e-9);
  EXPECT_NEAR(measures.mrr_at[0], harmonic / 101, 1e-9);
}

TEST(ExpectedMeasures, AreTheFullRankingWhereAllTypesAreCandidates) {
  const std::vector<int64_t> at = {1, 3, 5};
  const std::vector<RankRecord> records = {ranked(1), ranked(2), ranked(4), ranked(22)};
  const RankMeasures full = rank_measures(records, at);
  const CandidateMeasures measures = expected_measures(records, at, {.types = 22});
  for (std::size_t i = 0; i < at.size(); ++i) {
    EXPECT_NEAR(measures.recall[i], full.recall[i], 1e-12);
    EXPECT_NEAR(measures.mrr_at[i], full.mrr_at[i], 1e-12);
  }
}

TEST(ExpectedMeasures, ManageASingleType) {
  const std::vector<int64_t> at = {1};
  const std::vector<RankRecord> records = {ranked(1)};
  EXPECT_DOUBLE_EQ(expected_measures(records, at, {.types = 1}).recall[0], 1);
  ThreadPool pool(1);
  EXPECT_DOUBLE_EQ(sampled_measures(records, at, {.types = 1}, pool).recall[0], 1);
}

/// Draws lists of candidates by their numbers: type 0 is the best one, type rank-1 the target.
CandidateMeasures brute_force(int64_t rank, const std::vector<int64_t>& at, const CandidateConfig& config) {
  CandidateMeasures sums{std::vector<double>(at.size()), std::vector<double>(at.size())};
  std::vector<int64_t> others;
  for (int64_t type = 0; type < config.types; ++type) {
    if (type != rank - 1) others.push_back(type);
  }
  Random random(99);
  for (int64_t draw = 0; draw < config.draws; ++draw) {
    int64_t own = 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(config.negatives); ++i) {
      std::swap(others[i], others[i + random.below(others.size() - i)]);
      own += others[i] < rank - 1 ? 1 : 0;
    }
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (own > at[i]) continue;
      sums.recall[i] += 1.0 / static_cast<double>(config.draws);
      sums.mrr_at[i] += 1.0 / static_cast<double>(own * config.draws);
    }
  }
  return sums;
}

TEST(ExpectedMeasures, AreWhatDrawingListsOfCandidatesComesTo) {
  const std::vector<int64_t> at = {5, 10, 20};
  const CandidateConfig config{.types = 400, .negatives = 100, .draws = 20'000};
  const double error = 5 * 0.5 / std::sqrt(20'000.0);  // five standard errors, at most
  ThreadPool pool(2);
  for (const int64_t rank : {1, 12, 35, 80, 400}) {
    const std::vector<RankRecord> records = {ranked(rank)};
    const CandidateMeasures expected = expected_measures(records, at, config);
    const CandidateMeasures drawn = brute_force(rank, at, config);
    const CandidateMeasures sampled = sampled_measures(records, at, config, pool);
    for (std::size_t i = 0; i < at.size(); ++i) {
      EXPECT_NEAR(drawn.recall[i], expected.recall[i], error) << rank << " at " << at[i];
      EXPECT_NEAR(drawn.mrr_at[i], expected.mrr_at[i], error / 5) << rank << " at " << at[i];
      EXPECT_NEAR(sampled.recall[i], expected.recall[i], error) << rank << " at " << at[i];
      EXPECT_NEAR(sampled.mrr_at[i], expected.mrr_at[i], error / 5) << rank << " at " << at[i];
    }
  }
}

TEST(SampledMeasures, AreEqualForAnyNumberOfThreadsAndOfTheSeed) {
  const std::vector<RankRecord> records = ranks_up_to(3000);
  const std::vector<int64_t> at = {5, 10};
  const CandidateConfig config{.types = 3000, .negatives = 100, .draws = 3};
  ThreadPool one(1);
  const CandidateMeasures first = sampled_measures(records, at, config, one);
  for (const int threads : {2, 3}) {
    ThreadPool pool(threads);
    const CandidateMeasures again = sampled_measures(records, at, config, pool);
    EXPECT_EQ(again.recall, first.recall);
    EXPECT_EQ(again.mrr_at, first.mrr_at);
  }
  CandidateConfig other = config;
  other.seed = 2;
  EXPECT_NE(sampled_measures(records, at, other, one).mrr_at, first.mrr_at);
}

TEST(ValueMeasures, AreThoseComputedByHand) {
  const std::vector<ValueRecord> records = {{1, 2}, {3, 3}, {5, 2}, {7, 7}};
  const ValueMeasures measures = value_measures(records);
  EXPECT_EQ(measures.count, 4);
  EXPECT_DOUBLE_EQ(measures.rmse, std::sqrt(10.0 / 4));
  EXPECT_DOUBLE_EQ(measures.mae, 1);
  EXPECT_DOUBLE_EQ(measures.variance_left, 2.5 / 5);
}

TEST(ValueMeasures, LeaveAllTheVarianceToTheMeanAndHaveNoShareOfNone) {
  EXPECT_DOUBLE_EQ(value_measures(std::vector<ValueRecord>{{1, 2}, {3, 2}}).variance_left, 1);
  EXPECT_TRUE(std::isnan(value_measures(std::vector<ValueRecord>{{0.1, 2}, {0.1, 2}}).variance_left));
}

TEST(GapMeasures, AreThoseComputedByHand) {
  const std::vector<GapRecord> records = {
      {1, 0.5, 2, 0.05}, {3, 1.5, 2, 0.45}, {4, 1, 4, 0.5}, {9, 2, 4, 0.95}};
  const GapMeasures measures = gap_measures(records);
  EXPECT_EQ(measures.count, 4);
  EXPECT_DOUBLE_EQ(measures.nll, 1.25);
  EXPECT_DOUBLE_EQ(measures.mae_of_median, 7.0 / 4);
  EXPECT_DOUBLE_EQ(measures.below[0], 0.25);
  EXPECT_DOUBLE_EQ(measures.below[1], 0.5);
  EXPECT_DOUBLE_EQ(measures.below[2], 0.75);
}

}  // namespace
}  // namespace t2v
