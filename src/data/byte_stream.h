#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/file_system.h"

namespace t2v::data {

/// Data that are packed in a file may become so many times as long; up to kAlwaysFine they may in any case.
inline constexpr int64_t kMostGrowth = 256;
inline constexpr int64_t kAlwaysFine = int64_t{1} << 23;

/// The bytes of a file or of standard input, decompressed if they are gzip or zstd (told by their first
/// bytes, not by the name). Data that would become more than 256 times as long, and longer than 8 MiB, are
/// refused: no few bytes are to fill the memory.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Fills the buffer as far as bytes go; fewer only at the end. Throws t2v::Error if the source cannot be
  /// read, or if compressed data is damaged or ends early.
  virtual int64_t read(std::span<char> buffer) = 0;
  /// Bytes of the source taken so far, and in all; 0 where that is not known (a pipe).
  virtual int64_t taken() const = 0;
  virtual int64_t total() const = 0;
};

/// "-" is standard input.
std::unique_ptr<ByteStream> open_stream(const std::string& path, FileSystem& files = FileSystem::real());

/// The name of a source for messages: the path, or "standard input".
std::string source_name(const std::string& path);

}  // namespace t2v::data
