#include "report/results.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "allocations.h"
#include "made.h"

namespace t2v::report {
namespace {

using nlohmann::json;

json& first_figure(json& document) { return document["figures"][0]; }
json& first_series(json& document) { return first_figure(document)["series"][0]; }

TEST(Results, HoldWhatTheFileSays) {
  const Results results = made_results();
  EXPECT_EQ(results.scale, "paper");
  ASSERT_EQ(results.tables.size(), 2U);
  EXPECT_EQ(results.tables[0].rows.at(0).at(0), "yes");
  EXPECT_EQ(results.tables[0].rows.size(), 5U);
  ASSERT_EQ(results.figures.size(), 2U);
  const Figure& figure = results.figures[0];
  EXPECT_EQ(figure.series[0].y.size(), 50U);
  EXPECT_EQ(figure.published[1].like, "LSTM+Time2Vec");
  EXPECT_TRUE(std::isnan(results.figures[1].series[0].y[2]));
}

TEST(Results, IgnoreKeysThatAreNotKnown) {
  const Results results = changed([](json& document) { document["later"] = {{"nested", json::array()}}; });
  EXPECT_EQ(results.figures.size(), 2U);
}

TEST(Results, GiveEveryFigureANameThatIsSafeAndItsOwn) {
  const Results results = changed([](json& document) {
    for (json& figure : document["figures"]) figure["id"] = "../a b";
    document["figures"].push_back(document["figures"][0]);
    document["figures"][2]["id"] = "claims";
  });
  EXPECT_EQ(results.figures[0].id, "x..-a-b");
  EXPECT_EQ(results.figures[1].id, "x..-a-b-2");
  EXPECT_EQ(results.figures[2].id, "claims-2");  // the page has this name already
}

TEST(Results, AreRefusedWithTheLineAndColumnOfMalformedJson) {
  EXPECT_EQ(error_of(std::string("")),
            "results.json:1:1: is not valid JSON from here on; write it again with 't2v reproduce'");
  EXPECT_TRUE(has(error_of(std::string("{\n \"format\": 1,\n oops")), "results.json:3:2: is not valid JSON"));
  EXPECT_TRUE(has(error_of(std::string("{\"a\": \"\xff\"}")), "results.json:1:"));
  EXPECT_TRUE(has(error_of(std::string("{\"a\": 1e999}")), "a number beyond the range of a double"));
  EXPECT_TRUE(has(error_of(std::string(100000, '[')), "is nested more than 32 levels deep"));
}

TEST(Results, OfTooManyValuesAreRefusedInLittleMemory) {
  std::string lists = "{\"x\":[[]";
  while (lists.size() < (16 << 20)) lists += ",[]";
  lists += "]}";
  const t2v::testing::MemoryPeak peak;
  EXPECT_TRUE(has(error_of(lists), "has more than 1000000 values"));
  EXPECT_LT(peak.bytes(), 256 << 20);
}

TEST(Results, AreNeitherAPipeNorLongerThanSixteenMebibytes) {
  std::string folder = (std::filesystem::temp_directory_path() / "t2v_results_XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const auto error = [&] {
    try {
      read_results(FileSystem::real(), folder);
    } catch (const Error& refused) {
      return std::string(refused.what());
    }
    return std::string();
  };
  ASSERT_EQ(::mkfifo((folder + "/results.json").c_str(), 0600), 0);
  EXPECT_TRUE(has(error(), "is a pipe or a device")) << error();
  std::filesystem::remove(folder + "/results.json");
  std::ofstream(folder + "/results.json") << std::string((16 << 20) + 1, ' ');
  EXPECT_TRUE(has(error(), "has more than the 16777216 bytes")) << error();
  std::filesystem::remove_all(folder);
}

TEST(Results, OfAnotherFormatAreRefused) {
  EXPECT_EQ(error_of([](json& document) { document["format"] = 1; }),
            "results.json: has format 1; this t2v reads format 2, so use the t2v that wrote it");
  EXPECT_TRUE(has(error_of([](json& document) { document.erase("format"); }), "'format' is missing"));
  EXPECT_TRUE(has(error_of(std::string("[]")), "is [] where an object is expected"));
}

struct Case {
  const char* name;
  std::function<void(json&)> change;
  const char* says;
};

void PrintTo(const Case& c, std::ostream* stream) { *stream << c.name; }

class Malformed : public ::testing::TestWithParam<Case> {};

TEST_P(Malformed, ResultsAreRefusedWithThePlace) {
  const std::string error = error_of(GetParam().change);
  EXPECT_TRUE(has(error, GetParam().says)) << error;
  EXPECT_TRUE(error.starts_with("results.json: ")) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Report, Malformed,
    ::testing::Values(Case{"NoTables", [](json& d) { d.erase("tables"); }, "'tables' is missing"},
                      Case{"FiguresNoArray", [](json& d) { d["figures"] = "none"; },
                           "figures: is \"none\" where an array is expected"},
                      Case{"SeriesMissing", [](json& d) { first_figure(d).erase("series"); },
                           "figures[0]: 'series' is missing"},
                      Case{"SeriesUnequal", [](json& d) { first_series(d)["y"].erase(0); },
                           "figures[0].series[0]: 'x' has 50 values where 49 are expected"},
                      Case{"BandUnequal", [](json& d) { first_series(d)["low"].erase(0); },
                           "series[0]: 'low' has 49 values where 50 are expected"},
                      Case{"BandHalf", [](json& d) { first_series(d).erase("high"); },
                           "series[0]: 'high' has 0 values where 50 are expected"},
                      Case{"XNull", [](json& d) { first_series(d)["x"][3] = nullptr; },
                           "series[0]: x[3] is null; only y may have gaps"},
                      Case{"YNoNumber", [](json& d) { first_series(d)["y"][7] = "0.5"; },
                           "series[0].y[7]: is \"0.5\" where a number is expected"},
                      Case{"FormatUnknown", [](json& d) { first_figure(d)["y"]["format"] = ".3q"; },
                           "figures[0].y.format: '.3q' is no format of numbers"},
                      Case{"RowTooShort", [](json& d) { d["tables"][0]["rows"][1].erase(0); },
                           "tables[0].rows[1]: has 10 cells where there are 11 columns"},
                      Case{"CellNoText", [](json& d) { d["tables"][0]["rows"][1][0] = 5; },
                           "tables[0].rows[1][0]: is 5 where a text is expected"},
                      Case{"MachineNested", [](json& d) { d["machine"]["cpu"] = json::array(); },
                           "machine.cpu: is neither a text nor a number"}),
    [](const ::testing::TestParamInfo<Case>& each) { return each.param.name; });

}  // namespace
}  // namespace t2v::report
