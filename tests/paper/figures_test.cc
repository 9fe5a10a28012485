#include "paper/figures.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

ModelRuns two_runs(double first, double second) {
  ModelRuns runs;
  runs.model = "lstm";
  runs.epochs = 1;
  for (const double value : {first, second}) {
    runs.records.push_back({{"seed", runs.records.size() + 1}, {"curve", {{"accuracy", {value}}}}});
  }
  return runs;
}

TEST(Figures, HaveBandsThatEndWhereTheMeasureDoes) {
  const ModelRuns high = two_runs(0.99, 0.95);
  const ModelRuns low = two_runs(0.01, 0.05);
  const std::vector<Line> lines = {{"high", &high}, {"low", &low}};
  const auto expect_within = [](const Json& figure) {
    const Json& above = figure.at("series").at(0);
    EXPECT_EQ(above.at("high").at(0), 1.0);
    EXPECT_NEAR(above.at("low").at(0), 0.97 - 0.254, 1e-3);  // t(0.975, 1) of 12.7 times 0.02
    const Json& below = figure.at("series").at(1);
    EXPECT_EQ(below.at("low").at(0), 0.0);
    EXPECT_NEAR(below.at("high").at(0), 0.03 + 0.254, 1e-3);
  };
  expect_within(curves_figure("a", "A", "accuracy", "accuracy", lines));
  expect_within(bars_figure("a", "A", "accuracy", "accuracy", lines));
}

TEST(Figures, HaveNoBandsOfOneRun) {
  ModelRuns one = two_runs(0.5, 0.6);
  one.records.pop_back();
  const std::vector<Line> lines = {{"one", &one}};
  EXPECT_FALSE(curves_figure("a", "A", "accuracy", "accuracy", lines).at("series").at(0).contains("high"));
}

TEST(Figures, OfBarsSayAfterWhichEpochsBothValuesAre) {
  ModelRuns runs = two_runs(0.5, 0.6);
  runs.epochs = 15;
  const PublishedCurve published{"d", "accuracy", "1", "a", {5, 10, 25}, {0.1, 0.2, 0.3}};
  const Json figure =
      bars_figure("a", "By function", "accuracy", "accuracy", {{"sin", &runs, &published}, {"cos", &runs}});
  EXPECT_EQ(figure.at("title"), "By function (after 15 epochs, the paper's after 10)");
  EXPECT_EQ(figure.at("alt"), "By function after 15 epochs: sin 0.550, cos 0.550.");
  EXPECT_EQ(figure.at("published").at(0).at("name"), "sin (paper), epoch 10");
  EXPECT_EQ(bars_figure("a", "By function", "accuracy", "accuracy", {{"cos", &runs}}).at("title"),
            "By function (after 15 epochs)");
}

TEST(PublishedCurves, AreQuotedAtTheEpochThatRunsReachedAndAtTheirEnd) {
  const PublishedCurve a{"d", "accuracy", "1", "a", {5, 10, 40, 199}, {0.1, 0.2, 0.3, 0.4}};
  const PublishedCurve b{"d", "accuracy", "1", "b", {5, 10, 20, 195}, {0.01, 0.02, 0.03, 0.04}};
  const std::string end = "0.400 against 0.040 after 199 and 195 epochs";
  EXPECT_EQ(against(a, b, 10), "0.200 against 0.020 after 10 epochs; " + end);
  EXPECT_EQ(against(a, b, 50), "0.200 against 0.020 after 10 epochs; " + end) << "both are known there";
  EXPECT_EQ(against(a, b, 4), end) << "nothing is known so early";
  EXPECT_EQ(against(a, b, 0), end);
  EXPECT_EQ(against(a, b, 200), end);
}

}  // namespace
}  // namespace t2v::paper
