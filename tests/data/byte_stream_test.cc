#include "data/byte_stream.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <vector>

#include "base/random.h"
#include "data/compressed.h"
#include "t2v/error.h"

namespace t2v::data {
namespace {

class ByteStreamTest : public ::testing::Test {
 protected:
  std::string folder_ = ::testing::TempDir() + "byte_stream_" + std::to_string(getpid());
  void SetUp() override { ASSERT_EQ(std::system(("mkdir -p " + folder_).c_str()), 0); }
  void TearDown() override { ASSERT_EQ(std::system(("rm -r " + folder_).c_str()), 0); }

  std::string write(const std::string& name, const std::string& bytes) const {
    std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
};

/// Text that compresses somewhat, of about so many bytes.
std::string made_text(std::size_t size) {
  Random random(1);
  std::string text;
  while (text.size() < size) text += std::to_string(random.below(1000)) + ",event\n";
  return text;
}

std::string read_all(const std::string& path, std::size_t piece) {
  const auto stream = open_stream(path);
  std::string text;
  std::vector<char> buffer(piece);
  for (;;) {
    const int64_t count = stream->read(buffer);
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (count < static_cast<int64_t>(piece)) return text;
  }
}

std::string error_of(const std::string& path) {
  try {
    read_all(path, 4096);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(ByteStreamTest, GivesTheSameBytesPlainOrCompressedInPiecesOfAnySize) {
  const std::string text = made_text(700000);
  for (const std::string& bytes : {text, gzip(text), zstd(text)}) {
    const std::string path = write("data", bytes);
    for (const std::size_t piece : {1000UL, 4096UL, 262144UL, 1000000UL}) {
      EXPECT_EQ(read_all(path, piece), text) << piece;
    }
    EXPECT_EQ(open_stream(path)->total(), static_cast<int64_t>(bytes.size()));
  }
}

TEST_F(ByteStreamTest, ReadsEmptyAndTinySources) {
  for (const char* text : {"", "a", "ab", "abc", "abcd", "abcde"}) {
    EXPECT_EQ(read_all(write("plain", text), 3), text);
    EXPECT_EQ(read_all(write("gz", gzip(text)), 3), text);
    EXPECT_EQ(read_all(write("zst", zstd(text)), 3), text);
  }
}

TEST_F(ByteStreamTest, GoesOnWithFurtherMembersAndFrames) {
  EXPECT_EQ(read_all(write("gz", gzip("one,") + gzip("") + gzip("two")), 100), "one,two");
  EXPECT_EQ(read_all(write("zst", zstd("one,") + zstd("two")), 100), "one,two");
}

TEST_F(ByteStreamTest, SaysThatCompressedDataEndsEarlyWhereverItIsCut) {
  const std::string text = made_text(3000);
  const std::string gz = gzip(text);
  const std::string zst = zstd(text);
  for (std::size_t length = 5; length < gz.size(); length += 13) {
    EXPECT_NE(error_of(write("gz", gz.substr(0, length))).find("gzip data ends early"), std::string::npos)
        << length;
  }
  for (std::size_t length = 5; length < zst.size(); length += 13) {
    EXPECT_NE(error_of(write("zst", zst.substr(0, length))).find("zstd data ends early"), std::string::npos)
        << length;
  }
}

TEST_F(ByteStreamTest, SaysThatCompressedDataIsDamaged) {
  std::string gz = gzip(made_text(3000));
  gz[gz.size() / 2] ^= 4;
  EXPECT_NE(error_of(write("x.gz", gz)).find("x.gz: the gzip data is damaged"), std::string::npos);
  std::string zst = zstd(made_text(3000));
  for (std::size_t i = 8; i < 40; ++i) zst[i] = '\xff';
  EXPECT_NE(error_of(write("x.zst", zst)).find("x.zst: the zstd data is damaged"), std::string::npos);
  EXPECT_NE(error_of(write("y.gz", gzip("text") + "garbage")).find("damaged"), std::string::npos);
}

TEST_F(ByteStreamTest, NamesASourceThatCannotBeOpened) {
  EXPECT_NE(error_of(folder_ + "/none.csv").find("none.csv: cannot open: No such file"), std::string::npos);
  EXPECT_NE(error_of(folder_).find("this is a folder"), std::string::npos);
  EXPECT_EQ(source_name("-"), "standard input");
}

}  // namespace
}  // namespace t2v::data
