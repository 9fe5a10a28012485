// Event stores whose checksums are right, but whose contents cannot be.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/container_writer.h"
#include "data/event_store.h"
#include "importer_files.h"

namespace t2v::data {
namespace {

using Json = nlohmann::json;

/// The parts of a good store, to be made wrong.
struct Parts {
  std::map<std::string, std::vector<int64_t>> whole = {{"offsets", {0, 2, 3}},
                                                       {"ticks", {10, 20, 5}},
                                                       {"ids.offsets", {0, 1, 2}},
                                                       {"event.names.offsets", {0, 1, 2}},
                                                       {"town.0", {}},
                                                       {"split.train", {0, 0, 2, 0}},
                                                       {"split.valid", {}},
                                                       {"split.test", {1, 2, 3, 2}}};
  std::map<std::string, std::string> text = {{"ids.bytes", "ab"}, {"event.names.bytes", "xy"}};
  std::map<std::string, std::vector<int32_t>> codes = {{"event.codes", {0, 1, 1}}};
  std::map<std::string, std::vector<double>> numbers = {{"sequence_numbers.0", {1, 2}}};
  std::vector<uint8_t> part = {0, 2};
  int64_t columns = 4;  // of a split
  Json json = {{"event", "type"},
               {"numbers", Json::array()},
               {"categories", Json::array()},
               {"sequence_numbers", {"age"}},
               {"sequence_categories", Json::array()},
               {"instants", true},
               {"decimals", 9},
               {"unit", "s"},
               {"origin", "sequence"},
               {"origin_tick", 0},
               {"grid", 10},
               {"provenance", ""}};
  std::string kind = "events";
  std::string encoding;

