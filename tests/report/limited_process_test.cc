#include "report/limited_process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "t2v/error.h"

namespace t2v::report {
namespace {

using namespace std::chrono_literals;

TEST(LimitedProcess, GivesWhatAProgramWritesAndItsCode) {
  const Finished finished = run_limited({"/bin/sh", "-c", "cat; echo out; echo err >&2; exit 3"}, 10s);
  EXPECT_TRUE(finished.in_time);
  EXPECT_EQ(finished.code, 3);
  EXPECT_EQ(finished.output, "out\n");
}

TEST(LimitedProcess, GivesMoreThanAPipeHolds) {
  const Finished finished = run_limited({"/bin/sh", "-c", "head -c 3000000 /dev/zero"}, 10s);
  EXPECT_EQ(finished.output.size(), 3000000U);
}

TEST(LimitedProcess, EndsAProgramThatTakesTooLongWithAllThatItStarted) {
  const auto start = std::chrono::steady_clock::now();
  const Finished finished = run_limited({"/bin/sh", "-c", "echo begun; sleep 60 & sleep 60"}, 300ms);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
  EXPECT_FALSE(finished.in_time);
  EXPECT_EQ(finished.code, -1);
  EXPECT_EQ(finished.output, "begun\n");
}

TEST(LimitedProcess, SaysWhatCannotBeStarted) { EXPECT_THROW(run_limited({"/nowhere/program"}, 1s), Error); }

TEST(LimitedProcess, IsFoundOnThePath) {
  EXPECT_TRUE(find_program({"no-such-program", "sh"}).ends_with("/sh"));
  EXPECT_EQ(find_program({"no-such-program"}), "");
}

}  // namespace
}  // namespace t2v::report
