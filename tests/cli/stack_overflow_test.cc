#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tool.h"

namespace t2v {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

/// The badges of Stack Overflow's users, as published with RMTPP: what `t2v train` gets with no options at
/// all.
class StackOverflow : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    const std::string folder = test_data("stackoverflow");
    if (folder.empty()) GTEST_SKIP() << no_test_data("stackoverflow");
    if (kSanitized) GTEST_SKIP() << "a minute of training is too much with sanitizers";
    const Ran ran = bash("cd " + folder +
                         " && $T import --format rmtpp event-1-train.txt time-1-train.txt event-1-test.txt "
                         "time-1-test.txt --split given -o " +
                         path("badges.events"));
    ASSERT_EQ(ran.code, 0) << ran.err;
  }

  /// Accuracy, Recall@3 and MRR on the test users are at least these.
  void expect_at_least(const std::string& options, double accuracy, double recall, double mrr) const {
    const Ran trained = run("train badges.events --task next -o badges.t2v " + options);
    ASSERT_EQ(trained.code, 0) << trained.err;
    const Ran measured = run("evaluate badges.t2v badges.events --json");
    ASSERT_EQ(measured.code, 0) << measured.err;
    const auto types = nlohmann::json::parse(measured.out)["types"];
    EXPECT_GE(types["model"]["recall@1"], accuracy);
    EXPECT_GE(types["model"]["recall@3"], recall);
    EXPECT_GE(types["model"]["mrr"], mrr);
    // What the reader compares with.
    EXPECT_NEAR(types["baselines"]["popularity"]["recall@3"], 0.72, 0.01);
    EXPECT_NEAR(types["baselines"]["markov_chain"]["recall@3"], 0.77, 0.01);
  }
};

TEST_F(StackOverflow, IsPredictedBetterThanByAnLstmInPyTorch) { expect_at_least("", 0.456, 0.797, 0.648); }

TEST_F(StackOverflow, IsPredictedBetterStillWithTheTimeOfTheNextBadge) {
  expect_at_least("--query-time", 0.474, 0.806, 0.660);
}

}  // namespace
}  // namespace t2v
