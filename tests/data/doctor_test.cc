#include "data/doctor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "base/random.h"
#include "build_paths.h"
#include "data/iso_time.h"
#include "made_events.h"
#include "t2v/error.h"

namespace t2v::data {
namespace {

using Ticks = std::vector<std::vector<int64_t>>;
using Texts = std::vector<std::string>;

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kNow = 1'700'000'000 * kSecond;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<Finding> found_in(const Events& events, const GroupCounts& counts = {}) {
  return examine(events, counts, kNow);
}

/// The finding of a code, or none.
const Finding* find(const std::vector<Finding>& findings, const std::string& code) {
  const auto found = std::ranges::find(findings, code, &Finding::code);
  return found == findings.end() ? nullptr : &*found;
}

/// Sequences with irregular gaps from `start` on, about `gap` long.
Ticks irregular(int64_t sequences, int64_t length, int64_t start, int64_t gap) {
  Random random(5);
  Ticks ticks;
  for (int64_t s = 0; s < sequences; ++s) {
    std::vector<int64_t> sequence = {start};
    while (static_cast<int64_t>(sequence.size()) < length) {
      sequence.push_back(sequence.back() + gap / 2 +
                         static_cast<int64_t>(random.below(static_cast<uint64_t>(gap))));
    }
    ticks.push_back(sequence);
  }
  return ticks;
}

TEST(Doctor, FindsNothingWrongWithGoodData) {
  Texts types;
  for (int i = 0; i < 100; ++i) types.emplace_back(i % 3 == 0 ? "a" : "b");
  const Events events =
      MadeEvents(irregular(10, 10, kNow / 2, 3600 * kSecond)).instants().types(types).events();
  for (const Finding& finding : found_in(events)) {
    EXPECT_EQ(finding.severity, Severity::kInfo) << finding.text;
  }
}

TEST(Doctor, CountsSequencesAndEvents) {
  const auto findings = found_in(MadeEvents(irregular(4, 25, 0, 10)).events());
  const Finding* lengths = find(findings, "lengths");
  ASSERT_NE(lengths, nullptr);
  EXPECT_EQ(lengths->numbers["events"], 100);
  EXPECT_EQ(lengths->numbers["median"], 25);
}

TEST(Doctor, ReportsWhatGroupingFound) {
  const Events events = MadeEvents(irregular(2, 5, 0, 10)).events();
  EXPECT_EQ(find(found_in(events), "backward"), nullptr);
  const auto sorted = found_in(events, {.backward = 3, .dropped = 0});
  ASSERT_NE(find(sorted, "backward"), nullptr);
  EXPECT_NE(find(sorted, "backward")->text.find("3 events come"), std::string::npos);
  const auto dropped = found_in(events, {.backward = 3, .dropped = 3});
  EXPECT_NE(find(dropped, "backward")->text.find("left out"), std::string::npos);
}

TEST(Doctor, TellsDuplicatesFromTies) {
  const Events events =
      MadeEvents({{1, 1, 1, 4}, {2, 2, 7}}).types({"a", "b", "a", "a", "c", "d", "c"}).events();
  const auto findings = found_in(events);
  ASSERT_NE(find(findings, "duplicates"), nullptr);
  EXPECT_EQ(find(findings, "duplicates")->numbers["events"], 1);
  ASSERT_NE(find(findings, "ties"), nullptr);
  EXPECT_EQ(find(findings, "ties")->numbers["events"], 3);
  const auto untyped = found_in(MadeEvents({{1, 1, 4}}).events());
  EXPECT_EQ(find(untyped, "duplicates"), nullptr);
  EXPECT_NE(find(untyped, "ties"), nullptr);
}

TEST(Doctor, FindsTimesThatCarryNothing) {
  const auto constant = found_in(MadeEvents({{0, 5, 10}, {3, 8}}).events());
  ASSERT_NE(find(constant, "constant_gaps"), nullptr);
  EXPECT_EQ(find(constant, "constant_gaps")->numbers["gap"], 5);
  EXPECT_EQ(find(found_in(MadeEvents({{0, 5, 11}, {3, 8}}).events()), "constant_gaps"), nullptr);
  const auto same = found_in(MadeEvents({{4, 4, 4}, {3, 3}}).events());
  ASSERT_NE(find(same, "no_gaps"), nullptr);
  EXPECT_EQ(find(same, "no_gaps")->severity, Severity::kProblem);
}

TEST(Doctor, FindsInstantsOfAnotherUnit) {
  Ticks ticks = irregular(10, 10, kNow / 2, 3600 * kSecond);
  EXPECT_EQ(find(found_in(MadeEvents(ticks).instants().events()), "mixed_units"), nullptr);
  ticks[3].insert(ticks[3].begin(), {kNow / 2000, kNow / 2000 + kSecond});
  ticks[7].insert(ticks[7].begin(), kNow / 2010);
  const auto findings = found_in(MadeEvents(ticks).instants().events());
  const Finding* mixed = find(findings, "mixed_units");
  ASSERT_NE(mixed, nullptr);
  EXPECT_EQ(mixed->severity, Severity::kProblem);
  EXPECT_EQ(mixed->numbers["events"], 3);
  EXPECT_EQ(mixed->numbers["factor"], 1000);
  EXPECT_NE(
      mixed->text.find("The times of 3 of 103 events are about 10^3 times smaller than the others, near "
                       "1970, such as 1970-01-10T20:06:40Z in sequence 's3'"),
      std::string::npos)
      << mixed->text;
}

TEST(Doctor, FindsPlainEpochsOfAnotherUnit) {
  Ticks ticks = irregular(5, 10, 1'600'000'000, 3600);
  const Ticks milliseconds = irregular(5, 10, 1'600'000'000'000, 3'600'000);
  ticks.insert(ticks.end(), milliseconds.begin(), milliseconds.end());
  const auto findings = found_in(MadeEvents(ticks).events());
  ASSERT_NE(find(findings, "mixed_units"), nullptr);
  EXPECT_EQ(find(findings, "mixed_units")->numbers["events"], 50);
}

TEST(Doctor, CountsTheFewTimesOfAnotherUnitAndNamesOne) {
  Ticks ticks = irregular(10, 10, 1'600'000'000, 3600);
  ticks[4].push_back(1'600'000'000'000);
  const auto findings = found_in(MadeEvents(ticks).events());
  const Finding* mixed = find(findings, "mixed_units");
  ASSERT_NE(mixed, nullptr);
  EXPECT_EQ(mixed->numbers["events"], 1);
  EXPECT_NE(mixed->text.find("The times of 1 of 101 events are about 10^3 times larger than the others, such "
                             "as 1600000000000 in sequence 's4'"),
            std::string::npos)
      << mixed->text;
}

TEST(Doctor, SaysWhichEventsItDidNotLookForCyclesIn) {
  Ticks ticks = irregular(4, 100, kNow / 2, 3600 * kSecond);
  const auto says = [&] {
    const auto findings = found_in(MadeEvents(ticks).instants().events());
    return find(findings, "event_cycles")->text;
  };
  EXPECT_EQ(says().find("Not looked at"), std::string::npos);
  ticks[1].push_back(4'070'908'800 * kSecond);  // 2099
  EXPECT_NE(says().find(" Not looked at: 1 event far from all others."), std::string::npos) << says();
}

TEST(Doctor, DoesNotTakeShortAndLongTimesForMixedUnits) {
  EXPECT_EQ(find(found_in(MadeEvents({{1, 3, 1000}, {1, 7, 1000}}).events()), "mixed_units"), nullptr);
}

TEST(Doctor, FindsSequencesWhoseGapsAreOfAnotherUnit) {
  Ticks ticks = irregular(8, 10, 0, 1000);
  EXPECT_EQ(find(found_in(MadeEvents(ticks).events()), "mixed_gap_units"), nullptr);
  const Ticks others = irregular(3, 10, 0, 1'000'000);
  ticks.insert(ticks.end(), others.begin(), others.end());
  const auto findings = found_in(MadeEvents(ticks).events());
  ASSERT_NE(find(findings, "mixed_gap_units"), nullptr);
  EXPECT_EQ(find(findings, "mixed_gap_units")->numbers["sequences"], 3);
  EXPECT_NE(find(findings, "mixed_gap_units")->text.find("longer"), std::string::npos);
}

TEST(Doctor, DoesNotTakeWideSpreadGapsForMixedUnits) {
  const auto with_gaps = [](const std::vector<double>& logs) {
    Ticks ticks;
    for (const double log : logs) {
      std::vector<int64_t>& sequence = ticks.emplace_back();
      for (int64_t i = 0; i < 7; ++i) sequence.push_back(i * std::llround(std::pow(10, log)));
    }
    return found_in(MadeEvents(ticks).events());
  };
  EXPECT_NE(find(with_gaps({1, 1, 1, 4.2, 4.2}), "mixed_gap_units"), nullptr);
  EXPECT_EQ(find(with_gaps({1, 1, 1, 4.2}), "mixed_gap_units"), nullptr);       // a single one
  EXPECT_EQ(find(with_gaps({0, 1, 2, 4.2, 4.2}), "mixed_gap_units"), nullptr);  // a wide group
  EXPECT_EQ(find(with_gaps({1, 2.4, 4.1, 5.5}), "mixed_gap_units"), nullptr);   // groups too near
  EXPECT_EQ(find(with_gaps({1, 1, 1, 5.5, 5.5}), "mixed_gap_units"), nullptr);  // no power of 1000
}

TEST(Doctor, FindsMissingInstantsWrittenAsZero) {
  Ticks ticks = irregular(10, 10, kNow / 2, 3600 * kSecond);
  ticks[2].insert(ticks[2].begin(), 0);
  const auto findings = found_in(MadeEvents(ticks).instants().events());
  ASSERT_NE(find(findings, "zero_instants"), nullptr);
  EXPECT_EQ(find(findings, "zero_instants")->numbers["events"], 1);
}

TEST(Doctor, TakesADateOf1970AmongOthersForWhatItIs) {
  const int64_t month = 30 * 86400 * kSecond;
  std::vector<int64_t> ticks;
  for (int64_t i = -100; i < 600; ++i) ticks.push_back(i * month);
  EXPECT_EQ(find(found_in(MadeEvents({ticks}).instants().events()), "zero_instants"), nullptr);
  const int64_t decade = 3652 * 86400 * kSecond;
  EXPECT_EQ(find(found_in(MadeEvents({{-2 * decade, -decade, 0, decade, 2 * decade}}).instants().events()),
                 "zero_instants"),
            nullptr);
}

/// Hourly values with a day, a trend, an outlier, a gap of 9 values and a jump.
Events measured_by_the_hour() {
  Random random(9);
  std::vector<int64_t> ticks;
  std::vector<double> values;
  for (int64_t i = 0; i < 3000; ++i) {
    if (i >= 700 && i < 709) continue;
    ticks.push_back(kNow / 2 + i * 3600 * kSecond);
    const double hour = static_cast<double>(i);
    values.push_back(3 * std::sin(2 * std::numbers::pi * hour / 24) + random.uniform(-1, 1) +
                     (i < 2000 ? 0 : 40) + (i == 500 ? 99 : 0));
  }
  return MadeEvents({ticks}).instants().value(values).events();
}

TEST(Doctor, LooksAtValuesOverTime) {
  const auto findings = found_in(measured_by_the_hour());
  const Finding* steps = find(findings, "value_steps");
  ASSERT_NE(steps, nullptr);
  EXPECT_EQ(steps->text, "A value comes every 1 h; 1 gap with about 9 missing, the longest 10 h after " +
                             format_iso(kNow / 2 + 699 * 3600 * kSecond) + ".");
  const Finding* cycles = find(findings, "value_cycles");
  ASSERT_NE(cycles, nullptr);
  EXPECT_NEAR(cycles->numbers["cycles"][0]["period"].get<double>(), 86400, 900);
  EXPECT_NE(cycles->text.find("a trend, rising by"), std::string::npos) << cycles->text;
  const Finding* outliers = find(findings, "value_outliers");
  ASSERT_NE(outliers, nullptr);
  EXPECT_EQ(outliers->severity, Severity::kWarning);
  EXPECT_GE(outliers->numbers["farthest"].get<double>(), 90);
  const Finding* levels = find(findings, "value_levels");
  ASSERT_NE(levels, nullptr);
  ASSERT_EQ(levels->numbers["changes"].size(), 1U);
  EXPECT_NEAR(levels->numbers["changes"][0]["after"].get<double>(), 40, 1);
}

TEST(Doctor, SaysNothingOfCyclesOfRowsThatAreMeasuredRegularly) {
  const auto findings = found_in(measured_by_the_hour());
  for (const char* code : {"event_cycles", "gap_cycles", "constant_gaps"}) {
    EXPECT_EQ(find(findings, code), nullptr) << code;
  }
}

TEST(Doctor, TakesValuesOfSeveralTypesForNoSeries) {
  const Ticks ticks = irregular(1, 100, 0, 10);
  Random random(4);
  std::vector<double> values;
  Texts types;
  for (int i = 0; i < 100; ++i) {
    types.emplace_back(i % 3 == 0 ? "pulse" : "weight");
    values.push_back(random.uniform() + (i % 3 == 0 ? 80 : 1000));
  }
  const auto of_two = found_in(MadeEvents(ticks).types(types).value(values).events());
  for (const char* code : {"value_steps", "value_cycles", "value_outliers", "value_levels"}) {
    EXPECT_EQ(find(of_two, code), nullptr) << code;
  }
  const auto of_one = found_in(MadeEvents(ticks).types(Texts(100, "pulse")).value(values).events());
  EXPECT_NE(find(of_one, "value_cycles"), nullptr);
}

TEST(Doctor, FindsNoShapeInConstantValues) {
  const Ticks ticks = irregular(1, 100, 0, 10);
  const auto findings = found_in(MadeEvents(ticks).value(std::vector<double>(100, 0.1)).events());
  EXPECT_NE(find(findings, "value_steps"), nullptr);
  EXPECT_EQ(find(findings, "value_cycles"), nullptr);
  EXPECT_EQ(find(found_in(MadeEvents(ticks).value(std::vector<double>(100, kNone)).events()), "value_cycles"),
            nullptr);
}

TEST(Doctor, FindsTheFuture) {
  const Ticks ticks = {{kNow - 5 * kSecond, kNow, kNow + 1, kNow + 60 * kSecond}};
  const auto findings = found_in(MadeEvents(ticks).instants().events());
  ASSERT_NE(find(findings, "future"), nullptr);
  EXPECT_EQ(find(findings, "future")->numbers["events"], 2);
  EXPECT_EQ(find(findings, "future")->numbers["seconds_ahead"], 60);
  EXPECT_EQ(find(found_in(MadeEvents(ticks).events()), "future"), nullptr);
}

TEST(Doctor, FindsSequencesOfOneEvent) {
  const auto some = found_in(MadeEvents({{1}, {2}, {1, 4}, {2, 8}}).events());
  ASSERT_NE(find(some, "single_events"), nullptr);
  EXPECT_EQ(find(some, "single_events")->numbers["sequences"], 2);
  EXPECT_EQ(find(some, "single_events")->severity, Severity::kWarning);
  const auto all = found_in(MadeEvents({{1}, {2}}).events());
  EXPECT_EQ(find(all, "single_events")->severity, Severity::kProblem);
  EXPECT_EQ(find(found_in(MadeEvents({{1, 2}}).events()), "single_events"), nullptr);
}

TEST(Doctor, WarnsOfALongTail) {
  Ticks ticks = irregular(10, 5, 0, 10);
  EXPECT_EQ(find(found_in(MadeEvents(ticks).events()), "lengths")->severity, Severity::kInfo);
  ticks.push_back(irregular(1, 200, 0, 10)[0]);
  EXPECT_EQ(find(found_in(MadeEvents(ticks).events()), "lengths")->severity, Severity::kWarning);
}

TEST(Doctor, WeighsTheClassesOfTheLabel) {
  const Ticks ticks(20, {0, 3, 4});
  const auto severity = [&](int64_t ones) {
    Texts labels(20, "zero");
    std::fill_n(labels.begin(), ones, "one");
    return find(found_in(MadeEvents(ticks).label(labels).events()), "label_balance")->severity;
  };
  EXPECT_EQ(severity(0), Severity::kProblem);
  EXPECT_EQ(severity(1), Severity::kWarning);
  EXPECT_EQ(severity(4), Severity::kWarning);
  EXPECT_EQ(severity(5), Severity::kInfo);
  Texts halves(20, "a");
  std::fill_n(halves.begin(), 10, "b");
  const auto findings = found_in(MadeEvents(ticks).label(halves).events());
  EXPECT_EQ(find(findings, "label_balance")->numbers["entropy_bits"], 1);
  EXPECT_EQ(find(findings, "label_balance")->numbers["largest_share"], 0.5);
}

TEST(Doctor, WarnsOfManyRareTypes) {
  Ticks ticks(1);
  Texts types;
  for (int i = 0; i < 3000; ++i) {
    ticks[0].push_back(i * i);
    types.push_back(i < 1200 ? "rare" + std::to_string(i) : "often" + std::to_string(i % 100));
  }
  const auto findings = found_in(MadeEvents(ticks).types(types).events());
  ASSERT_NE(find(findings, "rare_types"), nullptr);
  EXPECT_EQ(find(findings, "rare_types")->numbers["rare"], 1200);
  EXPECT_EQ(find(findings, "rare_types")->numbers["rare_share"], 0.4);
  EXPECT_EQ(find(findings, "type_balance")->severity, Severity::kInfo);
}

TEST(Doctor, LooksAtEveryColumn) {
  const Events events = MadeEvents({{0, 3, 4}, {0, 1}})
                            .types({"a", "a", "a", "a", "a"})
                            .number("gaps", {1, kNone, 3, 4, kNone})
                            .number("flat", {7, 7, 7, 7, 7})
                            .category("colour", {"red", "", "", "", "blue"})
                            .sequence_category("shape", {"round", "round"})
                            .events();
  const auto findings = found_in(events);
  std::vector<std::string> empty;
  std::vector<std::string> constant;
  for (const Finding& finding : findings) {
    if (finding.code == "empty_cells") empty.push_back(finding.numbers["column"]);
    if (finding.code == "constant_column") constant.push_back(finding.numbers["column"]);
  }
  EXPECT_EQ(empty, (Texts{"gaps", "colour"}));
  EXPECT_EQ(constant, (Texts{"flat", "shape"}));
  EXPECT_EQ(find(findings, "type_balance")->severity, Severity::kWarning);
}

TEST(Doctor, NamesTheGrid) {
  const auto findings = found_in(MadeEvents({{0, 60 * kSecond, 180 * kSecond}}).instants().events());
  ASSERT_NE(find(findings, "grid"), nullptr);
  EXPECT_EQ(find(findings, "grid")->numbers["grid"], 60);
  EXPECT_EQ(find(found_in(MadeEvents({{0, 1, 180 * kSecond}}).instants().events()), "grid"), nullptr);
}

TEST(Doctor, CallsNoGridWhatIsTheLastDigitOfTimes) {
  Random random(5);
  Ticks ticks(1);
  for (int i = 0; i < 100; ++i) ticks[0].push_back(static_cast<int64_t>(random.uniform() * 1e17));
  std::ranges::sort(ticks[0]);
  Events events = MadeEvents(ticks).events();
  events.scale.decimals = 17;
  EXPECT_EQ(find(found_in(events), "grid"), nullptr);
}

TEST(Doctor, SpeaksOfSecondsWhereTimesAreSeconds) {
  Events events = MadeEvents({{0, 60'000, 180'000}}).events();
  events.scale = {.instants = false, .decimals = 3, .seconds = true};
  set_unit(events, "h");
  const auto findings = found_in(events);
  ASSERT_NE(find(findings, "grid"), nullptr);
  EXPECT_EQ(find(findings, "grid")->numbers["grid"], 60);
  EXPECT_NE(find(findings, "grid")->text.find("multiples of 1 min, so periods under 2 min"),
            std::string::npos)
      << find(findings, "grid")->text;
}

TEST(Doctor, ReadsWellAndGivesTheSameAsJson) {
  const std::vector<Finding> findings = {{"a", Severity::kInfo, "First.", {{"n", 1}}},
                                         {"b", Severity::kProblem, "Second.", {}},
                                         {"c", Severity::kInfo, "Third.", {}}};
  EXPECT_EQ(render(findings), "Problems:\n- Second.\n\nGood to know:\n- First.\n- Third.\n");
  const nlohmann::json json = to_json(findings);
  ASSERT_EQ(json.size(), 3U);
  EXPECT_EQ(json[0], (nlohmann::json{
                         {"code", "a"}, {"severity", "info"}, {"text", "First."}, {"numbers", {{"n", 1}}}}));
  EXPECT_EQ(json[1]["severity"], "problem");
  EXPECT_FALSE(render({}).empty());
}

/// CPU seconds of a look at events that are single, a second apart; of as many types; or values over time.
double seconds_of_look(int64_t count, const std::string& shape) {
  Ticks ticks(shape == "single" ? static_cast<std::size_t>(count) : 1);
  Texts types;
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) {
    ticks[shape == "single" ? static_cast<std::size_t>(i) : 0].push_back(kNow / 2 + i * kSecond);
    types.push_back(shape == "types" ? std::to_string(i) : "a");
    values.push_back(std::sin(0.01 * static_cast<double>(i)));
  }
  MadeEvents made(ticks);
  made.instants();
  if (shape != "values") made.types(types);
  if (shape == "values") made.value(values);
  const Events events = made.events();
  const std::clock_t start = std::clock();
  found_in(events);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST(Doctor, TakesATimeThatGrowsAsTheEvents) {
  for (const char* shape : {"single", "types", "values"}) {
    const double once = std::max(0.1, seconds_of_look(50'000, shape));
    EXPECT_LT(seconds_of_look(100'000, shape), 5 * once) << shape;
    EXPECT_LT(seconds_of_look(200'000, shape), 10 * once) << shape;
  }
}

TEST(Doctor, RefusesNothing) { EXPECT_THROW(found_in(Events{}), Error); }

TEST(Doctor, FindsTheDayInCheckIns) {
  const char* const kCheckIns = "foursquare_nyc/checkins.tsv";
  std::ifstream file(test_data(kCheckIns));
  if (!file) GTEST_SKIP() << no_test_data(kCheckIns);
  std::map<int64_t, std::vector<int64_t>> users;
  int64_t user = 0;
  int64_t place = 0;
  int64_t minute = 0;
  while (file >> user >> place >> minute) users[user].push_back(minute);
  Ticks ticks;
  for (auto& entry : users) {
    std::ranges::sort(entry.second);
    ticks.push_back(entry.second);
  }
  const auto findings = found_in(MadeEvents(ticks).events());
  const Finding* cycles = find(findings, "event_cycles");
  ASSERT_NE(cycles, nullptr);
  EXPECT_NEAR(cycles->numbers["cycles"][0]["period"].get<double>(), 1440, 3);
}

}  // namespace
}  // namespace t2v::data
