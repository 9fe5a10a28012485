// Headers that have more of something than any file needs.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/container_mutation.h"
#include "base/twin_disk.h"
#include "container_files.h"

namespace t2v {
namespace {

const std::string kStart =
    R"({"__metadata__":{"t2v.header":"0000000000000000","t2v.blocks":"","t2v.format":"1","t2v.kind":"test",)"
    R"("t2v.version":"0")";

/// What is said of a header that goes on so behind the metadata of the format.
std::string error_with(const std::string& rest) {
  return error_of_bytes(ContainerMutation::sealed(kStart + rest));
}

/// ,"a0":X,"a1":X, ...
std::string entries(std::size_t count, const std::string& value) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += ",\"a" + std::to_string(i) + "\":" + value;
  return text;
}

const std::string kEmpty = R"({"dtype":"U8","shape":[0],"data_offsets":[0,0]})";

std::string of_shape(int dimensions) {
  std::string shape = "0";
  for (int i = 1; i < dimensions; ++i) shape += ",1";
  return R"(},"a":{"dtype":"U8","shape":[)" + shape + R"(],"data_offsets":[0,0]}})";
}

TEST(ContainerLimits, AreReachedAndNotPassed) {
  const std::string more = "f: the header has more than ";
  EXPECT_EQ(error_with("}" + entries(16'384, kEmpty) + "}"), "");
  EXPECT_EQ(error_with("}" + entries(16'385, kEmpty) + "}"), more + "16384 tensors" + kRestore);
  EXPECT_EQ(error_with(entries(1'019, "\"\"") + "}}"), "");
  EXPECT_EQ(error_with(entries(1'020, "\"\"") + "}}"), more + "1024 keys of metadata" + kRestore);
  EXPECT_EQ(error_with(of_shape(16)), "");
  EXPECT_EQ(error_with(of_shape(17)), more + "16 numbers in a list" + kRestore);
  EXPECT_EQ(error_with("},\"a\":{\"dtype\":\"U8\"" + entries(16, "0") + "}}"),
            more + "16 fields of a tensor" + kRestore);
}

TEST(ContainerLimits, HoldForAHeaderWithoutAPayload) {
  const auto with_key = [](std::size_t bytes) {
    return error_with(R"(,"x":")" + std::string(bytes, 'x') + "\"}}");
  };
  EXPECT_EQ(with_key(4 << 20),
            "f: the first 8 bytes announce a header of 4194488 bytes for a payload of 0; it is damaged, "
            "or not a file that time2vec wrote");
  EXPECT_EQ(with_key((4 << 20) - 1000), "");
}

TEST(ContainerLimits, HoldForTheWriter) {
  TwinDisk disk;
  const std::vector<uint8_t> none;
  const auto written = [&](const ContainerWriter& writer) {
    return error_of([&] { writer.write(disk, "/d/a"); });
  };
  ContainerWriter deep("test");
  deep.add<uint8_t>("a", none, std::vector<int64_t>(17, 0));
  EXPECT_EQ(written(deep), "17 dimensions, more than the 16 that a file has; store less in one file");
  ContainerWriter keys("test");
  for (int i = 0; i < 1'019; ++i) keys.set(std::to_string(i), "");
  EXPECT_EQ(written(keys), "");
  keys.set("more", "");
  EXPECT_EQ(written(keys),
            "1025 keys of metadata, more than the 1024 that a file has; store less in one file");
  ContainerWriter large("test");
  large.set("x", std::string(5 << 20, 'x'));
  expect_contains(written(large), "bytes of names and metadata, more than the 4194304 that a file has");
  const std::vector<uint8_t> payload(1 << 20);
  large.add<uint8_t>("a", payload);
  large.add<uint8_t>("b", payload);
  EXPECT_EQ(written(large), "");
  Container::open("/d/a", "test", disk).verify();
}

}  // namespace
}  // namespace t2v
