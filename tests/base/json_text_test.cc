#include "base/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace t2v {
namespace {

std::string nested(int depth, char open, char close) {
  return std::string(static_cast<std::size_t>(depth), open) +
         std::string(static_cast<std::size_t>(depth), close);
}

TEST(JsonText, IsParsedAsItIs) {
  EXPECT_EQ(parse_json_text(R"({"a": [1, "x\"[", {}]})").dump(), R"({"a":[1,"x\"[",{}]})");
  EXPECT_EQ(parse_json_text(R"("\\")").get<std::string>(), "\\");
  for (const char* text : {"", "{", "[1,]", "\"", "\"\\", "1e999", "{} {}", "nul", "\xff"}) {
    EXPECT_TRUE(parse_json_text(text).is_discarded()) << text;
  }
}

TEST(JsonText, IsRefusedBeyondItsDepth) {
  EXPECT_FALSE(parse_json_text(nested(64, '[', ']')).is_discarded());
  EXPECT_TRUE(parse_json_text(nested(65, '[', ']')).is_discarded());
  EXPECT_TRUE(parse_json_text(std::string(1'000'000, '[')).is_discarded());
  std::string objects;
  for (int i = 0; i < 65; ++i) objects += "{\"a\":";
  EXPECT_TRUE(parse_json_text(objects + "1" + std::string(65, '}')).is_discarded());
  EXPECT_FALSE(parse_json_text("\"" + std::string(100, '[') + "\"").is_discarded());
}

TEST(JsonText, ThatIsLongIsRefusedBeforeTheParserSeesAFaultyToken) {
  const std::string long_text(100'000, 'x');
  const auto sound = [&](const std::string& end) { return has_sound_tokens("[\"" + long_text + end); };
  EXPECT_TRUE(sound("\"]"));
  EXPECT_TRUE(sound(R"(\n\"\\\u00e9\ud7ff\ud83d\uDE00", -1.5e300, true])"));
  EXPECT_TRUE(sound("\"," + std::string(64, '1') + "]"));
  EXPECT_FALSE(sound("\"," + std::string(65, '1') + "]"));
  for (const char* end : {"", "\\", R"(\)", R"(\x"])", R"(\u12"])", R"(\u12g4"])", R"(\ud800"])",
                          R"(\ude00"])", R"(\ud83d\u0041"])", R"(\u-123"])", "\n\"]", "\xff\"]"}) {
    EXPECT_FALSE(sound(end)) << end;
  }
  EXPECT_TRUE(has_sound_tokens("[\"\\x"));  // short: the parser tells where it is wrong
}

TEST(JsonText, IsRefusedBeyondItsEntries) {
  EXPECT_FALSE(parse_json_text("[1,2,3]", 3).is_discarded());
  EXPECT_TRUE(parse_json_text("[1,2,3,4]", 3).is_discarded());
  EXPECT_TRUE(parse_json_text("[[],[]]", 3).is_discarded());
  EXPECT_FALSE(parse_json_text("[\",,,,,\"]", 3).is_discarded());
}

}  // namespace
}  // namespace t2v
