#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tool.h"

namespace t2v {
namespace {

class Doctor : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    put("clicks.csv", kClicks);
  }
};

TEST_F(Doctor, TellsWhatATableIsAndWhatIsToBeKnown) {
  const Ran ran = run("doctor clicks.csv");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "sequences  4\nevents     8\n");
  EXPECT_HAS(ran.out, "\nGood to know:\n- 4 sequences with 8 events in all; ");
  EXPECT_HAS(ran.out, "- 3 event types; the most frequent, 'open', is 62 % of the events.");
  EXPECT_EQ(names(), (std::vector<std::string>{"clicks.csv"}));
}

TEST_F(Doctor, TellsTheSameOfAStore) {
  ASSERT_EQ(run("import clicks.csv -o c.events").code, 0);
  const std::string out = run("doctor clicks.csv").out;
  EXPECT_TRUE(run("doctor c.events").out.starts_with(out.substr(0, out.find("\nNext:"))));
}

TEST_F(Doctor, SpeaksInSentences) {
  put("odd.csv",
      "user,time,event\na,2024-01-02,x\na,2024-01-01,x\na,2024-01-02,x\nb,2024-01-05,y\nc,1970-01-01,y\n");
  const std::string out = run("doctor odd.csv").out;
  EXPECT_HAS(out, "- 2 sequences (67 % of all) have one event only: there is no next event to learn from.");
  EXPECT_HAS(
      out, "- 1 event comes in the source after a later one of the same sequence; it was sorted into place.");
  EXPECT_HAS(out, "- 1 event (20 %) has the time and type of an earlier one of the same sequence.");
  EXPECT_HAS(out, "- 1 event (20 %) is at the time of the event before.");
  EXPECT_HAS(out, "- 2 event types; the most frequent, 'x', is 60 % of the events.");
  EXPECT_HAS(out, "- 1 event is on 1970-01-01, far from the others");
}

TEST_F(Doctor, GivesFindingsAsJsonAlone) {
  const Ran ran = run("doctor clicks.csv --json");
  EXPECT_EQ(ran.code, 0);
  const auto json = nlohmann::json::parse(ran.out);
  ASSERT_TRUE(json.is_array());
  EXPECT_EQ(json.at(0).at("code"), "lengths");
  EXPECT_EQ(json.at(0).at("numbers").at("sequences"), 4);
}

TEST_F(Doctor, EndsWithTheCommandToRunNext) {
  EXPECT_TRUE(run("doctor clicks.csv").out.ends_with("\nNext:\n  t2v train clicks.csv -o clicks.t2v\n"));
  put("odd name.csv", "when;who;x;y\n2024-01-01;a;1;2\n2024-01-02;a;3;4\n2024-01-03;a;2;4\n");
  const std::string out = run("doctor 'odd name.csv' --id who --value x --threads 1").out;
  const std::string line = "t2v train 'odd name.csv' --id who --value x ";
  EXPECT_HAS(out, line);
  EXPECT_TRUE(out.ends_with(" -o 'odd name.t2v'\n")) << out;
  const auto json = nlohmann::json::parse(run("doctor clicks.csv --json").out);
  EXPECT_EQ(json.back().at("numbers").at("command"), "t2v train clicks.csv -o clicks.t2v");
}

TEST_F(Doctor, SendsOnlyToTrainingOnceProblemsAreSeenTo) {
  put("zeros.csv", "user,time,event\na,2024-01-02,x\na,2024-01-05,x\na,1970-01-01,y\n");
  EXPECT_HAS(run("doctor zeros.csv").out, "\nSee to the problems above, then:\n  t2v train zeros.csv ");
}

TEST_F(Doctor, FindsWholeSecondsInHours) {
  std::string text = "id,time\n";
  for (int i = 0; i < 200; ++i) {
    char line[64];
    std::snprintf(line, sizeof line, "a,%.16g\n", (i * i * 37 % 5000 + 5000 * i) / 3600.0);
    text += line;
  }
  put("hours.csv", text);
  EXPECT_HAS(run("doctor hours.csv").out, "differ by multiples of 0.0002778 (in the unit of the times)");
}

TEST_F(Doctor, ShowsNoControlCharactersOfNames) {
  put("odd.csv", "user,time,event\na,1,\x1b[31mred\na,2,\x1b[31mred\na,3,y\n");
  const Ran ran = run("doctor odd.csv");
  EXPECT_EQ(ran.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(ran.err.find('\x1b'), std::string::npos);
}

TEST_F(Doctor, RefusesWhatItCannotRead) {
  expect_refused("doctor", "no file was given");
  expect_refused("doctor none.csv", "none.csv: ");
  put("bad.csv", "a,b\n1,2\n");
  expect_refused("doctor bad.csv", "no column for the time was found");
  expect_refused("doctor clicks.csv --jsn", "--jsn");
}

TEST_F(Doctor, TellsTheThresholdsOfTimeUnitsInItsHelp) {
  for (const char* part : {"1e8", "1e11", "1e14", "1e17", "Examples:"})
    EXPECT_HAS(run("doctor --help-all").out, part);
}

TEST_F(Doctor, HasFormatsToReadListed) {
  const Ran ran = run("formats");
  EXPECT_EQ(ran.code, 0);
  for (const char* part : {"table\n", "mnist\n", "ntidigits\n", "rmtpp\n", "lastfm\n", "citeulike\n", "lst\n",
                           "easytpp\n", "--set shift=yes, no: "}) {
    EXPECT_HAS(ran.out, part);
  }
  expect_refused("formats x", "x");
}

}  // namespace
}  // namespace t2v
