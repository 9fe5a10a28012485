#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "allocations.h"
#include "base/checksum.h"
#include "base/memory_disk.h"
#include "made_model.h"
#include "model/trained_model.h"
#include "t2v/error.h"

namespace t2v {
namespace {

using namespace testing;

constexpr int64_t kMegabyte = 1 << 20;

/// A sound model with names enough to be worth a lie.
std::string sound_bytes() {
  const std::string path = ::testing::TempDir() + "t2v_bad_model.t2v";
  write_model(FileSystem::real(), path, made_model("lstm", 8, 4));
  std::string bytes(std::filesystem::file_size(path), '\0');
  std::ifstream(path, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  std::filesystem::remove(path);
  return bytes;
}

/// Reads bytes as a model; false if they were refused. Expects that memory is bounded by the file's size.
bool is_read(const std::string& bytes, const std::string& what) {
  MemoryDisk disk(std::as_bytes(std::span(bytes)));
  bool read = true;
  const MemoryPeak peak;
  try {
    read_model("f", disk);
  } catch (const Error&) {
    read = false;
  }
  EXPECT_LE(peak.bytes(), 2 * static_cast<int64_t>(bytes.size()) + 16 * kMegabyte) << what;
  return read;
}

std::size_t header_length(const std::string& bytes) {
  std::size_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  return length;
}

std::string with_length(std::string bytes, uint64_t length) {
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(length >> (8 * i));
  return bytes;
}

/// The file with another header, whose checksum is right.
std::string with_header(const std::string& bytes, std::string header) {
  while ((8 + header.size()) % 64 != 0) header += ' ';
  const std::string field = R"("t2v.header":")";
  const std::size_t at = header.find(field) + field.size();
  header.replace(at, 16, std::string(16, '0'));
  header.replace(at, 16, checksum_text(checksum(std::as_bytes(std::span(header)))));
  return with_length(std::string(8, '\0'), header.size()) + header + bytes.substr(8 + header_length(bytes));
}

/// The file after one text of its header, which must be there, was replaced by another.
std::string with_lie(const std::string& bytes, const std::string& text, const std::string& lie) {
  std::string header = bytes.substr(8, header_length(bytes));
  const std::size_t at = header.find(text);
  EXPECT_NE(at, std::string::npos) << text;
  return with_header(bytes, header.replace(at, text.size(), lie));
}

TEST(BadModelMemory, SoundFilesAreReadAlsoWithTheirHeaderWrittenAnew) {
  const std::string bytes = sound_bytes();
  EXPECT_TRUE(is_read(bytes, "sound"));
  EXPECT_TRUE(is_read(with_header(bytes, bytes.substr(8, header_length(bytes))), "the same header"));
}

TEST(BadModelMemory, IsBoundedForFilesThatAreCutOff) {
  const std::string bytes = sound_bytes();
  for (std::size_t length = 0; length < bytes.size(); length += 1 + length / 20) {
    EXPECT_FALSE(is_read(bytes.substr(0, length), "cut at " + std::to_string(length)));
  }
}

TEST(BadModelMemory, IsBoundedForFilesWithAFlippedBit) {
  const std::string bytes = sound_bytes();
  for (std::size_t at = 0; at < bytes.size(); at += 1 + at / 100) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
    EXPECT_FALSE(is_read(flipped, "flipped at " + std::to_string(at)));
  }
}

TEST(BadModelMemory, IsBoundedForHeadersThatLieAboutTheirLength) {
  const std::string bytes = sound_bytes();
  const std::size_t length = header_length(bytes);
  for (const uint64_t lie : {uint64_t{0}, uint64_t{1}, uint64_t{length - 64}, uint64_t{length + 64},
                             uint64_t{100'000'000}, uint64_t{1} << 40, ~uint64_t{0}}) {
    EXPECT_FALSE(is_read(with_length(bytes, lie), "a header of " + std::to_string(lie)));
  }
}

TEST(BadModelMemory, IsBoundedForHeadersThatLieAboutShapesAndSizes) {
  const std::string bytes = sound_bytes();
  const std::vector<std::pair<std::string, std::string>> lies = {
      {R"("shape":[)", R"("shape":[4000000000,)"},
      {R"("shape":[)", R"("shape":[0,)"},
      {R"("data_offsets":[0,)", R"("data_offsets":[0,9)"},
      {R"(\"hidden\":4)", R"(\"hidden\":60000)"},
      {R"(\"hidden\":4)", R"(\"hidden\":2000000000)"},
      {R"(\"layers\":1)", R"(\"layers\":60)"},
      {R"(\"event_types\":)", R"(\"event_types\":200000)"},
      {R"(\"classes\":)", R"(\"classes\":200000)"},
      {R"(\"k\":)", R"(\"k\":100000)"},
  };
  for (const auto& [text, lie] : lies) EXPECT_FALSE(is_read(with_lie(bytes, text, lie), lie));
}

}  // namespace
}  // namespace t2v
