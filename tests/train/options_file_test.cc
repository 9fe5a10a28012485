#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/disks.h"
#include "base/twin_disk.h"
#include "train/options_file.h"

namespace t2v {
namespace {

std::string complaint_of(const std::string& text) {
  return error_of([&] { parse_options("o.json", text); });
}

TEST(OptionsFile, IsAnObjectOfOptions) {
  TwinDisk disk;
  disk.put("/d/o.json", R"({"hidden": 64, "time": "t2v:3", "rate": 1e-3})");
  const nlohmann::json json = read_options_file(disk, "/d/o.json");
  EXPECT_EQ(json.at("hidden"), 64);
  EXPECT_EQ(json.at("time"), "t2v:3");
}

TEST(OptionsFile, IsRefusedWithItsNameAndThePlace) {
  const std::string wanted = "; write a JSON object of options, such as {\"hidden\": 64}";
  EXPECT_EQ(complaint_of(""), "o.json:1:1: the file ends too early" + wanted);
  EXPECT_EQ(complaint_of("{\n  \"a\" 1}"), "o.json:2:7: this is not valid JSON" + wanted);
  EXPECT_EQ(complaint_of("[1]"), "o.json: is not a JSON object of options, such as {\"hidden\": 64}");
  EXPECT_EQ(complaint_of(R"({"rate": 1e999})"), "o.json: has a number that is too large to be one" + wanted);
  EXPECT_EQ(complaint_of(R"({"a": 1, "a": 2})"), "o.json: the option 'a' is there twice; leave one out");
  EXPECT_EQ(complaint_of(std::string(50, '[')), "o.json: is nested more than 8 levels deep" + wanted);
}

TEST(OptionsFile, ShowsNoControlCharactersOfItsKeys) {
  const std::string what = complaint_of("{\"\\u001b[31m\": 1, \"\\u001b[31m\": 2}");
  EXPECT_EQ(what, "o.json: the option '\\x1b[31m' is there twice; leave one out");
}

TEST(OptionsFile, IsNotReadIfItIsLong) {
  TwinDisk disk;
  disk.put("/d/o.json", std::string((1 << 20) + 1, ' '));
  EXPECT_EQ(error_of([&] { read_options_file(disk, "/d/o.json"); }),
            "/d/o.json: has more than the 1048576 bytes that such a file may have");
}

}  // namespace
}  // namespace t2v
