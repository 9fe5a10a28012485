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
  for (const char* part : {"file       c.events, ", "kind 'events', format 2", "sequences  4\n",
                           "  event      event                3 names\n",
                           "split\n  train: 4 sequences, 4 events\n  validation: none\n",
                           "  test: 4 sequences, 8 events, 4 of them context\n", "encoding\n  event: 1 type",
                           "source     clicks.csv\n", "verified   every block has its checksum\n"}) {
    EXPECT_HAS(ran.out, part);
  }
}

TEST_F(Inspect, ShowsNoControlCharactersOfNamesWhateverShowsThem) {
  // Of columns, of ids, of types and of a category; an escape, a bell, and C1 in UTF-8.
  const std::string odd = "x\x1b[31m\x07\xc2\x9by";
  std::string table = "user,time,event,price " + odd + ",kind " + odd + "\n";
  for (int i = 0; i < 60; ++i) {
    table += "u" + std::to_string(i % 6) + odd + "," + std::to_string(i) + "," + "abc"[i % 3] + odd + "," +
             std::to_string(i % 7) + "," + "kl"[i % 2] + odd + "\n";
  }
  put("odd.csv", table);
  const std::string features = R"( --features $'price x\e[31m\a\xc2\x9by,kind x\e[31m\a\xc2\x9by')";
  const auto check = [&](const std::string& line) {
    const Ran ran = bash(line);
    EXPECT_EQ(ran.code, 0) << line << ran.err;
    for (const std::string part : {"\x1b", "\x07", "\xc2\x9b"}) {
      if (part.size() > 1 && line.ends_with("--json")) continue;  // JSON has all but ASCII's as they are
      EXPECT_EQ(ran.out.find(part), std::string::npos) << line << "\n" << ran.out;
      EXPECT_EQ(ran.err.find(part), std::string::npos) << line << "\n" << ran.err;
    }
  };
  check("$T import odd.csv" + features + " --split last -o odd.events");
  check("$T train odd.events --hidden 2 --epochs 1 -o odd.t2v");
  for (const char* line :
       {"$T inspect odd.events", "$T inspect odd.events --json", "$T inspect odd.t2v",
        "$T inspect odd.t2v --json", "$T doctor odd.events", "$T evaluate odd.t2v odd.events"}) {
    check(line);
  }
}

TEST_F(Inspect, GivesMetadataTensorsAndCountsAsNestedJson) {
  const Ran ran = run("inspect c.events --json");
  EXPECT_EQ(ran.code, 0);
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json.at("kind"), "events");
  EXPECT_EQ(json.at("verified"), false);
  EXPECT_EQ(json.at("tensors").at("ticks").at("dtype"), "I64");
  EXPECT_EQ(json.at("tensors").at("ticks").at("shape"), nlohmann::json({8}));
  EXPECT_EQ(json.at("tensors").at("ticks").at("bytes"), 64);
  EXPECT_EQ(json.at("metadata").at("events").at("unit"), "d");
  EXPECT_EQ(json.at("metadata").at("t2v.format"), "2");
  EXPECT_EQ(json.at("metadata").count("t2v.blocks"), 0);
  const auto& summary = json.at("summary");
  EXPECT_EQ(summary.at("sequences"), 4);
  EXPECT_EQ(summary.at("events"), 8);
  EXPECT_EQ(summary.at("types"), 3);
  EXPECT_EQ(summary.count("classes"), 0);
  EXPECT_EQ(summary.at("lengths"), (nlohmann::json{{"least", 2}, {"median", 2}, {"mean", 2.0}, {"most", 2}}));
  EXPECT_EQ(summary.at("columns"),
            nlohmann::json::array({{{"role", "event"}, {"name", "event"}, {"kind", "names"}, {"names", 3}}}));
  const auto& times = summary.at("times");
  EXPECT_EQ(times.at("unit"), "d");
  EXPECT_EQ(times.at("first"), "2024-01-01T08:00:00Z");
  EXPECT_EQ(times.at("last"), "2024-01-08T00:00:00Z");
  EXPECT_NEAR(times.at("span").get<double>(), 6 + 16 / 24.0, 1e-12);
  EXPECT_EQ(times.at("grid"), 1);
  EXPECT_EQ(times.at("origin"), "sequence");
  EXPECT_EQ(summary.at("split").at("test"),
            (nlohmann::json{{"sequences", 4}, {"events", 8}, {"context", 4}}));
  EXPECT_EQ(summary.at("split").at("valid").at("sequences"), 0);
  EXPECT_EQ(summary.at("encoding").at("event_types"), 2);
  EXPECT_EQ(nlohmann::json::parse(run("inspect c.events --json --verify").out).at("verified"), true);
}

