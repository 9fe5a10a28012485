#include "paper/run_record.h"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "allocations.h"
#include "base/checksum.h"
#include "base/disks.h"
#include "base/twin_disk.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

const std::string kPath = "/d/r.json";

Json made_record() {
  return {{"experiment", "toy"},
          {"run", "a.s1"},
          {"model", "a"},
          {"scale", "smoke"},
          {"seed", 1},
          {"epochs", 2},
          {"config", {{"hidden", 3}}},
          {"curve", {{"accuracy", {0.25, nullptr}}}},
          {"seconds", 0.5},
          {"data", {{"name", "days"}, {"kind", "made"}, {"note", ""}}}};
}

std::string error_in(const std::string& text) {
  return error_of([&] { parse_run_record(kPath, text); });
}

void expect_refused(const std::string& text, const std::string& why) {
  const std::string error = error_in(text);
  EXPECT_EQ(error.find(kPath + ": " + why), 0U) << error;
  EXPECT_NE(error.find("; delete it to run that again"), std::string::npos) << error;
}

TEST(RunRecord, IsReadAsItWasWritten) {
  EXPECT_EQ(parse_run_record(kPath, run_record_text(made_record())), made_record());
  TwinDisk disk;
  write_run_record(disk, kPath, made_record());
  EXPECT_EQ(read_run_record(disk, kPath), made_record());
}

TEST(RunRecord, IsRefusedWhereverItIsCut) {
  const std::string text = run_record_text(made_record());
  for (std::size_t length = 0; length + 2 < text.size();
       ++length) {  // the last two are a brace and a line end
    EXPECT_NE(error_in(text.substr(0, length)), "") << length;
  }
}

TEST(RunRecord, IsRefusedWithAnySingleBitFlippedThatChangesWhatItSays) {
  const std::string text = run_record_text(made_record());
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string flipped = text;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    Json read;
    if (error_of([&] { read = parse_run_record(kPath, flipped); }).empty()) {
      EXPECT_EQ(read, made_record()) << bit;
    }
  }
}

TEST(RunRecord, WithoutItsChecksumIsRefused) {
  expect_refused(made_record().dump(), "was changed since it was written");
  Json record = made_record();
  record["checksum"] = 7;
  expect_refused(record.dump(), "was changed since it was written");
}

TEST(RunRecord, WithARepairedChecksumIsRefusedByTheFieldThatIsWrong) {
  const std::pair<const char*, Json> faults[] = {{"experiment", 5},
                                                 {"run", nullptr},
                                                 {"model", Json::array()},
                                                 {"scale", 5},
                                                 {"seed", -1},
                                                 {"seed", "1"},
                                                 {"epochs", "x"},
                                                 {"epochs", 1.5},
                                                 {"config", 3},
                                                 {"curve", 7},
                                                 {"curve", {{"a", 5}}},
                                                 {"curve", {{"a", {"x"}}}},
                                                 {"curve", Json::array()},
                                                 {"seconds", "a"},
                                                 {"data", "days"},
                                                 {"data", {{"name", 3}}}};
  for (const auto& [key, value] : faults) {
    Json record = made_record();
    record[key] = value;
    expect_refused(run_record_text(record), std::string("its '") + key + "' is not what a run records");
  }
  for (const char* key : {"experiment", "run", "model", "scale", "seed", "epochs", "config", "curve"}) {
    Json record = made_record();
    record.erase(key);
    expect_refused(run_record_text(record), std::string("its '") + key + "' is not what a run records");
  }
}

TEST(RunRecord, ThatIsNoObjectOrNestedTooDeeplyIsRefused) {
  std::string deep = R"({"config":)";
  for (int i = 0; i < 200'000; ++i) deep += R"({"a":)";
  for (const std::string& text : {std::string(), std::string("[1]"), std::string("{"), deep,
                                  deep + "1" + std::string(200'001, '}'), std::string("\xff\xfe")}) {
    expect_refused(text, "is no record of a run");
  }
}

TEST(RunRecord, ThatIsTooLongIsRefusedInLittleMemory) {
  TwinDisk disk;
  disk.put(kPath, std::string((16 << 20) + 1, ' '));
  EXPECT_NE(error_of([&] { read_run_record(disk, kPath); }).find("16777216 bytes"), std::string::npos);

  std::string lists = "{\"curve\":[[]";
  while (lists.size() < (16 << 20) - 8) lists += ",[]";
  lists += "]}";
  const testing::MemoryPeak peak;
  expect_refused(lists, "is no record of a run");
  EXPECT_LT(peak.bytes(), 1 << 20);
}

}  // namespace
}  // namespace t2v::paper
