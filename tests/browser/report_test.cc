// The report as a reader meets it: in Chromium, driven by observe_report.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "cli/tool.h"

namespace t2v {
namespace {

using nlohmann::json;

constexpr const char* kPython = "/usr/bin/python3";
const std::string kTests = source_path("tests");

json made_document() {
  std::ifstream file(kTests + "/report/made_results.json");
  return json::parse(file);
}

/// The page of the made results, and what was seen of it, once for all tests.
class ReportInBrowser : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    if (bash("command -v chromium").code != 0)
      GTEST_SKIP() << "chromium is not installed; scripts/install browser installs it";
    if (!std::filesystem::exists(kPython)) GTEST_SKIP() << "python3 is not installed";
    if (bash(make_page()).err.find("built without the library") != std::string::npos) {
      GTEST_SKIP() << "t2v is built without the library that draws charts";
    }
    if (seen().is_null()) observe();
  }

  static std::string make_page() {
    return "mkdir -p r && cp " + kTests +
           "/report/made_results.json r/results.json && $T report r -o page.html";
  }
  static json& seen() {
    static json all;
    return all;
  }
  void observe() const { observe_page(seen(), "page.html"); }
  void observe_page(json& seen, const std::string& page) const {
    const Ran ran = bash("timeout 300 " + std::string(kPython) + " " + kTests +
                         "/browser/observe_report.py $(command -v chromium) $PWD/" + page + " $PWD/profile");
    ASSERT_EQ(ran.code, 0) << ran.err;
    seen = json::parse(ran.out);
  }
};

/// The texts of the rows of all tables; where there is none the page has a dash, and claims begin large.
void expect_rows_of(const json& document, const json& rows) {
  std::size_t at = 0;
  for (const json& table : document["tables"]) {
    for (const json& row : table["rows"]) {
      ASSERT_LT(at, rows.size());
      EXPECT_HAS(rows[at][0].get<std::string>(), row[0].get<std::string>());
      for (std::size_t i = 2; i < row.size(); ++i) {
        EXPECT_EQ(rows[at][i], row[i] == "" ? "–" : row[i]) << row;
      }
      ++at;
    }
  }
  EXPECT_EQ(at, rows.size());
}

/// A list's element as a number, null where there is none.
json element(const json& series, const char* list, std::size_t i) {
  return series.contains(list) && i < series[list].size() ? series[list][i] : json();
}

/// x, y, and the ends of the interval of each mark of a figure, in ascending order.
std::vector<json> marks_of(const json& figure) {
  std::vector<json> marks;
  for (const char* list : {"series", "published"}) {
    for (const json& series : figure.value(list, json::array())) {
      for (std::size_t i = 0; i < series["y"].size(); ++i) {
        marks.push_back(
            {element(series, "x", i), series["y"][i], element(series, "low", i), element(series, "high", i)});
      }
    }
  }
  std::ranges::sort(marks);
  return marks;
}

/// The same of what a chart was given to draw, but for the texts at the pointer.
std::vector<json> drawn_marks(const json& data) {
  std::vector<json> marks;
  for (const auto& [name, rows] : data.items()) {
    if (name == "values") continue;
    for (const json& row : rows) {
      marks.push_back(
          {row.value("x", json()), row.value("y", json()), row.value("l", json()), row.value("h", json())});
    }
  }
  std::ranges::sort(marks);
  return marks;
}

void expect_figures_of(const json& document, const json& specs) {
  std::size_t at = 0;
  for (const json& figure : document["figures"]) {
    ASSERT_LT(at, specs.size());
    EXPECT_EQ(drawn_marks(specs[at++][1]), marks_of(figure)) << figure["id"];
  }
  EXPECT_EQ(at, specs.size());
}

TEST_F(ReportInBrowser, DrawsEveryChartWithinItsRoom) {
  for (const char* view : {"light", "dark", "phone"}) {
    ASSERT_EQ(seen()[view]["charts"].size(), 2U);
    for (const json& chart : seen()[view]["charts"]) {
      EXPECT_GT(chart["width"].get<double>(), 250) << view << chart;
      EXPECT_LE(chart["width"].get<double>(), chart["room"].get<double>() + 1) << view << chart;
      EXPECT_GT(chart["height"].get<double>(), 150) << view << chart;
      EXPECT_GE(chart["marks"].get<int>(), 2) << view << chart;
    }
  }
}

TEST_F(ReportInBrowser, SaysNothingOnTheConsoleAndAsksNothingOfTheNetwork) {
  for (const char* view : {"light", "dark", "phone", "after"}) {
    EXPECT_EQ(seen()[view]["said"], json::array()) << view;
    EXPECT_EQ(seen()[view]["asked"], json::array()) << view;
  }
}

