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

TEST_F(Reproduce, PrintsTheTableAndWritesTheResults) {
  const Ran ran = run("reproduce 5.6 -o out" + kSmoke);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.err, "Event-MNIST: not at none/mnist, so invented data take its place");
  EXPECT_HAS(ran.err, "run 2 of 4: event-mnist lstm-t2v-64-no-linear, seed 1: accuracy ");
  EXPECT_HAS(ran.out, "without the linear term Event-MNIST does not change (Section 5.6)");
  EXPECT_HAS(ran.out, "written to out: results.json, table.csv, table.md, runs.jsonl, epochs.csv.zst");
  const auto results = json_of("out/results.json");
  EXPECT_EQ(results.at("command"), "t2v reproduce 5.6 --scale smoke --data-dir none");
  EXPECT_GT(results.at("machine").at("cores"), 0);
  EXPECT_HAS(get("out/table.csv"), "\n5.6,");

  const Ran again = run("reproduce 5.6 -o out" + kSmoke);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_HAS(again.err, "4 runs are finished already");
  EXPECT_EQ(again.out, ran.out);
  EXPECT_EQ(run("reproduce table -o out" + kSmoke).out, ran.out);
}

TEST_F(Reproduce, GoesOnAfterItWasInterrupted) {
  const std::string command = "reproduce 5.2-perfect --scale paper -o out";
  const Ran cut = bash("$T " + command + " 2>log & while ! grep -q 'run 2 of' log; do sleep 0.01; done; " +
                       "kill -INT $!; wait $!");
  EXPECT_EQ(cut.code, 130);
  EXPECT_HAS(get("log"), "stopped; run the same command again to go on");
  const Ran rest = run(command);
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_HAS(rest.err, " runs are finished already");
}

TEST_F(Reproduce, SaysWhereMissingDataAreLookedForAndHowToGetThem) {
  const Ran ran = run("reproduce 1c-days --scale paper -o out --data-dir none");
  EXPECT_EQ(ran.code, 2);
  EXPECT_HAS(ran.err,
             "rows on Stack Overflow badges are left out: it is not at none/stackoverflow; to get it: ");
  EXPECT_FALSE(exists("out"));
}

TEST_F(Reproduce, SaysThatAnHdf5FileMustBeTrustedBeforeItIsRead) {
  const std::string trust = "from a source that you trust";
  EXPECT_HAS(run("reproduce --list --data-dir none").out, "any file of that layout " + trust);
  put("spikes.hdf5", "\x89HDF\r\n\x1a\n and then nothing that the library could read");
  const Ran ran = run("reproduce B-frames --data spikes=spikes.hdf5 --scale smoke -o out");
  EXPECT_EQ(ran.code, 2);
  const size_t note = ran.err.find("note: an HDF5 file is to come " + trust);
  const size_t error = ran.err.find("spikes.hdf5: not an HDF5 file, or damaged");
  ASSERT_NE(note, std::string::npos) << ran.err;
  ASSERT_NE(error, std::string::npos) << ran.err;
  EXPECT_LT(note, error);
  EXPECT_EQ(ran.err.find(trust), ran.err.rfind(trust)) << ran.err;  // once
  EXPECT_EQ(run("reproduce B-frames -o made" + kSmoke).err.find(trust), std::string::npos);
}

TEST_F(Reproduce, RefusesWhatItCannotUse) {
  expect_refused("reproduce 1b", "'1b' is not run at scale quick; use --scale paper");
  expect_refused("reproduce 1a --data minst=x", "unknown data set 'minst'; use one of mnist, ");
  expect_refused("reproduce 1a --data mnist", "--data 'mnist' is not NAME=PATH");
  expect_refused("reproduce 1a --data mnist=nowhere", "nowhere: there is no such file or folder");
  expect_refused("reproduce 1a --scale huge", "--scale 'huge' is none of smoke, quick, paper");
}

TEST_F(Reproduce, ListsRowsWithTheirDataAndTimes) {
  const Ran ran = run("reproduce --list --data-dir none");
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (const char* part : {"\n1a ", "\n1c-given ", "Fig. 5b", "scripts/fetch-mnist", "not at none/mnist"}) {
    EXPECT_HAS(ran.out, part);
  }
  EXPECT_TRUE(std::regex_search(ran.out, std::regex(R"(\n1d +Time2Vec improves .* lastfm +- +\d+ min)")))
      << "expected times by scale: " << ran.out;
}

}  // namespace
}  // namespace t2v
