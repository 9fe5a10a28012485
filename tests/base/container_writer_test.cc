#include "base/container_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "container_files.h"

namespace t2v {
namespace {

TEST_F(ContainerFiles, LayTensorsOutBySizeOfElementAndAlignThem) {
  const std::vector<double> f64 = {1};
  const std::vector<float> f32 = {1, 2, 3};
  ContainerWriter writer("test");
  writer.add<char>("a", std::string_view("xyz"));
  writer.add<float>("b", f32);
  writer.add<double>("c", f64);
  writer.add<float>("d", f32);
  written(writer);
  const Container file = Container::open(path("a"));
  EXPECT_EQ(file.names(), (std::vector<std::string>{"c", "b", "d", "a"}));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(file.tensor<double>("c").data()) % 64, 0U);
  EXPECT_EQ(file.tensor<float>("d").data(), file.tensor<float>("b").data() + 3);
}

TEST_F(ContainerFiles, HaveTheSameBytesForTheSameContents) {
  const auto make = [] {
    ContainerWriter writer("test");
    writer.set("b", "1");
    writer.set("a", "2");
    writer.add<char>("x", std::string_view("abc"));
    return writer;
  };
  EXPECT_EQ(written(make(), "a"), written(make(), "b"));
}

TEST(ContainerWriterErrors, SayWhatIsWrong) {
  ContainerWriter writer("test");
  const std::vector<float> one = {1};
  writer.add<float>("x", one);
  writer.set("a", "b");
  EXPECT_EQ(error_of([&] { writer.add<float>("x", one); }), "tensor 'x': the name is taken; use another");
  EXPECT_EQ(error_of([&] { writer.add<float>("__metadata__", one); }),
            "tensor '__metadata__': the name is taken; use another");
  EXPECT_EQ(error_of([&] {
              writer.add<float>("y", one, {2, 3});
            }),
            "tensor 'y': the shape 2 x 3 x F32 does not have the 4 bytes that are given; correct it");
  EXPECT_NE(error_of([&] { writer.add<float>("y", one, {-1, -1}); }), "");
  EXPECT_EQ(error_of([&] { writer.set("a", "c"); }), "metadata 'a' is set twice; set it once");
  EXPECT_EQ(error_of([&] { writer.set("t2v.kind", "c"); }),
            "metadata 't2v.kind': keys with 't2v.' belong to the format; use another");
}

TEST_F(ContainerFiles, AreNotWrittenWithTextThatIsNotUtf8) {
  ContainerWriter writer("test");
  writer.set("key", "a\xff");
  EXPECT_EQ(error_of([&] { writer.write(FileSystem::real(), path("a")); }),
            "'a\\xff' is not valid UTF-8; use UTF-8 for names and values");
  EXPECT_TRUE(names().empty());
}

TEST_F(ContainerFiles, KeepTheirOldContentsAndLeaveNoOtherFileWhenTheDiskFails) {
  const std::string old = written(small_writer());
  bool finished = false;
  for (int64_t operations = 0; !finished; ++operations) {
    ASSERT_LT(operations, 100);
    FaultyDisk disk;
    disk.operations_left = operations;
    disk.write_at_most = 100;
    ContainerWriter writer = small_writer();
    writer.set("new", "yes");
    finished = error_of([&] { writer.write(disk, path("a")); }).empty();
    const Container file = Container::open(path("a"));
    file.verify();
    if (finished) {
      EXPECT_TRUE(file.find("new"));
    }
    EXPECT_EQ(disk.open_files, 0);
  }
  for (const std::string operation : {"create", "write", "sync", "close", "rename"}) {
    put(path("a"), old);
    FaultyDisk disk;
    disk.fault[operation] = ENOSPC;
    ContainerWriter writer = small_writer();
    writer.set("new", "yes");
    expect_contains(error_of([&] { writer.write(disk, path("a")); }), "No space left on device");
    EXPECT_EQ(get(path("a")), old);
    EXPECT_EQ(names(), std::vector<std::string>{"a"}) << operation;
  }
}

TEST_F(ContainerFiles, AreWrittenWithoutACopyOfTheirTensors) {
  const std::vector<double> numbers(1000, 1.5);
  ContainerWriter writer("test");
  writer.add<double>("x", numbers);
  FaultyDisk disk;
  writer.write(disk, path("a"));
  EXPECT_EQ(std::count(disk.log.begin(), disk.log.end(), "write"), 3);  // length, header, the tensor itself
}

}  // namespace
}  // namespace t2v
