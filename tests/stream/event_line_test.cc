#include "stream/event_line.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "t2v/error.h"

namespace t2v {
namespace {

EventLineReader reader_of(const LineKeys& keys = {}) {
  return {{{"price", true}, {"place", false}},
          keys,
          data::TimeReader({false, 1}, std::nullopt, data::TimeZone::utc())};
}

std::string message_of(const char* line) {
  EventLineReader reader = reader_of();
  try {
    reader.read(line);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(EventLine, HasIdTimeEventAndFeaturesByName) {
  EventLineReader reader = reader_of();
  const EventLine& line = reader.read(
      R"({"user": 17, "ts": 2.5, "action": "b\u0075y", "place": "x", "price": "3.5", "more": [1]})");
  EXPECT_EQ(line.event.id, "17");
  EXPECT_EQ(line.event.tick, 25);
  EXPECT_EQ(line.event.event, "buy");
  EXPECT_EQ(line.time.text, "2.5");
  EXPECT_FALSE(line.is_question);
  EXPECT_FALSE(line.event.at.has_value());
  ASSERT_EQ(line.event.features.size(), 2);
  EXPECT_EQ(line.event.features[0].number, 3.5);
  EXPECT_EQ(line.event.features[1].name, "x");
}

TEST(EventLine, HasNoneWhereTheLineHasNone) {
  EventLineReader reader = reader_of();
  reader.read(R"({"id": "u", "time": 1, "event": "a", "price": 1, "place": "x"})");
  const EventLine& line = reader.read(R"({"id": "u", "time": 1, "price": null})");
  EXPECT_EQ(line.event.event, "");
  EXPECT_TRUE(std::isnan(line.event.features[0].number));
  EXPECT_EQ(line.event.features[1].name, "");
}

TEST(EventLine, TakesTheFirstOfTheUsualNamesAndAFeatureForItself) {
  EventLineReader reader = reader_of();
  // "place" is also a usual name of the event type.
  const EventLine& line = reader.read(R"({"id": "no", "user_id": "yes", "time": 1, "place": "x"})");
  EXPECT_EQ(line.event.id, "yes");
  EXPECT_EQ(line.event.event, "");
}

TEST(EventLine, TakesTheKeysThatAreNamed) {
  EventLineReader reader = reader_of({"who", "when", "what"});
  const EventLine& line =
      reader.read(R"({"id": "no", "who": "u", "time": 9, "when": 1, "what": "a", "event": "b"})");
  EXPECT_EQ(line.event.id, "u");
  EXPECT_EQ(line.event.tick, 10);
  EXPECT_EQ(line.event.event, "a");
  EXPECT_THROW(reader_of({"price", "", ""}), Error);
  EXPECT_THROW(reader_of({"same", "same", ""}), Error);
}

TEST(EventLine, KnowsTimesThatAreNumbersAndKeepsTheirDigits) {
  EventLineReader reader = reader_of();
  const EventLine& numbers = reader.read(R"({"id": "u", "time": 12345678901.10 , "at":2e10})");
  EXPECT_EQ(numbers.time.text, "12345678901.10");
  EXPECT_TRUE(numbers.time.is_number);
  EXPECT_EQ(numbers.at.text, "2e10");
  EXPECT_TRUE(numbers.at.is_number);
  const EventLine& texts = reader.read(R"({"id": "u", "time": " 1 ", "at": "\u0032"})");
  EXPECT_EQ(texts.time.text, "1");
  EXPECT_FALSE(texts.time.is_number);
  EXPECT_EQ(texts.at.text, "2");
  EXPECT_FALSE(texts.at.is_number);
}

TEST(EventLine, TakesKnownKeysBeforeUsualOnes) {
  EventLineReader reader({}, {}, data::TimeReader({false, 1}, std::nullopt, data::TimeZone::utc()),
                         {"who", "", "what"});
  const EventLine& line = reader.read(R"({"user_id": "no", "who": "u", "time": 1, "event": "b"})");
  EXPECT_EQ(line.event.id, "u");
  EXPECT_EQ(line.event.event, "b");
  EXPECT_EQ(reader.read(R"({"user_id": "v", "time": 1})").event.id, "v");
}

TEST(EventLine, NamesTheFeaturesThatItHasNoValueOf) {
  EventLineReader reader = reader_of();
  const EventLine& none = reader.read(R"({"id": "u", "time": 1, "price": null})");
  EXPECT_EQ(none.missing, (std::vector<std::string_view>{"price", "place"}));
  EXPECT_TRUE(reader.read(R"({"id": "u", "time": 1, "price": 0, "place": "x"})").missing.empty());
}

TEST(EventLine, WithoutAnIdIsOfTheOneSequenceIfThereIsOne) {
  const data::TimeReader times({false, 1}, std::nullopt, data::TimeZone::utc());
  EventLineReader reader({}, {}, times, {}, true);
  EXPECT_EQ(reader.read(R"({"time": 1})").event.id, "all");
  EXPECT_EQ(reader.read(R"({"user": "u", "time": 1})").event.id, "u");
  EventLineReader without({}, {}, times, {"-", "", "-"}, true);
  EXPECT_EQ(without.read(R"({"user": "u", "-": "v", "time": 1, "event": "x"})").event.id, "all");
  EXPECT_EQ(without.read(R"({"user": "u", "time": 1, "event": "x"})").event.event, "");
}

TEST(EventLine, MayAskAboutATime) {
  EventLineReader reader = reader_of();
  const EventLine both = reader.read(R"({"id": "u", "time": 1, "at": 2})");
  EXPECT_FALSE(both.is_question);
  EXPECT_EQ(both.event.at, 20);
  const EventLine& question = reader.read(R"({"id": "u", "at": 3})");
  EXPECT_TRUE(question.is_question);
  EXPECT_EQ(question.event.at, 30);
  EXPECT_EQ(question.at.text, "3");
  EXPECT_EQ(question.time.text, "");
  EXPECT_FALSE(reader.read(R"({"id": "u", "time": 1})").event.at.has_value());
}

TEST(EventLine, RefusesWhatIsNone) {
  EXPECT_NE(message_of(R"({"id": "u", "time": 1)").find("not valid JSON"), std::string::npos);
  EXPECT_NE(message_of("[1]").find("not a JSON object"), std::string::npos);
  EXPECT_NE(message_of("").find("not one object"), std::string::npos);
  EXPECT_NE(message_of("{}\n{}").find("not one object"), std::string::npos);
  EXPECT_NE(message_of(R"({"time": 1})").find("no id"), std::string::npos);
  EXPECT_NE(message_of(R"({"id": "u"})").find("no time"), std::string::npos);
  EXPECT_NE(message_of(R"({"id": "u", "time": "x"})").find("'x'"), std::string::npos);
  EXPECT_NE(message_of(R"({"id": "u", "time": 1, "price": "much"})").find("'much' in 'price'"),
            std::string::npos);
  EXPECT_NE(message_of(R"({"id": "u", "time": 1, "id": "v"})").find("twice"), std::string::npos);
  EXPECT_NE(message_of(R"({"id": "u", "time": [1]})").find("list"), std::string::npos);
}

}  // namespace
}  // namespace t2v
