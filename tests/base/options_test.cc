#include "base/options.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "t2v/error.h"

namespace t2v {
namespace {

using Json = nlohmann::json;

struct Settings {
  std::string cell = "lstm";
  int64_t hidden = 8;
  uint64_t seed = 1;
  double rate = 0.5;
  int threads = 0;
  bool when = false;
  std::vector<std::string> features = {};
  std::vector<int64_t> lengths = {};
  GivenOptions given = {};
};

OptionTable options_of(Settings& settings) {
  OptionTable table(&settings.given);
  table.add({.name = "cell", .group = "Model", .help = "", .choices = {"lstm", "gru"}}, &settings.cell);
  table.add({.name = "hidden_units", .group = "Model", .help = "", .least = 1, .most = 64}, &settings.hidden);
  table.add({.name = "seed", .group = "Fit", .help = ""}, &settings.seed);
  table.add({.name = "rate", .group = "Fit", .help = "", .least = 0, .most = 1, .below_most = true},
            &settings.rate);
  table.add({.name = "threads", .group = "Fit", .help = "", .least = 0}, &settings.threads);
  table.add({.name = "when", .group = "Fit", .help = ""}, &settings.when);
  table.add({.name = "lengths", .group = "Fit", .help = "", .least = 1}, &settings.lengths);
  table.add({.name = "features", .group = "Fit", .help = "", .takes = "COLUMNS"}, &settings.features);
  return table;
}

template <class Function>
std::string refusal(Function function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string refusal_of(const char* name, const std::string& text) {
  Settings settings;
  return refusal([&] { options_of(settings).set(name, text); });
}

TEST(Options, AreSetFromTexts) {
  Settings settings;
  const OptionTable table = options_of(settings);
  table.set("cell", "gru");
  table.set("hidden-units", "+12");
  table.set("hidden_units", "12");
  table.set("seed", "18446744073709551615");
  table.set("rate", "1e-3");
  table.set("when", "true");
  table.set("features", "price,place");
  EXPECT_EQ(settings.cell, "gru");
  EXPECT_EQ(settings.hidden, 12);
  EXPECT_EQ(settings.seed, UINT64_MAX);
  EXPECT_EQ(settings.rate, 1e-3);
  EXPECT_TRUE(settings.when);
  EXPECT_EQ(settings.features, (std::vector<std::string>{"price", "place"}));
}

TEST(Options, TakeListsOfNumbers) {
  Settings settings;
  const OptionTable table = options_of(settings);
  table.set("lengths", "1,10");
  EXPECT_EQ(settings.lengths, (std::vector<int64_t>{1, 10}));
  table.read({{"lengths", {2, 3}}});
  EXPECT_EQ(settings.lengths, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(texts_of(*table.find("lengths")), (std::vector<std::string>{"2", "3"}));
  EXPECT_EQ(refusal_of("lengths", "1,x"), "`lengths` 'x' is not a whole number");
  EXPECT_EQ(refusal_of("lengths", "5,0"), "`lengths` 0 is not a number of at least 1");
  EXPECT_NE(refusal([&] { table.read({{"lengths", {1.5}}}); }), "");
}

TEST(Options, KnowWhichWereGiven) {
  Settings settings;
  const OptionTable table = options_of(settings);
  table.set("cell", "lstm");  // the default
  table.read({{"rate", 0.25}});
  EXPECT_EQ(settings.given, (GivenOptions{"cell", "rate"}));
}

TEST(Options, AreJsonAndBack) {
  Settings settings;
  settings.features = {"a", "b"};
  settings.seed = UINT64_MAX;
  settings.rate = 0.1;
  Settings read;
  options_of(read).read(options_of(settings).json());
  EXPECT_EQ(options_of(read).json(), options_of(settings).json());
  EXPECT_EQ(read.seed, UINT64_MAX);
  options_of(read).read({{"features", "alone"}, {"hidden-units", 3}});
  EXPECT_EQ(read.features, std::vector<std::string>{"alone"});
  EXPECT_EQ(read.hidden, 3);
}

TEST(Options, RefuseWhatIsNotOfTheirType) {
  EXPECT_EQ(refusal_of("hidden_units", "many"), "`hidden_units` 'many' is not a whole number");
  EXPECT_EQ(refusal_of("hidden_units", "1.5"), "`hidden_units` '1.5' is not a whole number");
  EXPECT_EQ(refusal_of("rate", "fast"), "`rate` 'fast' is not a number");
  EXPECT_EQ(refusal_of("rate", ""), "`rate` '' is not a number");
  EXPECT_EQ(refusal_of("seed", "-1"), "`seed` '-1' is not a number from 0 up");
  EXPECT_EQ(refusal_of("when", "yes"), "`when` 'yes' is neither true nor false");
}

TEST(Options, RefuseWhatIsOutOfRangeOrNoChoice) {
  EXPECT_EQ(refusal_of("hidden_units", "65"), "`hidden_units` 65 is not a number from 1 to 64");
  EXPECT_EQ(refusal_of("rate", "1"), "`rate` 1 is not a number from 0 to below 1");
  EXPECT_EQ(refusal_of("rate", "nan"), "`rate` nan is not a number from 0 to below 1");
  EXPECT_EQ(refusal_of("threads", "-1"), "`threads` -1 is not a number from 0 up");
  EXPECT_EQ(refusal_of("cell", "gruu"), "`cell` 'gruu' is none of lstm, gru (did you mean 'gru'?)");
  EXPECT_EQ(refusal_of("hiden_units", "3"), "there is no option 'hiden_units'; did you mean `hidden_units`?");
}

TEST(Options, RefuseJsonOfAnotherType) {
  Settings settings;
  const OptionTable table = options_of(settings);
  for (const Json& json :
       {Json{{"hidden_units", "3"}}, Json{{"hidden_units", 3.5}}, Json{{"hidden_units", true}},
        Json{{"when", 1}}, Json{{"cell", 1}}, Json{{"seed", -1}}, Json{{"features", {1}}}}) {
    EXPECT_NE(refusal([&] { table.read(json); }).find("of another type"), std::string::npos) << json;
  }
  EXPECT_NE(refusal([&] { table.read(Json::array()); }).find("JSON object"), std::string::npos);
  EXPECT_NE(refusal([&] { table.read({{"hidden_units", 65}}); }).find("from 1 to 64"), std::string::npos);
}

TEST(Options, AreCheckedAsTheyStand) {
  Settings settings;
  settings.hidden = 0;
  EXPECT_EQ(refusal([&] { options_of(settings).check(); }), "`hidden_units` 0 is not a number from 1 to 64");
}

TEST(Options, InMessagesBecomeFlags) {
  const auto known = [](std::string_view name) { return name == "query_time" || name == "id"; };
  EXPECT_EQ(with_flags("use `query_time`, or `id` -", known), "use --query-time, or --id -");
  EXPECT_EQ(with_flags("the type '`x`' of `id`", known), "the type '`x`' of --id");
  EXPECT_EQ(with_flags("one ` alone", known), "one ` alone");
  EXPECT_EQ(with_flags("``id`", known), "`--id");
}

TEST(Options, HaveTheirKeysInJsonWithHyphens) {
  Settings settings;
  EXPECT_EQ(options_of(settings).json().at("hidden-units"), 8);
  EXPECT_EQ(flag_of("hidden_units"), "--hidden-units");
}

}  // namespace
}  // namespace t2v
