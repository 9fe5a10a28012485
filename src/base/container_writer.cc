#include "base/container_writer.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/checksum.h"
#include "base/container_json.h"
#include "base/fail.h"
#include "base/version.h"

namespace t2v {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are written as they are in memory");

using Bytes = std::span<const std::byte>;

/// Cuts pieces that lie one after another into blocks and takes the checksum of each.
std::vector<uint64_t> block_checksums(const std::vector<Bytes>& pieces) {
  std::vector<uint64_t> sums;
  std::vector<Bytes> block;
  std::size_t room = kBlockBytes;
  const auto finish = [&] {
    sums.push_back(checksum(block));
    block.clear();
    room = kBlockBytes;
  };
  for (Bytes piece : pieces) {
    while (!piece.empty()) {
      const std::size_t n = std::min(room, piece.size());
      block.push_back(piece.first(n));
      piece = piece.subspan(n);
      room -= n;
      if (room == 0) finish();
    }
  }
  if (!block.empty()) finish();
  return sums;
}

std::array<std::byte, kLengthBytes> length_field(std::size_t length) {
  std::array<std::byte, kLengthBytes> bytes = {};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(length >> (8 * i) & 0xff);
  return bytes;
}

/// Throws for what no reader would take.
void check_limits(const ContainerHeader& header, std::size_t length) {
  const auto check = [](std::size_t count, std::size_t most, const char* what) {
    if (count > most)
      fail("{} {}, more than the {} that a file has; store less in one file", count, what, most);
  };
  check(header.tensors.size(), kMostTensors, "tensors");
  check(header.metadata.size() + 1, kMostKeys, "keys of metadata");  // with the header's checksum
  for (const TensorInfo& tensor : header.tensors) check(tensor.shape.size(), kMostDimensions, "dimensions");
  const int64_t payload = header.tensors.empty() ? 0 : header.tensors.back().end;
  check(length, static_cast<std::size_t>(payload + kFreeHeader), "bytes of names and metadata");
}

}  // namespace

ContainerWriter::ContainerWriter(std::string kind) {
  metadata_.emplace("t2v.format", kFormat);
  metadata_.emplace("t2v.kind", std::move(kind));
  metadata_.emplace("t2v.version", kVersion);
}

void ContainerWriter::set(const std::string& key, std::string value) {
  if (key.starts_with(kReservedPrefix))
    fail("metadata {}: keys with '{}' belong to the format; use another", in_quotes(key), kReservedPrefix);
  if (!metadata_.emplace(key, std::move(value)).second)
    fail("metadata {} is set twice; set it once", in_quotes(key));
}

void ContainerWriter::add_bytes(TensorInfo info, Bytes bytes) {
  const auto same = [&](const Tensor& other) { return other.info.name == info.name; };
  if (info.name == kMetadataName || std::any_of(tensors_.begin(), tensors_.end(), same)) {
    fail("tensor {}: the name is taken; use another", in_quotes(info.name));
  }
  if (bytes_of(info.dtype, info.shape) != static_cast<int64_t>(bytes.size())) {
    fail("tensor {}: the shape {} does not have the {} bytes that are given; correct it",
         in_quotes(info.name), shape_text(info.dtype, info.shape), bytes.size());
  }
  tensors_.push_back({std::move(info), bytes});
}

/// Large elements first: so each tensor starts at a multiple of its element, without gaps.
std::vector<ContainerWriter::Tensor> ContainerWriter::laid_out() const {
  std::vector<Tensor> tensors = tensors_;
  std::stable_sort(tensors.begin(), tensors.end(), [](const Tensor& a, const Tensor& b) {
    return size_of(a.info.dtype) > size_of(b.info.dtype);
  });
  int64_t end = 0;
  for (Tensor& tensor : tensors) {
    tensor.info.begin = end;
    end += static_cast<int64_t>(tensor.bytes.size());
    tensor.info.end = end;
  }
  return tensors;
}

void ContainerWriter::write(FileSystem& files, const std::string& path) const {
  ContainerHeader header;
  header.metadata = metadata_;
  std::vector<Bytes> pieces;
  for (Tensor& tensor : laid_out()) {
    header.tensors.push_back(std::move(tensor.info));
    pieces.push_back(tensor.bytes);
  }
  std::string& blocks = header.metadata["t2v.blocks"];
  for (const uint64_t sum : block_checksums(pieces)) blocks += checksum_text(sum);
  const std::string text = header_text(header);
  check_limits(header, text.size());
  const auto length = length_field(text.size());
  pieces.insert(pieces.begin(), {std::span(length), std::as_bytes(std::span(text))});
  write_file_atomically(files, path, pieces);
}

}  // namespace t2v
