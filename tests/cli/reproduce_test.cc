#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "tool.h"

namespace t2v {
namespace {

/// Where there are no data, so that made ones take their place.
const std::string kSmoke = " --scale smoke --data-dir none";

class Reproduce : public Tool {
 protected:
  nlohmann::json json_of(const std::string& name) const { return nlohmann::json::parse(get(name)); }
};

TEST_F(Reproduce, PrintsTheVerdictsAndWritesTheResults) {
  const Ran ran = run("reproduce linear-term -o out" + kSmoke);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.err, "Event-MNIST: not at none/mnist, so invented data take its place");
  EXPECT_HAS(ran.err, "run 4 of 9: event-mnist lstm-t2v-64-no-linear, seed 2: accuracy ");
  EXPECT_HAS(ran.out, "without the linear term Event-MNIST is not affected substantially (Section 5.6)");
  EXPECT_HAS(ran.out, "The linear term helps TLSTM3+T2V on CiteULike (Section 5.6, Fig. 5d)");
  EXPECT_HAS(ran.out, "  data (invented): Event-MNIST; learned from 300 sequences");
  EXPECT_HAS(ran.out, "The paper's questions, by the verdicts in the folder\n  open        Q1: ");
  EXPECT_HAS(ran.out, "written to out/results.json, out/results.csv and out/verdicts.csv");
  const auto results = json_of("out/results.json");
  EXPECT_EQ(results.at("command"), "t2v reproduce linear-term --scale smoke --data-dir none");
  const std::string verdict = results.at("verdicts").at(0).at("verdict");
  EXPECT_HAS(ran.out, "  " + verdict);
  EXPECT_GT(results.at("machine").at("cores"), 0);
  EXPECT_TRUE(exists("out/results.csv"));

  const Ran again = run("reproduce linear-term -o out" + kSmoke);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_HAS(again.err, "9 runs are finished already");
  EXPECT_EQ(again.out, ran.out);
}

TEST_F(Reproduce, SetsOneChoiceOfTheHalfOfTheLinearTermThatHasIt) {
  const Ran ran = run("reproduce linear-term --seeds 1 --set rate=0.002 -o out" + kSmoke);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "protocol paper but rate=0.002");
  EXPECT_EQ(ran.out.find("TLSTM3"), std::string::npos);
  EXPECT_EQ(json_of("out/results.json").at("experiments").at(0).at("settings").at("rate"), "0.002");
}

TEST_F(Reproduce, GoesOnAfterItWasInterrupted) {
  const std::string command =
      "reproduce event-mnist --seeds 1 --epochs 60 --models lstm-t2v-64 -o out" + kSmoke;
  const Ran cut =
      bash("$T " + command +
           " 2>log & while ! grep -q 'epoch 3 of' log; do sleep 0.05; done; kill -INT $!; wait $!");
  EXPECT_EQ(cut.code, 130);
  EXPECT_HAS(get("log"), "stopped; run the same command again to go on");
  const Ran rest = run(command);
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(rest.err.find("epoch 1 of 60"), std::string::npos) << rest.err;
  EXPECT_EQ(json_of("out/runs/event-mnist/lstm-t2v-64.s1.json").at("curve").at("accuracy").size(), 60U);
  EXPECT_FALSE(exists("out/runs/event-mnist/lstm-t2v-64.s1.checkpoint"));
}

TEST_F(Reproduce, SaysWhereMissingDataAreLookedForAndHowToGetThem) {
  const Ran ran = run("reproduce stackoverflow -o out --data-dir none");
  EXPECT_EQ(ran.code, 2);
  EXPECT_HAS(ran.err,
             "stackoverflow is left out: no Stack Overflow badges at none/stackoverflow; to get it: ");
  EXPECT_FALSE(exists("out"));
}

TEST_F(Reproduce, LeavesOutOfAllWhatHasNoSuchProtocolAndSaysSo) {
  const Ran ran = run("reproduce all --protocol best --models lstm-t2v-64-no-linear -o out" + kSmoke);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.err, "frequencies is left out: it knows no protocol best");
  EXPECT_EQ(run("reproduce frequencies --protocol best -o out" + kSmoke).code, 2);
}

