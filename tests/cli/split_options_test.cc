#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/event_store.h"
#include "tool.h"

namespace t2v {
namespace {

class SplitOptions : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    put("clicks.csv", kClicks);
    // Sequences of 2, 4 and 6 events.
    std::string rows = "user,time\n";
    for (int user = 1; user <= 3; ++user) {
      for (int i = 0; i < 2 * user; ++i) rows += std::to_string(user) + "," + std::to_string(i) + "\n";
    }
    put("long.csv", rows);
  }
  std::string told(const std::string& arguments) const {
    const Ran ran = run("import " + arguments + " -o y.events");
    EXPECT_EQ(ran.code, 0) << arguments << "\n" << ran.err;
    return ran.err;
  }
};

TEST_F(SplitOptions, AreRefusedBeforeAnyDataAreRead) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"--split random --test-share 1.5", "--test-share 1.5 is not a number from 0 to below 1"},
      {"--split random --test-share -0.1", "--test-share -0.1 is not a number from 0 to below 1"},
      {"--split random --test-share nan", "--test-share nan is not a number from 0 to below 1"},
      {"--split random --valid-share 1", "--valid-share 1 is not a number from 0 to below 1"},
      {"--split random --test-share 0.6 --valid-share 0.4",
       "--test-share 0.6 and --valid-share 0.4 leave nothing to train on"},
      {"--split time --test-from soon", "--test-from 'soon' is neither a date"},
      {"--test-from 2024-01-05", "--test-from is for --split time; give that too"},
      {"--cut first", "--cut has no effect without --max-len"},
      {"--cut windows --max-len 0", "--cut has no effect without --max-len"},
      {"--cut windows --max-len 1", "--cut windows needs a --max-len of at least 2"},
      {"--split last --split-seed 2", "--split-seed has no effect with --split last; leave it out"},
      {"--split time --split-seed 2", "--split-seed has no effect with --split time"},
      {"--split head-tail --split-seed 2", "--split-seed has no effect with --split head-tail"},
      {"--split given --split-seed 2", "--split-seed has no effect with --split given"},
      {"--split none --split-seed 2", "--split-seed has no effect without a split; choose one with --split"},
      {"--split none --test-share 0.3", "--test-share has no effect without a split"},
      {"--split none --valid-share 0.3", "--valid-share has no effect without a split"},
  };
  for (const auto& [options, says] : cases) expect_refused("import none.csv -o y.events " + options, says);
}

TEST_F(SplitOptions, AreRefusedWhereTheDataLeaveThemNothingToDo) {
  put("later.csv", "user,time,event\nfay,2024-02-01,open\n");
  put("other.csv", "user,time,event\ngus,2024-02-01,open\n");
  expect_refused("import clicks.csv --split-seed 2 -o y.events",
                 "--split-seed has no effect without a split");
  expect_refused("import clicks.csv --test-share 0.5 -o y.events",
                 "--test-share has no effect without a split");
  expect_refused("import --train clicks.csv --test later.csv --split-seed 2 -o y.events",
                 "--split-seed has no effect with --split given");
  expect_refused("import --train clicks.csv --valid later.csv --test other.csv --valid-share 0.2 -o y.events",
                 "--valid-share has no effect, since the data say what validation is");
  expect_refused("import long.csv --vocab 3 -o y.events",
                 "--vocab is for event types, and the data have none");
  expect_refused("import long.csv --vocab-from-all -o y.events", "--vocab-from-all is for event types");
}

TEST_F(SplitOptions, AreTakenWhereTheyMatter) {
  put("later.csv", "user,time,event\nfay,2024-02-01,open\n");
  told("clicks.csv --split random --split-seed 2");
  told("--train clicks.csv --test later.csv --valid-share 0.25 --split-seed 2");
  told("clicks.csv --cut first --max-len 1");
  told("clicks.csv --split random --test-share 0 --valid-share 0.5");
}

TEST_F(SplitOptions, TellWhatIsLostToALimit) {
  const std::string text = told("long.csv --split last --max-len 3 --cut first");
  EXPECT_HAS(text,
             "2 sequences are left out of the test part: what counts comes after their first 3 events; "
             "--cut last keeps it\n");
  EXPECT_HAS(text, "\ntest: 1 sequence, 2 events, 1 of them context\n");
  EXPECT_HAS(told("long.csv --split last --max-len 5 --cut first"),
             "1 sequence is left out of the test part");
  EXPECT_EQ(told("long.csv --split last --max-len 3 --cut last").find("left out"), std::string::npos);
  EXPECT_EQ(told("long.csv --split last --max-len 6 --cut first").find("left out"), std::string::npos);
  expect_refused("import long.csv --split last --max-len 1 --cut first -o q.events",
                 "--max-len 1 --cut first leaves nothing of the test part");
}

TEST_F(SplitOptions, CountWindowsAsPieces) {
  EXPECT_HAS(told("long.csv --max-len 3 --cut windows"),
             "train: 6 pieces of 3 sequences, 15 events, 3 of them context\nvalidation: none\ntest: none\n");
  EXPECT_HAS(told("long.csv --max-len 6 --cut windows"), "train: 3 sequences, 12 events\n");
  EXPECT_HAS(told("long.csv --split head-tail --test-share 0.3 --max-len 2"),
             "train: 2 sequences, 4 events\nvalidation: none\ntest: 1 sequence, 2 events\n");
}

}  // namespace
}  // namespace t2v
