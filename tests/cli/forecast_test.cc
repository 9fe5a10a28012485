#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "tool.h"

namespace t2v {
namespace {

using namespace testing;

std::string date(int day) {
  using namespace std::chrono;
  const year_month_day date = sys_days(2024y / 1 / 1) + days(day);
  return fmt::format("{}-{:02}-{:02}", int(date.year()), unsigned(date.month()), unsigned(date.day()));
}

/// A table of one value a day, with a cycle of a week.
class ForecastTool : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    std::string text = "time,sales\n";
    for (int day = 0; day < 280; ++day) text += row(day);
    put("days.csv", text);
    put("start.csv", text.substr(0, text.find(date(224))));
  }
  static std::string row(int day) {
    const double wave = std::sin(2 * std::numbers::pi * day / 7);
    return fmt::format("{},{:.4f}\n", date(day), 100 + 10 * wave + 0.1 * std::cos(day * day));
  }
  static int64_t lines_of(const std::string& text) { return std::ranges::count(text, '\n'); }
};

TEST_F(ForecastTool, PredictsUpToAHorizonWithQuantiles) {
  const Ran trained = run("train start.csv --horizon 14d -o m.t2v");
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_HAS(trained.err, "task: forecast\n");
  EXPECT_HAS(trained.err, "predicts by: ");
  const Ran table = run("predict m.t2v start.csv --csv");
  EXPECT_TRUE(table.out.starts_with("time,value,p10,p50,p90\n")) << table.out;
  EXPECT_EQ(lines_of(table.out), 1 + 14);
  EXPECT_EQ(lines_of(run("predict m.t2v start.csv --horizon 3d --every 12h --csv").out), 1 + 6);
  const auto json =
      nlohmann::json::parse(run("predict m.t2v start.csv --at +7d --quantiles 0.025,0.975").out);
  EXPECT_LT(json["p2.5"], json["value"]);
  EXPECT_GT(json["p97.5"], json["value"]);
}

TEST_F(ForecastTool, PredictsRowsWithoutAValue) {
  ASSERT_EQ(run("train start.csv --horizon 14d -o m.t2v").code, 0);
  put("asked.csv", get("start.csv") + date(230) + ",\n" + date(231) + ",\n");
  const Ran ran = run("predict m.t2v asked.csv --csv");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(lines_of(ran.out), 3) << ran.out;
  EXPECT_HAS(ran.out, "\n" + date(230) + "T00:00:00Z,");
}

TEST_F(ForecastTool, EvaluatesByHorizonBesideRules) {
  ASSERT_EQ(run("train start.csv --horizon 7d -o m.t2v").code, 0);
  const auto beyond = nlohmann::json::parse(run("evaluate m.t2v days.csv --json").out);
  EXPECT_EQ(beyond["values"]["predictions"], 56);
  EXPECT_FALSE(beyond["seen_in_training"]);
  EXPECT_LT(beyond["values"]["model"]["mae"], 1);
  EXPECT_GT(beyond["values"]["baselines"]["mean"]["mae"], 3);
  EXPECT_TRUE(beyond["horizons"]["model"].contains("mae_to_7.0_d"));
  const Ran seen = run("evaluate m.t2v start.csv");
  EXPECT_HAS(seen.err, "has learned from these values");
  const auto anew = nlohmann::json::parse(run("evaluate m.t2v start.csv --backtest --json").out);
  EXPECT_FALSE(anew["seen_in_training"]);
}

TEST_F(ForecastTool, GivesTheSameFileOnAnyThreads) {
  ASSERT_EQ(run("train days.csv --threads 1 -o one.t2v").code, 0);
  ASSERT_EQ(run("train days.csv --threads 3 -o three.t2v").code, 0);
  EXPECT_EQ(get("one.t2v"), get("three.t2v"));
}

TEST_F(ForecastTool, RescaledPredictsTheSame) {
  std::string text = "time,value\n";
  for (int i = 0; i < 200; ++i) text += fmt::format("{},{:.4f}\n", i, std::sin(i));
  put("plain.csv", text);
  ASSERT_EQ(run("train plain.csv --horizon 10 -o m.t2v").code, 0);
  ASSERT_EQ(run("rescale m.t2v --by 0.5 -o half.t2v").code, 0);
  std::string half = "time,value\n";
  for (int i = 0; i < 200; ++i) half += fmt::format("{:.1f},{:.4f}\n", i / 2.0, std::sin(i));
  put("half.csv", half);
  const auto value = [&](const std::string& arguments) {
    const Ran ran = run("predict " + arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return nlohmann::json::parse(ran.out)["value"].get<double>();
  };
  EXPECT_NEAR(value("m.t2v plain.csv --at +4"), value("half.t2v half.csv --at +2"), 1e-4);
}

TEST_F(ForecastTool, RefusesWhatMakesNoForecast) {
  ASSERT_EQ(run("train start.csv -o m.t2v").code, 0);
  const auto refuses = [&](const std::string& arguments, const std::string& why) {
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.code, 2) << arguments;
    EXPECT_HAS(ran.err, why);
  };
  refuses("train start.csv --horizon 0d", "above 0");
  refuses("train start.csv --horizon soon", "--horizon");
  refuses("train start.csv --horizon 7d --cell lstm", "--cell");
  refuses("train start.csv --horizon 7d --task regress", "for the task forecast, not regress");
  refuses("train start.csv --init m.t2v -o n.t2v", "no weights to go on from");
  refuses("predict m.t2v start.csv --horizon -1d", "--horizon");
  refuses("predict m.t2v start.csv --quantiles 0.5,2", "--quantiles");
  refuses("predict m.t2v start.csv --quantiles x", "--quantiles");
  refuses("predict m.t2v start.csv --at 2020-01-01", "before the last value");
  refuses("predict m.t2v start.csv --at +1d --horizon 7d", "use one of them");
  refuses("export --onnx x.onnx m.t2v", "no graph of a network");
  refuses("stream m.t2v < /dev/null", "not of a stream");
  refuses("encode m.t2v 2024-01-01", "no vectors of time");
  put("empty.csv", "time,value\n2024-01-01,\n2024-01-02,\n");
  refuses("train empty.csv --value value", "empty");
}

}  // namespace
}  // namespace t2v