TEST_F(Reproduce, SetsOneChoiceOfTheRecommendationsApartFromTheProtocol) {
  const Ran ran =
      run("reproduce linear-tlstm3 --models citeulike-tlstm3-t2v-16 --set inner=tanh --set batch=7 -o out" +
          kSmoke);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto record = json_of("out/runs/citeulike/citeulike-tlstm3-t2v-16.s1.json");
  EXPECT_EQ(record.at("config").at("recommendation").at("inner"), "tanh");
  EXPECT_EQ(record.at("config").at("recommendation").at("batch"), 7);
  EXPECT_HAS(json_of("out/results.json").at("command").get<std::string>(), " --set inner=tanh --set batch=7");
  expect_refused("reproduce linear-tlstm3 -o out" + kSmoke, "was run with another ");
}

TEST_F(Reproduce, SaysThatAnHdf5FileMustBeTrustedBeforeItIsRead) {
  const std::string trust = "from a source that you trust";
  EXPECT_HAS(run("reproduce --list --data-dir none").out, "any file of that layout " + trust);
  put("spikes.hdf5", "\x89HDF\r\n\x1a\n and then nothing that the library could read");
  const Ran ran = run("reproduce spikes --data spikes=spikes.hdf5 --scale smoke -o out");
  EXPECT_EQ(ran.code, 2);
  const size_t note = ran.err.find("note: an HDF5 file is to come " + trust);
  const size_t error = ran.err.find("spikes.hdf5: not an HDF5 file, or damaged");
  ASSERT_NE(note, std::string::npos) << ran.err;
  ASSERT_NE(error, std::string::npos) << ran.err;
  EXPECT_LT(note, error);
  EXPECT_EQ(ran.err.find(trust), ran.err.rfind(trust)) << ran.err;  // once
  EXPECT_EQ(run("reproduce spikes --models lstm-t-raw -o made" + kSmoke).err.find(trust), std::string::npos);
}

TEST_F(Reproduce, RefusesWhatItCannotUse) {
  expect_refused("reproduce toy --set inner=tanh", "toy has no settings, so 'inner' cannot be set");
  expect_refused("reproduce event-mnist --scale smoke --set speed=1",
                 "'speed' is no setting of a training run");
  expect_refused("reproduce event-mnist --scale smoke --set hidden=8", "'hidden' is set by the choice");
  expect_refused("reproduce event-mnist --scale smoke --set rate=fast", "--rate 'fast' is not a number");
  expect_refused("reproduce event-mnist --scale smoke --set layers=0",
                 "--layers 0 is not a number from 1 to 64");
  expect_refused("reproduce lastfm --set inner", "--set 'inner' is not NAME=VALUE");
  expect_refused("reproduce lastfm --set outer=tanh", "'outer' is no setting of a recommendation run");
  expect_refused("reproduce lastfm --set inner=relu", "inner 'relu' is unknown; use one of sigmoid, tanh");
  expect_refused("reproduce lastfm --set batch=five", "batch cannot be 'five'; it is 5 by default");
  expect_refused("reproduce lastfm --set k=3", "'k' is set by the choice of experiment");

  expect_refused("reproduce toy --data minst=x", "unknown data set 'minst'; use one of mnist, ");
  expect_refused("reproduce toy --data mnist", "--data 'mnist' is not NAME=PATH");
  expect_refused("reproduce event-mnist --data mnist=nowhere", "nowhere: there is no such file or folder");
  expect_refused("reproduce toy --scale huge", "--scale 'huge' is none of smoke, quick, paper");
}

TEST_F(Reproduce, ListsExperimentsWithTheirDataModelsAndTimes) {
  const Ran ran = run("reproduce --list --data-dir none");
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (const char* part : {"\nevent-mnist ", "\nstackoverflow ", "Fig. 5b, Fig. 5c", "scripts/fetch-mnist",
                           "not at none/mnist", "lstm-t2v-16-positional", "lastfm-tlstm3-t2v-32"}) {
    EXPECT_HAS(ran.out, part);
  }
  EXPECT_HAS(ran.out, "  lastfm, citeulike  ") << "columns do not run into each other";
  EXPECT_TRUE(
      std::regex_search(ran.out, std::regex(R"(\nlastfm +Fig\. 1d +lastfm +\d+ s +\d+ min \d+ s +\d+ h)")))
      << "expected times by scale: " << ran.out;
}

}  // namespace
}  // namespace t2v
