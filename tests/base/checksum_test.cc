#include "base/checksum.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace t2v {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string counted(std::size_t size) {
  std::string text(size, ' ');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i % 251);
  return text;
}

// The values are those of Python's xxhash.xxh3_64.
TEST(Checksum, IsXxh3) {
  EXPECT_EQ(checksum_text(checksum(bytes_of(""))), "2d06800538d394c2");
  EXPECT_EQ(checksum_text(checksum(bytes_of("time2vec"))), "a38be0dd19531d70");
  EXPECT_EQ(checksum_text(checksum(bytes_of(counted(1000)))), "33ef703fb2b20ed1");
}

TEST(Checksum, OfPiecesIsThatOfTheWhole) {
  const std::string text = counted(1000);
  const auto all = bytes_of(text);
  for (const std::size_t cut : {0, 1, 64, 255, 256, 257, 999, 1000}) {
    const std::array<std::span<const std::byte>, 3> pieces = {all.first(cut), {}, all.subspan(cut)};
    EXPECT_EQ(checksum(pieces), checksum(all)) << cut;
  }
  const std::vector<std::span<const std::byte>> one = {all};
  EXPECT_EQ(checksum(one), checksum(all));
  const std::vector<std::span<const std::byte>> none;
  EXPECT_EQ(checksum(none), checksum(bytes_of("")));
}

TEST(Checksum, GoesToTextAndBack) {
  for (const uint64_t sum : {uint64_t{0}, uint64_t{1}, uint64_t{0x0123456789abcdef}, UINT64_MAX}) {
    EXPECT_EQ(parse_checksum(checksum_text(sum)), sum);
  }
  EXPECT_EQ(checksum_text(0xabc), "0000000000000abc");
}

TEST(Checksum, IsNotReadFromOtherText) {
  for (const char* text : {"", "0", "000000000000000", "00000000000000000", "000000000000000A",
                           "000000000000000g", "000000000000000:", "000000000000000/", "000000000000000`",
                           " 00000000000000a", "0x00000000000000", "-000000000000001"}) {
    EXPECT_EQ(parse_checksum(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace t2v