  void write(const std::string& path) const {
    ContainerWriter writer(kind);
    for (const auto& [name, values] : whole) {
      if (name.starts_with("split.")) {
        writer.add<int64_t>(name, values, {static_cast<int64_t>(values.size()) / columns, columns});
      } else {
        writer.add<int64_t>(name, values);
      }
    }
    for (const auto& [name, values] : text) writer.add<char>(name, values);
    for (const auto& [name, values] : codes) writer.add<int32_t>(name, values);
    for (const auto& [name, values] : numbers) writer.add<double>(name, values);
    writer.add<uint8_t>("part", part);
    writer.set("events", json.is_string() ? json.get<std::string>() : json.dump());
    if (!encoding.empty()) writer.set("encoding", encoding);
    writer.write(FileSystem::real(), path);
  }
};

class WrongStore : public testing::Test {
 protected:
  static std::string error(const std::string& path) {
    return complaint([&] { open_store(path); });
  }
  /// What opening and checking complains of after a change.
  std::string with(const std::function<void(Parts&)>& change) const {
    Parts parts;
    change(parts);
    const std::string path = files_.path("w.events");
    parts.write(path);
    std::string what = complaint([&] {
      const EventStore store = open_store(path);
      store.events.check(0, store.events.size());
    });
    if (!what.empty()) {
      EXPECT_SAYS(what, path);
    }
    return what;
  }
  OwnFiles files_;
};

TEST_F(WrongStore, IsFineWithoutAChange) {
  EXPECT_EQ(with([](Parts&) {}), "");
}

TEST_F(WrongStore, HasCodesWithoutAName) {
  for (const int32_t code : {2, -1, INT32_MAX, INT32_MIN}) {
    EXPECT_SAYS(with([&](Parts& parts) { parts.codes["event.codes"][2] = code; }),
                "'event.codes' has the code " + std::to_string(code) + ", but there are 2 names");
  }
  EXPECT_SAYS(with([](Parts& parts) { parts.part[1] = 3; }), "'part' has an unknown code");
  EXPECT_SAYS(with([](Parts& parts) {
                parts.json["label"] = "class";
                parts.codes["label.codes"] = {0, 7};
                parts.whole["label.names.offsets"] = {0, 1};
                parts.text["label.names.bytes"] = "x";
              }),
              "'label.codes' has the code 7, but there are 1 names");
}

TEST_F(WrongStore, HasOffsetsThatAreNone) {
  const std::vector<std::vector<int64_t>> bad = {{0, 2, 4}, {1, 2, 3}, {0, 5, 3}, {0, -1, 3}, {}, {0, 2}};
  for (const auto& offsets : bad) {
    EXPECT_SAYS(with([&](Parts& parts) { parts.whole["offsets"] = offsets; }),
                "'offsets' does not rise from 0 to 3");
  }
  EXPECT_SAYS(with([](Parts& parts) { parts.whole["offsets"] = {0, 3, 3}; }), "a sequence without one");
  EXPECT_SAYS(with([](Parts& parts) {
                parts.whole["offsets"] = {0};
                parts.whole["ticks"] = {};
              }),
              "it has no event");
  EXPECT_SAYS(with([](Parts& parts) {
                parts.whole["ids.offsets"] = {0, 1, 3};
              }),
              "'ids.offsets' does not rise");
  EXPECT_SAYS(with([](Parts& parts) {
                parts.whole["ids.offsets"] = {0, 2};
              }),
              "'ids.offsets' has 2 entries, not 3");
  EXPECT_SAYS(with([](Parts& parts) {
                parts.whole["event.names.offsets"] = {0, 3, 2};
              }),
              "'event.names.offsets' does not rise");
}

TEST_F(WrongStore, HasTimesThatRunBackwards) {
  EXPECT_SAYS(with([](Parts& parts) {
                parts.whole["ticks"] = {20, 10, 5};
              }),
              "'ticks' run backwards within a sequence at event 1");
  EXPECT_EQ(with([](Parts& parts) { parts.whole["ticks"] = {20, 20, -5}; }), "");
}

TEST_F(WrongStore, HasColumnsOfAnotherSizeOrType) {
  EXPECT_SAYS(with([](Parts& parts) { parts.codes["event.codes"].pop_back(); }),
              "'event.codes' has 2 entries, not 3");
  EXPECT_SAYS(with([](Parts& parts) { parts.numbers["sequence_numbers.0"].push_back(1); }),
              "'sequence_numbers.0' has 3 entries, not 2");
  EXPECT_SAYS(with([](Parts& parts) { parts.part.push_back(0); }), "'part' has 3 entries, not 2");
  EXPECT_SAYS(with([](Parts& parts) { parts.json["value"] = "v"; }), "tensor 'value' is missing");
  EXPECT_SAYS(with([](Parts& parts) {
                parts.json["value"] = "v";
                parts.codes["value"] = {1, 2, 3};
              }),
              "tensor 'value' is of I32, but F64 is needed");
}

TEST_F(WrongStore, HasPiecesOutsideTheirSequence) {
  const std::vector<std::vector<int64_t>> bad = {
      {2, 0, 2, 0}, {-1, 0, 2, 0}, {0, -1, 2, 0},        {0, 0, 3, 0}, {0, 1, 1, 1},        {0, 2, 0, 1},
      {0, 0, 2, 2}, {0, 1, 2, 0},  {0, 0, 2, INT64_MIN}, {1, 0, 1, 0}, {INT64_MAX, 0, 2, 0}};
  for (const auto& piece : bad) {
    EXPECT_SAYS(with([&](Parts& parts) { parts.whole["split.train"] = piece; }),
                "'split.train' has a piece that is not within its sequence");
  }
  EXPECT_SAYS(with([](Parts& parts) { parts.columns = 2; }), "has not 4 numbers for each piece");
  EXPECT_SAYS(with([](Parts& parts) { parts.whole.erase("split.valid"); }),
              "tensor 'split.valid' is missing");
}

TEST_F(WrongStore, LacksAFieldOfItsDescription) {
  for (const char* field : {"numbers", "categories", "sequence_numbers", "sequence_categories", "instants",
                            "decimals", "unit", "origin", "origin_tick", "grid", "provenance"}) {
    const std::string missing =
        "the field '" + std::string(field) + "' of its description is missing or of another type";
    EXPECT_SAYS(with([&](Parts& parts) { parts.json.erase(field); }), missing);
    EXPECT_SAYS(with([&](Parts& parts) { parts.json[field] = Json::object(); }), missing);
  }
  EXPECT_SAYS(with([](Parts& parts) { parts.json = "[1]"; }), "its description is not a JSON object");
  EXPECT_SAYS(with([](Parts& parts) { parts.json = "{"; }), "its description is not a JSON object");
}

TEST_F(WrongStore, HasTimesThatCannotBe) {
  EXPECT_SAYS(with([](Parts& parts) { parts.json["unit"] = "1"; }), "unknown unit '1'");
  EXPECT_SAYS(with([](Parts& parts) { parts.json["origin"] = "noon"; }), "unknown origin");
  EXPECT_SAYS(with([](Parts& parts) { parts.json["decimals"] = 3; }), "its times have 3 decimals");
  EXPECT_SAYS(with([](Parts& parts) { parts.json["grid"] = -1; }), "the grid of its times is -1");
  EXPECT_SAYS(with([](Parts& parts) { parts.json["seconds"] = 1; }),
              "the field 'seconds' of its description");
  for (const int decimals : {-1, 19, 400}) {
    EXPECT_SAYS(with([&](Parts& parts) {
                  parts.json["instants"] = false;
                  parts.json["unit"] = "1";
                  parts.json["decimals"] = decimals;
                }),
                "decimals, which cannot be");
  }
}

TEST_F(WrongStore, HasAnEncodingThatIsNone) {
  EXPECT_SAYS(with([](Parts& parts) { parts.encoding = "{"; }), "the encoding cannot be read");
  EXPECT_SAYS(with([](Parts& parts) { parts.encoding = "{}"; }), "the encoding cannot be read");
}

TEST_F(WrongStore, IsOfAnotherKind) {
  EXPECT_SAYS(with([](Parts& parts) { parts.kind = "model"; }), "this is a model, not an event store");
  EXPECT_SAYS(error(files_.write("t.csv", "user,time\na,1\n")), "not a file that time2vec wrote");
  EXPECT_SAYS(error(files_.path("none")), files_.path("none"));
  ContainerWriter("events").write(FileSystem::real(), files_.path("e"));
  EXPECT_SAYS(error(files_.path("e")), "metadata 'events' is missing");
}

}  // namespace
}  // namespace t2v::data
