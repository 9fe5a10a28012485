#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/dtype.h"

namespace t2v {

// The header of a container: what docs/file-format.md specifies, as text and as values.

inline constexpr int64_t kBlockBytes = int64_t{1} << 20;           // of the payload, for each a checksum
inline constexpr int64_t kPayloadAlignment = 64;                   // of where the payload starts in the file
inline constexpr int64_t kLargestHeader = 100'000'000;             // as safetensors has it
inline constexpr int64_t kLengthBytes = 8;                         // before the header
inline constexpr std::string_view kFormat = "2";                   // that is written; all before are read
inline constexpr std::string_view kMetadataName = "__metadata__";  // no tensor may have it
inline constexpr std::string_view kReservedPrefix = "t2v.";        // of keys that are the format's own
inline constexpr std::string_view kDamaged = "; the file is damaged, restore or import it again";

/// A tensor: bytes [begin, end) of the payload.
struct TensorInfo {
  std::string name;
  Dtype dtype = Dtype::kU8;
  std::vector<int64_t> shape = {};
  int64_t begin = 0;
  int64_t end = 0;
};

using Metadata = std::map<std::string, std::string, std::less<>>;

struct ContainerHeader {
  Metadata metadata;                // also the format's own keys
  std::vector<TensorInfo> tensors;  // in the order of the payload
};

/// What a header has at most: memory is bounded by the size of the file.
inline constexpr std::size_t kMostTensors = 16'384;
inline constexpr std::size_t kMostKeys = 1'024;           // of the metadata
inline constexpr std::size_t kMostDimensions = 16;        // of a tensor
inline constexpr int64_t kFreeHeader = int64_t{4} << 20;  // bytes by which it may be longer than the payload

/// How many blocks a payload has.
inline int64_t block_count(int64_t payload) { return (payload + kBlockBytes - 1) / kBlockBytes; }

/// Elements of a shape times bytes of one; -1 if that is beyond 64 bits or a dimension is negative.
int64_t bytes_of(Dtype dtype, const std::vector<int64_t>& shape);
/// "2 x 3 x F64"
std::string shape_text(Dtype dtype, const std::vector<int64_t>& shape);

/// The text of the header with its checksum, padded so that the payload after it is aligned. Throws
/// t2v::Error if a name or value is not UTF-8 or the text would be too long.
std::string header_text(const ContainerHeader& header);

/// Reads and checks everything in a header, for a payload of so many bytes. Throws t2v::Error that starts
/// with the path.
ContainerHeader parse_header(const std::string& path, std::string_view text, int64_t payload);

/// The checksums of the blocks of such a payload, from "t2v.blocks".
std::vector<uint64_t> parse_blocks(const std::string& path, const Metadata& metadata, int64_t payload);

}  // namespace t2v
