#include "paper/toy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/thread_pool.h"

namespace t2v::paper {
namespace {

/// Runs of one setting, one a seed.
struct ToyRuns : std::vector<ToyRun> {
  using std::vector<ToyRun>::vector;
  double share_perfect() const {
    return share([](const ToyRun& run) { return run.test_accuracy >= 1; });
  }
  double share_with_period() const {
    return share([](const ToyRun& run) { return run.main.harmonic > 0; });
  }

 private:
  template <class Good>
  double share(Good good) const {
    return static_cast<double>(std::ranges::count_if(*this, good)) / static_cast<double>(size());
  }
};

ToyRuns run(const ToyConfig& config, std::size_t seeds) {
  ToyRuns runs(seeds);
  ThreadPool pool;
  pool.run(static_cast<int64_t>(seeds), [&](int64_t i) {
    runs[static_cast<std::size_t>(i)] = run_toy(config, static_cast<uint64_t>(i) + 1);
  });
  return runs;
}

TEST(Toy, IsDescribedByItsMajorityClass) { EXPECT_NEAR(toy_majority(), 79.0 / 92, 1e-12); }

TEST(Toy, GivesTheSameRunForTheSameSeedAndAnotherForAnother) {
  const ToyConfig noisy{.noise = 0.05, .epochs = 20};
  const ToyRun one = run_toy(noisy, 1);
  const ToyRun again = run_toy(noisy, 1);
  const ToyRun two = run_toy(noisy, 2);
  EXPECT_EQ(one.main.omega, again.main.omega);
  EXPECT_EQ(one.main.phi, again.main.phi);
  EXPECT_EQ(one.train_accuracy, again.train_accuracy);
  EXPECT_NE(one.main.omega, two.main.omega);
}

TEST(ToyAcceptance, BatchesOf16FindThePeriodAndClassifyTheTestDays) {
  const ToyRuns result = run({.batch = 16, .epochs = 20000}, 16);
  EXPECT_GE(result.share_with_period(), 0.85);
  EXPECT_GE(result.share_perfect(), 0.75);
}

TEST(ToyAcceptance, NoiseBreaksThemWithBatches) {
  EXPECT_EQ(run({.noise = 0.05, .batch = 16, .epochs = 20000}, 4).share_perfect(), 0);
}

TEST(ToyAcceptance, FunctionsWithoutAPeriodEndAtTheMajorityClass) {
  for (const auto activation : {nn::Activation::kSigmoid, nn::Activation::kTanh, nn::Activation::kRelu}) {
    for (const ToyRun& one : run({.activation = activation, .batch = 16, .epochs = 20000}, 4)) {
      EXPECT_NEAR(one.test_accuracy, toy_majority(), 1e-12);
    }
  }
}

TEST(Toy, KeepsWhatItStartedFromAndWhatItLearned) {
  const ToyRun one = run_toy({.epochs = 300}, 1);
  ASSERT_EQ(one.start.size(), 31U);
  ASSERT_EQ(one.learned.size(), 31U);
  EXPECT_NE(one.start[0].weight, one.learned[0].weight);
  const auto main = std::ranges::max_element(one.learned, {}, &ToyTerm::weight);
  EXPECT_EQ(main->omega, one.main.omega);
}

}  // namespace
}  // namespace t2v::paper
