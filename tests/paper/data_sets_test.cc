#include "paper/data_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "t2v/error.h"

namespace t2v::paper {
namespace {

namespace fs = std::filesystem;

std::string big_endian(uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xFF);
  return bytes;
}

class DataSets : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "t2v_sets_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  void put(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  /// So many images of one row and four columns, the second and the fourth bright.
  void put_images(const std::string& part, uint32_t count) const {
    std::string images = big_endian(2051) + big_endian(count) + big_endian(1) + big_endian(4);
    std::string labels = big_endian(2049) + big_endian(count);
    for (uint32_t i = 0; i < count; ++i) {
      images += std::string("\0\xFF\0\xFF", 4);
      labels += static_cast<char>(i % 10);
    }
    put("mnist/" + part + "-images-idx3-ubyte", images);
    put("mnist/" + part + "-labels-idx1-ubyte", labels);
  }
  void put_badges() const {
    for (const char* part : {"train", "test"}) {
      put(std::string("badges/event-1-") + part + ".txt", "1 2 1\n2 2\n");
      put(std::string("badges/time-1-") + part + ".txt",
          "1325376000 1325376010 1325462400\n1325376000 1325462400\n");
    }
  }
  static std::string message(DataShelf& shelf, const DataRequest& request) {
    try {
      shelf.load(request);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
};

TEST_F(DataSets, AreFoundUnderTheirNamesAndSeenAsAsked) {
  put_images("train", 30);
  put_images("t10k", 20);
  DataShelf shelf(folder_.string(), {});
  EXPECT_EQ(shelf.find("mnist"), (folder_ / "mnist").string());
  EXPECT_EQ(shelf.find("spikes"), std::nullopt);
  const LoadedData& shifted = shelf.load({.set = "mnist"});
  EXPECT_EQ(shifted.store.split->train.size(), 30U);
  EXPECT_EQ(shifted.store.split->test.size(), 20U);
  EXPECT_EQ(shifted.store.events.time(0, 1), 2);
  EXPECT_EQ(shifted.about.at("kind"), "stand-in");  // the original has 60,000 images
  EXPECT_TRUE(shifted.about.at("note").get<std::string>().starts_with("mnist: learned from 30 sequences"))
      << "named after its folder";
  EXPECT_EQ(shelf.load({.set = "mnist", .shift = false}).store.events.time(0, 1), 3);
  EXPECT_EQ(shelf.load({.set = "mnist", .unit_length = 4}).store.events.time(0, 1), 0.5);
}

TEST_F(DataSets, AreDrawnFromOnceForAll) {
  put_images("train", 30);
  put_images("t10k", 20);
  DataShelf shelf(folder_.string(), {});
  const data::Split some = *shelf.load({.set = "mnist", .train = 10, .test = 5}).store.split;
  EXPECT_EQ(some.train.size(), 10U);
  EXPECT_EQ(some.test.size(), 5U);
  shelf.load({.set = "mnist"});
  EXPECT_EQ(shelf.load({.set = "mnist", .train = 10, .test = 5}).store.split->train, some.train);
  EXPECT_NE(some.train[9].sequence, 9);  // not just the first
  EXPECT_TRUE(std::ranges::is_sorted(some.train, {}, &data::Piece::sequence));
}

TEST_F(DataSets, MayLieWhereAPathSays) {
  put_badges();
  DataShelf shelf("nowhere", {{"stackoverflow", (folder_ / "badges").string()}});
  EXPECT_EQ(shelf.load({.set = "stackoverflow", .unit = "d"}).store.events.time(0, 2), 1);
  EXPECT_EQ(shelf.load({.set = "stackoverflow", .unit = "s"}).store.events.time(0, 2), 86400);
}

TEST_F(DataSets, AreToldFromThePapersByHowManyThereAre) {
  const auto kind = [&](int train, int test) {
    const auto lines = [](int count, const char* line) {
      std::string text;
      for (int i = 0; i < count; ++i) text += line;
      return text;
    };
    for (const auto& [part, count] : {std::pair{"train", train}, std::pair{"test", test}}) {
      put(std::string("stackoverflow/event-1-") + part + ".txt", lines(count, "1 2\n"));
      put(std::string("stackoverflow/time-1-") + part + ".txt", lines(count, "1325376000 1325376010\n"));
    }
    return DataShelf(folder_.string(), {}).load({.set = "stackoverflow", .unit = "d"}).about.at("kind");
  };
  EXPECT_EQ(kind(5307, 1326), "original");
  EXPECT_EQ(kind(3842, 1326), "part");
  EXPECT_EQ(kind(5307, 1325), "stand-in");
  kind(5307, 1326);
  DataShelf shelf(folder_.string(), {});
  EXPECT_EQ(shelf.load({.set = "stackoverflow", .train = 100}).about.at("kind"), "part") << "what is used";
}

TEST_F(DataSets, AreNotThereWhereTheirFoldersAreEmptyOrLackAFile) {
  for (const DataSet& set : data_sets()) {
    std::filesystem::create_directories(folder_ / "bare" / set.name);
    const std::string path = (folder_ / "bare" / set.name).string();
    EXPECT_FALSE(DataShelf((folder_ / "bare").string(), {}).find(set.name)) << set.name;
    EXPECT_THROW(DataShelf("nowhere", {{std::string(set.name), path}}).find(set.name), Error) << set.name;
  }
  put_badges();
  const DataShelf shelf("nowhere", {{"stackoverflow", (folder_ / "badges").string()}});
  EXPECT_TRUE(shelf.find("stackoverflow"));
  std::filesystem::remove(folder_ / "badges" / "time-1-test.txt");
  EXPECT_THROW(shelf.find("stackoverflow"), Error);
}

TEST_F(DataSets, AreMissedInWordsThatSayWhereAndWhatToDo) {
  DataShelf shelf(folder_.string(), {{"spikes", "nowhere"}});
  EXPECT_NE(message(shelf, {.set = "mnist"}).find("scripts/fetch-mnist"), std::string::npos);
  EXPECT_NE(message(shelf, {.set = "mnist"}).find((folder_ / "mnist").string()), std::string::npos);
  EXPECT_NE(message(shelf, {.set = "spikes"}).find("nowhere: there is no such file"), std::string::npos);
  EXPECT_THROW(data_set("minst"), Error);
}

TEST_F(DataSets, AreMadeInTheFormOfEach) {
  DataShelf shelf("nowhere", {});
  for (const char* form : {"raw", "binned", "times"}) {
    const LoadedData& spikes = shelf.load({.set = "spikes", .form = form, .made = true});
    EXPECT_EQ(spikes.about.at("kind"), "invented");
    EXPECT_EQ(spikes.store.events.event.has_value(), std::string(form) == "raw");
    EXPECT_EQ(spikes.store.events.numbers.size(), std::string(form) == "binned" ? 64U : 0U);
    EXPECT_TRUE(spikes.store.events.label.has_value());
  }
  const LoadedData& badges = shelf.load({.set = "stackoverflow", .unit = "d", .made = true});
  EXPECT_EQ(badges.store.events.event->names.size(), 22);
  EXPECT_EQ(badges.store.events.view.unit, "d");
  EXPECT_FALSE(badges.store.events.label.has_value());
}

}  // namespace
}  // namespace t2v::paper
