// Messages of Protocol Buffers, against the examples of its documentation and read back.
#include "export/protobuf.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "proto_reader.h"

namespace t2v::onnx {
namespace {

using testing::ProtoReader;
using namespace std::string_literals;

TEST(ProtoMessage, WritesIntegersInAsFewBytesAsTheyNeed) {
  ProtoMessage message;
  message.add_int(1, 150);
  EXPECT_EQ(message.bytes(), "\x08\x96\x01"s);
  message.add_int(1, 0);
  message.add_int(1, 127);
  EXPECT_EQ(message.bytes(), "\x08\x96\x01\x08\x00\x08\x7f"s);
}

TEST(ProtoMessage, WritesNegativeIntegersInTenBytes) {
  ProtoMessage message;
  message.add_int(3, -1);
  EXPECT_EQ(message.bytes(), "\x18"s + std::string(9, '\xff') + "\x01");
}

TEST(ProtoMessage, WritesTextAfterItsLength) {
  ProtoMessage message;
  message.add_bytes(2, "testing");
  EXPECT_EQ(message.bytes(), "\x12\x07testing"s);
}

TEST(ProtoMessage, WritesMessagesWithinMessages) {
  ProtoMessage inner;
  inner.add_int(1, 150);
  ProtoMessage outer;
  outer.add_message(3, inner);
  outer.add_message(3, ProtoMessage());
  EXPECT_EQ(outer.bytes(), "\x1a\x03\x08\x96\x01\x1a\x00"s);
}

TEST(ProtoMessage, WritesNumbersOfFieldsAbove15InTwoBytes) {
  ProtoMessage message;
  message.add_int(20, 2);
  EXPECT_EQ(message.bytes(), "\xa0\x01\x02"s);
}

TEST(ProtoMessage, IsReadBackForAllSizes) {
  ProtoMessage message;
  const std::vector<int64_t> numbers = {
      0, 1, 127, 128, 16383, 16384, std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()};
  for (const int64_t number : numbers) message.add_int(7, number);
  const std::string text(100'000, 'x');
  message.add_bytes(8, text);
  const ProtoReader read(message.bytes());
  ASSERT_EQ(read.fields().size(), numbers.size() + 1);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(static_cast<int64_t>(read.fields()[i].integer), numbers[i]);
  }
  EXPECT_EQ(read.text(8), text);
}

}  // namespace
}  // namespace t2v::onnx
