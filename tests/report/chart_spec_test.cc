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
  for (const Figure& each : results.figures) {
    if (each.id == id) return each;
  }
  throw std::out_of_range(id);
}

std::set<std::string> marks_of(const json& spec) {
  std::set<std::string> marks;
  for (const json& layer : spec["layer"]) marks.insert(layer["mark"]["type"]);
  return marks;
}

TEST(ChartSpec, HasLayersAndDataForBandsCurvesAndWhatWasPublished) {
  const Results results = made_results();
  const std::map<std::string, std::set<std::string>> expected = {
      {"event-mnist", {"area", "line", "rule", "point"}}, {"frequencies", {"line", "rule"}}};
  for (const auto& [id, marks] : expected) {
    const Chart chart = chart_of(figure(results, id));
    EXPECT_EQ(marks_of(chart.spec), marks) << id;
    EXPECT_EQ(chart.spec["width"], "container") << id;
    for (const json& layer : chart.spec["layer"]) {
      EXPECT_FALSE(chart.spec["datasets"][layer["data"]["name"].get<std::string>()].empty()) << id;
    }
  }
}

TEST(ChartSpec, HoldsTheNumbersOfTheCurvesWithTheirIntervals) {
  const Results results = made_results();
  const Figure& curves = figure(results, "event-mnist");
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
  const Chart chart = chart_of(figure(results, "event-mnist"));
  for (const json& dot : chart.spec["datasets"]["dots"]) {
    EXPECT_EQ(dot["c"], dot["k"] == "p0" ? "LSTM+T" : "LSTM+Time2Vec");
  }
  ASSERT_EQ(chart.legend.size(), 4U);
  EXPECT_EQ(chart.legend[2].name, "LSTM+T (paper)");
  EXPECT_EQ(chart.legend[2].mark, "dot");
  EXPECT_EQ(chart.legend[2].colour, chart.legend[0].colour);
  EXPECT_NE(chart.legend[1].colour, chart.legend[0].colour);
}

TEST(ChartSpec, GivesAPublishedCurveOfAModelThatWasNotRunAColourOfItsOwn) {
  const Results results =
      changed([](json& document) { document["figures"][0]["published"][0]["like"] = "LSTM"; });
  const Chart chart = chart_of(figure(results, "event-mnist"));
  EXPECT_EQ(chart.legend[2].colour, 2U);
}

TEST(ChartSpec, ShowsAtThePointerWhatTheTableHas) {
  const Results results = made_results();
  const Figure& curves = figure(results, "event-mnist");
  const json rows = chart_of(curves).spec["datasets"]["values"];
  const FigureValues values = values_of(curves);
  ASSERT_EQ(rows.size(), values.rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    EXPECT_EQ(rows[r]["x"], curves.series[0].x[r]);
    EXPECT_EQ(rows[r]["v1"], values.rows[r][1].text);
  }
}

TEST(ChartSpec, HasNoMorePlacesForThePointerThanABrowserBears) {
  const Results results = changed([](json& document) {
    json& series = document["figures"][0]["series"][0];
    series = {{"name", "long"}, {"x", json::array()}, {"y", json::array()}};
    for (int i = 0; i < 20000; ++i) {
      series["x"].push_back(i);
      series["y"].push_back(i);
    }
  });
  const json datasets = chart_of(figure(results, "event-mnist")).spec["datasets"];
  EXPECT_LE(datasets["values"].size(), 1000U);
  EXPECT_GE(datasets["values"].size(), 900U);
  EXPECT_EQ(datasets["lines"].size(), 20050U);
}

TEST(ChartSpec, LeavesAGapWhereAValueIsMissing) {
  const Results results =
      changed([](json& document) { document["figures"][0]["series"][0]["y"][4] = nullptr; });
  const json lines = chart_of(figure(results, "event-mnist")).spec["datasets"]["lines"];
  EXPECT_TRUE(lines[4]["y"].is_null());
}

TEST(ChartSpec, CountsEpochsInWholeNumbers) {
  Figure curves = made_results().figures[0];
  const auto axis = [&] {
    return chart_of(curves).spec["layer"].back()["encoding"]["x"].value("axis", json::object());
  };
  EXPECT_EQ(axis()["tickMinStep"], 1);
  curves.series[0].x[0] = 0.5;
  EXPECT_FALSE(axis().contains("tickMinStep"));
}

}  // namespace
}  // namespace t2v::report