TEST_F(Inspect, ListsWhatIsInFilesOfOtherKinds) {
  ContainerWriter writer("weights");
  const std::vector<float> weights = {1, 2, 3, 4};
  writer.add<float>("w", weights, {2, 2});
  writer.set("progress", R"({"epoch": 3})");
  writer.write(FileSystem::real(), path("m"));
  const Ran ran = run("inspect m --verify");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "kind 'weights'");
  EXPECT_HAS(ran.out, "  progress                     12 bytes\n");
  EXPECT_HAS(ran.out, "  w                            2 x 2 x F32          16 bytes\n");
  EXPECT_HAS(ran.out, "verified   every block has its checksum\n");
  const auto json = nlohmann::json::parse(run("inspect m --json").out);
  EXPECT_EQ(json.at("metadata").at("progress").at("epoch"), 3);
  EXPECT_EQ(json.at("tensors").at("w").at("bytes"), 16);
  std::string bytes = get("m");
  bytes.back() = static_cast<char>(bytes.back() ^ 2);
  put("m", bytes);
  expect_refused("inspect m --verify", "m: tensor 'w'");
}

TEST_F(Inspect, ExplainsACheckpoint) {
  const Ran trained = bash(
      "$T train clicks.csv --task next --hidden 4 --epochs 100000 --patience 100000 --checkpoint-steps 1 -o "
      "m.t2v "
      ">/dev/null 2>&1 & pid=$!; for i in $(seq 200); do test -e m.t2v.checkpoint && break; sleep 0.05; "
      "done; "
      "kill -TERM $pid; wait $pid");
  ASSERT_EQ(trained.code, 143) << trained.err;
  const Ran ran = run("inspect m.t2v.checkpoint");
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (const char* part :
       {"what       a checkpoint of 't2v train'", "task       next, cell lstm, ", "at         ", " done, ",
        "best       ", "written    20", "go on      the same 't2v train' with -o m.t2v --resume\n"}) {
    EXPECT_HAS(ran.out, part);
  }
  const auto json = nlohmann::json::parse(run("inspect m.t2v.checkpoint --json").out);
  EXPECT_EQ(json.at("summary").at("task"), "next");
  EXPECT_GT(json.at("summary").at("steps"), 0);
  std::string damaged = get("m.t2v.checkpoint");
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  put("damaged.checkpoint", damaged);
  expect_refused("inspect damaged.checkpoint", "damaged.checkpoint: ");
  ContainerWriter writer("checkpoint");
  writer.set("fit", "{}");
  writer.write(FileSystem::real(), path("bad"));
  expect_refused("inspect bad", "bad: its description lacks a field");
}

TEST_F(Inspect, TellsFilesThatAreTooShort) {
  put("empty.t2v", "");
  expect_refused("inspect empty.t2v", "empty.t2v: too short to be a file that t2v wrote (0 bytes)");
  put("short.t2v", get("c.events").substr(0, 8));
  expect_refused("inspect short.t2v", "short.t2v: too short to be a file that t2v wrote (8 bytes)");
  expect_refused("predict short.t2v clicks.csv", "short.t2v: ");
}

TEST_F(Inspect, SaysSoIfItsOutputCannotBeWritten) {
  for (const char* options : {"", " --json"}) {
    const Ran ran = bash("$T inspect c.events" + std::string(options) + " >/dev/full");
    EXPECT_EQ(ran.code, 2) << options;
    EXPECT_EQ(ran.err, "t2v: standard output cannot be written; is the disk full?\n") << options;
  }
}

TEST_F(Inspect, RefusesWhatIsNotOurs) {
  expect_refused("inspect", "file is required");
  expect_refused("inspect none", "none: ");
  expect_refused("inspect .", ".: ");
  expect_refused("inspect clicks.csv",
                 "clicks.csv: not a file that t2v wrote; look at a table by t2v doctor clicks.csv, or make a "
                 "store of it by t2v import");
  expect_refused("inspect c.events --csv", "--csv is for what a model learned");
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
