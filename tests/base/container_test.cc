#include "base/container.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/version.h"
#include "container_files.h"

namespace t2v {
namespace {

constexpr std::size_t kMebi = 1 << 20;

template <class T>
std::vector<T> vector_of(std::span<const T> span) {
  return {span.begin(), span.end()};
}

TEST_F(ContainerFiles, GiveBackTensorsOfEveryType) {
  const std::vector<double> f64 = {0.1, -1e300};
  const std::vector<float> f32 = {0.5F};
  const std::vector<int64_t> i64 = {INT64_MIN, INT64_MAX, 0};
  const std::vector<uint64_t> u64 = {UINT64_MAX};
  const std::vector<int32_t> i32 = {INT32_MIN, 1};
  const std::vector<uint32_t> u32 = {UINT32_MAX};
  const std::vector<int16_t> i16 = {INT16_MIN, 2, 3};
  const std::vector<uint16_t> u16 = {UINT16_MAX};
  const std::vector<int8_t> i8 = {-128, 127, 1};
  const std::vector<uint8_t> u8 = {0, 255};
  const std::vector<std::byte> plain = {std::byte{7}};
  const std::string text = "Größe";
  const bool flags[] = {true, false, true};
  ContainerWriter writer("test");
  writer.add<bool>("flags", flags);
  writer.add<char>("text", text);
  writer.add<std::byte>("plain", plain);
  writer.add<uint8_t>("u8", u8);
  writer.add<int8_t>("i8", i8);
  writer.add<uint16_t>("u16", u16);
  writer.add<int16_t>("i16", i16);
  writer.add<uint32_t>("u32", u32);
  writer.add<int32_t>("i32", i32);
  writer.add<uint64_t>("u64", u64);
  writer.add<int64_t>("i64", i64);
  writer.add<float>("f32", f32);
  writer.add<double>("f64", f64);
  written(writer);

  const Container file = Container::open(path("a"), "test");
  file.verify();
  EXPECT_EQ(vector_of(file.tensor<double>("f64")), f64);
  EXPECT_EQ(vector_of(file.tensor<float>("f32")), f32);
  EXPECT_EQ(vector_of(file.tensor<int64_t>("i64")), i64);
  EXPECT_EQ(vector_of(file.tensor<uint64_t>("u64")), u64);
  EXPECT_EQ(vector_of(file.tensor<int32_t>("i32")), i32);
  EXPECT_EQ(vector_of(file.tensor<uint32_t>("u32")), u32);
  EXPECT_EQ(vector_of(file.tensor<int16_t>("i16")), i16);
  EXPECT_EQ(vector_of(file.tensor<uint16_t>("u16")), u16);
  EXPECT_EQ(vector_of(file.tensor<int8_t>("i8")), i8);
  EXPECT_EQ(vector_of(file.tensor<uint8_t>("u8")), u8);
  EXPECT_EQ(vector_of(file.tensor<std::byte>("plain")), plain);
  const auto chars = file.tensor<char>("text");
  EXPECT_EQ(std::string(chars.begin(), chars.end()), text);
  EXPECT_EQ(vector_of(file.tensor<bool>("flags")), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(file.dtype("text"), Dtype::kU8);
  EXPECT_EQ(file.shape("i64"), std::vector<int64_t>{3});
  for (const std::string& name : file.names()) EXPECT_TRUE(file.has(name));
  EXPECT_EQ(file.names().size(), 13U);
  EXPECT_FALSE(file.has("no"));
}

TEST_F(ContainerFiles, GiveBackShapesAlsoOfNoElementAndOfNoDimension) {
  const std::vector<float> six = {1, 2, 3, 4, 5, 6};
  ContainerWriter writer("test");
  writer.add<float>("matrix", six, {2, 3});
  writer.add<float>("number", std::span(six).first(1), {});
  writer.add<float>("none", {});
  writer.add<double>("rows", {}, {0, 5});
  written(writer);
  const Container file = Container::open(path("a"));
  file.verify();
  EXPECT_EQ(file.shape("matrix"), (std::vector<int64_t>{2, 3}));
  EXPECT_TRUE(file.shape("number").empty());
  EXPECT_EQ(vector_of(file.tensor<float>("number")), std::vector<float>{1});
  EXPECT_EQ(file.shape("none"), std::vector<int64_t>{0});
  EXPECT_TRUE(file.tensor<float>("none").empty());
  EXPECT_EQ(file.shape("rows"), (std::vector<int64_t>{0, 5}));
  EXPECT_TRUE(file.tensor<double>("rows").empty());
}

TEST_F(ContainerFiles, MayHaveNoTensorAtAll) {
  const ContainerWriter writer("test");
  EXPECT_EQ(written(writer).size() % 64, 0U);
  const Container file = Container::open(path("a"));
  file.verify();
  EXPECT_TRUE(file.names().empty());
  EXPECT_EQ(file.get("t2v.blocks"), "");
}

TEST_F(ContainerFiles, GiveBackMetadata) {
  const std::string odd = "\"t2v.header\":\"0000000000000000\" \\ \n\t\x01 äöü 🙂";
  ContainerWriter writer("model");
  writer.set("unit", "s");
  writer.set("odd", odd);
  writer.set(odd, "");
  written(writer);
  const Container file = Container::open(path("a"));
  EXPECT_EQ(file.path(), path("a"));
  EXPECT_EQ(file.kind(), "model");
  EXPECT_EQ(file.get("unit"), "s");
  EXPECT_EQ(file.get("odd"), odd);
  EXPECT_EQ(file.get(odd), "");
  EXPECT_EQ(file.find("unit"), "s");
  EXPECT_EQ(file.find("no"), std::nullopt);
  EXPECT_EQ(file.get("t2v.format"), "2");
  EXPECT_EQ(file.get("t2v.version"), kVersion);
  EXPECT_EQ(file.metadata().size(), 8U);
  EXPECT_EQ(error_of([&] { file.get("no"); }),
            path("a") + ": metadata 'no' is missing; write the file again");
}

TEST_F(ContainerFiles, ExplainWhyATensorCannotBeHad) {
  ContainerWriter writer("test");
  const std::vector<float> one = {1};
  writer.add<float>("x", one);
  written(writer);
  const Container file = Container::open(path("a"));
  EXPECT_EQ(error_of([&] { file.tensor<float>("y"); }),
            path("a") + ": tensor 'y' is missing; write the file again");
  EXPECT_EQ(error_of([&] { file.shape("y"); }), path("a") + ": tensor 'y' is missing; write the file again");
  EXPECT_EQ(error_of([&] { file.tensor<double>("x"); }),
            path("a") + ": tensor 'x' is of F32, but F64 is needed; write the file again");
}

/// A file of five blocks: `first` is block 0, `second` 1 to 3, `third` 3 and 4.
class LargeContainer : public ContainerFiles {
 protected:
  void SetUp() override {
    ContainerFiles::SetUp();
    ContainerWriter writer("test");
    writer.add<int64_t>("first", std::span(numbers_).first(kMebi / 8));
    writer.add<int64_t>("second", std::span(numbers_).subspan(kMebi / 8, kMebi / 8 * 5 / 2));
    writer.add<uint8_t>("third", bytes_);
    writer.write(FileSystem::real(), path("a"));
    payload_ = fs::file_size(path("a")) - kMebi * 7 / 2 - bytes_.size();
  }
  /// Writes another byte there.
  void spoil(std::size_t at) const {
    std::fstream file(path("a"), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at)).put('?');
  }
  std::vector<int64_t> numbers_ = std::vector<int64_t>(kMebi / 8 * 7 / 2, 5);
  std::vector<uint8_t> bytes_ = std::vector<uint8_t>(kMebi, 6);
  std::size_t payload_ = 0;  // where it starts
};

TEST_F(LargeContainer, IsRightWholeAndAcrossBlocks) {
  const Container file = Container::open(path("a"));
  EXPECT_EQ(file.get("t2v.blocks").size(), 5 * 16U);
  file.verify();
  EXPECT_EQ(file.tensor<int64_t>("second").size(), kMebi / 8 * 5 / 2);
  EXPECT_EQ(vector_of(file.tensor<uint8_t>("third")), bytes_);
}

TEST_F(LargeContainer, ChecksABlockWhenATensorInItIsAskedFor) {
  spoil(payload_ + 3 * kMebi + kMebi * 3 / 4);  // of `third`
  const Container file = Container::open(path("a"));
  EXPECT_EQ(file.tensor<int64_t>("first").front(), 5);
  const std::string range = "block 3 (bytes [" + std::to_string(payload_ + 3 * kMebi) + ", " +
                            std::to_string(payload_ + 4 * kMebi) + ") of the file) has the checksum ";
  for (int again = 0; again < 2; ++again) {
    const std::string what = error_of([&] { file.tensor<uint8_t>("third"); });
    expect_contains(what, path("a") + ": tensor 'third': " + range);
    expect_contains(what, " was written" + kRestore);
    expect_contains(error_of([&] { file.tensor<int64_t>("second"); }), ": tensor 'second': " + range);
    expect_contains(error_of([&] { file.verify(); }), ": tensor 'second': " + range);
  }
}

TEST_F(LargeContainer, ChecksEachBlockOnceAndForItself) {
  const Container file = Container::open(path("a"));
  file.tensor<uint8_t>("third");
  const fs::file_time_type before = fs::last_write_time(path("a"));
  for (const std::size_t block : {0, 3, 4}) spoil(payload_ + block * kMebi + kMebi / 2 - 1);
  fs::last_write_time(path("a"), before);  // by which a change would be seen first
  EXPECT_EQ(file.tensor<uint8_t>("third").back(), '?');
  expect_contains(error_of([&] { file.tensor<int64_t>("first"); }), "tensor 'first': block 0 ");
}

TEST_F(LargeContainer, ShowsDamageInTheLastBlockWhichIsShort) {
  spoil(payload_ + 4 * kMebi + kMebi / 2 - 1);
  const Container file = Container::open(path("a"));
  file.tensor<int64_t>("second");
  expect_contains(error_of([&] { file.tensor<uint8_t>("third"); }),
                  "block 4 (bytes [" + std::to_string(payload_ + 4 * kMebi) + ", " +
                      std::to_string(payload_ + 4 * kMebi + kMebi / 2) + ")");
}

TEST_F(LargeContainer, ReportsThatTheFileBecameShorter) {
  const Container file = Container::open(path("a"));
  file.tensor<int64_t>("first");
  fs::resize_file(path("a"), payload_ + 2 * kMebi);
  expect_contains(error_of([&] { file.tensor<uint8_t>("third"); }), "became shorter while it was read");
  expect_contains(error_of([&] { file.check_intact(); }), "became shorter while it was read");
  EXPECT_EQ(file.tensor<int64_t>("first").front(), 5);
}

TEST_F(LargeContainer, IsReadByManyThreadsAtOnce) {
  const Container file = Container::open(path("a"));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      EXPECT_EQ(file.tensor<uint8_t>("third").back(), 6);
      EXPECT_EQ(file.tensor<int64_t>("second").front(), 5);
      file.verify();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(LargeContainer, MovesWithItsSpansIntact) {
  Container first = Container::open(path("a"));
  const auto span = first.tensor<int64_t>("first");
  const Container second = std::move(first);
  EXPECT_EQ(span.front(), 5);
  EXPECT_EQ(second.tensor<int64_t>("first").data(), span.data());
}

TEST_F(LargeContainer, IsReplacedWhileItIsRead) {
  const Container old = Container::open(path("a"));
  written(small_writer());
  EXPECT_EQ(old.tensor<uint8_t>("third").back(), 6);
  old.verify();
  EXPECT_EQ(Container::open(path("a")).get("unit"), "s");
}

}  // namespace
}  // namespace t2v