TEST_F(ReportInBrowser, IsNoWiderThanAPhone) { EXPECT_EQ(seen()["phone"]["page_width"], 390); }

TEST_F(ReportInBrowser, IsDarkForThoseWhoWantItSoWithItsCharts) {
  EXPECT_EQ(seen()["light"]["background"], "rgb(255, 255, 255)");
  EXPECT_EQ(seen()["dark"]["background"], "rgb(20, 24, 29)");
  EXPECT_NE(seen()["dark"]["label"], seen()["light"]["label"]);
}

/// All numbers of a document.
void collect(const json& value, std::set<double>& numbers) {
  if (value.is_number()) numbers.insert(value.get<double>());
  if (!value.is_structured()) return;
  for (const json& each : value) collect(each, numbers);
}

/// How far a number may be from what is shown of it: half of the last digit.
double rounding_of(const std::string& shown) {
  const std::size_t point = shown.find('.');
  std::size_t digits = 0;
  while (point != std::string::npos &&
         std::isdigit(static_cast<unsigned char>(shown[point + 1 + digits])) != 0) {
    ++digits;
  }
  return 0.5000001 * std::pow(10, -static_cast<double>(digits));
}

TEST_F(ReportInBrowser, ShowsTheNumbersOfTheFile) {
  EXPECT_EQ(seen()["document"], made_document());
  std::set<double> numbers;
  collect(made_document(), numbers);
  ASSERT_GT(seen()["numbers"].size(), 250U);
  for (const json& shown : seen()["numbers"]) {
    const double exact = std::stod(shown[0].get<std::string>());
    EXPECT_TRUE(numbers.contains(exact)) << shown;
    EXPECT_NEAR(std::stod(shown[1].get<std::string>()), exact, rounding_of(shown[1].get<std::string>()))
        << shown;
  }
}

TEST_F(ReportInBrowser, ShowsTheRowsOfTheTables) { expect_rows_of(made_document(), seen()["rows"]); }

TEST_F(ReportInBrowser, ShowsTheResultsOfThisProject) {
  const std::string copy = "mkdir own && cp " + source_path("docs/results") + "/* own/";
  ASSERT_EQ(bash(copy + " && $T reproduce table --scale paper -o own && $T report own -o own.html").code, 0);
  const json document = json::parse(get("own/results.json"));
  json own;
  observe_page(own, "own.html");
  expect_rows_of(document, own["rows"]);
  expect_figures_of(document, own["specs"]);
  for (const char* view : {"light", "phone"}) {
    EXPECT_EQ(own[view]["said"], json::array()) << view;
    EXPECT_EQ(own[view]["charts"].size(), document["figures"].size());
    for (const json& chart : own[view]["charts"]) {
      EXPECT_GE(chart["marks"].get<int>(), 1) << view << chart;
      EXPECT_LE(chart["width"].get<double>(), chart["room"].get<double>() + 1) << view << chart;
    }
  }
  EXPECT_EQ(own["phone"]["page_width"], 390);
}

TEST_F(ReportInBrowser, DrawsTheNumbersOfTheFile) {
  expect_figures_of(made_document(), seen()["specs"]);
  EXPECT_EQ(drawn_marks(seen()["specs"][0][1]).size(), 2 * 50 + 2 * 6U) << "curves and the paper's";
}

TEST_F(ReportInBrowser, ShowsTheValuesOfAllCurvesAtThePointer) {
  const auto text = seen()["pointer"].get<std::string>();
  for (const char* part : {"epoch", "LSTM+T", "LSTM+Time2Vec", " to "}) {
    EXPECT_HAS(text, part);
  }
  EXPECT_EQ(text.find("undefined"), std::string::npos) << text;  // where the paper has no value
}

TEST_F(ReportInBrowser, IsUsedByKeyboardWithTheFocusInSight) {
  const json& stations = seen()["keyboard"]["stations"];
  const auto reaches = [&](const std::string& text) {
    return std::ranges::any_of(stations, [&](const json& each) { return each["text"] == text; });
  };
  EXPECT_EQ(stations[0]["text"], "Skip to the results");
  for (const char* text : {"The claims", "Frequencies", "LSTM+T", "Values as a table", "Save as PNG"}) {
    EXPECT_TRUE(reaches(text)) << text;
  }
  for (const json& each : stations) {
    if (each["name"] != "BODY") {
      EXPECT_NE(each["outline"], "none") << each;
    }
  }
}

TEST_F(ReportInBrowser, HidesACurveByItsEntryInTheLegend) {
  const json& keyboard = seen()["keyboard"];
  EXPECT_EQ(keyboard["pressed"], "false");
  EXPECT_EQ(keyboard["lines_before"], 2);
  EXPECT_EQ(keyboard["lines_after"], 1);
}

}  // namespace
}  // namespace t2v
