// What a killed process left behind, at the next start.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tool.h"

namespace t2v {
namespace {

using Unfinished = Tool;

std::string visits() {
  std::string text = "user,time,event\n";
  for (int i = 0; i < 100; ++i) {
    text += "u" + std::to_string(i / 5) + "," + std::to_string(i * 3) + "," + "abc"[i % 3] + "\n";
  }
  return text;
}

TEST_F(Unfinished, FilesAreClearedAwayByTheNextImportTrainingStreamAndPrediction) {
  put("events.csv", visits());
  put("e.events.t2v-unfinished", "half");
  ASSERT_EQ(run("import events.csv -o e.events").code, 0);
  put("m.t2v.t2v-unfinished", "half");
  put("m.t2v.checkpoint.t2v-unfinished", "half");
  const Ran train = run("train events.csv --hidden 2 --epochs 1 -o m.t2v");
  ASSERT_EQ(train.code, 0) << train.err;
  put("s.t2v.t2v-unfinished", "half");
  ASSERT_EQ(bash("true | $T stream m.t2v --snapshot s.t2v").code, 0);
  put("p.jsonl.t2v-unfinished", "half");
  ASSERT_EQ(run("predict m.t2v events.csv -o p.jsonl").code, 0);
  EXPECT_EQ(names(), (std::vector<std::string>{"e.events", "events.csv", "m.t2v", "p.jsonl", "s.t2v"}));
}

TEST_F(Unfinished, FilesAreClearedAwayAlsoByAStartThatGoesWrong) {
  put("events.csv", "user,time,event\nann,soon,open\n");
  put("m.t2v.t2v-unfinished", "half");
  put("m.t2v.checkpoint.t2v-unfinished", "half");
  EXPECT_EQ(run("train events.csv -o m.t2v").code, 2);
  EXPECT_EQ(names(), std::vector<std::string>{"events.csv"});
}

TEST_F(Unfinished, OptionsInAFileAreRefusedIfTheyAreDeepOrLong) {
  put("events.csv", kClicks);
  put("deep.json", "{\"hidden\": " + std::string(100'000, '[') + std::string(100'000, ']') + "}");
  expect_refused("train events.csv --config deep.json", "deep.json: is nested more than 8 levels deep");
  put("long.json", "{\"hidden\": " + std::string(2'000'000, '1') + "}");
  expect_refused("train events.csv --config long.json", "long.json: has more than the 1048576 bytes");
}

}  // namespace
}  // namespace t2v
