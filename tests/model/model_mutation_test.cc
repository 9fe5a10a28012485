// Models that were changed by somebody who repaired the checksums.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "base/container_mutation.h"
#include "base/disks.h"
#include "base/memory_disk.h"
#include "base/twin_disk.h"
#include "data/made_events.h"
#include "file_cost.h"
#include "fuzz/fuzz_input.h"
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
  const FileCost cost(bytes.size());
  try {
    const TrainedModel model = read_model("f", disk);
    cost.expect_little();
    data::Events fitted = events;
    fit_to_model(fitted, model);
    const std::vector<data::Piece> pieces = {{0, 0, 3, 0}};
    predict(model, fitted, pieces, {}, pool, [](const Place&, const Prediction& prediction) {
      for (const Choice& choice : prediction.top) EXPECT_GE(choice.code, 0);
    });
    return true;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()), "");
    cost.expect_little();
    return false;
  }
}

TEST(MutatedModel, IsRefusedOrUsableInTwentyThousandWays) {
  const data::Events events =
      data::MadeEvents({{0, 1, 2}}).instants().types({"a", "b", "c"}).number("price", {1, 2, 3}).events();
  ThreadPool pool(1);
  Random random(7);
  int taken = 0;
  for (const char* cell : {"lstm", "peephole", "tlstm1", "tlstm2", "tlstm3", "gru", "phased", "none"}) {
    SCOPED_TRACE(cell);
    const std::string sound = bytes_of(made_model(cell, 3, 2));
    MemoryDisk disk(std::as_bytes(std::span(sound)));
    const ContainerMutation mutation(Container::open("f", "model", disk));
    EXPECT_TRUE(is_usable(mutation.text(), events, pool));
    for (int i = 0; i < 2'500; ++i) {
      SCOPED_TRACE(i);
      taken += is_usable(mutation.mutated(random), events, pool) ? 1 : 0;
    }
  }
  EXPECT_GT(taken, 500);  // else the changes would be too coarse to reach anything
  EXPECT_LT(taken, 12'000);
  RecordProperty("taken", taken);
}

TEST(FuzzInput, TakesASoundModelAsItIsAndMendsItsChecksums) {
  std::string bytes = bytes_of(made_model("lstm", 3, 2));
  bytes[bytes.size() - 1] = '}';  // in the payload, which may have any bytes
  const std::string corrected = fuzz::corrected(bytes);
  MemoryDisk disk(std::as_bytes(std::span(corrected)));
  EXPECT_EQ(read_model("f", disk).config.cell, "lstm");
}

/// Puts a text into each string and each key of a JSON value in turn.
void for_each_text(nlohmann::json& json, const std::string& text, const std::function<void()>& use) {
  if (json.is_string()) {
    const nlohmann::json before = std::exchange(json, text);
    use();
    json = before;
  } else if (json.is_structured()) {
    for (auto& item : json) for_each_text(item, text, use);
    if (!json.is_object()) return;
    json[text] = 1;
    use();
    json.erase(text);
  }
}

TEST(HostileText, OfAModelIsShownInFortyBytesWithoutControlCharacters) {
  const std::string sound = bytes_of(made_model("tlstm1", 3, 2));
  MemoryDisk disk(std::as_bytes(std::span(sound)));
  const Container file = Container::open("f", "model", disk);
  const std::string text = "\x1b[2J\xc2\x9b\xe2\x80\xae" + std::string(3'000, 'x');
  int refused = 0;
  for (const char* key : {"model", "encoding", "training", "options"}) {
    if (!file.find(key)) continue;
    nlohmann::json json = nlohmann::json::parse(file.get(key));
    for_each_text(json, text, [&] {
      ContainerMutation mutation(file);
      mutation.metadata()[key] = json.dump();
      const std::string bytes = mutation.text();
      MemoryDisk changed(std::as_bytes(std::span(bytes)));
      const std::string what = error_of([&] { read_model("f", changed); });
      refused += what.empty() ? 0 : 1;
      EXPECT_LT(what.size(), 400U) << key << ": " << what;
      EXPECT_EQ(what.find('\x1b'), std::string::npos) << key;
      EXPECT_EQ(what.find("\xc2\x9b"), std::string::npos) << key;
      EXPECT_EQ(what.find("\xe2\x80\xae"), std::string::npos) << key;
    });
  }
  EXPECT_GT(refused, 15);
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
    const FileCost cost(file.bytes.size());
    std::string what;
    try {
      read_model("f", disk);
    } catch (const Error& error) {
      what = error.what();
    }
    const double seconds = cost.seconds();
    EXPECT_NE(what, "") << file.name;
    EXPECT_LE(what.size(), 300U) << file.name;
    SCOPED_TRACE(file.name);
    cost.expect_little();
    EXPECT_LT(seconds, 0.5 * testing::kSlower) << file.name;  // for megabytes
  }
}

}  // namespace
}  // namespace t2v
