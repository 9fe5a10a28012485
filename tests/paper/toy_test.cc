#include "paper/toy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/thread_pool.h"

namespace t2v::paper {
namespace {

const ToyRecipe& recipe(const std::string& name) {
  for (const ToyRecipe& candidate : toy_recipes()) {
    if (candidate.name == name) return candidate;
  }
  throw std::logic_error("no recipe " + name);
}

/// Runs of one variant by one recipe, one a seed.
struct ToyRuns : std::vector<ToyRun> {
  using std::vector<ToyRun>::vector;
  double share_at_least(double accuracy) const {
    return share([=](const ToyRun& run) { return run.test_accuracy >= accuracy; });
  }
  double share_perfect() const { return share_at_least(1); }
  double share_with_period() const {
    return share([](const ToyRun& run) { return run.main.harmonic > 0; });
  }

 private:
  template <class Good>
  double share(Good good) const {
    return static_cast<double>(std::ranges::count_if(*this, good)) / static_cast<double>(size());
  }
};

ToyRuns run(const std::string& recipe_name, const std::string& variant_name, std::size_t seeds) {
  for (const ToyVariant& variant : toy_variants()) {
    if (variant.name != variant_name) continue;
    ToyRuns runs(seeds);
    ThreadPool pool;
    pool.run(static_cast<int64_t>(seeds), [&](int64_t i) {
      runs[static_cast<std::size_t>(i)] = run_toy(variant, recipe(recipe_name), static_cast<uint64_t>(i) + 1);
    });
    return runs;
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
  EXPECT_EQ(one.main.omega, again.main.omega);
  EXPECT_EQ(one.main.phi, again.main.phi);
  EXPECT_EQ(one.train_accuracy, again.train_accuracy);
  EXPECT_NE(one.main.omega, two.main.omega);
}

TEST(ToyAcceptance, OursIsPerfectInAllRunsCleanTimesTwoAndWithFourSines) {
  for (const char* variant : {"period 7", "days x 2", "4 sines", "64 sines"}) {
    const ToyRuns result = run("ours", variant, 16);
    EXPECT_EQ(result.share_perfect(), 1) << variant;
    EXPECT_EQ(result.share_with_period(), 1) << variant;
    for (const ToyRun& one : result) EXPECT_LE(one.active, 6) << variant;  // the penalty keeps few terms
  }
}

TEST(ToyAcceptance, OursWithstandsFivePercentOfNoise) {
  const ToyRuns result = run("ours", "5 % noise", 32);
  EXPECT_GE(result.share_at_least(0.97), 0.85);
  for (const ToyRun& one : result) EXPECT_LT(one.train_accuracy, 1);  // the flipped days are not learned
}

TEST(ToyAcceptance, ThePapersRecipeFindsThePeriodAndClassifiesTheTestDays) {
  const ToyRuns result = run("paper", "period 7", 16);
  EXPECT_GE(result.share_with_period(), 0.85);
  EXPECT_GE(result.share_perfect(), 0.75);
}

TEST(ToyAcceptance, NoiseBreaksThePapersRecipeWithBatches) {
  const ToyRuns result = run("paper", "5 % noise", 4);
  EXPECT_EQ(result.share_perfect(), 0);
}

TEST(ToyAcceptance, FunctionsWithoutAPeriodEndAtTheMajorityClassByThePapersRecipe) {
  for (const char* variant : {"sigmoid", "tanh", "relu"}) {
    const ToyRuns result = run("paper", variant, 4);
    for (const ToyRun& one : result) EXPECT_NEAR(one.test_accuracy, toy_majority(), 1e-12) << variant;
  }
}

TEST(ToyAcceptance, FunctionsWithoutAPeriodNeverBeatTheMajorityClassByOurs) {
  for (const char* variant : {"sigmoid", "tanh", "relu"}) {
    for (const ToyRun& one : run("ours", variant, 16)) {
      EXPECT_LE(one.test_accuracy, toy_majority() + 1e-12) << variant;
    }
  }
}

TEST(Toy, KeepsWhatItStartedFromAndWhatItLearnedForThePictures) {
  ToyRecipe brief = recipe("ours");
  brief.epochs = 300;
  const ToyRun one = run_toy({.name = "times two", .scale = 2}, brief, 1);
  ASSERT_EQ(one.start.size(), 31U);
  ASSERT_EQ(one.learned.size(), 31U);
  EXPECT_NE(one.start[0].weight, one.learned[0].weight);
  const auto main = std::ranges::max_element(one.learned, {}, &ToyTerm::weight);
  EXPECT_EQ(main->omega, one.main.omega);
  EXPECT_GT(main->harmonic, 0);
  EXPECT_NEAR(main->phi, std::numbers::pi / 2, 0.3) << "multiples of 7 lie at its peaks";
  ASSERT_EQ(one.test_times.size(), 92U);
  EXPECT_EQ(one.test_times.front(), 2 * 274);
  EXPECT_EQ(one.test_times.back(), 2 * 365);
  int64_t right = 0;
  for (std::size_t i = 0; i < one.test_sums.size(); ++i) {
    right += (one.test_sums[i] > 0) == (std::llround(one.test_times[i] / 2) % 7 == 0) ? 1 : 0;
  }
  EXPECT_EQ(static_cast<double>(right) / 92, one.test_accuracy);
}

TEST(Toy, ShowsSumsThatAreFarFromZeroAsTheyAre) {
  ToyRecipe untrained = recipe("paper");
  untrained.epochs = 0;  // what training makes of them is another on each instruction set
  std::vector<double> sums = run_toy({.name = "far", .scale = 1e4}, untrained, 2).test_sums;
  std::ranges::sort(sums);
  EXPECT_GT(std::max(-sums.front(), sums.back()), 1000) << "no probability has such log-odds";
  EXPECT_EQ(std::ranges::adjacent_find(sums), sums.end()) << "they are cut off";
}

}  // namespace
}  // namespace t2v::paper
