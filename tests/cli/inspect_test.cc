#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/container_writer.h"
#include "base/file_system.h"
#include "tool.h"

namespace t2v {
namespace {

class Inspect : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    put("clicks.csv", kClicks);
    ASSERT_EQ(run("import clicks.csv --split last -o c.events").code, 0);
  }
};

TEST_F(Inspect, ExplainsAnEventStore) {
  const Ran ran = run("inspect c.events --verify");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  for (const char* part : {"file       c.events, ", "kind 'events', format 1", "sequences  4\n",
                           "  event      event                3 names\n",
                           "split\n  train: 4 sequences, 4 events\n  validation: none\n",
                           "  test: 4 sequences, 8 events, 4 of them context\n", "encoding\n  event: 1 types",
                           "source     clicks.csv\n", "verified   every block has its checksum\n"}) {
    EXPECT_HAS(ran.out, part);
  }
}

TEST_F(Inspect, GivesMetadataAndTensorsAsJson) {
  const Ran ran = run("inspect c.events --json");
  EXPECT_EQ(ran.code, 0);
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json.at("kind"), "events");
  EXPECT_EQ(json.at("verified"), false);
  EXPECT_EQ(json.at("tensors").at("ticks").at("dtype"), "I64");
  EXPECT_EQ(json.at("tensors").at("ticks").at("shape"), nlohmann::json({8}));
  const auto events = nlohmann::json::parse(json.at("metadata").at("events").get<std::string>());
  EXPECT_EQ(events.at("unit"), "d");
  EXPECT_EQ(nlohmann::json::parse(run("inspect c.events --json --verify").out).at("verified"), true);
}

TEST_F(Inspect, ListsTheTensorsOfOtherFiles) {
  ContainerWriter writer("model");
  const std::vector<float> weights = {1, 2, 3, 4};
  writer.add<float>("w", weights, {2, 2});
  writer.write(FileSystem::real(), path("m"));
  const Ran ran = run("inspect m");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "kind 'model'");
  EXPECT_HAS(ran.out, "  w ");
}

TEST_F(Inspect, RefusesWhatIsNotOurs) {
  expect_refused("inspect", "file is required");
  expect_refused("inspect none", "none: ");
  expect_refused("inspect .", ".: ");
  expect_refused("inspect clicks.csv",
                 "clicks.csv: not a file that t2v wrote; to look at a table use t2v doctor");
  put("other.safetensors", std::string("\x02\0\0\0\0\0\0\0{}", 10));
  expect_refused("inspect other.safetensors", "other.safetensors: ");
}

TEST_F(Inspect, FindsDamage) {
  std::string bytes = get("c.events");
  bytes[bytes.size() / 3] = static_cast<char>(bytes[bytes.size() / 3] ^ 2);  // in the header
  put("d.events", bytes);
  expect_refused("inspect d.events", "d.events: ");
  expect_refused("inspect d.events --json", "d.events: ");
  bytes = get("c.events");
  bytes.back() = static_cast<char>(bytes.back() ^ 2);
  put("d.events", bytes);
  expect_refused("inspect d.events --verify --json", "d.events: tensor '");
}

}  // namespace
}  // namespace t2v
