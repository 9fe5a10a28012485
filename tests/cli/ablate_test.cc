#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/random.h"
#include "tool.h"

namespace t2v {
namespace {

/// Visits, an hour or five apart; what comes next tells how long the last gap was.
class Ablate : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    Random random(8);
    std::string text = "user,time,event\n";
    for (int user = 0; user < 40; ++user) {
      int hour = static_cast<int>(random.below(24));
      int last = 1;
      for (int i = 0; i < 12; ++i) {
        text += std::to_string(user) + "," + std::to_string(1'700'000'000 + 3600 * hour) + "," +
                (last > 1 ? "long" : "short") + "\n";
        last = i == 0 ? 1 : gap_;
        gap_ = 1 + 4 * static_cast<int>(random.below(2));
        hour += gap_;
      }
    }
    put("visits.csv", text);
  }

  static constexpr const char* kQuick =
      "ablate visits.csv --hidden 8 --epochs 12 --batch 16 --rate 0.03 --seeds 3 --variants "
      "none,t2v:4,shuffled ";

 private:
  int gap_ = 1;
};

TEST_F(Ablate, SaysWhetherTimeIsWorthIt) {
  const Ran ran = run(kQuick + std::string("-o r.json"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "task next, test: 30 sequences, 105 predictions\naccuracy: higher is better");
  EXPECT_HAS(ran.out, "  variant   hidden  parameters  runs ");
  EXPECT_HAS(ran.out, "\nTime is worth it: Time2Vec gets ");
  EXPECT_HAS(ran.out, "\nWhat helps is which event comes when: ");
  EXPECT_HAS(ran.err, "test: 30 sequences, the last 20 % of the events\ntask: next\n");
  EXPECT_HAS(ran.err, "run 1 of 9: seed 1, none: ");
  EXPECT_HAS(ran.err, " left\nrun 9 of 9: seed 3, shuffled: ");
  const auto json = nlohmann::json::parse(get("r.json"));
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["variants"].size(), 3U);
  EXPECT_EQ(json["variants"][1]["runs"].size(), 3U);
  EXPECT_EQ(json["options"]["hidden"], 8);
}

TEST_F(Ablate, GivesJsonAlone) {
  put("options.json", R"({"hidden": 6, "epochs": 1, "seeds": 2, "variants": ["none", "raw"]})");
  const Ran ran = run("ablate visits.csv --config options.json --json --split random --test-share 0.5");
  EXPECT_EQ(ran.code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["test_sequences"], 20);
  EXPECT_EQ(json["variants"][1]["name"], "raw");
  EXPECT_EQ(json["variants"][1]["runs"].size(), 2U);
  EXPECT_TRUE(json["verdict"].empty());
}

TEST_F(Ablate, PrintsWhatIsFinishedWhenItIsStopped) {
  const Ran ran = bash(
      "$T ablate visits.csv --hidden 8 --epochs 2 --seeds 9000 --variants none,t2v:2 2>log & "
      "for i in {1..1000}; do grep -q 'run 6 of' log && break; sleep 0.01; done; "
      "kill -INT $!; wait $!; code=$?; cat log >&2; exit $code");
  EXPECT_EQ(ran.code, 130) << ran.err;
  EXPECT_HAS(ran.err, "stopped; this is what was finished");
  EXPECT_HAS(ran.out, "\n  t2v:2 ");
  EXPECT_HAS(ran.out, "Time2Vec gets ");
}

TEST_F(Ablate, RefusesWhatItChoosesItselfAndWhatCannotBe) {
  expect_refused("ablate visits.csv --seed 3", "--seed");
  expect_refused("ablate visits.csv --when", "there is no option '--when'");
  expect_refused("ablate visits.csv --variants none,clock", "unknown variant 'clock'");
  expect_refused("ablate visits.csv --seeds 0", "--seeds");
  expect_refused("ablate visits.csv -o none/r.json", "none");
  expect_refused("ablate none.csv", "none.csv");
}

TEST_F(Ablate, ExplainsItself) {
  const Ran ran = run("ablate --help");
  EXPECT_EQ(ran.code, 0);
  EXPECT_HAS(ran.out, "--time-column");
  EXPECT_HAS(ran.out, "--seeds");
  EXPECT_HAS(ran.out, "[none,raw,t2v,shuffled]");
  EXPECT_EQ(ran.out.find("--time TEXT"), std::string::npos);
  EXPECT_EQ(ran.out.find("--components"), std::string::npos);
}

}  // namespace
}  // namespace t2v
