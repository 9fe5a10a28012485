#include "paper/tallies.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "paper/questions.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

/// A verdict as results.json has it.
Json row(const char* verdict, double low, double high, double ahead = 0.5, const char* tally = "time") {
  return {{"verdict", verdict},
          {"effect", {{"mean", (low + high) / 2}, {"low", low}, {"high", high}, {"n", 3}}},
          {"tally", tally},
          {"ahead", ahead},
          {"worth", 0.01}};
}
const Json kBetter = row("reproduces", 0.01, 0.03, 1);
const Json kSame = row("does not", -0.001, 0.001);
const Json kVague = row("undecided", -0.1, 0.1);
const Json kWorse = row("does not", -0.03, -0.01, 0);
const Json kNotRun = {{"verdict", "undecided"}, {"effect", nullptr}, {"tally", "time"}};

/// Of most, never worse, consistently.
std::vector<Outcome> outcomes(const std::vector<Json>& rows, int64_t all) {
  std::vector<Outcome> found;
  for (const Verdict& verdict : judge_tallies(rows, {all, 0})) found.push_back(verdict.outcome);
  return found;
}

using enum Outcome;
using Outcomes = std::vector<Outcome>;

TEST(Tallies, CountComparisonsThatImproveAndLookForOneThatIsWorse) {
  EXPECT_EQ(outcomes({kBetter, kBetter}, 2), (Outcomes{kReproduces, kReproduces, kReproduces}));
  EXPECT_EQ(outcomes({kBetter, kBetter, kSame}, 3), (Outcomes{kReproduces, kReproduces, kReproduces}));
  EXPECT_EQ(outcomes({kBetter, kSame}, 2), (Outcomes{kDoesNot, kReproduces, kReproduces}));
  EXPECT_EQ(outcomes({kBetter, kBetter, kVague}, 3), (Outcomes{kReproduces, kUndecided, kReproduces}));
  EXPECT_EQ(outcomes({kBetter, kBetter, kWorse}, 3), (Outcomes{kReproduces, kDoesNot, kReproduces}));
  EXPECT_EQ(outcomes({kSame, kSame, kSame}, 3), (Outcomes{kDoesNot, kReproduces, kDoesNot}));
}

TEST(Tallies, AreUndecidedWhileWhatWasNotRunMayTurnThem) {
  EXPECT_EQ(outcomes({kBetter, kNotRun}, 10), (Outcomes{kUndecided, kUndecided, kUndecided}));
  EXPECT_EQ(outcomes({kBetter, kWorse}, 10), (Outcomes{kUndecided, kDoesNot, kUndecided}));
  EXPECT_EQ(outcomes({kBetter, kBetter}, 3), (Outcomes{kReproduces, kUndecided, kReproduces}));
  EXPECT_EQ(judge_tallies({kBetter, kWorse, kNotRun}, {10, 0}).at(0).ours,
            "reproduces in 1 and does not in 1 of 10 comparisons, 2 of them run");
  EXPECT_TRUE(outcomes({kNotRun}, 10).empty());
}

TEST(Tallies, DoNotCountOneSeedNorPairsWithoutASpread) {
  Json one_seed = kWorse;
  one_seed["effect"]["n"] = 1;
  const Json all_the_same = row("undecided", -0.02, -0.02);
  EXPECT_EQ(outcomes({one_seed, all_the_same, kBetter}, 3), (Outcomes{kUndecided, kUndecided, kReproduces}));
  EXPECT_TRUE(outcomes({one_seed}, 1).empty());
}

TEST(Tallies, SayHowManyAreOnStandIns) {
  Json elsewhere = kBetter;
  elsewhere["data_kind"] = "stand-in";
  EXPECT_EQ(judge_tallies({elsewhere, kBetter}, {2, 0}).at(1).ours,
            "worse in 0 of 2 comparisons, 1 on stand-ins");
}

TEST(Tallies, HoldAComparisonToWhatCountsAsWorseThere) {
  Json fine = kSame;
  fine["worth"] = 0.0005;
  EXPECT_EQ(outcomes({fine}, 1).at(1), kUndecided) << "-0.001 might count";
}

TEST(Tallies, CountTimeLstmAmongAllButNotWhereThePaperSpeaksOfLstm) {
  const Json gates = row("reproduces", 0.01, 0.03, 0.5, "time gates");
  const std::vector<Verdict> found = judge_tallies({kBetter, gates, gates, gates}, {1, 0, 3});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found.at(0).ours, "reproduces in 4 and does not in 0 of 4 comparisons");
  EXPECT_EQ(found.at(1).ours, "worse in 0 of 4 comparisons");
  EXPECT_EQ(found.at(2).ours, "ahead after every epoch in 1 of 1 comparisons");
  EXPECT_EQ(judge_tallies({gates}, {1, 0, 1}).size(), 2U);
}

TEST(Tallies, CountSinesApart) {
  const Json on_par = row("reproduces", -0.005, 0.001, 0, "sines");
  const std::vector<Verdict> found = judge_tallies({on_par, on_par, kWorse}, {1, 3});
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found.back().outcome, kReproduces);
  EXPECT_EQ(found.back().ours, "reproduces in 2 and does not in 0 of 3 comparisons, 2 of them run");
}

TEST(Questions, AreAnsweredByTheVerdictsThatBearOnThem) {
  const auto verdict = [](const char* where, const char* outcome) {
    return Json{{"where", where}, {"verdict", outcome}};
  };
  Json elsewhere = verdict("Q1, Fig. 1d", "reproduces");
  elsewhere["data_kind"] = "stand-in";
  const Json answers =
      answer_questions({verdict("Q1, Fig. 1a", "reproduces"), verdict("Q1, Fig. 1b", "undecided"), elsewhere,
                        verdict("Q2, Fig. 2a", "does not"), verdict("Q3, Section 5.2", "reproduces"),
                        verdict("Q3, Section 5.2", "does not"), verdict("Fig. 5a", "reproduces"),
                        verdict("Q5, Fig. 5b", "reproduces"), verdict("Q5, Fig. 5b", "undecided")});
  const auto answer = [&](std::size_t i) { return answers.at(i).at("answer").get<std::string>(); };
  ASSERT_EQ(answers.size(), 5U);
  EXPECT_EQ(answer(0), "yes");
  EXPECT_EQ(answers.at(0).at("undecided"), 1);
  EXPECT_EQ(answers.at(0).at("stand_ins"), 1);
  EXPECT_EQ(answer(1), "no");
  EXPECT_EQ(answer(2), "in part");
  EXPECT_EQ(answer(3), "open");
  EXPECT_EQ(answer(4), "open") << "half of it is undecided";
}

}  // namespace
}  // namespace t2v::paper
