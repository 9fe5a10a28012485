#include "data/encoding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "made_events.h"
#include "t2v/error.h"

namespace t2v::data {
namespace {

using Texts = std::vector<std::string>;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Sequences of 4, 3 and 2 events: 0-3, 4-6, 7-8.
MadeEvents made() { return MadeEvents({{0, 1, 2, 3}, {0, 1, 2}, {0, 1}}); }
std::vector<Piece> pieces(std::initializer_list<int64_t> sequences, const Events& events) {
  std::vector<Piece> list;
  for (const int64_t s : sequences) list.push_back({s, events.begin(s), events.end(s), events.begin(s)});
  return list;
}
Encoding learned(const Events& events, std::initializer_list<int64_t> train,
                 const EncodingConfig& config = {}) {
  return learn_encoding(events, pieces(train, events), config);
}
std::string error_of(const Events& events, const EncodingConfig& config) {
  try {
    learned(events, {0, 1}, config);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}
Events typed() { return made().types({"a", "b", "c", "c", "b", "d", "c", "new", "a"}).events(); }

TEST(Encoding, RanksEventTypesByHowOftenTrainingHasThem) {
  const Encoding encoding = learned(typed(), {0, 1});
  ASSERT_TRUE(encoding.event);
  // c 3, b 2, then a and d, once each, in the order of the store; the second a is not in training.
  EXPECT_EQ(encoding.event->names, (Texts{"c", "b", "a", "d"}));
  EXPECT_TRUE(encoding.event->unknown);
  EXPECT_EQ(encoding.event_types(), 5);
  EXPECT_EQ(encoding.event->unknown_code(), 4);
  EXPECT_EQ(encoding.event->unknown_train, 0);
  EXPECT_EQ(encoding.event->unknown_other, 1);
}

TEST(Encoding, KeepsTheMostFrequentTypesAndCountsTheRest) {
  const Encoding encoding = learned(typed(), {0, 1}, {.vocabulary = 2});
  EXPECT_EQ(encoding.event->names, (Texts{"c", "b"}));
  EXPECT_EQ(encoding.event->unknown_train, 2);
  EXPECT_EQ(encoding.event->unknown_other, 2);
  EXPECT_EQ(encoding.event_types(), 3);
}

TEST(Encoding, MayCountTypesOverAll) {
  const Encoding encoding = learned(typed(), {0, 1}, {.vocabulary_from_all = true});
  EXPECT_EQ(encoding.event->names, (Texts{"c", "a", "b", "d", "new"}));
  EXPECT_FALSE(encoding.event->unknown);
  EXPECT_EQ(encoding.event->unknown_code(), -1);
}

TEST(Encoding, GivesTheUnknownAPlaceAlwaysOrNever) {
  const Events events = typed();
  EXPECT_FALSE(learned(events, {0, 1, 2}).event->unknown);
  EXPECT_TRUE(learned(events, {0, 1, 2}, {.unknown = "always"}).event->unknown);
  EXPECT_NE(error_of(events, {.unknown = "never"}).find("1 entries of column 'event'"), std::string::npos);
  EXPECT_NE(error_of(events, {.unknown = "perhaps"}).find("if-needed"), std::string::npos);
}

TEST(Encoding, CountsEventsOfOverlappingPiecesOnce) {
  const Events events = made().number("x", {1, 2, 3, 100, 0, 0, 0, 0, 0}).events();
  const std::vector<Piece> overlapping = {{0, 1, 3, 1}, {0, 0, 2, 0}, {0, 0, 3, 0}};
  const Encoding encoding = learn_encoding(events, overlapping, {});
  EXPECT_DOUBLE_EQ(encoding.numbers[0].mean, 2);
  EXPECT_DOUBLE_EQ(encoding.numbers[0].std, std::sqrt(2.0 / 3));
}

TEST(Encoding, FlagsEmptyNumbersEvenWhereOnlyTheTestHasThem) {
  const Events events = made()
                            .number("full", {1, 1, 1, 1, 3, 3, 3, 7, 7})
                            .number("gaps", {1, kNone, 1, 1, 1, 1, 1, 1, 1})
                            .number("later", {0, 0, 0, 0, 0, 0, 0, kNone, kNone})
                            .events();
  const Encoding encoding = learned(events, {0, 1});
  EXPECT_DOUBLE_EQ(encoding.numbers[0].mean, 13.0 / 7);
  EXPECT_FALSE(encoding.numbers[0].flag);
  EXPECT_TRUE(encoding.numbers[1].flag);
  EXPECT_EQ(encoding.numbers[1].empty, 1);
  EXPECT_EQ(encoding.numbers[1].mean, 1);
  EXPECT_EQ(encoding.numbers[1].std, 1);  // a constant column
  EXPECT_TRUE(encoding.numbers[2].flag);
  EXPECT_EQ(encoding.features(), 5);
}

TEST(Encoding, TakesARoundedConstantForAConstant) {
  const Events events = made().number("x", std::vector<double>(9, 0.1)).events();
  EXPECT_EQ(learned(events, {0, 1}).numbers[0].std, 1);
}

TEST(Encoding, SurvivesAColumnThatTrainingLacks) {
  const Events events = made().number("x", {kNone, kNone, kNone, kNone, 1, 2, 3, 4, 5}).events();
  const Encoding encoding = learned(events, {0});
  EXPECT_EQ(encoding.numbers[0].mean, 0);
  EXPECT_EQ(encoding.numbers[0].std, 1);
}

TEST(Encoding, NamesEveryFeatureInOrder) {
  const Events events = made()
                            .value({1, 2, 3, 4, 5, 6, 7, 8, 9})
                            .number("price", {1, kNone, 1, 1, 1, 1, 1, 1, 1})
                            .category("colour", {"red", "", "red", "red", "", "red", "red", "blue", "red"})
                            .sequence_number("age", {20, 30, 40})
                            .sequence_category("sex", {"f", "m", "f"})
                            .events();
  const Encoding encoding = learned(events, {0, 1});
  EXPECT_EQ(encoding.feature_names(), (Texts{"value", "price", "price is empty", "colour=red",
                                             "colour=(empty)", "colour=(other)", "age", "sex=f", "sex=m"}));
  EXPECT_EQ(encoding.features(), 9);
  EXPECT_DOUBLE_EQ(encoding.sequence_numbers[0].mean, 25);
  EXPECT_EQ(encoding.categories[0].vocabulary.unknown_other, 1);
}

TEST(Encoding, LeavesColumnsOut) {
  const Events events = made().value(std::vector<double>(9, 1)).number("x", std::vector<double>(9)).events();
  EXPECT_EQ(learned(events, {0, 1}, {.value = false, .leave_out = {"x"}}).features(), 0);
  EXPECT_NE(error_of(events, {.leave_out = {"y"}}).find("no column 'y'"), std::string::npos);
}

TEST(Encoding, TakesClassesFromTrainingInTheOrderOfTheStore) {
  const Events events = made().label({"two", "one", "three"}).events();
  const Encoding encoding = learned(events, {0, 1});
  EXPECT_EQ(encoding.label->names, (Texts{"two", "one"}));
  EXPECT_EQ(encoding.classes(), 2);
  EXPECT_NO_THROW(check_labels(encoding, events, pieces({0, 1}, events)));
  try {
    check_labels(encoding, events, pieces({1, 2}, events));
    FAIL() << "the class is not known";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("label 'three' of sequence 's2'"), std::string::npos);
  }
}

TEST(Encoding, DoesNotTakeAnEmptyLabelForAClass) {
  const Events events = made().label({"two", "", "two"}).events();
  const Encoding encoding = learned(events, {0, 1});
  EXPECT_EQ(encoding.classes(), 1);
  EXPECT_THROW(check_labels(encoding, events, pieces({1}, events)), Error);
  EXPECT_THROW(check_labels(encoding, typed(), pieces({1}, events)), Error);
}

TEST(Encoding, FindsCodesInAnotherStore) {
  const Encoding encoding = learned(typed(), {0, 1});
  const Events other = MadeEvents({{0, 1, 2}}).types({"d", "c", "zebra"}).events();
  EXPECT_EQ(codes_of(*encoding.event, other.event->names), (std::vector<int32_t>{3, 0, 4}));
  const Encoding closed = learned(typed(), {0, 1, 2});
  EXPECT_EQ(codes_of(*closed.event, other.event->names).back(), -1);
}

TEST(Encoding, ComesBackFromJsonExactly) {
  const Events events = made()
                            .types({"a", "b", "c", "c", "b", "d", "c", "new", "a"})
                            .value({0.1, 0.2, 0.3, 1e-300, 5, 6, 7, 8, 9})
                            .number("x", {1.0 / 3, kNone, 2.0 / 3, 1, 1, 1, 1, 1, 1})
                            .category("colour", {"r", "", "r", "r", "", "r", "r", "b", "r"})
                            .sequence_number("age", {20, 30.1, 40})
                            .sequence_category("sex", {"f", "m", "f"})
                            .label({"1", "2", "1"})
                            .target({1, 2, 3})
                            .events();
  const Encoding encoding = learned(events, {0, 1});
  EXPECT_EQ(encoding_from_json(nlohmann::json::parse(to_json(encoding).dump())), encoding);
  const Encoding empty = learned(made().events(), {0});
  EXPECT_EQ(encoding_from_json(nlohmann::json::parse(to_json(empty).dump())), empty);
}

TEST(Encoding, RefusesDamagedJson) {
  const Events events =
      made().types({"a", "b", "c", "c", "b", "d", "c", "e", "a"}).value(std::vector<double>(9, 1)).events();
  const nlohmann::json good = to_json(learned(events, {0, 1}));
  nlohmann::json bad = good;
  bad.erase("event");
  EXPECT_THROW(encoding_from_json(bad), Error);
  bad = good;
  bad["value"]["std"] = 0;
  EXPECT_THROW(encoding_from_json(bad), Error);
  bad = good;
  bad["numbers"] = "none";
  EXPECT_THROW(encoding_from_json(bad), Error);
  bad = good;
  bad["event"]["names"] = {"a", "a"};
  EXPECT_THROW(encoding_from_json(bad), Error);
  EXPECT_THROW(encoding_from_json(nlohmann::json(3)), Error);
}

TEST(Encoding, IsDescribedInALineAColumn) {
  const Events events = made()
                            .types({"a", "b", "c", "c", "b", "d", "c", "new", "a"})
                            .number("price", {1, 2, 3, kNone, 1, 2, 3, 4, 5})
                            .events();
  EXPECT_EQ(describe(learned(events, {0, 1})),
            "event: 4 types; others share one place: 0 in training, 1 elsewhere\n"
            "price: mean 2, std 0.8165; 1 empty cell gets the mean and a flag\n");
}

TEST(Encoding, CountsEventsOfUnknownTypes) {
  const Events events = MadeEvents({{0, 1, 2}, {0, 1}}).types({"a", "x", "b", "y", "x"}).events();
  const std::vector<Piece> pieces = {{0, 0, 3, 0}, {1, 3, 5, 3}};
  for (const bool place : {false, true}) {
    Encoding encoding;
    encoding.event = Vocabulary{{"b", "a"}, place, 0, 0};
    EXPECT_EQ(count_unknown(encoding, events, pieces), 3);
    EXPECT_EQ(count_unknown(encoding, events, std::span(pieces).first(1)), 1);
  }
}

TEST(Encoding, DescribesManyNumbersInOneLine) {
  Encoding encoding;
  for (int i = 0; i < 64; ++i) {
    encoding.numbers.push_back({"channel_" + std::to_string(i), static_cast<double>(i), 1.0 + i, false, 0});
  }
  encoding.numbers.push_back({"price", 2, 3, true, 1234});
  for (int i = 0; i < 9; ++i) encoding.sequence_numbers.push_back({"x" + std::to_string(i), 0, 1, true, 2});
  EXPECT_EQ(describe(encoding),
            "channel_0 ... channel_63: 64 numbers, mean 0 to 63, std 1 to 64\n"
            "price: mean 2, std 3; 1,234 empty cells get the mean and a flag\n"
            "x0 ... x8: 9 numbers, mean 0 to 0, std 1 to 1; 18 empty cells get the mean and a flag\n");
}

TEST(Encoding, DescribesOneAndThousands) {
  Encoding encoding;
  encoding.event = Vocabulary{{"a"}, true, 1234, 5678901};
  encoding.categories.push_back({"color", {{"red"}, false, 0, 0}});
  encoding.label = Vocabulary{{"yes", "no"}, false, 0, 0};
  EXPECT_EQ(describe(encoding),
            "event: 1 type; others share one place: 1,234 in training, 5,678,901 elsewhere\n"
            "color: 1 value\n"
            "label: 2 classes\n");
  encoding = {};
  encoding.event.emplace().names.resize(1200);
  EXPECT_EQ(describe(encoding), "event: 1,200 types\n");
}

}  // namespace
}  // namespace t2v::data
