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

json& first_figure(json& document) { return document["experiments"][0]["figures"][0]; }
json& first_series(json& document) { return first_figure(document)["series"][0]; }

TEST(Results, HoldWhatTheFileSays) {
  const Results results = made_results();
  EXPECT_EQ(results.scale, "quick");
  ASSERT_EQ(results.verdicts.size(), 4U);
  EXPECT_EQ(results.verdicts[0].outcome, Verdict::Outcome::kReproduces);
  EXPECT_EQ(results.verdicts[0].effect->mean, 0.1181);
  EXPECT_EQ(results.verdicts[0].effect->n, 5);
  EXPECT_TRUE(std::isnan(results.verdicts[1].effect->low));
  EXPECT_FALSE(results.verdicts[3].effect.has_value());
  ASSERT_EQ(results.experiments.size(), 3U);
  const Figure& figure = results.experiments[0].figures[0];
  EXPECT_EQ(figure.kind, Figure::Kind::kCurves);
  EXPECT_EQ(figure.series[0].y.size(), 50U);
  EXPECT_TRUE(figure.series[2].rule);
  EXPECT_EQ(figure.published[1].like, "LSTM+Time2Vec");
  EXPECT_TRUE(std::isnan(results.experiments[1].figures[0].series[4].y[0]));
  EXPECT_TRUE(results.experiments[2].figures[0].x.log);
}

TEST(Results, IgnoreKeysThatAreNotKnown) {
  const Results results = changed([](json& document) { document["later"] = {{"nested", json::array()}}; });
  EXPECT_EQ(results.experiments.size(), 3U);
}

TEST(Results, GiveEveryFigureANameThatIsSafeAndItsOwn) {
  const Results results = changed([](json& document) {
    for (json& experiment : document["experiments"]) {
      for (json& figure : experiment["figures"]) figure["id"] = "../a b";
    }
    document["experiments"][1]["name"] = "verdicts";
  });
  EXPECT_EQ(results.experiments[0].figures[0].id, "x..-a-b");
  EXPECT_EQ(results.experiments[1].figures[0].id, "x..-a-b-2");
  EXPECT_EQ(results.experiments[2].figures[1].id, "x..-a-b-4");
  EXPECT_EQ(results.experiments[1].id, "verdicts-2");  // the page has this name already
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
  EXPECT_EQ(error_of([](json& document) { document["format"] = 2; }),
            "results.json: has format 2; this t2v reads format 1, so use the t2v that wrote it");
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
    ::testing::Values(
        Case{"NoVerdicts", [](json& d) { d.erase("verdicts"); }, "'verdicts' is missing"},
        Case{"ExperimentsNoArray", [](json& d) { d["experiments"] = "none"; },
             "experiments: is \"none\" where an array is expected"},
        Case{"VerdictUnknown", [](json& d) { d["verdicts"][1]["verdict"] = "maybe"; },
             "verdicts[1].verdict: 'maybe' is none of reproduces, does not, undecided"},
        Case{"EffectNoNumber", [](json& d) { d["verdicts"][0]["effect"]["mean"] = "much"; },
             "verdicts[0].effect.mean: is \"much\" where a number is expected"},
        Case{"KindUnknown", [](json& d) { first_figure(d)["kind"] = "pie"; },
             "experiments[0].figures[0].kind: 'pie' is none of curves, bars, histogram, points"},
        Case{"SeriesMissing", [](json& d) { first_figure(d).erase("series"); },
             "experiments[0].figures[0]: 'series' is missing"},
        Case{"SeriesUnequal", [](json& d) { first_series(d)["y"].erase(0); },
             "experiments[0].figures[0].series[0]: 'x' has 50 values where 49 are expected"},
        Case{"BandUnequal", [](json& d) { first_series(d)["low"].erase(0); },
             "series[0]: 'low' has 49 values where 50 are expected"},
        Case{"BandHalf", [](json& d) { first_series(d).erase("high"); },
             "series[0]: 'high' has 0 values where 50 are expected"},
        Case{"XNull", [](json& d) { first_series(d)["x"][3] = nullptr; },
             "series[0]: x[3] is null; only y may have gaps"},
        Case{"YNoNumber", [](json& d) { first_series(d)["y"][7] = "0.5"; },
             "series[0].y[7]: is \"0.5\" where a number is expected"},
        Case{"LogOfZero", [](json& d) { d["experiments"][2]["figures"][0]["series"][0]["x"][0] = 0; },
             "series[0]: x[0] is 0, which a logarithmic axis cannot show"},
        Case{"HistogramWithoutLastEdge",
             [](json& d) { d["experiments"][2]["figures"][0]["series"][0]["x"].erase(0); },
             "experiments[2].figures[0].series[0]: 'x' has 7 values where 8 are expected"},
        Case{"BarOfTwo",
             [](json& d) {
               d["experiments"][1]["figures"][0]["series"][0]["y"] = {1, 2};
             },
             "series[0]: 'y' has 2 values where 1 are expected"},
        Case{"RuleAmongBars",
             [](json& d) { d["experiments"][1]["figures"][0]["series"][0]["style"] = "rule"; },
             "series[0].style: 'rule' is for curves and points"},
        Case{"ScaleUnknown", [](json& d) { first_figure(d)["x"]["scale"] = "sqrt"; },
             "figures[0].x.scale: 'sqrt' is none of linear, log"},
        Case{"FormatUnknown", [](json& d) { first_figure(d)["y"]["format"] = ".3q"; },
             "figures[0].y.format: '.3q' is no format of numbers"},
        Case{"RowTooShort", [](json& d) { d["experiments"][0]["tables"][0]["rows"][1].erase(0); },
             "experiments[0].tables[0].rows[1]: has 3 cells where there are 4 columns"},
        Case{"CellNested", [](json& d) { d["experiments"][0]["tables"][0]["rows"][1][0] = json::array(); },
             "rows[1][0]: is neither a text nor a number"},
        Case{"DataKindUnknown", [](json& d) { d["experiments"][0]["data"]["kind"] = "guess"; },
             "experiments[0].data.kind: 'guess' is none of original, part, stand-in, made"},
        Case{"MachineNested", [](json& d) { d["machine"]["cpu"] = json::array(); },
             "machine.cpu: is neither a text nor a number"},
        Case{"NoteNoText", [](json& d) { d["experiments"][0]["notes"][0] = 5; },
             "experiments[0].notes[0]: is 5 where a text is expected"}),
    [](const ::testing::TestParamInfo<Case>& each) { return each.param.name; });

}  // namespace
}  // namespace t2v::report
