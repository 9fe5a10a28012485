// Models that were changed by somebody who repaired the checksums.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <span>
#include <string>

#include "allocations.h"
#include "base/container_mutation.h"
#include "base/memory_disk.h"
#include "base/twin_disk.h"
#include "data/made_events.h"
#include "made_model.h"
#include "model/predictor.h"
#include "model/trained_model.h"
#include "t2v/error.h"

namespace t2v {
namespace {

using namespace testing;

std::string bytes_of(const TrainedModel& model) {
  TwinDisk disk;
  write_model(disk, "/d/m", model);
  return disk.get("/d/m");
}

/// Reads it, within bounds of memory and time; true if it was taken, and then it can be used.
bool is_usable(const std::string& bytes, const data::Events& events, ThreadPool& pool) {
  MemoryDisk disk(std::as_bytes(std::span(bytes)));
  try {
    const MemoryPeak peak;
    const TrainedModel model = read_model("f", disk);
    EXPECT_LE(peak.bytes(), 2 * static_cast<int64_t>(bytes.size()) + (16 << 20));
    data::Events fitted = events;
    fit_to_model(fitted, model);
    const std::vector<data::Piece> pieces = {{0, 0, 3, 0}};
    predict(model, fitted, pieces, {}, pool, [](const Place&, const Prediction& prediction) {
      for (const Choice& choice : prediction.top) EXPECT_GE(choice.code, 0);
    });
    return true;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()), "");
    return false;
  }
}

TEST(MutatedModel, IsRefusedOrUsableInTwentyThousandWays) {
  const std::string sound = bytes_of(made_model("lstm", 3, 2));
  MemoryDisk disk(std::as_bytes(std::span(sound)));
  const ContainerMutation mutation(Container::open("f", "model", disk));
  const data::Events events =
      data::MadeEvents({{0, 1, 2}}).instants().types({"a", "b", "c"}).number("price", {1, 2, 3}).events();
  ThreadPool pool(1);
  EXPECT_TRUE(is_usable(mutation.text(), events, pool));
  Random random(7);
  int taken = 0;
  for (int i = 0; i < 20'000; ++i) {
    SCOPED_TRACE(i);
    taken += is_usable(mutation.mutated(random), events, pool) ? 1 : 0;
  }
  EXPECT_GT(taken, 500);  // else the changes would be too coarse to reach anything
  EXPECT_LT(taken, 12'000);
  RecordProperty("taken", taken);
}

TEST(DamagedModel, IsRefusedWhereverItIsCut) {
  const std::string bytes = bytes_of(made_model("lstm", 2, 1));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const std::string cut = bytes.substr(0, length);
    MemoryDisk disk(std::as_bytes(std::span(cut)));
    EXPECT_THROW(read_model("f", disk), Error) << length;
  }
}

TEST(DamagedModel, IsRefusedWithAnySingleBitFlipped) {
  std::string bytes = bytes_of(made_model("lstm", 2, 1));
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    const char mask = static_cast<char>(1 << (bit % 8));
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
    MemoryDisk disk(std::as_bytes(std::span(bytes)));
    EXPECT_THROW(read_model("f", disk), Error) << bit;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
  }
}

/// A model's file with these texts instead of its own metadata.
std::string with_metadata(const std::string& key, const std::string& value) {
  const std::string sound = bytes_of(made_model("lstm", 2, 1));
  MemoryDisk disk(std::as_bytes(std::span(sound)));
  ContainerMutation mutation(Container::open("f", "model", disk));
  mutation.metadata()[key] = value;
  return mutation.text();
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// Headers that are small on the disk and large in memory, if they are believed.
struct Swollen {
  const char* name;
  std::string bytes;
};

std::vector<Swollen> swollen_files() {
  std::vector<Swollen> all;
  const auto add = [&](const char* name, std::string bytes) { all.push_back({name, std::move(bytes)}); };
  const std::string start =
      R"({"__metadata__":{"t2v.header":"0000000000000000","t2v.blocks":"","t2v.format":"1",)"
      R"("t2v.kind":"model","t2v.version":"0")";
  std::string keys;
  for (int i = 0; i < 300'000; ++i) keys += ",\"" + std::to_string(i) + R"(":"")";
  add("ManyKeys", ContainerMutation::sealed(start + keys + "}}"));
  std::string tensors;
  for (int i = 0; i < 60'000; ++i)
    tensors += ",\"" + std::to_string(i) + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  add("ManyTensors", ContainerMutation::sealed(start + "}" + tensors + "}"));
  std::string fields;
  for (int i = 0; i < 300'000; ++i) fields += ",\"" + std::to_string(i) + "\":0";
  add("ManyFields", ContainerMutation::sealed(start + R"(},"a":{"dtype":"U8")" + fields + "}}"));
  add("ManyDimensions", ContainerMutation::sealed(start + R"(},"a":{"dtype":"U8","shape":[1)" +
                                                  repeated(",1", 2'000'000) + R"(],"data_offsets":[0,1]}})"));
  add("ManyValuesInAList", ContainerMutation::sealed(start + R"(},"a":{"dtype":"U8","shape":[[)" +
                                                     repeated("[],", 1'000'000) + R"([]]]}})"));
  add("LongName", ContainerMutation::sealed(start + "},\"" + std::string(4'000'000, 'a') + "\":1}"));
  add("LongStringWithoutAnEnd", ContainerMutation::sealed(start + "},\"" + std::string(4'000'000, 'a')));
  add("LongStringWithAFault",
      ContainerMutation::sealed(start + "},\"" + std::string(4'000'000, 'a') + "\\x\":1}"));
  add("LongNumber", ContainerMutation::sealed(start + "},\"a\":" + std::string(4'000'000, '7') + "}"));
  add("LongDescription", with_metadata("model", "[" + repeated("[],", 1'300'000) + "[]]"));
  add("DescriptionOfManyEntries", with_metadata("model", "[" + repeated("[],", 49'999) + "[]]"));
  add("DescriptionOfManyObjects", with_metadata("training", "[" + repeated("{\"a\":{}},", 49'999) + "0]"));
  add("DeepDescription", with_metadata("model", std::string(500'000, '[') + std::string(500'000, ']')));
  add("DeepOptions", with_metadata("options", std::string(500'000, '[') + std::string(500'000, ']')));
  add("DeepTraining",
      with_metadata("training", repeated("{\"a\":", 100'000) + "1" + std::string(100'000, '}')));
  add("HeaderAlone", ContainerMutation::sealed(start + R"(,"x":")" + std::string(6 << 20, 'x') + "\"}}"));
  add("HeaderAsLongAsItsPayloadAllows",
      ContainerMutation::sealed(start + R"(,"x":")" + std::string(20 << 20, 'x') + "\"}}") +
          std::string(17 << 20, '\0'));
  return all;
}

TEST(SwollenModel, IsRefusedInLittleMemoryAndTime) {
  for (const Swollen& file : swollen_files()) {
    MemoryDisk disk(std::as_bytes(std::span(file.bytes)));
    const MemoryPeak peak;
    const auto start = std::chrono::steady_clock::now();
    std::string what;
    try {
      read_model("f", disk);
    } catch (const Error& error) {
      what = error.what();
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    EXPECT_NE(what, "") << file.name;
    EXPECT_LE(what.size(), 300U) << file.name;
    EXPECT_LE(peak.bytes(), 2 * static_cast<int64_t>(file.bytes.size()) + (16 << 20)) << file.name;
    EXPECT_LT(seconds.count(), 5) << file.name;  // for megabytes, also with a sanitizer
  }
}

}  // namespace
}  // namespace t2v
