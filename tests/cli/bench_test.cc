#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tool.h"

namespace t2v {
namespace {

using Json = nlohmann::json;

class BenchTool : public Tool {};

TEST_F(BenchTool, MeasuresAWorkloadAgainstItsLimit) {
  const Ran ran = run("bench encode --times 1000 --repetitions 3 --threads 1 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json json = Json::parse(ran.out);
  EXPECT_EQ(json["threads"], 1);
  EXPECT_GT(json["empty_call_us"], 0);
  ASSERT_EQ(json["workloads"].size(), 1U);
  EXPECT_EQ(json["workloads"][0]["workload"], "encode");
  EXPECT_GT(json["workloads"][0]["fraction"], 0);
}

TEST_F(BenchTool, PrintsALineForEachWorkload) {
  const Ran ran = run("bench encode --times 1000 --repetitions 1");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("\nencode  "), std::string::npos) << ran.out;
}

TEST_F(BenchTool, MeasuresTheLimitsAlone) {
  const Ran ran = run("bench --limits --threads 1 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json json = Json::parse(ran.out);
  EXPECT_GT(json["matrix_gflops"], 0);
  EXPECT_GT(json["copy_gbytes"], 0);
  EXPECT_GT(json["empty_call_us"], 0);
  EXPECT_FALSE(json.contains("workloads"));
  EXPECT_NE(run("bench --limits --threads 1").out.find("GFLOP/s"), std::string::npos);
}

TEST_F(BenchTool, ListsWhatThereIs) {
  const Ran ran = run("bench --list --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json json = Json::parse(ran.out);
  EXPECT_EQ(json[0]["name"], "encode");
  EXPECT_GT(json.size(), 10U);
  EXPECT_NE(run("bench --list").out.find("train-sof"), std::string::npos);
}

TEST_F(BenchTool, WorksWheneverItIsTold) {
  const Ran ran = bash(R"(printf 'go\ngo\nscore\n' | $T bench encode --times 1000 --worker)");
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::istringstream lines(ran.out);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(Json::parse(line)["ready"], true);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(Json::parse(line)["amount"], 65'000);
    EXPECT_GT(Json::parse(line)["seconds"], 0);
  }
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_TRUE(Json::parse(line).is_null());
  EXPECT_FALSE(std::getline(lines, line));
}

TEST_F(BenchTool, FailsBelowTheFractionThatIsAskedFor) {
  const Ran ran = run("bench encode --times 1000 --repetitions 1 --least 1000");
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("below 1000 of the limit: encode"), std::string::npos) << ran.err;
  EXPECT_EQ(run("bench encode --times 1000 --repetitions 1 --least 0.000001").code, 0);
}

TEST_F(BenchTool, RefusesWhatItDoesNotKnow) {
  expect_refused("bench encode nothing", "unknown workload 'nothing'");
  expect_refused("bench --worker", "--worker needs the name of one workload");
  expect_refused("bench train-sof --badges absent.events", "absent.events");
  expect_refused("bench train-tlstm3 --many absent.events", "absent.events");
}

}  // namespace
}  // namespace t2v
