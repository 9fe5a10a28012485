#include "report/chart_spec.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "made.h"
#include "report/figure_values.h"

namespace t2v::report {
namespace {

using nlohmann::json;

const Figure& figure(const Results& results, const std::string& id) {
  for (const Experiment& experiment : results.experiments) {
    for (const Figure& each : experiment.figures) {
      if (each.id == id) return each;
    }
  }
  throw std::out_of_range(id);
}

std::set<std::string> marks_of(const json& spec) {
  std::set<std::string> marks;
  for (const json& layer : spec["layer"]) marks.insert(layer["mark"]["type"]);
  return marks;
}

TEST(ChartSpec, HasLayersAndDataForEveryKindOfFigure) {
  const Results results = made_results();
  const std::map<std::string, std::set<std::string>> expected = {
      {"event-mnist-accuracy", {"area", "line", "rule", "point"}},
      {"activations-accuracy", {"bar", "rule", "text", "point"}},
      {"toy-periods", {"rect"}},
      {"toy-weights", {"point", "rule"}}};
  for (const auto& [id, marks] : expected) {
    const Chart chart = chart_of(figure(results, id));
    EXPECT_EQ(marks_of(chart.spec), marks) << id;
    EXPECT_EQ(chart.spec["width"], "container") << id;
    for (const json& layer : chart.spec["layer"]) {
      EXPECT_FALSE(chart.spec["datasets"][layer["data"]["name"].get<std::string>()].empty()) << id;
    }
  }
}

TEST(ChartSpec, HasNoLayerOfIntervalsWhereThereAreNone) {
  const Results results = made_results();
  for (const char* id : {"event-mnist-accuracy", "activations-accuracy"}) {
    Figure of_one_run = figure(results, id);
    for (Series& series : of_one_run.series) series.low = series.high = {};
    const auto layers = [](const Figure& one) { return chart_of(one).spec["layer"].size(); };
    EXPECT_EQ(layers(of_one_run), layers(figure(results, id)) - 1) << id;
  }
}

TEST(ChartSpec, HoldsTheNumbersOfTheCurvesWithTheirIntervals) {
  const Results results = made_results();
  const Figure& curves = figure(results, "event-mnist-accuracy");
  const json lines = chart_of(curves).spec["datasets"]["lines"];
  ASSERT_EQ(lines.size(), 100U);
  for (std::size_t i = 0; i < 100; ++i) {
    const Series& series = curves.series[i / 50];
    EXPECT_EQ(lines[i]["c"], series.name);
    EXPECT_EQ(lines[i]["x"], series.x[i % 50]);
    EXPECT_EQ(lines[i]["y"], series.y[i % 50]);
    EXPECT_EQ(lines[i]["l"], series.low[i % 50]);
    EXPECT_EQ(lines[i]["h"], series.high[i % 50]);
  }
}

TEST(ChartSpec, DrawsWhatWasPublishedInTheColourOfWhatItIsLike) {
  const Results results = made_results();
  const Chart chart = chart_of(figure(results, "event-mnist-accuracy"));
  for (const json& dot : chart.spec["datasets"]["dots"]) {
    EXPECT_EQ(dot["c"], dot["k"] == "p0" ? "LSTM+T" : "LSTM+Time2Vec");
  }
  ASSERT_EQ(chart.legend.size(), 5U);
  EXPECT_EQ(chart.legend[3].name, "LSTM+T (paper)");
  EXPECT_EQ(chart.legend[3].mark, "dot");
  EXPECT_EQ(chart.legend[3].colour, chart.legend[0].colour);
  EXPECT_EQ(chart.legend[2].mark, "rule");
  EXPECT_NE(chart.legend[2].colour, chart.legend[0].colour);
}

TEST(ChartSpec, GivesAPublishedCurveOfAModelThatWasNotRunAColourOfItsOwn) {
  const Results results = changed(
      [](json& document) { document["experiments"][0]["figures"][0]["published"][0]["like"] = "LSTM"; });
  const Chart chart = chart_of(figure(results, "event-mnist-accuracy"));
  EXPECT_EQ(chart.legend[3].colour, 3U);
}

TEST(ChartSpec, ShowsAtThePointerWhatTheTableHas) {
  const Results results = made_results();
  const Figure& curves = figure(results, "event-mnist-accuracy");
  const json rows = chart_of(curves).spec["datasets"]["values"];
  const FigureValues values = values_of(curves);
  ASSERT_EQ(rows.size(), values.rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    EXPECT_EQ(rows[r]["x"], curves.series[0].x[r]);
    EXPECT_EQ(rows[r]["v1"], values.rows[r][1].text);
    EXPECT_EQ(rows[r]["v3"], "0.114");  // a reference is the same everywhere
  }
}

TEST(ChartSpec, HasNoMorePlacesForThePointerThanABrowserBears) {
  const Results results = changed([](json& document) {
    json& series = document["experiments"][0]["figures"][0]["series"][0];
    series = {{"name", "long"}, {"x", json::array()}, {"y", json::array()}};
    for (int i = 0; i < 20000; ++i) {
      series["x"].push_back(i);
      series["y"].push_back(i);
    }
  });
  const json datasets = chart_of(figure(results, "event-mnist-accuracy")).spec["datasets"];
  EXPECT_LE(datasets["values"].size(), 1000U);
  EXPECT_GE(datasets["values"].size(), 900U);
  EXPECT_EQ(datasets["lines"].size(), 20050U);
}

TEST(ChartSpec, LeavesAGapWhereAValueIsMissing) {
  const Results results = changed(
      [](json& document) { document["experiments"][0]["figures"][0]["series"][0]["y"][4] = nullptr; });
  const json lines = chart_of(figure(results, "event-mnist-accuracy")).spec["datasets"]["lines"];
  EXPECT_TRUE(lines[4]["y"].is_null());
}

TEST(ChartSpec, PutsLogarithmicAxesOnlyWhereTheyAreAskedFor) {
  const Results results = made_results();
  const json log = chart_of(figure(results, "toy-periods")).spec["layer"][0]["encoding"]["x"]["scale"];
  const json linear = chart_of(figure(results, "toy-weights")).spec["layer"][1]["encoding"]["x"]["scale"];
  EXPECT_EQ(log["type"], "log");
  EXPECT_FALSE(linear.contains("type"));
}

TEST(ChartSpec, CountsEpochsInWholeNumbers) {
  const Results results = made_results();
  const auto axis = [&](const char* id) {
    return chart_of(figure(results, id)).spec["layer"].back()["encoding"]["x"].value("axis", json::object());
  };
  EXPECT_EQ(axis("event-mnist-accuracy")["tickMinStep"], 1);
  EXPECT_FALSE(axis("toy-weights").contains("tickMinStep"));
}

TEST(ChartSpec, DrawsBarsFromZeroWithRoomForTheirNumbers) {
  const Results results = made_results();
  const Chart chart = chart_of(figure(results, "activations-accuracy"));
  const json domain = chart.spec["layer"][0]["encoding"]["x"]["scale"]["domain"];
  EXPECT_EQ(domain[0], 0);
  EXPECT_GT(domain[1].get<double>(), 0.93);
  const json names = chart.spec["layer"][0]["encoding"]["y"]["scale"]["domain"];
  EXPECT_EQ(names, json({"sin", "triangle", "mod", "sigmoid", "ReLU", "tanh"}));
  EXPECT_EQ(chart.spec["datasets"]["bars"][0]["e"], 0.93);  // behind the ring of the paper
}

TEST(ChartSpec, BindsHistogramBarsToTheirEdges) {
  const Results results = made_results();
  const json bins = chart_of(figure(results, "toy-periods")).spec["datasets"]["bins"];
  ASSERT_EQ(bins.size(), 14U);
  EXPECT_EQ(bins[10]["x"], 8);
  EXPECT_EQ(bins[10]["x2"], 16);
  EXPECT_EQ(bins[10]["y"], 28);
}

}  // namespace
}  // namespace t2v::report
